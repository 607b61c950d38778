/**
 * Repairs harvests: requests their failed identifiers again, and compares them with their sink.
 *
 * The sink decides when they disagree: docs/decisions/0001-the-sink-rules.md.
 */

import { Effect, type FileSystem, type Path } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type * as Sink from "../../Sink.ts"
import * as Sinks from "../../Sinks.ts"
import { transaction } from "../database/transaction.ts"
import { chunkIndexes } from "./chunkIndexes.ts"
import { getRow, type UnknownHarvest } from "./harvestErrors.ts"
import type * as harvestRow from "./harvestRow.ts"
import * as harvestSignals from "./harvestSignals.ts"
import { reopen } from "./harvestStateChanges.ts"
import * as progress from "./progress.ts"
import { identityOf } from "./sinkIdentity.ts"

/**
 * Requests the failed identifiers of a harvest again, and replaces their outcomes.
 *
 * Returns their number. Nothing changes if there are none, or the harvest was cancelled.
 */
export const retry = (
  name: string
): Effect.Effect<number, UnknownHarvest | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const row = yield* getRow(name)
    const sql = yield* SqlClient.SqlClient
    if (row.state === "cancelled") return 0
    const failed = yield* transaction(
      sql,
      Effect.gen(function* () {
        const chunks = yield* sql<{ failed: unknown }>`
          DELETE FROM chemstream_progress WHERE harvest = ${row.id} AND failed > 0 RETURNING failed`
        const count = chunks.reduce((sum, chunk) => sum + Number(chunk.failed), 0)
        yield* sql`DELETE FROM chemstream_failures WHERE harvest = ${row.id}`
        if (count > 0) yield* reopen(row.id, count)
        return count
      })
    )
    yield* harvestSignals.notify(sql)
    return failed
  })

/** The result of a comparison with the sink. */
export interface Verification {
  /**
   * Chunks that were recorded as finished and are not in the sink. They are fetched again, unless the harvest was
   * cancelled.
   */
  readonly lost: ReadonlyArray<number>
  /** The state afterwards. */
  readonly state: harvestRow.State
}

/**
 * Compares the recorded chunks with the sink, and fetches missing ones again.
 *
 * A finished harvest then continues. Nothing changes if nothing is missing.
 */
export const verify = (
  name: string
): Effect.Effect<
  Verification,
  UnknownHarvest | Sink.SinkError | SqlError.SqlError,
  SqlClient.SqlClient | FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const row = yield* getRow(name)
    const sql = yield* SqlClient.SqlClient
    const { definition: settings } = row
    if (settings === undefined) return { lost: [], state: row.state }
    // No worker has opened the sink yet, and opening it here would create it.
    const isPath = settings.sink._tag !== "Mirror"
    if (isPath && row.claim === undefined && row.state === "running") return { lost: [], state: row.state }
    const absent = yield* Effect.scoped(
      Effect.gen(function* () {
        const sink = yield* Sinks.open(settings.sink, identityOf({ ...row, definition: settings }))
        if (row.claim !== undefined && sink.claim !== row.claim) {
          yield* sql`UPDATE chemstream_harvests SET claim = ${sink.claim ?? null} WHERE id = ${row.id}`
          return chunkIndexes(row.chunks)
        }
        return yield* sink.missingChunks(row.chunks)
      })
    )
    const done = yield* progress.recordedChunks(row.id)
    const lost = absent.filter((index) => done.has(index))
    const isIncomplete = lost.length > 0 || (row.state === "finished" && done.size < row.chunks)
    if (isIncomplete && row.state !== "cancelled") {
      yield* transaction(sql, Effect.andThen(progress.remove(row.id, lost), reopen(row.id, 0)))
      yield* harvestSignals.notify(sql)
    }
    return { lost, state: (yield* getRow(name)).state }
  })
