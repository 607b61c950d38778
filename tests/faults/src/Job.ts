/** The job of a run: everything that the user chooses, derived from the seed of its scenario. */
import { type Availability, RetryPolicy } from "@chemstream/client"
import type { Fault, Scenario } from "@chemstream/faults"
import type { RawRecord } from "@chemstream/ndjson"
import { Bioactivity, Details, type Lookup, Search } from "@chemstream/stream"
import { Effect, Random } from "effect"
import * as RecordService from "./RecordService.ts"

/** A run. */
export interface Job {
  readonly kind: RecordService.Kind
  /** The identifiers as they are read, with malformed and repeated ones. */
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

/** How long a run waits for an unavailable service, if it waits. */
const waiting: Availability.Options = { wait: 300, firstProbe: 5, longestProbe: 50 }

/** Records that were not requested: one with an identifier, and one without. */
export const foreign: ReadonlyArray<string> = [
  `{"dtxsid":"${RecordService.stranger}","preferredName":"A stranger"}`,
  '{"preferredName":"Nobody"}'
]

/** Whether a text is malformed: the jobs mark those with a character of their own. */
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
    // Fewer calls, if the client must wait long.
    const isSlow = faultsOf(scenario).some(isLong)
    const calls = isSlow ? 2 : 150
    // If the service falls silent, only a timeout helps; otherwise a busy machine must not cause one. A late batch
    // is halved, down to single identifiers.
    const isSilent = faultsOf(scenario).some(({ _tag }) => _tag === "Silence")
    // A client that waits long and meets another fault splits its batches, and waits for each identifier alone.
    const isSplit = isSlow && !faultsOf(scenario).every(isLong)
    const most = Math.min(yield* oneOf([1, 30, 300, 1200]), calls * (kind === "search" ? 1 : batchSize))
    const count = 1 + Math.floor((yield* Random.next) * Math.min(most, isSplit ? 3 : isSilent ? 30 : most))
    const start = Math.floor((yield* Random.next) * (RecordService.size - count))
    const texts: Array<string> = []
    for (let place = start; place < start + count; place++) {
      texts.push(RecordService.substance(place))
      const chance = yield* Random.next
      if (chance < 0.03 && kind !== "search") texts.push(`!${place}`)
      else if (chance < 0.06) texts.push(texts[Math.floor(texts.length * (yield* Random.next))] ?? "")
    }
    const timeout = isSilent ? 300 : 20_000
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
        attempts: yield* oneOf(isSlow ? [1, 3, 5] : [1, 3, 6]),
        baseDelay: 2,
        maxDelay: 50
      }),
      timeouts: { headers: timeout, body: timeout },
      inFlight: yield* oneOf([2, 32])
    }
    return (yield* Random.next) < 0.5 ? { ...job, lookup: { ...job.lookup, availability: waiting } } : job
  }).pipe(Random.withSeed(scenario.seed))

const faultsOf = ({ bursts, rules }: Scenario.Scenario): ReadonlyArray<Fault.Fault> =>
  [...rules, ...bursts].map(({ fault }) => fault)

/** Whether a fault makes a client wait for tenths of seconds or more. */
const isLong = (fault: Fault.Fault): boolean =>
  fault._tag === "Silence" ||
  (fault._tag === "Status" && (fault.status === 429 || fault.retryAfter !== undefined))

const oneOf = <A>(values: readonly [A, ...ReadonlyArray<A>]): Effect.Effect<A> =>
  Effect.map(Random.next, (unit) => values[Math.floor(unit * values.length)] ?? values[0])
