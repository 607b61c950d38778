/**
 * Logs why the database of harvests does not serve a worker: each reason once, until it serves again, and then that it does.
 * The reads of a worker may succeed while its writes or the engine's fail, so each kind of access has outages of its own.
 * `Database.explain` words the reasons.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { explain } from "../../Database.ts"
import { renewAfter } from "../database/postgresClient.ts"

const accesses = ["reads", "writes", "engine"] as const

type Access = (typeof accesses)[number]

export interface Outages {
  /** Whether the last access of this kind failed. */
  readonly isGoing: (access: Access) => boolean
  /** Records a failed access. */
  readonly note: (access: Access, error: SqlError.SqlError) => Effect.Effect<void>
  /** Records a successful access, and says so after the last outage. */
  readonly end: (access: Access) => Effect.Effect<void>
}

/** Makes the outages of one client, which has none yet. */
export const make = (sql: SqlClient.SqlClient): Outages => {
  const reasons = { reads: new Set<string>(), writes: new Set<string>(), engine: new Set<string>() }
  const isGoing = (access: Access): boolean => reasons[access].size > 0
  return {
    isGoing,
    note: (access, error) =>
      Effect.suspend(() => {
        const text = explain(error)
        // Process ids and times differ from one failure to the next.
        const reason = text.replace(/\d+/g, "")
        const isKnown = Object.values(reasons).some((known) => known.has(reason))
        reasons[access].add(reason)
        return Effect.andThen(
          isKnown ? Effect.void : Effect.logWarning(`waiting: ${text}`),
          renewAfter(sql, error)
        )
      }),
    end: (access) =>
      Effect.suspend(() => {
        if (!isGoing(access)) return Effect.void
        reasons[access].clear()
        if (accesses.some(isGoing)) return Effect.void
        return Effect.logInfo("the database of harvests responds again")
      })
  }
}
