/** Labels and colours that the plots share. */
import { textOf } from "../records/fields.ts"

export const activeColour = "#0b4f9e"
export const inactiveColour = "#6b6b6b"

export const fieldLabel = (label: string, record: object, field: string): string | undefined => {
  const value = textOf(record, field)
  return value === undefined ? undefined : `${label} ${value}`
}

export const joinDefined = (parts: ReadonlyArray<string | undefined>, separator: string): string =>
  parts.filter((part) => part !== undefined).join(separator)
