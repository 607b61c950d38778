/** Opens tables in a Postgres with `@effect/sql-pg`, which is loaded at the first use. */
import { Data, Effect, Option, type Redacted, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import * as postgresClient from "../database/postgresClient.ts"
import { columnsOf, onConflict, type Row, type TableDatabase, toShape } from "./tableDatabase.ts"

const types = {
  text: "text",
  integer: "bigint",
  number: "double precision",
  boolean: "boolean",
  json: "json",
  time: "timestamp with time zone"
} as const

/**
 * How long to wait for another run of the same table. After a kill, the server may still finish the statements of the
 * dead run.
 */
const lockTimeout = "5s"

/** How long a statement waits for a table that another session locks. The run then fails, and says so. */
const tableLockTimeout = "30s"

/** A pooler shares sessions between transactions, so that no run can lock a table for its whole time. */
export class SharedSessions extends Data.TaggedError("SharedSessions")<{ readonly message: string }> {}

/**
 * Connects to a database, and locks a table until the connection ends. Fails with `LockTimeoutError` if another run
 * holds the lock.
 */
export const open = (
  url: Redacted.Redacted,
  schema: string | undefined,
  lockedTable: string
): Effect.Effect<TableDatabase, SqlError.SqlError | SharedSessions, Scope.Scope> =>
  Effect.gen(function* () {
    const PgClient = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
    const connect = Effect.provide(
      PgClient.makeClient({ url, applicationName: "chemstream", keepAlive: "10 seconds" }),
      Reactivity.layer
    )
    const sql = yield* connect
    yield* refuseSharedSessions(sql, connect)
    yield* sql`SELECT set_config('lock_timeout', ${lockTimeout}, false)`
    yield* sql`SELECT pg_advisory_lock(hashtextextended(coalesce(${schema ?? null}::text, current_schema()) || '.' || ${lockedTable}, 0))`
    yield* sql`SELECT set_config('lock_timeout', ${tableLockTimeout}, false)`
    return tablesOf(sql, schema)
  })

/** Fails if a second connection gets the session of the first one, which is open and between two transactions. */
const refuseSharedSessions = (
  sql: SqlClient.SqlClient,
  connect: Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope>
) =>
  Effect.gen(function* () {
    const sessionOf = (client: SqlClient.SqlClient) =>
      Effect.map(client<{ pid: number }>`SELECT pg_backend_pid() AS pid`, ([row]) => row?.pid)
    const own = yield* sessionOf(sql)
    if (own !== (yield* Effect.scoped(Effect.flatMap(connect, sessionOf)))) return
    return yield* new SharedSessions({
      message:
        "a pooler in front of the database shares sessions between transactions, and the run locks its table in a session of its own. Set its pool_mode to session, or connect directly"
    })
  })

/**
 * Opens a database whose tables several processes write at the same time, with the client of the harvests if it is
 * connected to the same database.
 */
export const openShared = (
  url: Redacted.Redacted,
  schema: string | undefined
): Effect.Effect<TableDatabase, SqlError.SqlError, Scope.Scope> =>
  Effect.serviceOption(SqlClient.SqlClient).pipe(
    Effect.flatMap((own) => postgresClient.beside(Option.getOrUndefined(own), url)),
    Effect.map((sql) => tablesOf(sql, schema))
  )

const tablesOf = (sql: SqlClient.SqlClient, schema: string | undefined): TableDatabase => {
  const table = (name: string) => sql(schema === undefined ? name : `${schema}.${name}`)
  return {
    sql,
    types,
    // A text of Postgres cannot contain a zero byte.
    accepts: (text) => !text.includes("\0"),
    table,
    shapeOf: (name) =>
      Effect.map(
        sql<{ name: string; type: string; key: unknown }>`
            SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
              array_position(i.indkey::int2[], a.attnum) + 1 AS key
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
            WHERE c.relname = ${name} AND n.nspname = coalesce(${schema ?? null}::text, current_schema())
            ORDER BY a.attnum`,
        toShape
      ),
    scalarsToText: (name, column, { columns }) =>
      (columns.get(column) ?? "").startsWith("json")
        ? sql`ALTER TABLE ${table(name)} ALTER COLUMN ${sql(column)} TYPE text USING ${sql(column)} #>> '{}'`
        : Effect.void,
    insert: (definition, rows, conflict) => {
      if (rows.length === 0) return Effect.void
      // One parameter per column: thousands of parameters cost Postgres and its client more than the rows themselves.
      const columns = columnsOf(sql, definition)
      const places = definition.columns.map(({ type }, at) => sql.literal(`r.c${at}::${types[type]}`))
      const aliases = definition.columns.map((_, at) => sql.literal(`c${at}`))
      const values = definition.columns.map((_, at) => sql`${textsOf(rows, at)}::text[]`)
      return Effect.asVoid(
        sql`INSERT INTO ${table(definition.name)} (${columns})
            SELECT ${sql.csv(places)} FROM unnest(${sql.csv(values)}) AS r(${sql.csv(aliases)}) ${onConflict(sql, definition, conflict)}`
      )
    }
  }
}

/**
 * Returns the values of a column as texts, which the server converts to its type. Null if the column has no values.
 */
const textsOf = (rows: ReadonlyArray<Row>, at: number): ReadonlyArray<string | null> | null => {
  const texts = rows.map((row) => {
    const value = row[at] ?? null
    return value === null ? null : String(value)
  })
  return texts.every((text) => text === null) ? null : texts
}
