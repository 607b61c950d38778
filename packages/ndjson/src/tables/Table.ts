/**
 * Records as rows of a table: what the columns are, and why a record has no place in them.
 *
 * Shared by `Csv` here and by `Parquet` and `Arrow` of the Node entry. A table is flat: a field that holds an array or
 * an object becomes a cell with its JSON text. Flattening records first is a transform's business.
 */
import * as Data from "effect/Data"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

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
 * A column that records are expected to have, in the order of a list of them. Where the first records do not fit its
 * type it becomes one that they fit; without a type it has the one of their values.
 */
export interface ExpectedColumn {
  readonly name: string
  readonly type?: ColumnType | undefined
}

/**
 * The columns of the records that a schema of objects describes, in the order of its fields: none of another schema.
 *
 * Numbers that the schema checks to be integers, or whose `format` is `int64` or `int32`, make `integer`; what is
 * neither text nor a number nor a boolean alone makes `json`.
 *
 * @example
 * ```ts
 * import { Schema } from "effect"
 * import { Table } from "@chemstream/ndjson"
 *
 * const Substance = Schema.Struct({ id: Schema.String, assays: Schema.NullOr(Schema.Int), names: Schema.Unknown })
 * Table.columnsOf(Substance)
 * // => [{ name: "id", type: "text" }, { name: "assays", type: "integer" }, { name: "names", type: "json" }]
 * ```
 */
export const columnsOf = (schema: Schema.Constraint): ReadonlyArray<Column> => {
  const ast = SchemaAST.toEncoded(schema.ast)
  if (ast._tag !== "Objects") return []
  return ast.propertySignatures.flatMap(({ name, type }) =>
    typeof name === "string" ? [{ name, type: typeOf(type) }] : []
  )
}

/**
 * The fields that tell the records of a schema apart, by its annotation `x-primary-key`; undefined without one.
 */
export const primaryKeyOf = (schema: Schema.Constraint): ReadonlyArray<string> | undefined => {
  const key = SchemaAST.resolve(schema.ast)?.["x-primary-key"]
  return Array.isArray(key) ? key : undefined
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

/** What the values are, `null` apart; of several kinds nothing but their text is common. */
const typeOf = (ast: SchemaAST.AST): ColumnType => {
  const [type = "json", ...others] = new Set(typesOf(ast))
  return others.length === 0 ? type : "json"
}

const typesOf = (ast: SchemaAST.AST): ReadonlyArray<ColumnType> => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap(typesOf)
    case "Null":
    case "Undefined":
      return []
    case "String":
    case "TemplateLiteral":
      return ["text"]
    case "Literal":
      return [typeof ast.literal === "string" ? "text" : "json"]
    case "Boolean":
      return ["boolean"]
    case "Number":
      return [isInteger(ast) ? "integer" : "number"]
    default:
      return ["json"]
  }
}

const isInteger = (ast: SchemaAST.AST): boolean => {
  const annotations = SchemaAST.resolve(ast)
  const id = (annotations?.["representation"] as { readonly id?: unknown } | undefined)?.id
  return id === "effect/schema/isInt" || ["int64", "int32"].includes(String(annotations?.["format"]))
}
