/**
 * The database of harvests: a SQLite file for workers of one machine, or Postgres for workers of many.
 *
 * Its tables, including those of the engine, are created on first use.
 */
import { Options } from "@chemstream/client"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as tables from "./internal/database/migrations.ts"
import { completeAddress } from "./internal/database/postgresAddress.ts"
import * as postgresClient from "./internal/database/postgresClient.ts"
import { adviceOf, codeOf, isPermanent, sqlErrorText } from "./internal/database/sqlErrorText.ts"
import * as SqliteClient from "./sqlite/SqliteClient.ts"

const sqlError = /* @__PURE__ */ Options.kind("an SqlError", SqlError.isSqlError)

/** Whether a Postgres is down or starting. A rejected login and a database that does not exist do not count. */
export const isUnavailable = (error: SqlError.SqlError): boolean =>
  !isPermanent(Options.argument("error", sqlError, error)) &&
  (error.isRetryable || error.reason._tag === "UnknownError")

/** The code of the error if the server or the role has no free connection. */
const noConnection = "53300"

/** Describes an error of the database for people, and says what to do. */
export const explain = (error: SqlError.SqlError): string => {
  const reason = sqlErrorText(Options.argument("error", sqlError, error))
  if (/disk is full|ENOSPC|No space left|disk I\/O/i.test(reason))
    return `the disk of the database of harvests is full (${reason}). Free some space; the harvests then continue`
  if (error.message === postgresClient.statementPooling)
    return `cannot use the database of harvests: ${postgresClient.statementPooling}`
  // SQLite cannot open a file if its folder does not exist.
  if (error.message.includes("unable to open database file"))
    return `${reason}. Create the folder, or name another file`
  if (reason.includes(postgresClient.replaced)) return postgresClient.replaced
  const advice = adviceOf(error)
  if (advice !== undefined) return `the database of harvests ${advice.problem}: ${reason}. ${advice.action}`
  return `the database of harvests does not respond (${reason}). Start it, or check its address; the harvests then continue`
}

/**
 * Stores harvests in a SQLite file, which is created if it does not exist.
 *
 * Committed work survives the death of a process. After a power cut the last chunks may be fetched again.
 */
export const layerSqlite = (file: string): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  withTables(SqliteClient.layer({ file, synchronous: "normal" }))

/** Waits for a free connection for a minute, and says so once. Other workers return theirs when they do not use them. */
const awaitConnection = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.suspend(() => {
    let isWaiting = false
    return sql`SELECT 1`.pipe(
      Effect.tapError((error) => {
        if (isWaiting || codeOf(error) !== noConnection) return Effect.void
        isWaiting = true
        return Effect.logWarning(`waiting: ${explain(error)}`)
      }),
      Effect.retry({
        while: (error) => codeOf(error) === noConnection,
        schedule: Schedule.spaced("1 second"),
        times: 60
      })
    )
  })

/** The options of `layerPostgres`. */
export type PostgresOptions = postgresClient.Options

/** The most connections of one process to Postgres, if `connections` is not given. */
export const defaultConnections: number = postgresClient.defaultConnections

/**
 * Stores harvests in a Postgres. Tables that harvests write in the same database use the same connections.
 *
 * A connection that is silent during a statement is replaced, so a harvest continues after a failover. Waits for a
 * minute if the server has no free connection. Needs `@effect/sql-pg`. Works behind a pooler that shares sessions
 * between transactions.
 */
export const layerPostgres = (
  options: PostgresOptions
): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  withTables(
    Layer.effect(
      SqlClient.SqlClient,
      postgresClient
        .make(options)
        .pipe(Effect.tap(awaitConnection), Effect.tap(postgresClient.refuseStatementPooling))
    )
  )

/** Returns the host of a Postgres address, with the port if it has one. Undefined if the address is malformed. */
export const hostOf = (address: string): string | undefined =>
  completeAddress(Options.argument("address", Options.text, address), process.env)?.host

/** Stores harvests in the database of an existing client. */
export const withTables = <A, E, R>(
  client: Layer.Layer<A | SqlClient.SqlClient, E, R>
): Layer.Layer<A | SqlClient.SqlClient, E | SqlError.SqlError, R> =>
  Layer.effectDiscard(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.provideService(tables.migrate, SqlClient.SqlClient, sql)
    )
  ).pipe(Layer.provideMerge(Options.argument("client", layerKind, client)))

const layerKind = /* @__PURE__ */ Options.kind("a layer with a SqlClient", Layer.isLayer)
