/**
 * Raw records as rows of typed columns in which nothing is lost: what has no place in them is kept as JSON beside them.
 *
 * For tables whose columns are fixed before the first record is seen, as those of a database are. Files of tables, which
 * take their columns from the first records, are `Csv`, `Parquet` and `Arrow`.
 */
import * as Result from "effect/Result"
import type { RawRecord } from "../raw/RawRecord.ts"
import { type Cell, cellsOfRaw } from "./internal/cells.ts"
import { type Fitted, fit } from "./internal/columns.ts"
import { type Column, TableError } from "./Table.ts"

/** The value of a column. Integers are bigints. */
export type Value = Fitted | null

/** A row. */
export interface TableRow {
  /** A value for each column; null for a field that the record lacks. */
  readonly values: ReadonlyArray<Value>
  /**
   * The other fields, and the values that do not fit their column, which is null then: a JSON object, numbers with all
   * their digits. Null where there are none.
   */
  readonly rest: string | null
}

/** Which values a table takes beside what their type says. */
export interface Options {
  /** Whether a text has a place in the table. Default: every well-formed Unicode text. */
  readonly takes?: ((text: string) => boolean) | undefined
}

/**
 * Makes the function from a record to its row. It fails for what is no JSON object.
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
  { takes = () => true }: Options = {}
): ((record: RawRecord) => Result.Result<TableRow, TableError>) => {
  const isText = (value: Fitted | undefined): boolean =>
    typeof value !== "string" || (value.isWellFormed() && takes(value))
  const names = new Set(columns.map(({ name }) => name))
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
    let found = 0
    const values = columns.map(({ name, type }): Value => {
      const cell = cells.get(name)
      if (cell === undefined) return null
      found++
      if (cell.kind === "null") return null
      const value = fit(cell, type)
      if (value !== undefined && isText(value)) return value
      rest.push(member(name, cell))
      return null
    })
    if (found < cells.size) {
      for (const [name, cell] of cells) if (!names.has(name)) rest.push(member(name, cell))
    }
    return Result.succeed({ values, rest: rest.length === 0 ? null : `{${rest.join(",")}}` })
  }
}

const member = (name: string, { kind, text }: Cell): string =>
  `${JSON.stringify(name)}:${kind === "string" ? JSON.stringify(text) : text}`
