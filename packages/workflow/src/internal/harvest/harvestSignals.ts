/**
 * Notifies waiters in this process when a harvest changes, so that a worker of the same process begins at once.
 *
 * Other processes poll the database.
 */
import { Effect, Latch } from "effect"
import type { SqlClient } from "effect/sql"

/** The latch of each database. The next change opens and removes it. */
const latches = new WeakMap<SqlClient.SqlClient, Latch.Latch>()

/** Reports a change. */
export const notify = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.suspend(() => {
    const waiting = latches.get(sql)
    latches.delete(sql)
    return waiting === undefined ? Effect.void : Effect.asVoid(waiting.open)
  })

/**
 * Returns an effect that waits for the next change. Take it before reading the database, so that no change is missed.
 */
export const nextChange = (sql: SqlClient.SqlClient): Effect.Effect<Effect.Effect<void>> =>
  Effect.sync(() => {
    const waiting = latches.get(sql) ?? Latch.makeUnsafe(false)
    latches.set(sql, waiting)
    return waiting.await
  })
