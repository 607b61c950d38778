/**
 * What differs between the databases that tables are written to: the types of columns, the shape of a table that is there,
 * and how many rows get in at once. Everything else is one set of statements, in `TableOutput`.
 */
import type { Table, TableRow } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** A table with its columns. */
export interface Definition {
  readonly name: string
  readonly columns: ReadonlyArray<Table.Column>
  readonly key: ReadonlyArray<string>
}

/** A table as it is in the database: the types in the database's words. */
export interface Shape {
  readonly columns: ReadonlyMap<string, string>
  readonly key: ReadonlyArray<string>
}

/** The values of a row, in the order of the columns. */
export type Row = ReadonlyArray<TableRow.Value>

/** What becomes of a row of the database with the same key: it is replaced, or kept. */
export type Conflict = "replace" | "keep"

/** A database that is open. */
export interface Engine {
  readonly sql: SqlClient.SqlClient
  /** The types of columns as the database says them. */
  readonly types: Readonly<Record<Table.ColumnType, string>>
  /** Whether the database takes a text. */
  readonly accepts: (text: string) => boolean
  /** A table in the place that was named. */
  readonly table: (name: string) => Statement.Identifier
  /** The shape of a table; undefined where there is none. */
  readonly shapeOf: (name: string) => Effect.Effect<Shape | undefined, SqlError.SqlError>
  /** Inserts rows. With `replace` no two of them have the same key. */
  readonly insert: (
    table: Definition,
    rows: ReadonlyArray<Row>,
    conflict: Conflict
  ) => Effect.Effect<void, SqlError.SqlError>
}

/** Makes a table. */
export const create = (
  { sql, table, types }: Pick<Engine, "sql" | "table" | "types">,
  { columns, key, name }: Definition
): Effect.Effect<unknown, SqlError.SqlError> => {
  const list = columns.map(({ name, type }) =>
    key.includes(name)
      ? sql`${sql(name)} ${sql.literal(types[type])} NOT NULL`
      : sql`${sql(name)} ${sql.literal(types[type])}`
  )
  return sql`CREATE TABLE ${table(name)} (${sql.csv(list)}, PRIMARY KEY (${columnList(sql, key)}))`
}

/** Columns by their names. */
export const columnList = (sql: SqlClient.SqlClient, list: ReadonlyArray<string>): Statement.Fragment =>
  sql.csv(list.map((name) => sql`${sql(name)}`))

/** The end of an INSERT. */
export const onConflict = (
  sql: SqlClient.SqlClient,
  { columns, key }: Definition,
  conflict: Conflict
): Statement.Fragment => {
  const others = conflict === "keep" ? [] : columns.filter(({ name }) => !key.includes(name))
  return others.length === 0
    ? sql`ON CONFLICT (${columnList(sql, key)}) DO NOTHING`
    : sql`ON CONFLICT (${columnList(sql, key)}) DO UPDATE SET ${sql.csv(
        others.map(({ name }) => sql`${sql(name)} = excluded.${sql(name)}`)
      )}`
}

/** A shape from the rows of a catalogue, the columns of the key in their order; undefined where there are none. */
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

/** Rows in parts, so that no statement has more than so many values. */
export const forEachPart = <A>(
  { columns }: Definition,
  rows: ReadonlyArray<Row>,
  values: number,
  write: (part: ReadonlyArray<Row>) => Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<void, SqlError.SqlError> => {
  const size = Math.max(1, Math.floor(values / columns.length))
  const parts = Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
    rows.slice(at * size, (at + 1) * size)
  )
  return Effect.forEach(parts, write, { discard: true })
}
