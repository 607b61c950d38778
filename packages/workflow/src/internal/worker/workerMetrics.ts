/**
 * The metrics of a worker, besides those of its runs (`Metrics` of `@chemstream/batch`), of its client, and of the engine.
 */
import { Clock, Effect, Metric } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type * as harvestRow from "../harvest/harvestRow.ts"
import * as progress from "../harvest/progress.ts"

const gauge = (name: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.gauge(`chemstream_harvest_${name}`, { description, attributes })

const seconds = Metric.histogram("chemstream_harvest_chunk_seconds", {
  description: "Seconds from the start of a chunk until it is stored",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
})
const failures = Metric.counter("chemstream_harvest_failed_attempts_total", {
  description: "Failed attempts at chunks, which are retried",
  incremental: true
})
const inFlight = gauge("chunks_in_flight", "Chunks with requests in flight or outcomes being written")
const shards = gauge("shards", "Shards of the cluster that the worker holds")

const harvests = (state: "running" | "paused") =>
  gauge("harvests", "Harvests of the database that have not ended, by their state", { state })
const states = { running: harvests("running"), paused: harvests("paused") } as const

const expectedItems = gauge("expected_items", "Identifiers of the harvests that have not ended")
const doneItems = gauge("done_items", "Identifiers of these harvests with an outcome, from all workers")
const expectedEnd = gauge(
  "expected_end_timestamp_seconds",
  "When these harvests will end at their present rate, in seconds since 1970; 0 if it is unknown"
)

/** Records the duration of a stored chunk, in milliseconds. The number of stored chunks is that of the durations. */
export const recordChunk = (millis: number): Effect.Effect<void> => Metric.update(seconds, millis / 1000)

export const countFailedAttempt: Effect.Effect<void> = Metric.update(failures, 1)

/** Records the current state of the worker, and of the unfinished harvests. Before the first chunk, its counters are 0. */
export const recordState = (state: {
  readonly inFlight: number
  readonly shards: number
  readonly unfinished: ReadonlyArray<{ readonly state: string }>
}): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* Metric.update(failures, 0)
    yield* Metric.update(inFlight, state.inFlight)
    yield* Metric.update(shards, state.shards)
    for (const [name, metric] of Object.entries(states))
      yield* Metric.update(metric, state.unfinished.filter((one) => one.state === name).length)
  })

/** Records the progress of the unfinished harvests together. */
export const recordProgress = (
  unfinished: ReadonlyArray<harvestRow.Row>
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const all = yield* Effect.forEach(unfinished, progress.read)
    const expected = unfinished.reduce((sum, { identifiers }) => sum + identifiers, 0)
    const done = all.reduce((sum, { tally }) => sum + tally.read, 0)
    const rate = all.reduce((sum, one) => sum + one.rate, 0)
    const now = yield* Clock.currentTimeMillis
    yield* Metric.update(expectedItems, expected)
    yield* Metric.update(doneItems, done)
    yield* Metric.update(expectedEnd, rate === 0 ? 0 : Math.round(now / 1000 + (expected - done) / rate))
  })
