/**
 * The database of harvests: a SQLite file for workers of one machine, or Postgres for workers of many.
 *
 * Its tables, including those of the engine, are created on first use.
 */
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as tables from "./internal/database/tables.ts"
import * as SqliteClient from "./sqlite/SqliteClient.ts"

/** Whether a SQLite file could not be opened because its folder does not exist. */
export const isMissingFolder = ({ message }: { readonly message: string }): boolean =>
  message.includes("unable to open database file")

/** Describes an error of the database for people, and says what to do. */
export const explain = (error: SqlError.SqlError): string => {
  const cause = error.reason.cause instanceof Error ? error.reason.cause.message : ""
  const reason = cause === "" || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`
  if (/disk is full|ENOSPC|No space left|disk I\/O/i.test(reason))
    return `the disk of the database of harvests is full (${reason}). Free some space; the harvests then continue`
  if (isMissingFolder(error)) return `${reason}. Create the folder, or name another file`
  return `the database of harvests does not respond (${reason}). Start it, or check its address; the harvests then continue`
}

/**
 * Stores harvests in a SQLite file, which is created if it does not exist.
 *
 * Committed work survives the death of a process. After a power cut the last chunks may be fetched again.
 */
export const layerSqlite = (file: string): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  withTables(SqliteClient.layer({ file, synchronous: "normal" }))

/** Stores harvests in the database of an existing client, e.g. `PgClient.layer({ url })` of `@effect/sql-pg`. */
export const withTables = <A, E, R>(
  client: Layer.Layer<A | SqlClient.SqlClient, E, R>
): Layer.Layer<A | SqlClient.SqlClient, E | SqlError.SqlError, R> =>
  Layer.effectDiscard(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.provideService(tables.migrate, SqlClient.SqlClient, sql)
    )
  ).pipe(Layer.provideMerge(client))
