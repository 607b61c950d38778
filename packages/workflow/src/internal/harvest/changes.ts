/**
 * Notifies waiters in this process of changes to the harvests of a database, so that a harvest that starts beside
 * its worker begins at once.
 *
 * Other processes poll the database.
 */
import { Effect, Latch } from "effect"
import type { SqlClient } from "effect/sql"

/** Opened at the next change, and then forgotten. */
const next = new WeakMap<SqlClient.SqlClient, Latch.Latch>()

/** Reports a change. */
export const notify = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.suspend(() => {
    const waiting = next.get(sql)
    next.delete(sql)
    return waiting === undefined ? Effect.void : Effect.asVoid(waiting.open)
  })

/** Returns the next change, to be awaited later. Changes while the database is read count. */
export const nextChange = (sql: SqlClient.SqlClient): Effect.Effect<Effect.Effect<void>> =>
  Effect.sync(() => {
    const waiting = next.get(sql) ?? Latch.makeUnsafe(false)
    next.set(sql, waiting)
    return waiting.await
  })
