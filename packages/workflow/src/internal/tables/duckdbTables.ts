/**
 * Opens tables in a DuckDB file with `@duckdb/node-api`, an optional package that is loaded at the first use.
 *
 * The `SqlClient` has one connection. Rows are inserted with DuckDB's appender, which is many times faster than
 * statements. `TableOutput` words the error of a file that another program has locked.
 */

import { rmSync, statSync } from "node:fs"
import type { DuckDBAppender, DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import { Data, Effect, type Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import {
  columnsOf,
  type DatabaseColumn,
  type Definition,
  onConflict,
  type Row,
  type TableDatabase,
  toShape
} from "./tableDatabase.ts"

/** `@duckdb/node-api` could not be loaded. */
export class MissingDuckdb extends Data.TaggedError("MissingDuckdb")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** Loads the library. */
export const load: Effect.Effect<typeof import("@duckdb/node-api"), MissingDuckdb> = Effect.tryPromise({
  try: () => import("@duckdb/node-api"),
  catch: (cause) =>
    new MissingDuckdb({
      message:
        "Tables of DuckDB need the package @duckdb/node-api, which could not be loaded. Install it: npm install @duckdb/node-api",
      cause
    })
})

/** The temporary table that receives appended rows. One statement then inserts them into their own table. */
const staging = "chemstream_rows"

/** The type of texts and of times. */
const text = "VARCHAR"

const types = { text, integer: "BIGINT", number: "DOUBLE", boolean: "BOOLEAN", json: "JSON", time: text }

/**
 * Opens a file, and creates it if it does not exist. Only one process at a time can open it, or several that only read it.
 */
export const open = (
  file: string,
  isReadOnly = false
): Effect.Effect<TableDatabase, SqlError.SqlError | MissingDuckdb, Scope.Scope> =>
  Effect.gen(function* () {
    const { DuckDBInstance } = yield* load
    const isNew = sizeOf(file) === undefined
    const instance = yield* Effect.acquireRelease(
      Effect.onError(
        attempt(`cannot open ${file}`, () =>
          // The lock of a file does not exclude its own process, so its runs share the instance that writes.
          isReadOnly
            ? DuckDBInstance.create(file, { access_mode: "READ_ONLY" })
            : DuckDBInstance.fromCache(file)
        ),
        () => (isNew ? removeIncomplete(file) : Effect.void)
      ),
      (opened) => Effect.sync(() => opened.closeSync())
    )
    const connection = yield* Effect.acquireRelease(
      attempt(`cannot open ${file}`, () => instance.connect()),
      (opened) => Effect.sync(() => opened.closeSync())
    )
    const sql = yield* Effect.provide(client(connection), Reactivity.layer)
    const table = (name: string) => sql(name)
    return {
      sql,
      types,
      accepts: () => true,
      table,
      shapeOf: (name) =>
        Effect.map(
          sql<{ name: string; type: string; key: unknown }>`
            SELECT c.column_name AS name, c.data_type AS type,
              list_position(k.constraint_column_names, c.column_name) AS key
            FROM duckdb_columns() c LEFT JOIN duckdb_constraints() k
              ON k.database_name = c.database_name AND k.schema_name = c.schema_name AND k.table_name = c.table_name
                AND k.constraint_type = 'PRIMARY KEY'
            WHERE c.database_name = current_database() AND c.schema_name = current_schema() AND c.table_name = ${name}
            ORDER BY c.column_index`,
          toShape
        ),
      scalarsToText: (name, column, { columns }) =>
        columns.get(column) === "json"
          ? sql`ALTER TABLE ${table(name)} ALTER COLUMN ${sql(column)} TYPE VARCHAR USING ${sql(column)} ->> '$'`
          : Effect.void,
      insert: (definition, rows, conflict) =>
        Effect.gen(function* () {
          if (rows.length === 0) return
          const into = table(definition.name)
          const columns = columnsOf(sql, definition)
          yield* sql`CREATE OR REPLACE TEMP TABLE ${sql(staging)} AS SELECT ${columns} FROM ${into} LIMIT 0`
          yield* append(connection, definition, rows)
          yield* sql`INSERT INTO ${into} (${columns}) SELECT * FROM ${sql(staging)} ${onConflict(sql, definition, conflict)}`
          yield* sql`DROP TABLE temp.${sql(staging)}`
        })
    }
  })

/** The size of the headers of a DuckDB file, in bytes. */
const headerBytes = 3 * 4096

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size

/** Removes a file whose creation has failed, e.g. on a full disk: DuckDB could never open it again. */
const removeIncomplete = (file: string): Effect.Effect<void> =>
  Effect.sync(() => {
    if ((sizeOf(file) ?? headerBytes) < headerBytes) rmSync(file, { force: true })
  })

const append = (connection: DuckDBConnection, { columns }: Definition, rows: ReadonlyArray<Row>) =>
  attempt("cannot add rows", async () => {
    const appender = await connection.createAppender(staging, null, "temp")
    try {
      for (const row of rows) {
        for (const [at, { type }] of columns.entries()) appendValue(appender, type, row[at])
        appender.endRow()
      }
      appender.flushSync()
    } finally {
      appender.closeSync()
    }
  })

const appendValue = (appender: DuckDBAppender, type: DatabaseColumn["type"], value: unknown): void => {
  if (value === null || value === undefined) appender.appendNull()
  else if (type === "integer") appender.appendBigInt(BigInt(value as bigint))
  else if (type === "number") appender.appendDouble(Number(value))
  else if (type === "boolean") appender.appendBoolean(value as boolean)
  else appender.appendVarchar(String(value))
}

/** Makes a client of the connection, which runs one statement or transaction at a time. */
const client = (connection: DuckDBConnection) =>
  Effect.gen(function* () {
    const semaphore = yield* Semaphore.make(1)
    let isTransaction = false
    const rowsOf = (statement: string, params: ReadonlyArray<unknown>) =>
      attempt("a statement failed", async () => {
        const reader = await connection.runAndReadAll(statement, params as Array<DuckDBValue>)
        const [word = ""] = statement.trimStart().split(/[\s;]/, 1)
        if (/^(BEGIN|COMMIT|ROLLBACK)$/i.test(word)) isTransaction = /^BEGIN$/i.test(word)
        return reader
      })
    const execute: SqlConnection.Connection["execute"] = (statement, params, transform) =>
      Effect.map(rowsOf(statement, params), (reader) => {
        const rows = reader.getRowObjectsJS()
        return transform === undefined ? rows : transform(rows)
      })
    const values: SqlConnection.Connection["executeValues"] = (statement, params) =>
      Effect.map(rowsOf(statement, params), (reader) => reader.getRowsJS())
    const own: SqlConnection.Connection = {
      execute,
      executeUnprepared: execute,
      executeValues: values,
      executeValuesUnprepared: values,
      executeRaw: (statement, params) => execute(statement, params, undefined),
      executeStream: (statement, params, transform) =>
        Stream.unwrap(Effect.map(execute(statement, params, transform), Stream.fromIterable))
    }
    return yield* SqlClient.make({
      ...SqlClient.makeSqliteAcquirers({
        connection: Effect.succeed(own),
        semaphore,
        isTransaction: () => isTransaction
      }),
      compiler,
      driver: "@duckdb/node-api",
      spanAttributes: [["db.system.name", "duckdb"]]
    })
  })

// DuckDB accepts the SQL of Postgres.
const compiler = Statement.makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: Statement.defaultEscape('"'),
  onRecordUpdate: () => ["", []],
  onCustom: () => ["", []]
})

const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, SqlError.SqlError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => {
      const message = `${what}: ${cause instanceof Error ? cause.message : String(cause)}`
      const isLocked = /Could not set lock/.test(message)
      const Reason = isLocked ? SqlError.LockTimeoutError : SqlError.UnknownError
      return new SqlError.SqlError({ reason: new Reason({ cause, message, operation: "execute" }) })
    }
  })
