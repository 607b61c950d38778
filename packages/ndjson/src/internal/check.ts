/**
 * The full grammar of RFC 8259 over bytes: says where and why a text is not JSON.
 *
 * Used where `JSON.parse` or a raw walk has already refused a text, because engines word and place their errors
 * differently, or not at all. Leaves the validity of UTF-8 to `text.ts`.
 */
import type { RawJsonReason } from "../RawJsonError.ts"
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
  startsValue
} from "./ascii.ts"
import { grown, skipSpace } from "./skip.ts"

/** What is wrong with a text, at which index of its bytes. */
export interface Fault {
  readonly reason: RawJsonReason
  readonly index: number
  readonly detail: string
}

const fault = (reason: RawJsonReason, index: number, detail: string): Fault => ({ reason, index, detail })

const LITERALS = ["true", "false", "null"].map((word) => new TextEncoder().encode(word))

const VALUE = 0
const VALUE_OR_END = 1
const KEY = 2
const KEY_OR_END = 3
const NEXT = 4

/** The first fault of the JSON text in `bytes[start, end)`, or undefined when it is one well-formed value. */
export const check = (bytes: Uint8Array, start: number, end: number): Fault | undefined => {
  let open = new Uint8Array(64)
  let depth = 0
  let state = VALUE
  let i = start
  for (;;) {
    i = skipSpace(bytes, i, end)
    if (state === NEXT && depth === 0) {
      return i === end ? undefined : fault("trailing-data", i, "something follows the end of the value")
    }
    if (i === end)
      return fault("truncated", i, i === start ? "the text is empty" : "the text ends inside a value")
    const byte = bytes[i] as number
    if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 0 || (open[depth - 1] as number) + 2 !== byte) {
        return fault("unbalanced", i, `"${String.fromCharCode(byte)}" closes nothing that is open`)
      }
      if (state === VALUE || state === KEY)
        return fault("unexpected-byte", i, "a value is missing before the bracket")
      depth--
      state = NEXT
      i++
    } else if (state === NEXT) {
      if (byte !== COMMA) {
        return startsValue(byte)
          ? fault("missing-comma", i, "a comma is missing between two values")
          : fault("unexpected-byte", i, "a comma or a closing bracket is expected")
      }
      state = open[depth - 1] === OPEN_OBJECT ? KEY : VALUE
      i++
    } else if (state === KEY || state === KEY_OR_END) {
      if (byte !== QUOTE) return fault("unexpected-byte", i, "a key in double quotes is expected")
      const key = checkString(bytes, i + 1, end)
      if (typeof key !== "number") return key
      i = skipSpace(bytes, key, end)
      if (i === end) return fault("truncated", i, "the text ends after a key")
      if (bytes[i] !== COLON) return fault("unexpected-byte", i, "a colon is expected after a key")
      state = VALUE
      i++
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === open.length) open = grown(open)
      open[depth++] = byte
      state = byte === OPEN_OBJECT ? KEY_OR_END : VALUE_OR_END
      i++
    } else {
      const after = byte === QUOTE ? checkString(bytes, i + 1, end) : checkScalar(bytes, i, end)
      if (typeof after !== "number") return after
      state = NEXT
      i = after
    }
  }
}

/** Whether `bytes[start, end)` is exactly one number, `true`, `false` or `null`. */
export const isScalar = (bytes: Uint8Array, start: number, end: number): boolean =>
  checkScalar(bytes, start, end) === end

const checkScalar = (bytes: Uint8Array, start: number, end: number): number | Fault => {
  let stop = start
  while (stop < end && !endsScalar(bytes[stop] as number)) stop++
  for (const literal of LITERALS) {
    if (literal[0] !== bytes[start]) continue
    for (let k = 1; k < literal.length; k++) {
      if (start + k === end) return fault("truncated", end, "the text ends inside a literal")
      if (literal[k] !== bytes[start + k])
        return fault("unexpected-byte", start + k, "not true, false or null")
    }
    return start + literal.length === stop
      ? stop
      : fault("unexpected-byte", start + literal.length, "not true, false or null")
  }
  return checkNumber(bytes, start, stop, end)
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

const checkNumber = (bytes: Uint8Array, start: number, stop: number, end: number): number | Fault => {
  const wrong = (index: number): Fault =>
    index === end
      ? fault("truncated", end, "the text ends inside a number")
      : fault("unexpected-byte", index, index === start ? "a value is expected" : "not a JSON number")
  const digits = (from: number): number => {
    let k = from
    while (k < stop && isDigit(bytes[k])) k++
    return k
  }
  let i = bytes[start] === 0x2d ? start + 1 : start
  if (i === stop || !isDigit(bytes[i])) return wrong(i)
  i = bytes[i] === 0x30 ? i + 1 : digits(i)
  if (i < stop && bytes[i] === 0x2e) {
    const from = i + 1
    i = digits(from)
    if (i === from) return wrong(i)
  }
  if (i < stop && (bytes[i] === 0x65 || bytes[i] === 0x45)) {
    let from = i + 1
    if (from < stop && (bytes[from] === 0x2b || bytes[from] === 0x2d)) from++
    i = digits(from)
    if (i === from) return wrong(i)
  }
  return i === stop ? i : wrong(i)
}

// By byte: 1 where it may follow a backslash, "u" apart.
const isEscape = new Uint8Array(256)
for (const letter of '"\\/bfnrt') isEscape[letter.charCodeAt(0)] = 1

const isHex = (byte: number | undefined): boolean =>
  isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

const checkString = (bytes: Uint8Array, start: number, end: number): number | Fault => {
  let i = start
  while (i < end) {
    const byte = bytes[i] as number
    if (byte === QUOTE) return i + 1
    if (byte < 0x20) return fault("unexpected-byte", i, "a control character in a string must be escaped")
    if (byte === BACKSLASH) {
      if (++i === end) break
      if (bytes[i] === 0x75) {
        for (let k = 0; k < 4; k++) {
          if (++i === end) return fault("truncated", end, "the text ends inside a string")
          if (!isHex(bytes[i]))
            return fault("unexpected-byte", i, "four hexadecimal digits are expected after \\u")
        }
      } else if (isEscape[bytes[i] as number] === 0) {
        return fault("unexpected-byte", i, "not an escape of JSON")
      }
    }
    i++
  }
  return fault("truncated", end, "the text ends inside a string")
}
