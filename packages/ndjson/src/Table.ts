/**
 * Records as rows of a table: what the columns are, and why a record has no place in them.
 *
 * Shared by `Csv` here and by `Parquet` and `Arrow` of the Node entry. A table is flat: a field that holds an array or
 * an object becomes a cell with its JSON text. Flattening records first is a transform's business.
 */
import type { Schema } from "effect"
import * as Data from "effect/Data"
import { kindsOf } from "./internal/schemaKinds.ts"
import type { Kind } from "./internal/value.ts"

/** The default of `sampleRecords`: how many of the first records the columns are taken from. */
export const SAMPLE_RECORDS: number = 1000

/**
 * What a column of `Parquet` or `Arrow` holds, `null` apart, which any column may:
 *
 * - `text`: strings, nothing else.
 * - `integer`: integers of 64 bits; `3850.0` is one.
 * - `number`: doubles. A number is the nearest double, but an integer that no double holds exactly does not fit.
 * - `boolean`: `true` and `false`.
 * - `json`: any value, as its JSON text: strings with their quotes, numbers with all their digits.
 */
export type ColumnType = "text" | "integer" | "number" | "boolean" | "json"

/** A column: the field of the records it holds, and what that is. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
}

/**
 * The columns of the records of a schema of objects, of the types that records as the schema has them would give: what a
 * table without records has. None for another schema.
 *
 * @example
 * ```ts
 * import { Table } from "@chemstream/ndjson"
 * import { Schema } from "effect"
 *
 * Table.columnsOf(Schema.Struct({ id: Schema.String, mass: Schema.NullOr(Schema.Number) }))
 * // => [{ name: "id", type: "text" }, { name: "mass", type: "number" }]
 * ```
 */
export const columnsOf = (schema: Schema.Constraint): ReadonlyArray<Column> =>
  Object.entries(kindsOf(schema).kinds).map(([name, kinds]) => {
    const [kind, ...others] = kinds.filter((one) => one !== "null")
    const type = others.length > 0 || kind === undefined ? "json" : columnTypes[kind]
    return { name, type: type ?? "json" }
  })

const columnTypes: { readonly [K in Kind]?: ColumnType } = {
  string: "text",
  number: "number",
  boolean: "boolean"
}

/**
 * Why a record could not be written.
 *
 * - `not-an-object`: the record has no fields.
 * - `malformed`: a raw record is not well-formed JSON; `cause` says where.
 * - `not-carried`: a field holds what neither JSON nor a cell can: a function, a symbol, a cycle.
 * - `unknown-field`: a field that none of the first records had, so there is no column for it.
 * - `misfit`: the value of a field does not fit the type of its column.
 * - `lone-surrogate`: a string is not Unicode text: UTF-8 cannot carry half a surrogate pair.
 * - `no-columns`: there was no field in any record, so the file would have no columns.
 */
export type TableReason =
  | "not-an-object"
  | "malformed"
  | "not-carried"
  | "unknown-field"
  | "misfit"
  | "lone-surrogate"
  | "no-columns"

/**
 * A record that has no place in a table: the `index` of the record in the stream, from 0, and the `field`, where one is
 * to blame.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Csv } from "@chemstream/ndjson"
 *
 * const records = Stream.make({ id: 1 }, { id: 2, note: "new" })
 * const error = await Effect.runPromise(
 *   records.pipe(Csv.encode({ sampleRecords: 1 }), Stream.runDrain, Effect.flip)
 * )
 * console.log(error.reason, error.index, error.field) // unknown-field 1 note
 * ```
 */
export class TableError extends Data.TaggedError("TableError")<{
  readonly reason: TableReason
  readonly index: number
  readonly field?: string | undefined
  readonly message: string
  readonly cause?: unknown
}> {}
