/**
 * Adds columns to the rows of the input.
 */
import { RawRecord } from "@chemstream/ndjson"

/** A column and its value as JSON text. */
export type Cell = readonly [name: string, json: string]

/** Makes the cell of a value. */
export const cell = (name: string, value: string | number | null | undefined): Cell => [
  name,
  JSON.stringify(value ?? null)
]

/** Makes the cells of fields of a record. A missing field is null. */
export const cellsOf = (
  record: RawRecord.RawRecord | undefined,
  fields: ReadonlyArray<string>
): ReadonlyArray<Cell> =>
  fields.map((field) => {
    const value = record === undefined ? undefined : RawRecord.value(record, field)
    return [field, RawRecord.isRawRecord(value) ? RawRecord.toText(value) : JSON.stringify(value ?? null)]
  })

/** Returns the fields that are not columns of every row, each once. */
export const additional = (
  fields: ReadonlyArray<string>,
  columns: ReadonlyArray<string>
): ReadonlyArray<string> => [...new Set(fields)].filter((field) => !columns.includes(field))

/** Returns a free column name. A name that the input has gets the suffix `_found`. */
export const free = (name: string, taken: ReadonlyArray<string> | undefined): string =>
  taken?.includes(name) === true ? free(`${name}_found`, taken) : name

/** Appends cells to the object of a row. */
export const append = (row: unknown, cells: ReadonlyArray<Cell>): RawRecord.RawRecord => {
  const added = cells.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")
  const own = RawRecord.isRawRecord(row) ? RawRecord.toText(row).trim().slice(1, -1).trim() : ""
  return RawRecord.fromText(`{${own}${own === "" || added === "" ? "" : ","}${added}}`)
}
