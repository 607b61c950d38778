/**
 * How far a run is, as a stream of snapshots of its ledger.
 *
 * Reads the ledger from time to time and costs the run nothing. Drawing it is left to whoever shows it.
 */
import { InvalidOption } from "@chemstream/batch"
import { MonotonicClock } from "@chemstream/client"
import { type Duration, Effect, Schedule, Stream } from "effect"
import * as Ledger from "./Ledger.ts"

/** The milliseconds of the past that the rate is taken over. */
const rateWindow = 10_000

/** The milliseconds between two snapshots when not set: ten a second. */
export const defaultEvery = 100

/** A run at one moment. */
export interface Snapshot {
  /** Identifiers accounted for. */
  readonly done: number
  /** Identifiers of the whole input, where that is known. */
  readonly total: number | undefined
  /** Identifiers accounted for a second, over the last ten seconds. */
  readonly rate: number
  /** Milliseconds until the end at this rate; undefined where it cannot be told. */
  readonly remaining: number | undefined
  /** Milliseconds since the first snapshot. */
  readonly elapsed: number
  /** Calls in flight: those whose answers have not arrived. */
  readonly inFlight: number
  /** Requests that were sent again so far. */
  readonly retries: number
  /** The most identifiers a batch holds now. */
  readonly batchSize: number
  /** Calls that wait because the service limits the rate. */
  readonly waiting: number
}

/** What is watched, and how often. */
export interface Options {
  /** Identifiers of the whole input, where that is known. */
  readonly total?: number | undefined
  /** The time between two snapshots. Default: 100 milliseconds. */
  readonly every?: Duration.Input | undefined
}

/**
 * Snapshots of a run, the first one at once, without an end: interrupt it, or run it in a scope, with the run. Fails with `InvalidOption`
 * where `every` is no time above 0.
 *
 * @example
 * ```ts
 * import { Ledger, Progress } from "@chemstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const ledger = Ledger.make()
 * ledger.read = 10
 * ledger.found = 10
 * const first = Progress.snapshots(ledger, { total: 40 }).pipe(Stream.take(1), Stream.runCollect)
 * const [snapshot] = await Effect.runPromise(first)
 * snapshot?.done // => 10
 * ```
 */
export const snapshots = (
  ledger: Ledger.Ledger,
  options: Options = {}
): Stream.Stream<Snapshot, InvalidOption.InvalidOption> =>
  InvalidOption.start([InvalidOption.time("every", options.every, "positive")], () =>
    Stream.fromEffectSchedule(observer(ledger, options.total), Schedule.spaced(options.every ?? defaultEvery))
  )

/** Takes a snapshot each time it is run. The rate is that since the first. */
export const observer = (ledger: Ledger.Ledger, total?: number): Effect.Effect<Snapshot> => {
  const past: Array<Moment> = []
  return Effect.map(MonotonicClock.currentMillis, (now) => observe(ledger, total, past, now))
}

interface Moment {
  readonly at: number
  readonly done: number
}

const observe = (
  ledger: Ledger.Ledger,
  total: number | undefined,
  past: Array<Moment>,
  now: number
): Snapshot => {
  const done = Ledger.accounted(ledger)
  past.push({ at: now, done })
  const beginning = past[0] as Moment
  // The very first moment stays, for the time elapsed.
  while (past.length > 2 && now - (past[1] as Moment).at > rateWindow) past.splice(1, 1)
  const since = now - beginning.at > rateWindow ? (past[1] as Moment) : beginning
  const rate = now === since.at ? 0 : ((done - since.done) * 1000) / (now - since.at)
  return {
    done,
    total,
    rate,
    remaining: total === undefined || rate === 0 ? undefined : (Math.max(0, total - done) * 1000) / rate,
    elapsed: now - beginning.at,
    inFlight: ledger.inFlight,
    retries: ledger.retries,
    batchSize: ledger.batchSize,
    waiting: ledger.waiting
  }
}
