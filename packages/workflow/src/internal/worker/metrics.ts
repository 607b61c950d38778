/**
 * The metrics of a worker for Prometheus, besides the engine's metrics of shards and messages.
 */
import { Effect, Metric } from "effect"
import type * as Sink from "../../Sink.ts"
import type { Cost } from "../harvest/progress.ts"

const counter = (name: string, description: string, attributes: Record<string, string> = {}) =>
  Metric.counter(name, { description, attributes, incremental: true })

const outcomes = (["found", "missing", "failed", "invalid", "duplicates"] as const).map(
  (outcome) =>
    [
      outcome,
      counter("chemstream_harvest_identifiers_total", "Identifiers that have an outcome in the sink", {
        outcome
      })
    ] as const
)
const surplus = counter(
  "chemstream_harvest_surplus_records_total",
  "Records in the sink that belong to no identifier"
)
const requests = counter("chemstream_harvest_requests_total", "Requests sent, with retries")
const retries = counter("chemstream_harvest_retries_total", "Requests that repeat a failed one")
const bytes = counter("chemstream_harvest_response_bytes_total", "Bytes of the responses")
const seconds = Metric.histogram("chemstream_harvest_chunk_seconds", {
  description: "Seconds from the start of a chunk until it is stored",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
})
const failures = counter(
  "chemstream_harvest_attempts_failed_total",
  "Failed attempts at chunks, which are retried"
)
const inFlight = Metric.gauge("chemstream_harvest_chunks_in_flight", {
  description: "Chunks with requests in flight or outcomes being written"
})
const shards = Metric.gauge("chemstream_harvest_shards", {
  description: "Shards of the cluster that the worker holds"
})

/** Counts a stored chunk. */
export const countChunk = (tally: Sink.Tally, cost: Cost): Effect.Effect<void> =>
  Effect.all(
    [
      ...outcomes.map(([name, metric]) => Metric.update(metric, tally[name])),
      Metric.update(surplus, tally.surplus),
      Metric.update(requests, cost.requests),
      Metric.update(retries, cost.retries),
      Metric.update(bytes, cost.bytes),
      Metric.update(seconds, cost.millis / 1000)
    ],
    { discard: true }
  )

/** Counts a failed attempt. */
export const countFailedAttempt: Effect.Effect<void> = Metric.update(failures, 1)

/** Sets the current state of the worker. */
export const setState = (state: {
  readonly inFlight: number
  readonly shards: number
}): Effect.Effect<void> =>
  Effect.andThen(Metric.update(inFlight, state.inFlight), Metric.update(shards, state.shards))
