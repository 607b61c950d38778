/**
 * Converts raw records to rows of typed columns. Values that do not fit are kept as JSON in another column, so
 * nothing is lost.
 *
 * Use it if the columns are fixed before the first record, as in a database. `Csv`, `Parquet` and `Arrow` take
 * columns from the first records.
 */
import * as Result from "effect/Result"
import { argument } from "../internal/argumentChecks.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import { type ColumnValue, fit } from "./internal/columnTypes.ts"
import { cellsOfRaw, member } from "./internal/recordCells.ts"
import { type Column, TableError } from "./Table.ts"

/** The value of a column. An integer is a bigint. */
export type Value = ColumnValue | null

/** A record as a row of a table: the cells of the columns, and what they cannot hold. */
export interface TableRow {
  /** The value of each column. Null: the record lacks the field. */
  readonly values: ReadonlyArray<Value>
  /**
   * A JSON object of the other fields, and of values that do not fit their column, which is then null. Numbers keep
   * all digits. Null: there are none.
   */
  readonly rest: string | null
}

/** The further limits of a table. */
export interface Options {
  /** Whether the table accepts a text. Default: every well-formed Unicode text. */
  readonly accepts?: ((text: string) => boolean) | undefined
}

/**
 * Makes the function from a record to its row. It fails if the record is not a JSON object.
 *
 * @example
 * ```ts
 * import { RawRecord, TableRow } from "@chemstream/ndjson"
 * import { Result } from "effect"
 *
 * const row = TableRow.make([{ name: "id", type: "text" }, { name: "assays", type: "integer" }])
 * Result.getOrThrow(row(RawRecord.fromText('{"id":"a","assays":"many","mass":1.50}')))
 * // => { values: ["a", null], rest: '{"assays":"many","mass":1.50}' }
 * ```
 */
export const make = (
  columns: ReadonlyArray<Column>,
  { accepts = () => true }: Options = {}
): ((record: RawRecord) => Result.Result<TableRow, TableError>) => {
  const isText = (value: ColumnValue | undefined): boolean =>
    typeof value !== "string" || (value.isWellFormed() && accepts(value))
  const names = new Set(argument("columns", "a list of columns", columns).map(({ name }) => name))
  let index = -1
  return (record) => {
    index++
    const cells = cellsOfRaw(record)
    if ("reason" in cells) {
      const { cause, detail, field, reason } = cells
      return Result.fail(
        new TableError({
          reason,
          index,
          field,
          message: `Record ${index} cannot be written: ${detail}.`,
          cause
        })
      )
    }
    const rest: Array<string> = []
    let matches = 0
    const values = columns.map(({ name, type }): Value => {
      const cell = cells.get(name)
      if (cell === undefined) return null
      matches++
      if (cell.kind === "null") return null
      const value = fit(cell, type)
      if (value !== undefined && isText(value)) return value
      rest.push(member(name, cell))
      return null
    })
    if (matches < cells.size) {
      for (const [name, cell] of cells) if (!names.has(name)) rest.push(member(name, cell))
    }
    return Result.succeed({ values, rest: rest.length === 0 ? null : `{${rest.join(",")}}` })
  }
}
