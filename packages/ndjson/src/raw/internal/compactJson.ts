/** Removes the white space between the tokens of a JSON text, so that it fits on one line. */

import { holds } from "../../internal/byteSearch.ts"
import { BACKSLASH, COLON, COMMA, CR, isSpace, LF, QUOTE } from "../../internal/jsonBytes.ts"

// Below this length a loop is faster than a view and two searches.
const SHORT_BYTES = 64

/** Whether `bytes[start, end)` has a CR or LF. Reads no byte outside. */
export const breaksLine = (bytes: Uint8Array, start: number, end: number): boolean => {
  if (end - start > SHORT_BYTES) return holds(bytes, LF, start, end) || holds(bytes, CR, start, end)
  for (let i = start; i < end; i++) if (bytes[i] === LF || bytes[i] === CR) return true
  return false
}

/**
 * Returns the text of `bytes[start, end)` without white space between tokens. Strings keep their bytes.
 *
 * Text that is not JSON stays invalid, but becomes one line: a line break inside a string becomes its escape. Two
 * values with only white space between them keep one space.
 */
export const compact = (bytes: Uint8Array, start: number, end: number): Uint8Array =>
  write(bytes, start, end, end - start) ?? (write(bytes, start, end, 2 * (end - start)) as Uint8Array)

/** Writes the text. Undefined: a line break inside a string needs an escape, which is longer than the text. */
const write = (bytes: Uint8Array, start: number, end: number, capacity: number): Uint8Array | undefined => {
  const out = new Uint8Array(capacity)
  let o = 0
  let i = start
  while (i < end) {
    const byte = bytes[i] as number
    if (isSpace(byte)) {
      do i++
      while (i < end && isSpace(bytes[i]))
      if (o > 0 && i < end && isToken(out[o - 1] as number) && isToken(bytes[i] as number)) out[o++] = 0x20
      continue
    }
    out[o++] = byte
    i++
    if (byte !== QUOTE) continue
    while (i < end) {
      const inside = bytes[i++] as number
      if (inside === LF || inside === CR) {
        if (capacity === end - start) return undefined
        out[o++] = BACKSLASH
        out[o++] = inside === LF ? 0x6e : 0x72
        continue
      }
      out[o++] = inside
      if (inside === QUOTE) break
      if (inside === BACKSLASH && i < end && bytes[i] !== LF && bytes[i] !== CR)
        out[o++] = bytes[i++] as number
    }
  }
  return out.subarray(0, o)
}

// Whether a byte belongs to a string, number or literal. "[" and "{", "]" and "}" differ by the bit 0x20.
const isToken = (byte: number): boolean =>
  byte !== COMMA && byte !== COLON && (byte | 0x20) !== 0x7b && (byte | 0x20) !== 0x7d
