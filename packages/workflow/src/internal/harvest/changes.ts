/**
 * Tells who waits for it in this process that something about the harvests of a database has changed: a harvest that is
 * started beside its worker begins at once. Other processes see it when they look at the database.
 */
import { Effect, Latch } from "effect"
import type { SqlClient } from "effect/sql"

/** Opened at the next change, and forgotten then. */
const next = new WeakMap<SqlClient.SqlClient, Latch.Latch>()

/** Says that something has changed. */
export const tell = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.suspend(() => {
    const waiting = next.get(sql)
    next.delete(sql)
    return waiting === undefined ? Effect.void : Effect.asVoid(waiting.open)
  })

/** The next change from now on, to be waited for later: what changes while the database is looked at counts. */
export const upcoming = (sql: SqlClient.SqlClient): Effect.Effect<Effect.Effect<void>> =>
  Effect.sync(() => {
    const waiting = next.get(sql) ?? Latch.makeUnsafe(false)
    next.set(sql, waiting)
    return waiting.await
  })
