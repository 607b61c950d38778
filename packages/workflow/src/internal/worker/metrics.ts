/**
 * The metrics of a worker, besides those of its runs (`Metrics` of `@chemstream/batch`), of its client, and of the engine.
 */
import { Effect, Metric } from "effect"

const seconds = Metric.histogram("chemstream_harvest_chunk_seconds", {
  description: "Seconds from the start of a chunk until it is stored",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
})
const failures = Metric.counter("chemstream_harvest_failed_attempts_total", {
  description: "Failed attempts at chunks, which are retried",
  incremental: true
})
const inFlight = Metric.gauge("chemstream_harvest_chunks_in_flight", {
  description: "Chunks with requests in flight or outcomes being written"
})
const shards = Metric.gauge("chemstream_harvest_shards", {
  description: "Shards of the cluster that the worker holds"
})

const harvests = (state: "running" | "paused") =>
  Metric.gauge("chemstream_harvest_harvests", {
    description: "Harvests of the database that have not ended, by their state",
    attributes: { state }
  })
const states = { running: harvests("running"), paused: harvests("paused") } as const

/** Records the duration of a stored chunk, in milliseconds. The number of stored chunks is that of the durations. */
export const recordChunk = (millis: number): Effect.Effect<void> => Metric.update(seconds, millis / 1000)

/** Counts a failed attempt. */
export const countFailedAttempt: Effect.Effect<void> = Metric.update(failures, 1)

/** Records the current state of the worker, and of the unfinished harvests. Before the first chunk, its counters are 0. */
export const recordState = (state: {
  readonly inFlight: number
  readonly shards: number
  readonly unfinished: ReadonlyArray<{ readonly state: string }>
}): Effect.Effect<void> =>
  Effect.all(
    [
      Metric.update(failures, 0),
      Metric.update(inFlight, state.inFlight),
      Metric.update(shards, state.shards),
      ...Object.entries(states).map(([name, metric]) =>
        Metric.update(metric, state.unfinished.filter((one) => one.state === name).length)
      )
    ],
    { discard: true }
  )
