/** Runs lookups with a client of promises: the iterable runs of `Chemstream`. */
import { Availability, Options as Declared, type InvalidOption } from "@chemstream/batch"
import { type ChemClient, type ChemError, PromiseClient } from "@chemstream/client"
import { Ndjson, type RawRecord } from "@chemstream/ndjson"
import { Effect, identity, Schedule, Stream } from "effect"
import type { IdentifierWithData, ItemReader } from "../../identifiers/Identifiers.ts"
import { InvalidChunk, identifiers } from "../../identifiers/internal/inputChunks.ts"
import * as ByName from "../../lookups/internal/lookupsByName.ts"
import * as Lookup from "../../lookups/Lookup.ts"
import * as Ledger from "../Ledger.ts"
import type { Outcome } from "../Outcome.ts"
import type { Problem } from "../Problem.ts"
import * as Progress from "../Progress.ts"
import { callHandler, recordsOf } from "./foundRecords.ts"

/** The options of a run. */
export interface RunOptions extends Lookup.RunOptions {
  /** Stops the run when it aborts: the loop throws its reason, and the requests in flight are cancelled. */
  readonly signal?: AbortSignal | undefined
  /**
   * Stops the run in order when it aborts: no request is sent any more, and those in flight finish. After their outcomes, the loop
   * throws the reason of the signal. A run with a checkpoint, and `save`, then continue without requesting anything twice.
   */
  readonly stop?: AbortSignal | undefined
  /**
   * Called with the progress of the run, ten times a second and at the end. The run fails with whatever it
   * throws.
   */
  readonly progress?: ((snapshot: Progress.Snapshot) => unknown) | ProgressOptions | undefined
}

/** How often progress is reported. */
export interface ProgressOptions extends Progress.Options {
  /** Called with the progress of the run, and at its end. */
  readonly report: (snapshot: Progress.Snapshot) => unknown
}

/**
 * A run: iterate it for one outcome of each identifier. Each iteration is a new run. It throws the `ChemError`
 * that stops the run, after the outcomes before it. Leaving the loop cancels the requests in flight.
 */
export interface Run<A, E, C> extends AsyncIterable<Outcome<A, E, C>> {
  /**
   * Iterates the found records as objects. Other outcomes go to `onProblem`. Default: they are only counted in
   * `ledger`.
   */
  readonly records: (onProblem?: (problem: Problem<E, C>) => unknown) => AsyncIterable<A>
  /**
   * Iterates the found records as bytes of NDJSON lines, as the service sent them. `onProblem` is as for `records`.
   */
  readonly lines: (onProblem?: (problem: Problem<E, C>) => unknown) => AsyncIterable<Uint8Array>
  /**
   * The counts of the latest iteration so far. At its end, `read` is `found + missing + failed + duplicates +
   * invalid`.
   */
  readonly ledger: Ledger.Ledger
}

/** The kind of the input: any value, because the run checks it when it begins. */
export const anything: Declared.AnyKind = Declared.kind("anything", () => true)

/** The options of a run and its endpoint. */
export type Options = RunOptions &
  Partial<ItemReader<unknown, unknown>> & { readonly endpoint: ByName.Endpoint }

const { ledger: _, ...lookupFields } = Lookup.optionSet.fields

const progressSet = Declared.set<ProgressOptions>()({
  ...Progress.optionSet.fields,
  report: Declared.required(Declared.func)
})

/** The declaration of the options of a run, without those of its lookup. */
export const optionSet: Declared.Set<RunOptions & Partial<ItemReader<unknown, unknown>>> = Declared.set<
  RunOptions & Partial<ItemReader<unknown, unknown>>
>()({
  ...lookupFields,
  id: Declared.func,
  carried: Declared.func,
  signal: PromiseClient.abortSignal,
  stop: PromiseClient.abortSignal,
  progress: Declared.anyOf(Declared.func, progressSet)
})

/** Returns the lookup of a run. `more` are further options. Fails with `InvalidOption`. */
export const lookupOf = (
  options: Options,
  more: Readonly<Record<string, Declared.AnyKind>> = {}
): Effect.Effect<Lookup.Lookup<RawRecord.RawRecord, unknown>, InvalidOption.InvalidOption> =>
  Effect.map(Declared.check(ByName.setOf(options?.endpoint, { ...optionSet.fields, ...more }), options), () =>
    ByName.lookupOf(options.endpoint, options)
  )

/** The failures of a run and of its input and handlers. */
type Failure = unknown

/** Runs over identifiers. Calls `begin` with the ledger of the run. */
export type Outcomes = <R>(
  ids: Stream.Stream<IdentifierWithData<unknown>, Failure>,
  lookup: Lookup.Lookup<R, unknown>,
  options: Options,
  begin: (ledger: Ledger.Ledger) => void
) => Stream.Stream<Outcome<R, unknown>, Failure, ChemClient.ChemClient>

/** Runs without a checkpoint. */
export const outcomesOf: Outcomes = (ids, lookup, options, begin) =>
  Stream.suspend(() => {
    const ledger = Ledger.make()
    begin(ledger)
    return Lookup.outcomes(ids, lookup, { ...Declared.pick(Lookup.optionSet, options), ledger })
  })

/** Makes a function that runs lookups over a client. `more` are further options. */
export const bulkLookup =
  (
    client: PromiseClient.PromiseClient,
    outcomes: Outcomes = outcomesOf,
    more?: Readonly<Record<string, Declared.AnyKind>>
  ) =>
  (ids: unknown, options: Options = {} as Options): Run<unknown, unknown, unknown> => {
    const signal = options?.signal
    const own = signal === undefined ? client : client.with({ signal })
    let ledger = Ledger.make()
    const run = <R>(
      form: (lookup: Lookup.Lookup<RawRecord.RawRecord, unknown>) => Lookup.Lookup<R, unknown>
    ): Stream.Stream<Outcome<R, unknown>, Failure, ChemClient.ChemClient> => {
      const begin = (current: Ledger.Ledger): void => {
        ledger = current
      }
      const started = Effect.map(lookupOf(options, more), (lookup) =>
        outcomes(identifiers(inputStream(ids), options), form(lookup), options, begin).pipe(
          withStop(options.stop),
          withProgress(options.progress, lengthOf(ids), () => ledger)
        )
      )
      return Stream.unwrap(started)
    }
    return {
      [Symbol.asyncIterator]: () => own.iterate(run(Lookup.parse))[Symbol.asyncIterator](),
      records: (onProblem) => own.iterate(Stream.flattenIterable(recordsOf(run(Lookup.parse), onProblem))),
      lines: (onProblem) => own.iterate(Stream.map(recordsOf(run(identity), onProblem), Ndjson.lines)),
      get ledger() {
        return ledger
      }
    }
  }

/** Stops a run in order when a signal aborts. It then fails with the reason of the signal. */
export const withStop =
  (stop: AbortSignal | undefined) =>
  <A, R>(run: Stream.Stream<A, Failure, R>): Stream.Stream<A, Failure, R> => {
    if (stop === undefined) return run
    return run.pipe(
      Stream.provideService(Availability.Stop, Availability.stopOf(stop)),
      Stream.mapError((error) =>
        stop.aborted && (error as ChemError.ChemError)._tag === "ServiceUnavailable" ? stop.reason : error
      )
    )
  }

/** Reports the progress of a run at intervals and at its end. */
export const withProgress =
  (progress: RunOptions["progress"], length: number | undefined, ledger: () => Ledger.Ledger) =>
  <A, R>(run: Stream.Stream<A, Failure, R>): Stream.Stream<A, Failure, R> => {
    if (progress === undefined) return run
    const { every, report, total }: ProgressOptions =
      typeof progress === "function" ? { report: progress } : progress
    return Stream.suspend(() => {
      let watched: Ledger.Ledger | undefined
      let observe: Effect.Effect<Progress.Snapshot> | undefined
      const reportNow = Effect.suspend(() => {
        // The run sets its ledger when it begins.
        if (observe === undefined || watched !== ledger()) {
          watched = ledger()
          observe = Progress.observer(watched, total ?? length)
        }
        return Effect.flatMap(observe, (snapshot) => callHandler(report, snapshot))
      })
      return run.pipe(
        Stream.interruptWhen(Effect.repeat(reportNow, Schedule.spaced(every ?? Progress.defaultEvery))),
        Stream.onEnd(reportNow),
        Stream.onError(() => Effect.ignore(reportNow))
      )
    })
  }

/** Returns the number of identifiers, if it is known before they are read. */
export const lengthOf = (ids: unknown): number | undefined => (Array.isArray(ids) ? ids.length : undefined)

/** Makes a stream of identifiers or items. */
export const inputStream = (ids: unknown): Stream.Stream<unknown, Failure> => {
  const isInput =
    typeof ids === "object" &&
    ids !== null &&
    (Symbol.iterator in ids || Symbol.asyncIterator in ids || "getReader" in ids)
  if (!isInput) {
    return Stream.fail(
      new InvalidChunk({
        message: "pass the identifiers as an array, an iterable or a stream, not as one value or a promise"
      })
    )
  }
  if (Symbol.iterator in ids) return Stream.fromIterable(ids as Iterable<unknown>)
  if (Symbol.asyncIterator in ids) {
    return Stream.fromAsyncIterable(ids as AsyncIterable<unknown>, (error) => error)
  }
  // Not every browser can iterate a stream.
  return Stream.fromReadableStream({
    evaluate: () => ids as ReadableStream<unknown>,
    onError: (error) => error
  })
}
