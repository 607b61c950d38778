/**
 * Transactions of workers that may stop at any moment, over a connection that may be lost.
 *
 * A worker that stands still in the middle of a transaction, because its machine does or the network, holds rows that
 * others wait for. So Postgres is told to end a transaction in which nothing comes for a while; the worker finds out when it
 * goes on. And where the connection is lost undoing fails as well, of which Effect makes a defect, so that nobody goes on
 * with a connection that is half in a transaction. The server has undone everything: for us it is an error like any other.
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
  Effect.catchDefect(sql.withTransaction(Effect.andThen(limited(sql), body)), (defect) =>
    SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
  )

const limited = (sql: SqlClient.SqlClient): Effect.Effect<unknown, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => sql`SELECT set_config('idle_in_transaction_session_timeout', ${longestPause}, true)`,
    orElse: () => Effect.void
  })
