/**
 * Reads the rows of a table in DuckDB, SQLite or Postgres (`TableTarget`), e.g. of one that a run has written.
 *
 * `TableOutput` writes tables. This module changes nothing.
 */
import { existsSync } from "node:fs"
import { Quote } from "@chemstream/api"
import { Options } from "@chemstream/client"
import type { Table } from "@chemstream/ndjson"
import { Data, Effect, identity, type Scope, Stream } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { codeOf, sqlErrorText } from "./internal/database/sqlErrorText.ts"
import * as duckdbTables from "./internal/tables/duckdbTables.ts"
import * as postgresTables from "./internal/tables/postgresTables.ts"
import * as sqliteTables from "./internal/tables/sqliteTables.ts"
import { columnList, type Shape, type TableDatabase } from "./internal/tables/tableDatabase.ts"
import * as TableTarget from "./TableTarget.ts"

/** A table could not be read. */
export class TableInputError extends Data.TaggedError("TableInputError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** An open table. */
export interface TableInput {
  /** The columns, with the types that the database declares. */
  readonly columns: ReadonlyArray<Table.ExpectedColumn>
  /**
   * The rows. Tables of a run are in the order of its input. Integers may be `bigint`. Dates, decimals and other types that
   * JSON lacks are the text of the database.
   */
  readonly rows: Stream.Stream<Row, TableInputError>
}

type Row = Readonly<Record<string, unknown>>

/** The columns by which the rows of a run are sorted. */
const order = ["input_line", "input_id", "record_n"]

/**
 * Opens a table until the scope closes. A target without a name fails, and the message names the tables. `typeOf` returns the types of
 * columns for which SQLite has none, e.g. those of views.
 *
 * @example
 * ```ts
 * import { TableInput, TableTarget } from "@chemstream/workflow"
 * import { Effect, Stream } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const target = yield* Effect.fromResult(TableTarget.parse("chemicals.sqlite#details"))
 *   const { rows } = yield* TableInput.open(target)
 *   return yield* Stream.runCollect(Stream.map(rows, ({ dtxsid }) => dtxsid))
 * }).pipe(Effect.scoped)
 * ```
 */
export const open = (
  target: TableTarget.TableTarget,
  typeOf: (name: string) => Table.ColumnType | undefined = () => undefined
): Effect.Effect<TableInput, TableInputError, Scope.Scope> =>
  Effect.gen(function* () {
    Options.argument("target", TableTarget.kind, target)
    const place = target._tag === "Postgres" ? `postgres://${target.place}` : target.file
    const fail = (reason: string, cause?: unknown) =>
      new TableInputError({ message: `cannot read ${place}: ${reason}`, cause })
    if (target._tag !== "Postgres" && !existsSync(target.file))
      return yield* fail("no such file or directory")
    const asError = (error: SqlError.SqlError | duckdbTables.MissingDuckdb): TableInputError =>
      fail(
        error._tag === "SqlError" ? `${sqlErrorText(error)}${adviceOf(error, target)}` : error.message,
        error
      )
    const database = yield* Effect.mapError(openDatabase(target), asError)
    const shape = yield* Effect.mapError(database.shapeOf(target.table), asError)
    if (shape === undefined) {
      const names = yield* Effect.mapError(tablesOf(database, target), asError)
      const choice =
        names.length === 0 ? "it has none" : `it has ${names.map((name) => Quote.value(name)).join(", ")}`
      return yield* fail(
        target.table === ""
          ? `name its table, as in ${place}#${names[0] ?? "details"}; ${choice}`
          : `it has no table ${Quote.value(target.table)}; ${choice}`
      )
    }
    const { sql } = database
    const schema =
      target._tag === "Postgres" && target.schema !== undefined ? sql`${quoted(sql, target.schema)}.` : sql``
    const sorted = order.filter((name) => shape.columns.has(name))
    const end = sorted.length === 0 ? sql`` : sql` ORDER BY ${columnList(sql, sorted)}`
    // The type of a column of SQLite is a hint: its values may have other types.
    const columns = Array.from(shape.columns, ([name, type]) =>
      type === ""
        ? { name, type: Options.argument("typeOf", Options.func, typeOf)(name) }
        : { name, type: columnType(type, target._tag), isHint: target._tag === "Sqlite" }
    )
    return {
      columns,
      rows: Stream.mapError(
        sql<Row>`SELECT ${selected(database, target, shape)} FROM ${schema}${quoted(sql, target.table)}${end}`
          .stream,
        asError
      ).pipe(
        Stream.provideService(SqlClient.SafeIntegers, true),
        Stream.map(target._tag === "Sqlite" ? fromSqlite(columns) : identity)
      )
    }
  })

/** The types of columns whose values JSON has, or hexadecimal text can show. */
const plainTypes =
  /^(?:text|character|bpchar|name|varchar|json|bool|(?:u?(?:tiny|small|big|huge))?int|u?integer|real|double|float|bytea|blob)/

/** Whether values have parts, which JSON shows. */
const hasParts = (type: string): boolean => type.endsWith("]") || /^(?:struct|map|union)\(/.test(type)

/** Returns the type of a column. Undefined: the values decide, e.g. about decimals and dates of SQLite. */
const columnType = (
  type: string,
  database: TableTarget.TableTarget["_tag"]
): Table.ColumnType | undefined => {
  if (hasParts(type)) return undefined
  // SQLite accepts any name of a type, and derives the kind of its values in this order.
  if (database === "Sqlite") {
    if (type.includes("int")) return "integer"
    if (/char|clob|text/.test(type)) return "text"
    return /real|floa|doub/.test(type) ? "number" : type.startsWith("bool") ? "boolean" : undefined
  }
  // DuckDB returns JSON as text.
  if (type.startsWith("json")) return database === "Postgres" ? "json" : undefined
  if (/^(?:u?(?:tiny|small|big|huge))?int|^uinteger/.test(type) && type !== "interval") return "integer"
  return /^(?:real|double|float)/.test(type) ? "number" : type.startsWith("bool") ? "boolean" : "text"
}

/** Returns the function from the rows of SQLite, which stores booleans as 0 and 1 and JSON as text. */
const fromSqlite = (columns: TableInput["columns"]): ((row: Row) => Row) => {
  const stored = columns.filter(({ type }) => type === "boolean" || type === "json")
  return (row) => ({
    ...row,
    ...Object.fromEntries(
      stored.map(({ name, type }) => [name, type === "json" ? partsOf(row[name]) : toBoolean(row[name])])
    )
  })
}

const toBoolean = (value: unknown): unknown => (value === 0n ? false : value === 1n ? true : value)

/** Returns the array or object of a JSON text. Any other value is one without parts. */
const partsOf = (value: unknown): unknown => {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Lists the columns. The database writes the values of other types as text, or as JSON if they have parts. */
const selected = (
  { sql }: TableDatabase,
  { _tag }: TableTarget.TableTarget,
  { columns }: Shape
): Statement.Fragment =>
  sql.csv(
    [...columns].map(([name, type]) => {
      const column = quoted(sql, name)
      if (_tag === "Sqlite" || (plainTypes.test(type) && !hasParts(type))) return sql`${column}`
      return hasParts(type) ? sql`to_json(${column}) AS ${column}` : sql`CAST(${column} AS TEXT) AS ${column}`
    })
  )

/** Quotes a name that may have dots, which `sql` takes for separators. */
const quoted = (sql: TableDatabase["sql"], name: string): Statement.Fragment =>
  sql.literal(`"${name.replaceAll('"', '""')}"`)

/** Says what to do about an error. */
const adviceOf = (error: SqlError.SqlError, target: TableTarget.TableTarget): string => {
  // Insufficient privilege.
  if (codeOf(error) !== "42501" || target._tag !== "Postgres") return ""
  const [schema, table] = [target.schema, target.table].map((name) => name?.replaceAll('"', '""'))
  const rights = [
    ...(schema === undefined ? [] : [`GRANT USAGE ON SCHEMA "${schema}" TO your_role;`]),
    `GRANT SELECT ON ${schema === undefined ? "" : `"${schema}".`}"${table}" TO your_role;`
  ]
  return `. Its owner can let you read it: ${rights.join(" ")}`
}

const openDatabase = (
  target: TableTarget.TableTarget
): Effect.Effect<TableDatabase, SqlError.SqlError | duckdbTables.MissingDuckdb, Scope.Scope> => {
  switch (target._tag) {
    case "Duckdb":
      return duckdbTables.open(target.file, true)
    case "Sqlite":
      return sqliteTables.open(target.file, true)
    case "Postgres":
      return postgresTables.openShared(target.url, target.schema)
  }
}

/** Returns the names of the tables. */
const tablesOf = (
  { sql }: TableDatabase,
  target: TableTarget.TableTarget
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError> =>
  Effect.map(
    target._tag === "Sqlite"
      ? sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name`
      : sql<{ name: string }>`
          SELECT table_name AS name FROM information_schema.tables
          WHERE table_schema = ${target._tag === "Postgres" ? (target.schema ?? "public") : "main"} ORDER BY table_name`,
    (rows) => rows.map(({ name }) => name)
  )
