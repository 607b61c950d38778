/**
 * What is done of a harvest, and who does it: the rows that workers add, and what they add up to.
 */
import { Clock, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Sink from "../Sink.ts"
import type * as definition from "./definition.ts"
import { chunkCount, shardCount } from "./place.ts"

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
      ...tally,
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

/** How many chunks of a harvest are entered: the last of its shards need not read which. */
export const countDone = (harvest: string): Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ n: unknown }>`
      SELECT count(*) AS n FROM chemstream_progress WHERE harvest = ${harvest}`
    return Number(row?.n)
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

const counted = Object.keys(Sink.Tally.fields) as ReadonlyArray<keyof Sink.Tally>

const costs = ["requests", "retries", "bytes", "millis"] as const

/** What one worker has done; numbers may come as texts. */
type Share = Readonly<
  Record<"worker", string> & Record<"chunks" | "recent" | (typeof counted | typeof costs)[number], unknown>
>

/** The shard of a chunk that was entered last, and how many there are. */
interface Latest {
  readonly shard: unknown
  readonly done: unknown
  readonly worker: string
}

/** Adds up what is done of a harvest: in the database, because a large one has many thousands of chunks. */
export const read = (row: definition.Row): Effect.Effect<Progress, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    const since = Math.max(row.startedAt, now - rateWindow)
    const seconds = Math.max(1, (Math.min(now, row.endedAt ?? now) - since) / 1000)
    const count = shardCount(row.chunks)
    const sums = sql.csv([...counted, ...costs].map((column) => sql`SUM(${sql(column)}) AS ${sql(column)}`))
    const shares = yield* sql<Share>`
      SELECT worker, COUNT(*) AS chunks, SUM(CASE WHEN done_at >= ${since} THEN read ELSE 0 END) AS recent, ${sums}
      FROM chemstream_progress WHERE harvest = ${row.id} GROUP BY worker ORDER BY MIN(done_at)`
    const latest = yield* sql<Latest>`
      SELECT shard, done, worker FROM (
        SELECT shard, worker, COUNT(*) OVER (PARTITION BY shard) AS done,
          ROW_NUMBER() OVER (PARTITION BY shard ORDER BY done_at DESC, idx DESC) AS place
        FROM (SELECT idx % ${count} AS shard, idx, worker, done_at FROM chemstream_progress WHERE harvest = ${row.id})
          AS chunks
      ) AS ranked WHERE place = 1`
    const byShard = new Map(latest.map((one) => [Number(one.shard), one]))
    const total = (column: keyof Share): number =>
      shares.reduce((sum, share) => sum + Number(share[column]), 0)
    const totals = <Column extends keyof Share>(columns: ReadonlyArray<Column>) =>
      Object.fromEntries(columns.map((column) => [column, total(column)])) as Record<Column, number>
    return {
      ...totals(costs),
      chunksDone: total("chunks"),
      tally: totals(counted),
      rate: total("recent") / seconds,
      workers: shares.map((share) => ({
        name: share.worker,
        chunks: Number(share.chunks),
        identifiers: Number(share.read),
        rate: Number(share.recent) / seconds
      })),
      shards: Array.from({ length: count }, (_, shard) => ({
        shard,
        done: Number(byShard.get(shard)?.done ?? 0),
        chunks: chunkCount(shard, row.chunks),
        worker: byShard.get(shard)?.worker
      }))
    }
  })
