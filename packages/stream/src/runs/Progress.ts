/**
 * Observes the progress of a run as a stream of snapshots of its ledger.
 *
 * Reading the ledger does not slow the run. Displays are left to the caller.
 */
import { Ledger as Core, Options as Declared, type InvalidOption } from "@chemstream/batch"
import { MonotonicClock } from "@chemstream/client"
import { type Duration, Effect, Schedule, Stream } from "effect"
import * as Ledger from "./Ledger.ts"

/** The time over which the rate is measured, in milliseconds. */
const rateWindow = 10_000

/** The default time between two snapshots, in milliseconds. */
export const defaultEvery = 100

/** The state of a run at one moment. */
export interface Snapshot {
  /** Identifiers accounted for. */
  readonly done: number
  /** Identifiers of the whole input, if known. */
  readonly total: number | undefined
  /** Identifiers accounted for per second, over the last ten seconds, or since the snapshot before if that is longer ago. */
  readonly rate: number
  /** Milliseconds until the end at this rate. Undefined: unknown. */
  readonly remaining: number | undefined
  /** Milliseconds since the first snapshot. */
  readonly elapsed: number
  /** Calls in flight. */
  readonly inFlight: number
  /** Retries so far. */
  readonly retries: number
  /** The current largest batch, in identifiers. */
  readonly batchSize: number
  /** Calls that wait after a 429, or for an unavailable service. */
  readonly waiting: number
}

/** The options of `snapshots`. */
export interface Options {
  /** Identifiers of the whole input, if known. */
  readonly total?: number | undefined
  /** The time between two snapshots. Default: 100 milliseconds. */
  readonly every?: Duration.Input | undefined
}

/** The declaration of the options. */
export const optionSet = Declared.set<Options>()({
  total: Declared.amount,
  every: Declared.withDefault(Declared.time("positive"), defaultEvery)
})

/**
 * Returns snapshots of a run, the first at once. The stream does not end: interrupt it, or run it in the scope
 * of the run. An `every` that is not above 0 fails with `InvalidOption`.
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
  Declared.start(snapshotArguments, [ledger, options], () =>
    Stream.fromEffectSchedule(observer(ledger, options.total), Schedule.spaced(options.every ?? defaultEvery))
  )

const snapshotArguments = { ledger: Declared.required(Core.kind), options: optionSet }

/** Makes an effect that takes a snapshot each time it runs. The rate is measured from the first snapshot. */
export const observer = (ledger: Ledger.Ledger, total?: number): Effect.Effect<Snapshot> => {
  Declared.refuseArguments({ ledger: snapshotArguments.ledger, total: Declared.amount }, [ledger, total])
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
  const done = Ledger.sum(ledger)
  past.push({ at: now, done })
  const beginning = past[0] as Moment
  // Keeps the first moment, for the elapsed time, and the one before this, however long ago it was.
  while (past.length > 3 && now - (past[1] as Moment).at > rateWindow) past.splice(1, 1)
  const since = past.length > 2 && now - beginning.at > rateWindow ? (past[1] as Moment) : beginning
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
