/**
 * Visits the fields of an object at any depth, as positions in its bytes, each byte once. Checks the structure as `fieldSpans.ts` does.
 * `transforms/internal/flat.ts` makes one flat record of them.
 */
import { CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE } from "../../internal/jsonBytes.ts"
import { faultOf } from "./fieldSpans.ts"
import type { Fault } from "./jsonGrammar.ts"
import { skipSpace, skipString, skipValue } from "./skipJson.ts"

/** What `visitNested` calls with the positions of each key and value, in order. */
export interface NestedVisitor {
  /** A value that is not a non-empty object. */
  readonly leaf: (keyStart: number, keyEnd: number, start: number, end: number) => void
  /** An object with fields begins, and ends. */
  readonly open: (keyStart: number, keyEnd: number) => void
  readonly close: () => void
}

/** Visits the values of an object. Returns a fault if the text is not a well-formed object. */
export const visitNested = (
  bytes: Uint8Array,
  start: number,
  end: number,
  visitor: NestedVisitor
): Fault | undefined => {
  const fault = (): Fault => faultOf(bytes, start, end)
  let i = skipSpace(bytes, start, end)
  if (i === end || bytes[i] !== OPEN_OBJECT) return fault()
  i = skipSpace(bytes, i + 1, end)
  if (bytes[i] === CLOSE_OBJECT) return skipSpace(bytes, i + 1, end) === end ? undefined : fault()
  let depth = 1
  while (depth > 0) {
    if (i >= end || bytes[i] !== QUOTE) return fault()
    const keyStart = i + 1
    i = skipString(bytes, keyStart, end)
    if (i === -1) return fault()
    const keyEnd = i - 1
    i = skipSpace(bytes, i, end)
    if (i >= end || bytes[i] !== COLON) return fault()
    i = skipSpace(bytes, i + 1, end)
    if (bytes[i] === OPEN_OBJECT) {
      const first = skipSpace(bytes, i + 1, end)
      if (bytes[first] !== CLOSE_OBJECT) {
        visitor.open(keyStart, keyEnd)
        depth++
        i = first
        continue
      }
    }
    const valueStart = i
    i = skipValue(bytes, i, end)
    if (i === -1) return fault()
    visitor.leaf(keyStart, keyEnd, valueStart, i)
    for (;;) {
      i = skipSpace(bytes, i, end)
      if (i >= end) return fault()
      const byte = bytes[i++]
      if (byte === COMMA) break
      if (byte !== CLOSE_OBJECT) return fault()
      if (--depth === 0) break
      visitor.close()
    }
    i = skipSpace(bytes, i, end)
  }
  return i === end ? undefined : fault()
}
