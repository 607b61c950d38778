/**
 * Records in the row of a harvest what its workers find, and notifies waiters in this process: a new round of its chunks, its
 * end, and the claim of its sink (a random mark, by which workers notice that a path leads to another folder).
 *
 * `Harvest` pauses, resumes and cancels. `unfinishedHarvests.ts` pauses after an error.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { dayTime } from "../database/databaseTime.ts"
import * as harvestSignals from "./harvestSignals.ts"

type Transition = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

const transition = (statement: (sql: SqlClient.SqlClient) => Statement.Statement<unknown>): Transition =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.andThen(statement(sql), harvestSignals.notify(sql)))

/** Starts a new round for unfinished chunks, unless the round has changed since. */
export const startRound = (id: string, round: number): Transition =>
  transition(
    (sql) => sql`UPDATE chemstream_harvests SET round = ${round + 1} WHERE id = ${id} AND round = ${round}`
  )

/**
 * Starts a new round for a harvest that may have finished. `retried` is the number of failed identifiers to request
 * again. Call it within a transaction, and notify afterwards.
 */
export const reopen = (id: string, retried: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      UPDATE chemstream_harvests
      SET round = round + 1, retried = retried + ${retried}, ended_at = NULL, reason = NULL, failure = NULL,
        state = CASE WHEN state = 'finished' THEN 'running' ELSE state END
      WHERE id = ${id}`
  )

/** Ends a harvest. */
export const finish = (id: string): Transition =>
  Effect.flatMap(Effect.flatMap(SqlClient.SqlClient, dayTime), (at) =>
    transition(
      (sql) => sql`
        UPDATE chemstream_harvests SET state = 'finished', reason = NULL, failure = NULL, ended_at = ${at}
        WHERE id = ${id} AND state IN ('running', 'paused')`
    )
  )

/** Records the claim of the sink, unless one is recorded. Returns the recorded claim. */
export const recordClaim = (
  id: string,
  found: string
): Effect.Effect<string, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE chemstream_harvests SET claim = ${found} WHERE id = ${id} AND claim IS NULL`
    const [row] = yield* sql<{ claim: string }>`SELECT claim FROM chemstream_harvests WHERE id = ${id}`
    return row?.claim ?? found
  })
