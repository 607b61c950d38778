/**
 * Makes the labels of a data record that the plots share, e.g. `assay endpoint 3032`. `quantityTitles.ts` has the titles of axes,
 * and `plotColours.ts` the colours.
 */
import { textOf } from "../records/recordFields.ts"
import type { Options } from "./plotOptions.ts"

/** Returns a field with its label, or undefined without a value. */
export const fieldLabel = (label: string, record: object, field: string): string | undefined => {
  const value = textOf(record, field)
  return value === undefined ? undefined : `${label} ${value}`
}

/** Returns the name of a record's assay endpoint, if it is known. */
export const assayNameOf = (record: object, { assayNames }: Options): string | undefined =>
  assayNames?.get(Number(textOf(record, "aeid")))

/** Returns the number of a record's assay endpoint, and its name if it is known. */
export const assayLabel = (record: object, options: Options): string | undefined => {
  const label = fieldLabel("assay endpoint", record, "aeid")
  const name = assayNameOf(record, options)
  return name === undefined ? label : `${label}: ${name}`
}

export const joinDefined = (parts: ReadonlyArray<string | undefined>, separator: string): string =>
  parts.filter((part) => part !== undefined).join(separator)
