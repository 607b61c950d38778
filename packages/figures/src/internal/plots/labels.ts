/** Labels and colours that the plots share. */
import { textOf } from "../records/fields.ts"
import type { Options } from "./options.ts"

export const activeColour = "#0b4f9e"
export const inactiveColour = "#6b6b6b"

export const fieldLabel = (label: string, record: object, field: string): string | undefined => {
  const value = textOf(record, field)
  return value === undefined ? undefined : `${label} ${value}`
}

/** Returns the number of a record's assay endpoint, and its name if it is known. */
export const assayLabel = (record: object, { assayNames }: Options): string | undefined => {
  const label = fieldLabel("assay endpoint", record, "aeid")
  const name = assayNames?.get(Number(textOf(record, "aeid")))
  return name === undefined ? label : `${label}: ${name}`
}

export const joinDefined = (parts: ReadonlyArray<string | undefined>, separator: string): string =>
  parts.filter((part) => part !== undefined).join(separator)
