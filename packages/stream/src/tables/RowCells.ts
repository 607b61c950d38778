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

/** Returns a function to free column names. A name that the input has, in any case, gets the suffix `_found`. */
export const freeOf = (taken: ReadonlyArray<string> | undefined): ((name: string) => string) => {
  const folded = new Set(taken?.map((name) => name.toLowerCase()))
  const free = (name: string): string => (folded.has(name.toLowerCase()) ? free(`${name}_found`) : name)
  return free
}

/** Appends cells to the object of a row. */
export const append = (row: unknown, cells: ReadonlyArray<Cell>): RawRecord.RawRecord => {
  const added = cells.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")
  const own = RawRecord.isRawRecord(row) ? RawRecord.toText(row).trim().slice(1, -1).trim() : ""
  return RawRecord.fromText(`{${own}${own === "" || added === "" ? "" : ","}${added}}`)
}
