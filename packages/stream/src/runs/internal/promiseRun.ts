/**
 * The runs of `Chemstream`: a lookup over a client of promises, as an object to iterate.
 */
import type { ChemClient, PromiseClient } from "@chemstream/client"
import { Ndjson } from "@chemstream/ndjson"
import { Effect, Schedule, Stream } from "effect"
import type { Carrying, Reading } from "../../identifiers/Identifiers.ts"
import { InvalidChunk, identifiers } from "../../identifiers/internal/chunks.ts"
import { type Endpoint, lookupOf } from "../../lookups/internal/catalogue.ts"
import * as Lookup from "../../lookups/Lookup.ts"
import * as Ledger from "../Ledger.ts"
import type { Outcome } from "../Outcome.ts"
import type { Problem } from "../Problem.ts"
import * as Progress from "../Progress.ts"

/** How a run is made. */
export interface RunOptions extends Omit<Lookup.Options, "ledger"> {
  /** Ends the run when it aborts: the loop throws its reason, and the requests under way are cancelled. */
  readonly signal?: AbortSignal | undefined
  /** Called with how far the run is, ten times a second and at the end. What it throws ends the run. */
  readonly progress?: ((snapshot: Progress.Snapshot) => unknown) | ProgressOptions | undefined
}

/** How often progress is told. */
export interface ProgressOptions extends Progress.Options {
  /** Called with how far the run is, and at the end. */
  readonly report: (snapshot: Progress.Snapshot) => unknown
}

/**
 * A run: iterate it for one outcome an identifier. Each iteration is a run of its own. It throws the `ChemError` that ends the
 * run, after the outcomes before that; leaving the loop cancels the requests under way.
 */
export interface Run<A, E, C> extends AsyncIterable<Outcome<A, E, C>> {
  /**
   * The records that are found, as objects. What has no record goes to `onProblem`. Default: it is counted in `ledger` alone.
   */
  readonly records: (onProblem?: (problem: Problem<E, C>) => unknown) => AsyncIterable<A>
  /** As `records`, as the bytes of NDJSON lines: each record the text that the service sent. */
  readonly lines: (onProblem?: (problem: Problem<E, C>) => unknown) => AsyncIterable<Uint8Array>
  /** The counts of the latest iteration, so far. At its end `read` is `found + missing + failed + duplicates + invalid`. */
  readonly ledger: Ledger.Ledger
}

/** What a run is asked with. */
export type Options = RunOptions & Partial<Reading<unknown, unknown>> & { readonly endpoint: Endpoint }

/** The failures of a run, and of what surrounds it. */
type Failure = unknown

/** A run over identifiers; `begin` takes the ledger that it is counted in. */
export type Outcomes = <R>(
  ids: Stream.Stream<Carrying<unknown>, Failure>,
  lookup: Lookup.Lookup<R, unknown>,
  options: Options,
  begin: (ledger: Ledger.Ledger) => void
) => Stream.Stream<Outcome<R, unknown>, Failure, ChemClient.ChemClient>

export const outcomesOf: Outcomes = (ids, lookup, options, begin) =>
  Stream.suspend(() => {
    const ledger = Ledger.make()
    begin(ledger)
    return Lookup.outcomes(ids, lookup, { ...options, ledger })
  })

/** Makes the runs over a client. */
export const lookUp =
  (client: PromiseClient.PromiseClient, outcomes: Outcomes = outcomesOf) =>
  (ids: unknown, options: Options): Run<unknown, unknown, unknown> => {
    const { endpoint, signal } = options
    const asking = signal === undefined ? client : client.with({ signal })
    const lookup = lookupOf(endpoint, options)
    let ledger = Ledger.make()
    const run = <R>(
      of: Lookup.Lookup<R, unknown>
    ): Stream.Stream<Outcome<R, unknown>, Failure, ChemClient.ChemClient> => {
      const begin = (started: Ledger.Ledger): void => {
        ledger = started
      }
      return outcomes(identifiers(arriving(ids), options), of, options, begin).pipe(
        reported(options.progress, lengthOf(ids), () => ledger)
      )
    }
    return {
      [Symbol.asyncIterator]: () => asking.iterate(run(Lookup.parse(lookup)))[Symbol.asyncIterator](),
      records: (onProblem) =>
        asking.iterate(Stream.flattenIterable(recordsOf(run(Lookup.parse(lookup)), onProblem))),
      lines: (onProblem) => asking.iterate(Stream.map(recordsOf(run(lookup), onProblem), Ndjson.lines)),
      get ledger() {
        return ledger
      }
    }
  }

/** The records of each part of a run that has any; the rest goes to `onProblem`. */
const recordsOf = <R>(
  run: Stream.Stream<Outcome<R, unknown>, Failure, ChemClient.ChemClient>,
  onProblem: ((problem: Problem<unknown>) => unknown) | undefined
): Stream.Stream<ReadonlyArray<R>, Failure, ChemClient.ChemClient> =>
  run.pipe(
    Stream.chunks,
    Stream.mapEffect((part) => {
      const records = part.flatMap((outcome) => (outcome._tag === "Found" ? outcome.records : []))
      const problems = part.filter((outcome) => outcome._tag !== "Found")
      return onProblem === undefined
        ? Effect.succeed(records)
        : Effect.as(
            Effect.forEach(problems, (problem) => called(onProblem, problem), { discard: true }),
            records
          )
    }),
    Stream.filter((records) => records.length > 0)
  )

/** Tells how far a run is, from time to time and at its end. */
export const reported =
  (progress: RunOptions["progress"], length: number | undefined, ledger: () => Ledger.Ledger) =>
  <A, R>(run: Stream.Stream<A, Failure, R>): Stream.Stream<A, Failure, R> => {
    if (progress === undefined) return run
    const { every, report, total }: ProgressOptions =
      typeof progress === "function" ? { report: progress } : progress
    return Stream.suspend(() => {
      let watched: Ledger.Ledger | undefined
      let observe: Effect.Effect<Progress.Snapshot> | undefined
      const tell = Effect.suspend(() => {
        // The run brings its ledger when it begins.
        if (observe === undefined || watched !== ledger()) {
          watched = ledger()
          observe = Progress.observer(watched, total ?? length)
        }
        return Effect.flatMap(observe, (snapshot) => called(report, snapshot))
      })
      return run.pipe(
        Stream.interruptWhen(Effect.repeat(tell, Schedule.spaced(every ?? Progress.defaultEvery))),
        Stream.onEnd(tell),
        Stream.onError(() => Effect.ignore(tell))
      )
    })
  }

/** Calls a function of the caller's, and waits for a promise that it returns. */
const called = <A>(taker: (value: A) => unknown, value: A): Effect.Effect<void, unknown> =>
  Effect.tryPromise({ try: async () => taker(value), catch: (error) => error })

/** How many identifiers there are, where that is known before they are read. */
export const lengthOf = (ids: unknown): number | undefined => (Array.isArray(ids) ? ids.length : undefined)

/** Identifiers, or items, as a stream. */
export const arriving = (ids: unknown): Stream.Stream<unknown, Failure> => {
  if (typeof ids !== "object" || ids === null) {
    return Stream.fail(
      new InvalidChunk({
        message: "the identifiers must be an array, an iterable or a stream, not one value"
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
