/**
 * Transactions of workers that may stop at any moment, over a connection that may be lost.
 *
 * A worker that hangs within a transaction, because of its machine or the network, locks rows that others wait for. So
 * Postgres ends a transaction after a pause, which the worker notices when it continues. If the connection is lost, the
 * rollback fails too, and Effect makes a defect of it, so that a connection within a transaction is not used again. The
 * server has rolled back, so this module reports an ordinary error.
 */
import { Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

/** How long Postgres waits for the next statement of a transaction. */
const longestPause = "3s"

/** Runs `withTransaction` with a time limit, and reports every failure of the database as an error. */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  transactionWithoutLimit(sql, Effect.andThen(limitPause(sql), body))

/** Runs `withTransaction`, and reports every failure of the database as an error. */
export const transactionWithoutLimit = <A, E, R>(
  sql: SqlClient.SqlClient,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchDefect(sql.withTransaction(body), (defect) =>
    SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
  )

const limitPause = (sql: SqlClient.SqlClient): Effect.Effect<unknown, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => sql`SELECT set_config('idle_in_transaction_session_timeout', ${longestPause}, true)`,
    orElse: () => Effect.void
  })
