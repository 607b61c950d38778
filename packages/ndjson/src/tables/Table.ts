/**
 * Defines the columns of a table, their types, and the error of a record that does not fit. Finds the columns of a schema.
 *
 * `Csv`, `Parquet` and `Arrow` share it. A table is flat: an array or object becomes a cell with its JSON text.
 * Transforms can flatten records first.
 */
import * as Data from "effect/Data"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { checkSchema } from "../internal/optionChecks.ts"

/** The default of `sampleRecords`: the number of first records that determine the columns. */
export const SAMPLE_RECORDS: number = 1000

/**
 * The type of a column of `Parquet` or `Arrow`, which may also be null:
 *
 * - `text`: strings; a number or boolean as its text.
 * - `integer`: integers of 64 bits; `3850.0` is one, and a string of more digits than a double holds.
 * - `number`: doubles. A number is the nearest double, but an integer that no double holds exactly does not fit.
 * - `boolean`: `true` and `false`.
 * - `json`: any value, as its JSON text: strings with their quotes, numbers with all their digits.
 */
export type ColumnType = "text" | "integer" | "number" | "boolean" | "json"

/** A column: a field of the records, and its type. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Further types that a table which exists already may have for the column. Default: none. */
  readonly alternatives?: ReadonlyArray<ColumnType> | undefined
}

/** An expected column. Without a type, it is `json`. */
export interface ExpectedColumn {
  readonly name: string
  readonly type?: ColumnType | undefined
  /** Whether another type is better if a value does not fit, as in SQLite, which stores any value in any column. Default: false. */
  readonly isHint?: boolean | undefined
}

/**
 * Returns the columns of a schema of objects, in the order of its fields. Another schema has none.
 *
 * Numbers that the schema checks as integers, or with the `format` `int64` or `int32`, make `integer`. Fields of
 * several kinds of text, number and boolean make `text`, all others `json`.
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
  checkSchema(schema)
  const ast = SchemaAST.toEncoded(schema.ast)
  if (ast._tag !== "Objects") return []
  return ast.propertySignatures.flatMap(({ name, type }) =>
    typeof name === "string" ? [{ name, type: typeOf(type) }] : []
  )
}

/** Returns the fields that identify a record, from the annotation `x-primary-key`. Undefined: there is none. */
export const primaryKeyOf = (schema: Schema.Constraint): ReadonlyArray<string> | undefined => {
  checkSchema(schema)
  const key = SchemaAST.resolve(schema.ast)?.["x-primary-key"]
  return Array.isArray(key) ? key : undefined
}

/** The default column for fields without a column, and for values that do not fit theirs: a JSON object. */
export const OTHER_FIELDS: string = "other_fields"

/** The columns of a table. */
export interface ColumnOptions {
  /**
   * The fields to write, in order, with their types. Other fields are omitted. Default: the fields of the first
   * records, in order of appearance. Booleans make a `boolean` column, numbers `number` (`integer` must be given),
   * strings and scalars of several types `text`, arrays and objects `json`. A later record with another field or type
   * fails, so nothing is lost silently. CSV and TSV use only the names.
   */
  readonly columns?: ReadonlyArray<Column> | undefined
  /** The number of first records that determine the columns. They are held in memory. Default: 1000. */
  readonly sampleRecords?: number | undefined
  /** Without `columns`: the columns that come first, even if no record has them (`ExpectedColumn`). */
  readonly expected?: ReadonlyArray<ExpectedColumn> | undefined
}

/** What a table does with values that have no place in it. */
export interface Refusals {
  /** The name of a last column for these values, as a JSON object. Default: none. */
  readonly rest?: string | undefined
  /**
   * Called with each value that has no place. It is left out, and the rest of the record is written. A record that is not an object, or
   * has a value that JSON cannot encode, is left out whole. Default: the first such value fails the stream.
   */
  readonly onRefused?: ((error: TableError, record: unknown) => void) | undefined
}

/**
 * Why a record could not be written.
 *
 * - `not-an-object`: the record has no fields.
 * - `malformed`: a raw record is not well-formed JSON; `cause` says where.
 * - `not-encodable`: a field that JSON cannot encode: a function, a symbol, a cycle.
 * - `unknown-field`: a field without a column, because none of the first records had it.
 * - `type-mismatch`: the value of a field does not fit the type of its column.
 * - `lone-surrogate`: a string with half a surrogate pair, which UTF-8 cannot encode.
 * - `no-columns`: no record had a field, so the file would have no columns.
 */
export type TableReason =
  | "not-an-object"
  | "malformed"
  | "not-encodable"
  | "unknown-field"
  | "type-mismatch"
  | "lone-surrogate"
  | "no-columns"

/**
 * A record does not fit the table. `index` is its position in the stream, from 0. `field` is the cause, if it is one
 * field.
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

/** The kind of the values, without null. Scalars of several kinds have only their text in common. */
const typeOf = (ast: SchemaAST.AST): ColumnType => {
  const types = new Set(typesOf(ast))
  const [type = "json"] = types
  if (types.size < 2) return type
  if (types.has("json")) return "json"
  return types.size === 2 && types.has("integer") && types.has("number") ? "number" : "text"
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
      return [scalarTypes[typeof ast.literal] ?? "json"]
    case "Boolean":
      return ["boolean"]
    case "Number":
      return [isInteger(ast) ? "integer" : "number"]
    default:
      return ["json"]
  }
}

const scalarTypes: Readonly<Record<string, ColumnType>> = {
  string: "text",
  number: "number",
  boolean: "boolean"
}

const isInteger = (ast: SchemaAST.AST): boolean => {
  const annotations = SchemaAST.resolve(ast)
  const id = (annotations?.["representation"] as { readonly id?: unknown } | undefined)?.id
  return id === "effect/schema/isInt" || ["int64", "int32"].includes(String(annotations?.["format"]))
}
