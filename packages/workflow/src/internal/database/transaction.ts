/**
 * Runs transactions of workers that may stop at any moment, over a connection that may break.
 *
 * A worker that hangs within a transaction, or whose connection has died silently, locks rows that other workers need.
 * So Postgres ends a transaction without a statement for `longestPause`. The worker gets an error when it continues. If the
 * connection breaks, the rollback fails as well. Effect then dies with a defect, so that the connection is not used again.
 * The server has rolled back, so this module turns the defect into an ordinary error.
 */
import { Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

/** How long Postgres waits for the next statement of a transaction. */
const longestPause = "3s"

/**
 * How long a statement of a transaction waits for a lock. Postgres then names the lock as the reason, which the limit of
 * every statement (`statementTimeout.ts`) cannot.
 */
const longestLock = "1s"

/** Runs `withTransaction` with a time limit, and reports every failure of the database as an error. */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  transactionWithoutLimit(sql, Effect.andThen(limitWaits(sql), body))

/** Runs statements that only read with the same limits. SQLite needs none, and its transactions take the lock of writers. */
export const reading = <A, E, R>(
  sql: SqlClient.SqlClient,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  sql.onDialectOrElse({ pg: () => transaction(sql, body), orElse: () => body })

/** Runs `withTransaction`, and reports every failure of the database as an error. */
export const transactionWithoutLimit = <A, E, R>(
  sql: SqlClient.SqlClient,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchDefect(sql.withTransaction(body), (defect) =>
    SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
  )

/** A client whose own transactions, those of the engine, have the limits, too. */
export const withLimits = (sql: SqlClient.SqlClient): SqlClient.SqlClient =>
  new Proxy(sql, {
    get: (target, key, receiver) =>
      key === "withTransaction"
        ? (body: Effect.Effect<unknown>) => transaction(target, body)
        : Reflect.get(target, key, receiver)
  })

const limitWaits = (sql: SqlClient.SqlClient): Effect.Effect<unknown, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => sql`
      SELECT set_config('idle_in_transaction_session_timeout', ${longestPause}, true),
        set_config('lock_timeout', ${longestLock}, true)`,
    orElse: () => Effect.void
  })
