/** Makes the job of a run: all choices of the user, derived from the seed of the scenario. */
import { type Availability, RetryPolicy } from "@chemstream/client"
import type { Fault, Scenario } from "@chemstream/faults"
import type { RawRecord } from "@chemstream/ndjson"
import { Bioactivity, Details, type Lookup, Search } from "@chemstream/stream"
import { Effect, Random } from "effect"
import * as RecordService from "./RecordService.ts"

/** A run. */
export interface Job {
  readonly kind: RecordService.Kind
  /** The lines of the input. Some are malformed or repeated. */
  readonly texts: ReadonlyArray<string>
  readonly lookup: Lookup.Options & {
    readonly batchSize: number
    readonly concurrency: number
    readonly dedupe: boolean
    readonly ordered: boolean
    readonly availability: Availability.Options
  }
  readonly retry: RetryPolicy.RetryPolicy
  readonly timeouts: { readonly headers: number; readonly body: number }
  readonly inFlight: number
}

/** The options of a run that waits for an unavailable service: longer than all pauses that a recoverable scenario demands. */
const longWait: Availability.Options = { wait: "10 seconds", firstProbe: 5, longestProbe: 50 }

/** The number of probes in `longWait`. */
export const mostProbes = 200

/** Records that were not requested: one with an identifier, and one without. */
export const foreign: ReadonlyArray<string> = [
  `{"dtxsid":"${RecordService.unrequested}","preferredName":"A stranger"}`,
  '{"preferredName":"Nobody"}'
]

/** Returns whether a text is malformed. Jobs mark malformed texts with an exclamation mark. */
export const isInvalid = (text: string): boolean => text.startsWith("!")

/** Returns the lookup of a kind of job. */
export const lookups: Readonly<Record<RecordService.Kind, () => Lookup.Lookup<RawRecord.RawRecord>>> = {
  details: () => Details.byDtxsid(),
  bioactivity: () => Bioactivity.byDtxsid(),
  search: () => Search.equal()
}

/** Makes the job of a scenario. */
export const of = (scenario: Scenario.Scenario): Effect.Effect<Job> =>
  Effect.gen(function* () {
    const kind = yield* oneOf(["details", "details", "bioactivity", "search"] as const)
    const batchSize = yield* oneOf([1, 10, 100, 1000])
    // Long waits leave time for fewer calls.
    const isSlow = faultsOf(scenario).some(isLong)
    const calls = isSlow ? 2 : 150
    // A silent service needs a short timeout. Otherwise the timeout is long, so that a busy machine does not exceed it.
    // A batch that times out is halved, down to single identifiers.
    const isSilent = faultsOf(scenario).some(({ _tag }) => _tag === "Silence")
    // A client with long waits and another fault splits its batches, and then waits for each identifier.
    const isSplit = isSlow && !faultsOf(scenario).every(isLong)
    const maxCount = Math.min(yield* oneOf([1, 30, 300, 1200]), calls * (kind === "search" ? 1 : batchSize))
    const count =
      1 + Math.floor((yield* Random.next) * Math.min(maxCount, isSplit ? 3 : isSilent ? 30 : maxCount))
    const start = Math.floor((yield* Random.next) * (RecordService.size - count))
    const texts: Array<string> = []
    for (let index = start; index < start + count; index++) {
      texts.push(RecordService.substance(index))
      const chance = yield* Random.next
      if (chance < 0.03 && kind !== "search") texts.push(`!${index}`)
      else if (chance < 0.06) texts.push(texts[Math.floor(texts.length * (yield* Random.next))] ?? "")
    }
    const timeout = isSilent ? 1000 : 20_000
    const job = {
      kind,
      texts,
      lookup: {
        batchSize,
        concurrency: yield* oneOf([1, 4, 16]),
        ordered: yield* oneOf([true, false]),
        dedupe: yield* oneOf([true, true, false]),
        validate: yield* oneOf(["warn", "strict", "off"] as const),
        onFailure: yield* oneOf(["isolate", "isolate", "failBatch"] as const),
        availability: { wait: 0 }
      },
      retry: RetryPolicy.make({
        // The last number suffices for a large batch that is bisected.
        attempts: yield* oneOf([1, 5, 16]),
        baseDelay: 2,
        maxDelay: 50
      }),
      timeouts: { headers: timeout, body: timeout },
      inFlight: yield* oneOf([2, 32])
    }
    return (yield* Random.next) < 0.5 ? { ...job, lookup: { ...job.lookup, availability: longWait } } : job
  }).pipe(Random.withSeed(scenario.seed))

const faultsOf = ({ bursts, rules }: Scenario.Scenario): ReadonlyArray<Fault.Fault> =>
  [...rules, ...bursts].map(({ fault }) => fault)

/** Returns whether a fault makes a client wait for a tenth of a second or more. */
const isLong = (fault: Fault.Fault): boolean =>
  fault._tag === "Silence" ||
  (fault._tag === "Status" && (fault.status === 429 || fault.retryAfter !== undefined))

const oneOf = <A>(values: readonly [A, ...ReadonlyArray<A>]): Effect.Effect<A> =>
  Effect.map(Random.next, (unit) => values[Math.floor(unit * values.length)] ?? values[0])
