/**
 * Finds the fields of an object at its top level, as positions in its bytes: all of them (`fieldSpans`), or one (`findField`).
 *
 * Checks the structure: quotes, brackets, colons and commas. `RawRecord` reads the fields. `nestedFields.ts` visits those of any depth.
 */

import { invalidUtf8At, sameKey } from "../../internal/decodeText.ts"
import { CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE } from "../../internal/jsonBytes.ts"
import { check, type Fault } from "./jsonGrammar.ts"
import { skipSpace, skipString, skipValue } from "./skipJson.ts"

/**
 * Returns four indexes for each field: start and end of its key (without quotes), start and end of its value. Returns
 * a fault if the text is not a well-formed object.
 */
export const fieldSpans = (bytes: Uint8Array, start: number, end: number): Array<number> | Fault => {
  const spans: Array<number> = []
  return walk(bytes, start, end, spans, "") ?? spans
}

/**
 * The position of the value that `findField` has found, until its next call. Shared, so that a search allocates
 * nothing.
 */
export const match = { start: 0, end: 0 }

/**
 * Whether the object has a field with this key; `match` is the position of the last one. Returns a fault if the text
 * is malformed.
 */
export const findField = (bytes: Uint8Array, start: number, end: number, key: string): boolean | Fault => {
  match.end = -1
  return walk(bytes, start, end, undefined, key) ?? match.end >= 0
}

/** Scans the fields. With `spans`, collects all of them; without, keeps the position of the last one with `key`. */
const walk = (
  bytes: Uint8Array,
  start: number,
  end: number,
  spans: Array<number> | undefined,
  key: string
): Fault | undefined => {
  let i = skipSpace(bytes, start, end)
  if (i === end || bytes[i] !== OPEN_OBJECT) return faultOf(bytes, start, end)
  i = skipSpace(bytes, i + 1, end)
  if (bytes[i] === CLOSE_OBJECT) i++
  else {
    for (;;) {
      if (i >= end || bytes[i] !== QUOTE) return faultOf(bytes, start, end)
      const keyStart = i + 1
      i = skipString(bytes, keyStart, end)
      if (i === -1) return faultOf(bytes, start, end)
      const keyEnd = i - 1
      i = skipSpace(bytes, i, end)
      if (i >= end || bytes[i] !== COLON) return faultOf(bytes, start, end)
      i = skipSpace(bytes, i + 1, end)
      const valueStart = i
      i = skipValue(bytes, i, end)
      if (i === -1) return faultOf(bytes, start, end)
      if (spans !== undefined) spans.push(keyStart, keyEnd, valueStart, i)
      else if (sameKey(bytes, keyStart, keyEnd, key)) {
        match.start = valueStart
        match.end = i
      }
      i = skipSpace(bytes, i, end)
      if (i >= end) return faultOf(bytes, start, end)
      const byte = bytes[i++]
      if (byte === CLOSE_OBJECT) break
      if (byte !== COMMA) return faultOf(bytes, start, end)
      i = skipSpace(bytes, i, end)
    }
  }
  return skipSpace(bytes, i, end) === end ? undefined : faultOf(bytes, start, end)
}

/** Returns the index in `spans` of the last field with a key. Negative: there is none. */
export const lastField = (bytes: Uint8Array, spans: ReadonlyArray<number>, key: string): number => {
  let k = spans.length - 4
  while (k >= 0 && !sameKey(bytes, spans[k] as number, spans[k + 1] as number, key)) k -= 4
  return k
}

/** Returns the fault of a text that a scan has refused. */
export const faultOf = (bytes: Uint8Array, start: number, end: number): Fault => {
  const wrong = check(bytes, start, end)
  if (wrong !== undefined) return wrong
  const first = skipSpace(bytes, start, end)
  if (bytes[first] !== OPEN_OBJECT) {
    return { reason: "not-an-object", index: first, detail: "the value is not an object" }
  }
  // The grammar has no fault, so the scan has refused a key that is not UTF-8.
  return { reason: "invalid-utf8", index: invalidUtf8At(bytes, start, end), detail: "a key is not UTF-8" }
}
