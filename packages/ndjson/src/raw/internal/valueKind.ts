/** Finds the kind of a value by its first byte, and decodes scalars. */

import { decodeStrict, decodeString } from "../../internal/decodeText.ts"
import { OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "../../internal/jsonBytes.ts"
import { isScalar } from "./jsonGrammar.ts"

export type Kind = "string" | "number" | "boolean" | "null" | "array" | "object"

/** Returns the kind of a value that starts with this byte. */
export const kindAt = (byte: number): Kind => {
  switch (byte) {
    case QUOTE:
      return "string"
    case OPEN_OBJECT:
      return "object"
    case OPEN_ARRAY:
      return "array"
    case 0x74:
    case 0x66:
      return "boolean"
    case 0x6e:
      return "null"
    default:
      return "number"
  }
}

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
