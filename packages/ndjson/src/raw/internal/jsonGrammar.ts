/**
 * Checks the full grammar of RFC 8259 over bytes: where and why a text is not JSON.
 *
 * It finds the exact fault after `JSON.parse` or a scan has refused a text, because engines word and place their
 * errors differently. It is also fast for valid texts, which `RawRecord.check` checks with it. `decodeText.ts` checks UTF-8.
 */

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endsScalar,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
  startsValue
} from "../../internal/jsonBytes.ts"
import type { RawJsonReason } from "../RawJsonError.ts"
import { doubleSize, skipSpace } from "./skipJson.ts"

/** The fault of a text, and its index in the bytes. */
export interface Fault {
  readonly reason: RawJsonReason
  readonly index: number
  readonly detail: string
}

const fault = (reason: RawJsonReason, index: number, detail: string): Fault => ({ reason, index, detail })

// The open brackets. All calls share one array, because the functions never yield.
let brackets = new Uint8Array(64)

/** Returns the first fault of the JSON text in `bytes[start, end)`. Undefined: it is one well-formed value. */
export const check = (bytes: Uint8Array, start: number, end: number): Fault | undefined => {
  let depth = 0
  let i = skipRareSpace(bytes, start, end)
  if (start === end) return fault("truncated", end, "the text is empty")
  for (;;) {
    // At a value.
    if (i === end) return truncated(end, "a value")
    const first = bytes[i] as number
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      if (depth === brackets.length) brackets = doubleSize(brackets)
      brackets[depth++] = first
      i = skipRareSpace(bytes, i + 1, end)
      if (i === end) return truncated(end, "a value")
      // A closing bracket is two after its opening one in ASCII.
      if (bytes[i] === first + 2) {
        depth--
        i++
      } else {
        if (first === OPEN_OBJECT) {
          const value = checkKey(bytes, i, end, depth)
          if (typeof value !== "number") return value
          i = value
        }
        continue
      }
    } else {
      const after = first === QUOTE ? checkString(bytes, i + 1, end) : checkScalar(bytes, i, end)
      if (typeof after !== "number") return unexpectedBracket(bytes, i, depth) ?? after
      i = after
    }
    // After a value: skips closing brackets, up to the next value.
    for (;;) {
      i = skipRareSpace(bytes, i, end)
      if (depth === 0)
        return i === end ? undefined : fault("trailing-data", i, "text follows the end of the value")
      if (i === end) return truncated(end, "a value")
      const byte = bytes[i] as number
      const opening = brackets[depth - 1] as number
      if (byte === opening + 2) {
        depth--
        i++
        continue
      }
      if (byte !== COMMA) return unexpectedBracket(bytes, i, depth) ?? missingComma(bytes, i)
      i = skipRareSpace(bytes, i + 1, end)
      if (opening === OPEN_OBJECT) {
        if (i === end) return truncated(end, "a value")
        const value = checkKey(bytes, i, end, depth)
        if (typeof value !== "number") return value
        i = value
      }
      break
    }
  }
}

/** Checks a key and its colon. Returns the index of the value. */
const checkKey = (bytes: Uint8Array, start: number, end: number, depth: number): number | Fault => {
  if (bytes[start] !== QUOTE)
    return (
      unexpectedBracket(bytes, start, depth) ??
      fault("unexpected-byte", start, "a key in double quotes is expected")
    )
  const key = checkString(bytes, start + 1, end)
  if (typeof key !== "number") return key
  const i = skipRareSpace(bytes, key, end)
  if (i === end) return fault("truncated", i, "the text ends after a key")
  return bytes[i] === COLON
    ? skipRareSpace(bytes, i + 1, end)
    : fault("unexpected-byte", i, "a colon is expected after a key")
}

/** Returns the fault of a closing bracket that replaces a value or a key. Undefined: the byte is no closing bracket. */
const unexpectedBracket = (bytes: Uint8Array, index: number, depth: number): Fault | undefined => {
  const byte = bytes[index] as number
  if (byte !== CLOSE_OBJECT && byte !== CLOSE_ARRAY) return undefined
  return depth === 0 || (brackets[depth - 1] as number) + 2 !== byte
    ? fault("unbalanced", index, `"${String.fromCharCode(byte)}" has no opening bracket`)
    : fault("unexpected-byte", index, "a value is missing before the bracket")
}

const missingComma = (bytes: Uint8Array, index: number): Fault =>
  startsValue(bytes[index] as number)
    ? fault("missing-comma", index, "a comma is missing between two values")
    : fault("unexpected-byte", index, "a comma or a closing bracket is expected")

const truncated = (end: number, what: string): Fault =>
  fault("truncated", end, `the text ends inside ${what}`)

/** As `skipSpace`, but faster if there usually is no white space. */
const skipRareSpace = (bytes: Uint8Array, start: number, end: number): number =>
  start < end && (bytes[start] as number) <= SPACE ? skipSpace(bytes, start, end) : start

/** Whether `bytes[start, end)` is exactly one number, `true`, `false` or `null`. */
export const isScalar = (bytes: Uint8Array, start: number, end: number): boolean =>
  checkScalar(bytes, start, end) === end

const checkScalar = (bytes: Uint8Array, start: number, end: number): number | Fault => {
  const first = bytes[start]
  const literal = first === 0x6e ? NULL : first === 0x74 ? TRUE : first === 0x66 ? FALSE : undefined
  return literal === undefined ? checkNumber(bytes, start, end) : checkLiteral(literal, bytes, start, end)
}

const TRUE = new TextEncoder().encode("true")
const FALSE = new TextEncoder().encode("false")
const NULL = new TextEncoder().encode("null")

const checkLiteral = (literal: Uint8Array, bytes: Uint8Array, start: number, end: number): number | Fault => {
  const { length } = literal
  let k = 1
  while (k < length && literal[k] === bytes[start + k]) k++
  const i = start + k
  if (i > end || (i === end && k < length)) return truncated(end, "a literal")
  return k === length && (i === end || endsScalar(bytes[i]))
    ? i
    : fault("unexpected-byte", i, "not true, false or null")
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

const checkNumber = (bytes: Uint8Array, start: number, end: number): number | Fault => {
  let i = bytes[start] === 0x2d ? start + 1 : start
  // The start of the digits of a part: integer, fraction or exponent. Without digits, `i` does not pass it.
  let digits = i
  i = i < end && bytes[i] === 0x30 ? i + 1 : skipDigits(bytes, i, end)
  if (i > digits && i < end && bytes[i] === 0x2e) {
    digits = i + 1
    i = skipDigits(bytes, digits, end)
  }
  if (i > digits && i < end && (bytes[i] === 0x65 || bytes[i] === 0x45)) {
    digits = i + 1
    if (digits < end && (bytes[digits] === 0x2b || bytes[digits] === 0x2d)) digits++
    i = skipDigits(bytes, digits, end)
  }
  if (i > digits && (i === end || endsScalar(bytes[i]))) return i
  return i === end
    ? truncated(end, "a number")
    : fault("unexpected-byte", i, i === start ? "a value is expected" : "not a JSON number")
}

const skipDigits = (bytes: Uint8Array, start: number, end: number): number => {
  let i = start
  while (i < end && isDigit(bytes[i])) i++
  return i
}

// By byte: 1 if it may follow a backslash, except "u".
const isEscape = new Uint8Array(256)
for (const letter of '"\\/bfnrt') isEscape[letter.charCodeAt(0)] = 1

// By byte: 1 if it may be in a string without an escape.
const isPlain = new Uint8Array(256).fill(1, SPACE)
isPlain[QUOTE] = 0
isPlain[BACKSLASH] = 0

const isHex = (byte: number | undefined): boolean =>
  isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

const checkString = (bytes: Uint8Array, start: number, end: number): number | Fault => {
  let i = start
  for (;;) {
    i = skipPlain(bytes, i, end)
    if (i === end) break
    const byte = bytes[i] as number
    if (byte === QUOTE) return i + 1
    if (byte !== BACKSLASH)
      return fault("unexpected-byte", i, "a control character in a string must be escaped")
    if (++i === end) break
    if (bytes[i] !== 0x75) return fault("unexpected-byte", i, "not a JSON escape")
    for (let k = 0; k < 4; k++) {
      if (++i === end) return truncated(end, "a string")
      if (!isHex(bytes[i]))
        return fault("unexpected-byte", i, "four hexadecimal digits are expected after \\u")
    }
    i++
  }
  return truncated(end, "a string")
}

/**
 * Skips plain bytes of a string and escapes of one letter. A hot loop: long strings of a detail record are tables of
 * digits with escaped tabs between them.
 */
const skipPlain = (bytes: Uint8Array, start: number, end: number): number => {
  let i = start
  const last = end - 4
  for (;;) {
    while (
      i < last &&
      ((isPlain[bytes[i] as number] as number) &
        (isPlain[bytes[i + 1] as number] as number) &
        (isPlain[bytes[i + 2] as number] as number) &
        (isPlain[bytes[i + 3] as number] as number)) ===
        1
    )
      i += 4
    while (i < end && isPlain[bytes[i] as number] === 1) i++
    if (i + 1 >= end || bytes[i] !== BACKSLASH || isEscape[bytes[i + 1] as number] === 0) return i
    i += 2
    // Two pairs of a plain byte and an escape in one step.
    while (
      i < last - 2 &&
      ((isPlain[bytes[i] as number] as number) &
        (isEscape[bytes[i + 2] as number] as number) &
        (isPlain[bytes[i + 3] as number] as number) &
        (isEscape[bytes[i + 5] as number] as number)) ===
        1 &&
      (((bytes[i + 1] as number) ^ BACKSLASH) | ((bytes[i + 4] as number) ^ BACKSLASH)) === 0
    )
      i += 6
  }
}
