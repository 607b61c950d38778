/**
 * One clock for all workers of a database, in milliseconds. For Postgres it is the clock of the server, because the
 * clocks of workers may differ. For a SQLite file it is the monotonic clock of the machine, because the wall clock may
 * be set while leases run.
 *
 * The monotonic clock restarts at each boot. A stored time far in the future is therefore from before the last boot.
 */
import { MonotonicClock } from "@chemstream/client"
import { Clock, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** The clock of a Postgres. Not the time of a transaction, which may have waited for a lock. */
const serverTime = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

/** Returns the clock of the database as an expression, in milliseconds, so that no statement only reads it. */
export const databaseTime = (sql: SqlClient.SqlClient): Effect.Effect<Statement.Fragment> =>
  sql.onDialectOrElse({
    pg: () => Effect.succeed(sql`${sql.literal(serverTime)}`),
    orElse: () => Effect.map(MonotonicClock.currentMillis, (at) => sql`${Math.floor(at)}`)
  })

/**
 * Returns the time of day that all workers of a database record as an expression, in milliseconds since 1970: that of
 * the server of a Postgres, or of the machine.
 */
export const dayTime = (sql: SqlClient.SqlClient): Effect.Effect<Statement.Fragment> =>
  sql.onDialectOrElse({
    pg: () => databaseTime(sql),
    orElse: () => Effect.map(Clock.currentTimeMillis, (at) => sql`${at}`)
  })

/** Reads the time of day that all workers of a database record, in milliseconds since 1970. */
export const readDayTime = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.map(sql<{ ms: unknown }>`SELECT ${sql.literal(serverTime)} AS ms`, ([row]) => Number(row?.ms)),
    orElse: () => Clock.currentTimeMillis
  })
