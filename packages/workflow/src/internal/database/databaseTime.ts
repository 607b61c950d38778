/**
 * One clock for all workers of a database, in milliseconds: that of the Postgres, whose workers' clocks may differ, or the
 * monotonic clock of the machine for a SQLite file. People and time servers set the wall clock while leases run.
 *
 * The monotonic clock of a machine begins anew when it boots. A stored time that lies further ahead than anything a worker
 * stores is therefore from before the last boot.
 */
import { MonotonicClock } from "@chemstream/client"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Reads the clock of the database, in milliseconds. */
export const databaseTime = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql<{ ms: unknown }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
        ([row]) => Number(row?.ms)
      ),
    orElse: () => Effect.map(MonotonicClock.currentMillis, Math.floor)
  })
