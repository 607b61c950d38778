/**
 * Skips parts of JSON text: white space, strings, numbers, literals, nested values. Builds nothing.
 *
 * Checks only what the end of a value depends on: quotes, escapes and matching brackets. `jsonGrammar.ts` checks the full
 * grammar. Each function returns the index after the part, or -1.
 */

import { indexOf } from "../../internal/byteSearch.ts"
import {
  BACKSLASH,
  CLOSE_ARRAY,
  endsScalar,
  isSpace,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  startsValue
} from "../../internal/jsonBytes.ts"

/**
 * The number of bytes of a string that are read one by one before `indexOf` takes over. For short strings, a loop is
 * faster than a call.
 */
export const PROBE = 32

// The open brackets. All calls share one array, because the functions never yield.
let brackets = new Uint8Array(64)

/** Returns the index of the first byte that is not white space, at most `end`. */
export const skipSpace = (bytes: Uint8Array, start: number, end: number): number => {
  let i = start
  while (i < end && isSpace(bytes[i])) i++
  return i
}

/**
 * Skips a string from the byte after its opening quote. Returns the index after its closing quote. -1: the string
 * does not end.
 */
export const skipString = (bytes: Uint8Array, start: number, end: number): number => {
  let i = start
  const probeEnd = Math.min(start + PROBE, end)
  for (; i < probeEnd; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) return i + 1
    if (byte === BACKSLASH) i++
  }
  // `i` is never inside an escape here, so a run of backslashes counts from `floor`.
  let floor = i
  for (;;) {
    const quote = indexOf(bytes, QUOTE, i)
    if (quote === -1 || quote >= end) return -1
    let k = quote - 1
    while (k >= floor && bytes[k] === BACKSLASH) k--
    if (((quote - k) & 1) === 1) return quote + 1
    i = quote + 1
    floor = i
  }
}

/** Skips one value of any kind. -1: it does not end, or its brackets do not match. */
export const skipValue = (bytes: Uint8Array, start: number, end: number): number => {
  const first = bytes[start] as number
  if (first === QUOTE) return skipString(bytes, start + 1, end)
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) {
    if (!startsValue(first)) return -1
    let i = start + 1
    while (i < end && !endsScalar(bytes[i] as number)) i++
    return i
  }
  let depth = 0
  let i = start
  while (i < end) {
    const byte = bytes[i] as number
    if (byte === QUOTE) {
      i = skipString(bytes, i + 1, end)
      if (i === -1) return -1
      continue
    }
    i++
    if ((byte as number) < OPEN_ARRAY) continue
    // "[" and "{", "]" and "}" differ by one bit.
    const folded = (byte as number) & 0xdf
    if (folded === OPEN_ARRAY) {
      if (depth === brackets.length) brackets = doubleSize(brackets)
      brackets[depth++] = byte as number
    } else if (folded === CLOSE_ARRAY) {
      // A closing bracket is two after its opening one in ASCII.
      if ((brackets[--depth] as number) + 2 !== byte) return -1
      if (depth === 0) return i
    }
  }
  return -1
}

/** Returns a copy of twice the size. */
export const doubleSize = (stack: Uint8Array): Uint8Array<ArrayBuffer> => {
  const next = new Uint8Array(stack.length * 2)
  next.set(stack)
  return next
}
