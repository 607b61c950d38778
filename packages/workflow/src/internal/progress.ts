/**
 * What is done of a harvest, and who does it: the rows that workers add, and what they add up to.
 */
import { Clock, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Sink from "../Sink.ts"
import type * as definition from "./definition.ts"
import { shardCount, shardOf } from "./place.ts"

/** Of the last so many milliseconds the rate is told. */
const rateWindow = 30_000

/** What a chunk cost. */
export interface Cost {
  readonly requests: number
  readonly retries: number
  readonly bytes: number
  readonly millis: number
}

/** A chunk that is kept. */
export interface Done extends Cost {
  readonly harvest: string
  readonly index: number
  readonly worker: string
  readonly tally: Sink.Tally
}

/** Enters a chunk, unless it is entered. */
export const enter = (done: Done): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { bytes, harvest, index, millis, requests, retries, tally, worker } = done
    const row = {
      harvest,
      idx: index,
      worker,
      tally: JSON.stringify(tally),
      requests,
      retries,
      bytes,
      millis: Math.round(millis),
      done_at: yield* Clock.currentTimeMillis
    }
    yield* sql`INSERT INTO chemstream_progress ${sql.insert(row)} ON CONFLICT (harvest, idx) DO NOTHING`
  })

/** The chunks of a harvest that are entered. */
export const done = (
  harvest: string
): Effect.Effect<ReadonlySet<number>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ idx: unknown }>`SELECT idx FROM chemstream_progress WHERE harvest = ${harvest}`
    return new Set(rows.map(({ idx }) => Number(idx)))
  })

/** One worker's part in a harvest. */
export interface WorkerProgress {
  readonly name: string
  readonly chunks: number
  readonly identifiers: number
  /** Identifiers a second, of the last half minute. */
  readonly rate: number
}

/** One shard of a harvest: the chunks whose index, divided by the number of shards, leaves its own. */
export interface ShardProgress {
  readonly shard: number
  readonly done: number
  readonly chunks: number
  /** Who did its last chunk. */
  readonly worker: string | undefined
}

/** What is done of a harvest. */
export interface Progress extends Cost {
  readonly chunksDone: number
  /** Of what is done. */
  readonly tally: Sink.Tally
  /** Identifiers a second, of the last half minute or since the start. */
  readonly rate: number
  readonly workers: ReadonlyArray<WorkerProgress>
  readonly shards: ReadonlyArray<ShardProgress>
}

interface Entry {
  readonly idx: unknown
  readonly worker: string
  readonly tally: string
  readonly requests: unknown
  readonly retries: unknown
  readonly bytes: unknown
  readonly millis: unknown
  readonly done_at: unknown
}

/** Adds up what is done of a harvest. */
export const read = (row: definition.Row): Effect.Effect<Progress, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    const entries = yield* sql<Entry>`
      SELECT idx, worker, tally, requests, retries, bytes, millis, done_at FROM chemstream_progress
      WHERE harvest = ${row.id} ORDER BY done_at`
    const since = Math.max(row.startedAt, now - rateWindow)
    const seconds = Math.max(1, (Math.min(now, row.endedAt ?? now) - since) / 1000)
    const count = shardCount(row.chunks)
    const shards = Array.from({ length: count }, (_, shard) => ({
      shard,
      done: 0,
      chunks: Math.floor((row.chunks - 1 - shard) / count) + 1,
      worker: undefined as string | undefined
    }))
    const workers = new Map<string, { name: string; chunks: number; identifiers: number; recent: number }>()
    let tally = Sink.nothing
    let recent = 0
    const cost = { requests: 0, retries: 0, bytes: 0, millis: 0 }
    for (const entry of entries) {
      const own = JSON.parse(entry.tally) as Sink.Tally
      const isRecent = Number(entry.done_at) >= since
      tally = Sink.add(tally, own)
      cost.requests += Number(entry.requests)
      cost.retries += Number(entry.retries)
      cost.bytes += Number(entry.bytes)
      cost.millis += Number(entry.millis)
      if (isRecent) recent += own.read
      const worker = workers.get(entry.worker) ?? { name: entry.worker, chunks: 0, identifiers: 0, recent: 0 }
      worker.chunks++
      worker.identifiers += own.read
      if (isRecent) worker.recent += own.read
      workers.set(entry.worker, worker)
      const shard = shards[shardOf(Number(entry.idx), row.chunks)]
      if (shard !== undefined) {
        shard.done++
        shard.worker = entry.worker
      }
    }
    return {
      ...cost,
      chunksDone: entries.length,
      tally,
      rate: recent / seconds,
      workers: Array.from(workers.values(), ({ chunks, identifiers, name, recent }) => ({
        name,
        chunks,
        identifiers,
        rate: recent / seconds
      })),
      shards
    }
  })
