/**
 * The time of a database, in milliseconds since 1970: one for all of its workers, whose clocks may differ.
 */
import { Clock, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Asks a Postgres; a SQLite file is on the machine of its workers, and has their time. */
export const databaseTime = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql<{ ms: unknown }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
        ([row]) => Number(row?.ms)
      ),
    orElse: () => Clock.currentTimeMillis
  })
