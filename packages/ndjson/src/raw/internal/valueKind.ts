/** Finds the kind of a JSON value by its first byte. */

import { OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "../../internal/jsonBytes.ts"

/** The kind of a JSON value. */
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
