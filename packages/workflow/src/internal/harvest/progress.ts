/**
 * Records the progress of harvests, chunk by chunk, and sums it. `idx` is the number of a chunk in its harvest, which also
 * decides its shard: the share of the chunks that one worker fetches (`../worker/shardPlacement.ts`).
 */
import { Array as Arr, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Sink from "../../Sink.ts"
import { dayTime, readDayTime } from "../database/databaseTime.ts"
import { insertRow } from "../database/insertRow.ts"
import { reading, transaction } from "../database/transaction.ts"
import { chunkCount, shardCount } from "../worker/shardPlacement.ts"
import type * as harvestRow from "./harvestRow.ts"

/** The time over which the rate is computed, in milliseconds. */
const rateWindow = 30_000

/** The number of rows in one DELETE. */
const rowsPerDelete = 500

/** The cost of a chunk. */
export interface Cost {
  readonly requests: number
  readonly retries: number
  readonly bytes: number
  readonly millis: number
}

/** A stored chunk. */
export interface ChunkProgress extends Cost {
  readonly harvest: string
  readonly index: number
  readonly worker: string
  readonly tally: Sink.Tally
  /** The number of failed identifiers by reason. */
  readonly failures: ReadonlyMap<string, number>
}

/** The failed identifiers with the same error. */
export interface FailureCount {
  /** The name of the error, with the status of the response if there was one: `ServerError 500`. */
  readonly reason: string
  readonly identifiers: number
}

/** The reason shown for failures that a worker did not record before it stopped. The sink has their errors. */
const unknownReason = "not recorded"

/** Records a chunk, unless it is recorded. */
export const record = (chunk: ChunkProgress): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { bytes, failures, harvest, index, millis, requests, retries, tally, worker } = chunk
    const rows = Array.from(failures, ([reason, count]) => ({
      harvest,
      idx: index,
      reason,
      identifiers: count
    }))
    const failed: Effect.Effect<unknown, SqlError.SqlError> = Arr.isArrayNonEmpty(rows)
      ? sql`INSERT INTO chemstream_failures ${sql.insert(rows)} ON CONFLICT (harvest, idx, reason) DO NOTHING`
      : Effect.void
    const row = {
      harvest,
      idx: index,
      worker,
      ...tally,
      requests,
      retries,
      bytes,
      millis: Math.round(millis),
      done_at: yield* dayTime(sql)
    }
    const done = sql`INSERT INTO chemstream_progress ${insertRow(sql, row)} ON CONFLICT (harvest, idx) DO NOTHING`
    yield* transaction(sql, Effect.andThen(failed, done))
  })

/** Returns the recorded chunks of a harvest. */
export const recordedChunks = (
  harvest: string
): Effect.Effect<ReadonlySet<number>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* reading(
      sql,
      sql<{ idx: unknown }>`SELECT idx FROM chemstream_progress WHERE harvest = ${harvest}`
    )
    return new Set(rows.map(({ idx }) => Number(idx)))
  })

/** Removes the records of chunks that the sink lacks, or that will be requested again. */
export const remove = (
  harvest: string,
  indexes: ReadonlyArray<number>
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const some of Arr.chunksOf(indexes, rowsPerDelete)) {
      yield* sql`DELETE FROM chemstream_progress WHERE harvest = ${harvest} AND ${sql.in("idx", some)}`
      yield* sql`DELETE FROM chemstream_failures WHERE harvest = ${harvest} AND ${sql.in("idx", some)}`
    }
  })

/**
 * Returns the number of recorded chunks of a harvest. A shard needs only the number to find out whether it is the
 * last.
 */
export const countRecorded = (
  harvest: string
): Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* reading(
      sql,
      sql<{ n: unknown }>`SELECT count(*) AS n FROM chemstream_progress WHERE harvest = ${harvest}`
    )
    return Number(row?.n)
  })

/** The progress of one worker in a harvest. */
export interface WorkerProgress {
  readonly name: string
  readonly chunks: number
  readonly identifiers: number
  /** Identifiers per second, over the last half minute. */
  readonly rate: number
}

/** The progress of a harvest. */
export interface Progress extends Cost {
  readonly chunksDone: number
  /** When its last chunk finished, in milliseconds since 1970. Undefined: none has. */
  readonly progressedAt: number | undefined
  /** The counts of the finished chunks. */
  readonly tally: Sink.Tally
  /** The failed identifiers by reason, the most frequent first. */
  readonly failures: ReadonlyArray<FailureCount>
  /** Identifiers per second, over the last half minute or since the start. */
  readonly rate: number
  readonly workers: ReadonlyArray<WorkerProgress>
  /** The shards of the harvest, and how many are finished. */
  readonly shards: number
  readonly shardsDone: number
}

const costs = ["requests", "retries", "bytes", "millis"] as const

/** The sums of one worker. Postgres returns larger numbers as texts. */
type WorkerSums = Readonly<
  Record<"worker", string> &
    Record<"chunks" | "last" | "recent" | (typeof Sink.countNames | typeof costs)[number], unknown>
>

/** Sums the progress of a harvest in the database, because a large one has many thousands of chunks. */
export const read = (row: harvestRow.Row): Effect.Effect<Progress, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = yield* readDayTime(sql)
    const since = Math.max(row.startedAt, now - rateWindow)
    const seconds = Math.max(1, (Math.min(now, row.endedAt ?? now) - since) / 1000)
    const count = shardCount(row.chunks)
    const sums = sql.csv(
      [...Sink.countNames, ...costs].map((column) => sql`SUM(${sql(column)}) AS ${sql(column)}`)
    )
    const shares = yield* sql<WorkerSums>`
      SELECT worker, COUNT(*) AS chunks, MAX(done_at) AS last, SUM(CASE WHEN done_at >= ${since} THEN read ELSE 0 END) AS recent, ${sums}
      FROM chemstream_progress WHERE harvest = ${row.id} GROUP BY worker ORDER BY MIN(done_at)`
    const perShard = yield* sql<{ shard: unknown; done: unknown }>`
      SELECT idx % ${count} AS shard, COUNT(*) AS done FROM chemstream_progress WHERE harvest = ${row.id} GROUP BY 1`
    const failures = yield* sql<{ reason: string; identifiers: unknown }>`
      SELECT reason, SUM(identifiers) AS identifiers FROM chemstream_failures
      WHERE harvest = ${row.id} GROUP BY reason ORDER BY 2 DESC, 1`
    const total = (column: keyof WorkerSums): number =>
      shares.reduce((sum, share) => sum + Number(share[column]), 0)
    const totals = <Column extends keyof WorkerSums>(columns: ReadonlyArray<Column>) =>
      Object.fromEntries(columns.map((column) => [column, total(column)])) as Record<Column, number>
    return {
      ...totals(costs),
      chunksDone: total("chunks"),
      progressedAt: shares.length === 0 ? undefined : Math.max(...shares.map(({ last }) => Number(last))),
      tally: totals(Sink.countNames),
      failures: failureCounts(failures, total("failed")),
      rate: total("recent") / seconds,
      workers: shares.map((share) => ({
        name: share.worker,
        chunks: Number(share.chunks),
        identifiers: Number(share.read),
        rate: Number(share.recent) / seconds
      })),
      shards: count,
      shardsDone: perShard.filter(({ done, shard }) => Number(done) === chunkCount(Number(shard), row.chunks))
        .length
    }
  })

/** Returns the counts by reason, and the failures without a recorded reason. */
const failureCounts = (
  rows: ReadonlyArray<{ readonly reason: string; readonly identifiers: unknown }>,
  failed: number
): ReadonlyArray<FailureCount> => {
  const counts = rows.map(({ identifiers, reason }) => ({ reason, identifiers: Number(identifiers) }))
  const rest = failed - counts.reduce((sum, { identifiers }) => sum + identifiers, 0)
  return rest > 0 ? [...counts, { reason: unknownReason, identifiers: rest }] : counts
}
