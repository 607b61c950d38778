/**
 * The database of harvests: a SQLite file for the workers of one machine, or a Postgres for those of many.
 *
 * All that is in it, the engine's tables included, is made on first use.
 */
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as tables from "./internal/database/tables.ts"
import * as SqliteClient from "./sqlite/SqliteClient.ts"

/** Whether the path of a SQLite file leads nowhere. */
export const isNowhere = ({ message }: SqlError.SqlError): boolean =>
  message.includes("unable to open database file")

/** What failed at the database, and what to do now, for people. */
export const explain = (error: SqlError.SqlError): string => {
  const cause = error.reason.cause instanceof Error ? error.reason.cause.message : ""
  const reason = cause === "" || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`
  if (/disk is full|ENOSPC|No space left|disk I\/O/i.test(reason))
    return `the disk of the database of harvests is full (${reason}). Free some space; the harvests then go on`
  if (isNowhere(error)) return `${reason}. Make the folder, or name another file`
  return `the database of harvests does not respond (${reason}). Start it, or check its address; the harvests then go on`
}

/**
 * Harvests in a SQLite file, made where there is none.
 *
 * What was committed outlives the death of the process, and after a power cut the last chunks may be fetched again.
 */
export const layerSqlite = (file: string): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  withTables(SqliteClient.layer({ file, synchronous: "normal" }))

/**
 * Harvests in the database of a client that is there, e.g. `PgClient.layer({ url })` of `@effect/sql-pg`.
 */
export const withTables = <A, E, R>(
  client: Layer.Layer<A | SqlClient.SqlClient, E, R>
): Layer.Layer<A | SqlClient.SqlClient, E | SqlError.SqlError, R> =>
  Layer.effectDiscard(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.provideService(tables.migrate, SqlClient.SqlClient, sql)
    )
  ).pipe(Layer.provideMerge(client))
