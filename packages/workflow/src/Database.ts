/**
 * The database of harvests: a SQLite file for the workers of one machine, or a Postgres for those of many.
 *
 * All that is in it, the engine's tables included, is made on first use.
 */
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as tables from "./internal/tables.ts"
import * as SqliteClient from "./sqlite/SqliteClient.ts"

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
