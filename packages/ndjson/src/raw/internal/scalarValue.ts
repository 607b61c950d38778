/** Decodes a JSON value that is no array and no object. */

import { decodeStrict, decodeString } from "../../internal/decodeText.ts"
import { QUOTE } from "../../internal/jsonBytes.ts"
import { isScalar } from "./jsonGrammar.ts"
import { kindAt } from "./valueKind.ts"

/** Returns the string, number, boolean or null in `bytes[start, end)`. Undefined: it is none of these, or malformed. */
export const scalarAt = (
  bytes: Uint8Array,
  start: number,
  end: number
): string | number | boolean | null | undefined => {
  const first = bytes[start] as number
  if (first === QUOTE) {
    try {
      return decodeString(bytes, start + 1, end - 1)
    } catch {
      return undefined
    }
  }
  if (!isScalar(bytes, start, end)) return undefined
  switch (kindAt(first)) {
    case "null":
      return null
    case "boolean":
      return first === 0x74
    default:
      return Number(decodeStrict(bytes, start, end))
  }
}
