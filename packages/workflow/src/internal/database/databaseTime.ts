/**
 * Reads one clock for all workers of a database, in milliseconds. For Postgres it is the clock of the server, because
 * the clocks of workers may differ. For a SQLite file it is the monotonic clock of the machine, because the wall
 * clock may be set while leases run.
 *
 * The monotonic clock restarts at each boot. A stored time far in the future is therefore from before the last boot.
 */
import { MonotonicClock } from "@chemstream/client"
import { Clock, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

const serverTime = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ ms: unknown }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
    ([row]) => Number(row?.ms)
  )

/** Reads the clock of the database, in milliseconds. */
export const databaseTime = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => serverTime(sql),
    orElse: () => Effect.map(MonotonicClock.currentMillis, Math.floor)
  })

/**
 * Reads the time of day that all workers of a database record, in milliseconds since 1970: that of the server of a
 * Postgres, or of the machine.
 */
export const dayTime = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.map(serverTime(sql), Math.floor),
    orElse: () => Clock.currentTimeMillis
  })
