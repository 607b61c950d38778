/**
 * Defines what differs between the databases of tables (DuckDB, SQLite and Postgres): the names of column types,
 * the shape of an existing table, and the insertion of rows. Also makes the statements that all of them share, e.g. to create
 * a table.
 */
import type { Table, TableRow } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** A column of records, or one with a time. */
export interface DatabaseColumn extends Omit<Table.Column, "type"> {
  readonly type: Table.ColumnType | "time"
}

/** A table with its columns. */
export interface Definition {
  readonly name: string
  readonly columns: ReadonlyArray<DatabaseColumn>
  readonly key: ReadonlyArray<string>
  /** Its key in release 0.1.0, if that was another. Such a table is upgraded. */
  readonly earlierKey?: ReadonlyArray<string> | undefined
}

/** An existing table: its columns, with the database's names of their types, and its key. */
export interface Shape {
  readonly columns: ReadonlyMap<string, string>
  readonly key: ReadonlyArray<string>
}

/** The values of a row, in the order of the columns. */
export type Row = ReadonlyArray<TableRow.Value>

/** Whether an existing row with the same key is replaced, or kept as any row that violates a unique index. */
export type Conflict = "replace" | "keep"

/** An open database. */
export interface TableDatabase {
  readonly sql: SqlClient.SqlClient
  /** The database's name of each column type. */
  readonly types: Readonly<Record<DatabaseColumn["type"], string>>
  /** Whether the database can store a text. */
  readonly accepts: (text: string) => boolean
  /** Returns a table of the target's schema as an SQL identifier. */
  readonly table: (name: string) => Statement.Identifier
  /** Returns the shape of a table, or undefined if it does not exist. */
  readonly shapeOf: (name: string) => Effect.Effect<Shape | undefined, SqlError.SqlError>
  /** Makes text of a column of JSON scalars. A column that is text already stays unchanged. */
  readonly scalarsToText: (
    table: string,
    column: string,
    shape: Shape
  ) => Effect.Effect<unknown, SqlError.SqlError>
  /** Inserts rows. With `replace`, no two rows may have the same key. */
  readonly insert: (
    table: Definition,
    rows: ReadonlyArray<Row>,
    conflict: Conflict
  ) => Effect.Effect<void, SqlError.SqlError>
}

/**
 * Creates a schema of a Postgres that does not exist. `IF NOT EXISTS` alone needs the right to create schemas also if this
 * one exists.
 */
export const createSchema = (
  sql: SqlClient.SqlClient,
  schema: string
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const known = yield* sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`
    if (known.length === 0) yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`
  })

/** Creates a table. */
export const create = (
  { sql, table, types }: Pick<TableDatabase, "sql" | "table" | "types">,
  { columns, key, name }: Definition
): Effect.Effect<unknown, SqlError.SqlError> => {
  const list = columns.map((column) =>
    key.includes(column.name)
      ? sql`${sql(column.name)} ${sql.literal(types[column.type])} NOT NULL`
      : sql`${sql(column.name)} ${sql.literal(types[column.type])}`
  )
  return sql`CREATE TABLE ${table(name)} (${sql.csv(list)}, PRIMARY KEY (${columnList(sql, key)}))`
}

/** Gives a table with the earlier key its present one, within the caller's transaction. Its rows stay. */
export const rekey = (
  { sql, table, types }: Pick<TableDatabase, "sql" | "table" | "types">,
  definition: Definition
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { name } = definition
    const upgraded = { ...definition, name: `${name}_upgraded` }
    const list = columnsOf(sql, definition)
    yield* create({ sql, table, types }, upgraded)
    yield* sql`INSERT INTO ${table(upgraded.name)} (${list}) SELECT ${list} FROM ${table(name)}`
    yield* sql`DROP TABLE ${table(name)}`
    yield* sql`ALTER TABLE ${table(upgraded.name)} RENAME TO ${sql(name)}`
  })

/** Returns a list of columns as SQL. */
export const columnList = (sql: SqlClient.SqlClient, list: ReadonlyArray<string>): Statement.Fragment =>
  sql.csv(list.map((name) => sql`${sql(name)}`))

/** The columns of a table, as a list in a statement. */
export const columnsOf = (sql: SqlClient.SqlClient, { columns }: Definition): Statement.Fragment =>
  columnList(
    sql,
    columns.map(({ name }) => name)
  )

/** Returns the ON CONFLICT clause of an INSERT. */
export const onConflict = (
  sql: SqlClient.SqlClient,
  { columns, key }: Definition,
  conflict: Conflict
): Statement.Fragment => {
  const others = conflict === "keep" ? [] : columns.filter(({ name }) => !key.includes(name))
  return others.length === 0
    ? sql`ON CONFLICT DO NOTHING`
    : sql`ON CONFLICT (${columnList(sql, key)}) DO UPDATE SET ${sql.csv(
        others.map(({ name }) => sql`${sql(name)} = excluded.${sql(name)}`)
      )}`
}

/** Makes a shape from the rows of a catalogue. Returns undefined without rows. */
export const toShape = (
  rows: ReadonlyArray<{ readonly name: string; readonly type: string; readonly key: unknown }>
): Shape | undefined =>
  rows.length === 0
    ? undefined
    : {
        columns: new Map(rows.map(({ name, type }) => [name, type.toLowerCase()])),
        key: rows
          .filter(({ key }) => Number(key ?? 0) > 0)
          .sort((a, b) => Number(a.key) - Number(b.key))
          .map(({ name }) => name)
      }
