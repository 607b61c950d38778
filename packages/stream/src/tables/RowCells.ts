/**
 * Makes cells (a column and its value), and appends them to the rows of the input. A column whose name the input has gets another name.
 */
import { Options } from "@chemstream/batch"
import { RawRecord } from "@chemstream/ndjson"
import { identity } from "effect"

/** A column and its value as JSON text. */
export type Cell = readonly [name: string, json: string]

const texts = /* @__PURE__ */ Options.list(Options.text)
const cellsKind = /* @__PURE__ */ Options.list(/* @__PURE__ */ Options.kind("a cell", Array.isArray))

/** Makes the cell of a value. */
export const cell = (name: string, value: string | number | null | undefined): Cell => [
  Options.argument("name", Options.text, name),
  JSON.stringify(value ?? null)
]

/** Makes the cells of fields of a record. A missing field is null. */
export const cellsOf = (
  record: RawRecord.RawRecord | undefined,
  fields: ReadonlyArray<string>
): ReadonlyArray<Cell> =>
  Options.argument("fields", texts, fields).map((field) => {
    const value = record === undefined ? undefined : RawRecord.value(record, field)
    return [field, RawRecord.isRawRecord(value) ? RawRecord.toText(value) : JSON.stringify(value ?? null)]
  })

/** Returns the fields that are not columns of every row, each once. */
export const additional = (
  fields: ReadonlyArray<string>,
  columns: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const known = new Set(Options.argument("columns", texts, columns))
  return [...new Set(Options.argument("fields", texts, fields))].filter((field) => !known.has(field))
}

/** Returns a function to free column names. A name that the input has, in any case, gets the suffix `_found`. */
export const freeOf = (taken: ReadonlyArray<string> | undefined): ((name: string) => string) => {
  const folded = new Set(Options.argument("taken", texts, taken ?? []).map((name) => name.toLowerCase()))
  const free = (name: string): string =>
    folded.has(Options.argument("name", Options.text, name).toLowerCase()) ? free(`${name}_found`) : name
  return free
}

/** Appends cells to the object of a row, under the names that `free` returns. Default: their own. */
export const append = (
  row: unknown,
  cells: ReadonlyArray<Cell>,
  free: (name: string) => string = identity
): RawRecord.RawRecord => {
  const added = Options.argument("cells", cellsKind, cells)
    .map(([name, json]) => `${JSON.stringify(free(name))}:${json}`)
    .join(",")
  const own = RawRecord.isRawRecord(row) ? RawRecord.toText(row).trim().slice(1, -1).trim() : ""
  return RawRecord.fromText(`{${own}${own === "" || added === "" ? "" : ","}${added}}`)
}
