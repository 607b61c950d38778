/**
 * Turns a stream of items into batch calls and a stream of outcomes, for any service whose calls take many
 * keys.
 *
 * It knows neither HTTP nor the service. The caller provides the key of an item, the call for a batch, and the
 * meaning of an error.
 *
 * Guarantees: each item gets one outcome, or is counted as a duplicate. Each record of a response is in the outcome
 * of its item, or is a `Surplus`. In ordered mode, outcomes have the order of the input. Memory holds the batches in
 * flight, a quarter as many further batches (at least one), up to 64 MiB of batches that wait for an earlier one, and
 * the set of seen keys. The end of a run checks the law of the ledger.
 */
import { Array as Arr, Effect, Result, Stream } from "effect"
import type { InvalidOption } from "./InvalidOption.ts"
import { Stop } from "./internal/availability/stopSignal.ts"
import type { CallResult, OnFailure, Verdict } from "./internal/calls/callResult.ts"
import { emptyResults, type KeyResults, union } from "./internal/calls/keyResults.ts"
import * as Run from "./internal/calls/runCalls.ts"
import { settle } from "./internal/calls/settleKeys.ts"
import * as BatchAdmission from "./internal/input/batchAdmission.ts"
import type { Batch, ValidItem } from "./internal/input/batchBuilder.ts"
import { flatten } from "./internal/input/flatten.ts"
import { gatherBatches } from "./internal/input/gatherBatches.ts"
import type { KeySet } from "./internal/input/keySet.ts"
import { Supply } from "./internal/input/supply.ts"
import { InputMismatch, type OwnError, UnmatchedResponse } from "./internal/runErrors.ts"
import {
  type Attempts,
  batcherSet,
  type Call,
  type CallContext,
  type Calls,
  defaultConcurrency,
  defaultSize,
  keySet,
  type OutcomeSettings,
  outcomeSet,
  type Settings,
  type SettledBatch,
  settingsSet
} from "./internal/runSettings.ts"
import * as Ledger from "./Ledger.ts"
import * as Options from "./Options.ts"
import type * as Outcome from "./Outcome.ts"

export type {
  Attempts,
  Call,
  CallContext,
  CallResult,
  Calls,
  KeyResults,
  KeySet,
  OnFailure,
  OutcomeSettings,
  OwnError,
  Settings,
  SettledBatch,
  Verdict
}
export {
  batcherSet,
  defaultConcurrency,
  defaultSize,
  InputMismatch,
  keySet,
  outcomeSet,
  Supply,
  settingsSet,
  UnmatchedResponse,
  union
}

/** The results of a run. An option out of range fails it before the first call. */
export type RunStream<A, E, R> = Stream.Stream<A, E | InvalidOption, R>

/**
 * Yields the outcomes of a stream of items.
 *
 * Fails with the first error that stops the run, or with the error of `items`, after all outcomes before it. An
 * option out of range fails with `InvalidOption` before the first call.
 *
 * @example
 *
 * ```ts
 * import { Batch, Ledger } from "@chemstream/batch"
 * import { Effect, Stream } from "effect"
 *
 * const ledger = Ledger.make()
 * const outcomes = Batch.outcomes(Stream.make("a", "b", "a"), {
 *   call: async (keys) => ({ records: keys.map((key) => ({ key, record: key.toUpperCase() })) }),
 *   ledger
 * })
 * const all = await Effect.runPromise(Stream.runCollect(outcomes))
 * all.map(({ _tag, item }) => `${_tag} ${item}`) // => ["Found a", "Found b"]
 * ledger.duplicates // => 1
 * ```
 */
export const outcomes: {
  <Item, EI, RI, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>(
    items: Stream.Stream<Item, EI, RI>,
    settings: OutcomeSettings<Item, R, E, Services, Reason, Foreign>
  ): RunStream<Outcome.Outcome<Item, R, E | Foreign, Reason>, EI | E | Foreign, RI | Services>
  <Item, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>(
    settings: OutcomeSettings<Item, R, E, Services, Reason, Foreign>
  ): <EI, RI>(
    items: Stream.Stream<Item, EI, RI>
  ) => RunStream<Outcome.Outcome<Item, R, E | Foreign, Reason>, EI | E | Foreign, RI | Services>
} = Options.streamFrom("items", { settings: Options.required(outcomeSet) })(
  <Item, EI, RI, R, E, Services, Reason, Foreign>(
    items: Stream.Stream<Item, EI, RI>,
    settings: OutcomeSettings<Item, R, E, Services, Reason, Foreign>
  ) =>
    batches(items, settings).pipe(
      // Without a resume point there is no `InputMismatch`.
      Stream.catchIf((error): error is InputMismatch => error instanceof InputMismatch, Stream.die),
      Stream.map((batch) => batch.outcomes),
      flatten
    )
)

/**
 * Yields the outcomes batch by batch, each batch with its part of the input.
 *
 * The parts cover the input without overlap. In ordered mode they are consecutive. Each run of the stream
 * starts with full batches and zero counts, so the stream can be retried and repeated. Only your own `ledger`
 * and your own set of seen keys keep state between runs.
 */
export const batches: {
  <Item, EI, RI, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>(
    items: Stream.Stream<Item, EI, RI>,
    settings: Settings<Item, R, E, Services, Reason, Foreign>
  ): RunStream<SettledBatch<Item, R, E | Foreign, Reason>, EI | E | Foreign | InputMismatch, RI | Services>
  <Item, R, E = unknown, Services = never, Reason = never, Foreign = OwnError>(
    settings: Settings<Item, R, E, Services, Reason, Foreign>
  ): <EI, RI>(
    items: Stream.Stream<Item, EI, RI>
  ) => RunStream<SettledBatch<Item, R, E | Foreign, Reason>, EI | E | Foreign | InputMismatch, RI | Services>
} = Options.streamFrom("items", { settings: Options.required(settingsSet) })(
  <Item, EI, RI, R, E, Services, Reason, Foreign>(
    items: Stream.Stream<Item, EI, RI>,
    settings: Settings<Item, R, E, Services, Reason, Foreign>
  ) => {
    const ledger = settings.ledger ?? Ledger.make()
    Ledger.begin(ledger)
    const concurrency = settings.concurrency ?? defaultConcurrency
    const isOrdered = settings.ordered ?? true
    const admission = BatchAdmission.make(concurrency, isOrdered)
    const run = Run.make<E, Foreign>(settings, ledger, admission)
    let failure: Effect.Effect<never, EI | InputMismatch> | undefined
    return gatherBatches(items, settings, ledger).pipe(
      // The batches before a failure of the input settle first.
      Stream.catchCause((cause) => {
        failure = Effect.failCause(cause)
        return Stream.empty
      }),
      // A run whose requests all fail ends sooner if few keys are pending (`hopelessRun.ts`).
      Stream.tap((batch) => run.health.addPending(batch.keys.length)),
      Stream.onEnd(Effect.andThen(run.health.end, admission.end)),
      Stream.mapEffect((batch) => Effect.map(admission.enter, (place) => ({ batch, place }))),
      Stream.interruptWhen(Effect.flatMap(Stop, (stop) => stop?.requested ?? Effect.never)),
      // A failure of the concurrent step would drop the outcomes queued before it. So an error that stops the
      // run passes this step as a value.
      Stream.mapEffect(({ batch, place }) => Effect.result(settleBatch(batch, place, run, settings)), {
        concurrency: "unbounded",
        unordered: !isOrdered
      }),
      untilStopped(isOrdered),
      Stream.mapEffect(Effect.fromResult),
      // After the last batch, the run fails if it was stopped, or with the failure of its input.
      Stream.concat(
        Stream.drain(
          Stream.fromEffect(
            Effect.andThen(
              run.unlessStopped(Effect.void),
              Effect.suspend(() => failure ?? Effect.void)
            )
          )
        )
      ),
      // Counts outcomes when they are emitted. So the ledger never counts outcomes that a fatal error or an
      // interruption drops.
      Stream.mapEffect(({ place, settled }) => {
        Ledger.enter(ledger, settled)
        place.leave()
        return Effect.as(run.record, settled)
      }),
      Stream.onEnd(Ledger.check(ledger)),
      Stream.ensuring(run.record)
    )
  }
)

/**
 * Ends the results of a run that is stopped. Batches that requests on the wire settle still pass: in ordered mode those before the
 * first one that is not settled.
 */
const untilStopped =
  (isOrdered: boolean) =>
  <A, E, Failure, R>(
    results: Stream.Stream<Result.Result<A, E>, Failure, R>
  ): Stream.Stream<Result.Result<A, E>, Failure, R> =>
    Stream.unwrap(
      Effect.map(Stop, (stop) => {
        let isCut = false
        return Stream.filter(results, (result) => {
          const isUnsettled = stop?.isRequested() === true && Result.isFailure(result)
          isCut ||= isUnsettled
          return !isUnsettled && !(isCut && isOrdered)
        })
      })
    )

/** Requests keys that do not come as a stream. */
export interface Batcher<E, Foreign = OwnError> {
  /**
   * Requests distinct keys, in as many calls as needed, and returns their records and errors.
   *
   * Fails with the first error that is classified as `stop`.
   */
  readonly request: <R, Services = never>(
    keys: ReadonlyArray<string>,
    call: Call<R, E, Services>
  ) => Effect.Effect<KeyResults<R, E | Foreign>, E | Foreign, Services>
  /** The largest number of keys in one call at this moment. */
  readonly size: () => number
}

/**
 * Makes a batcher: the mechanism of `outcomes` for keys that do not come as a stream.
 *
 * A batcher keeps state: the batch size and the availability after a request apply to later requests. Throws
 * `InvalidOption`.
 *
 * @example
 *
 * ```ts
 * import { Batch } from "@chemstream/batch"
 * import { Effect } from "effect"
 *
 * const batcher = Batch.make({ size: 2 })
 * const lengths = batcher.request(["a", "bb", "ccc"], async (keys) => ({
 *   records: keys.map((key) => ({ key, record: key.length }))
 * }))
 * const { records } = await Effect.runPromise(lengths)
 * records // => new Map([["a", [1]], ["bb", [2]], ["ccc", [3]]])
 * ```
 */
export const make = <E = unknown, Foreign = OwnError>(
  settings: Calls<E, Foreign> & {
    /** The ledger of the calls. Default: a new ledger. */
    readonly ledger?: Ledger.Ledger | undefined
  }
): Batcher<E, Foreign> => {
  Options.refuse(batcherSet, settings)
  const ledger = settings.ledger ?? Ledger.make()
  const run = Run.make<E, Foreign>(settings, ledger, undefined)
  const concurrency = settings.concurrency ?? defaultConcurrency
  return {
    request: (keys, call) =>
      Effect.suspend(() => {
        const problem = Options.argumentProblem(requestArguments, [keys, call])
        if (problem !== undefined) return Effect.die(problem)
        const chunks = Arr.chunksOf(keys, ledger.batchSize)
        const settleAll = Effect.forEach(chunks, (chunk) => settle(run, call, chunk), { concurrency })
        return Effect.map(run.health.whilePending(keys.length, settleAll), (parts) => {
          const settled = union(parts)
          ledger.surplus += settled.surplus.length
          return settled
        })
      }),
    size: () => ledger.batchSize
  }
}

const requestArguments = {
  keys: Options.required(Options.list(Options.text)),
  call: Options.required(Options.func)
}

/** A settled batch with its place in memory, which it leaves when its outcomes are emitted. */
interface SettledPlace<Item, R, E, Reason> {
  readonly settled: SettledBatch<Item, R, E, Reason>
  readonly place: BatchAdmission.Place
}

/** Requests the keys of a batch, and makes the outcomes of its items. */
const settleBatch = <Item, R, E, Services, Reason, Foreign>(
  { digest, items, keys, spans, suspicious }: Batch<Item, Reason>,
  place: BatchAdmission.Place,
  run: Run.Run<E, Foreign>,
  { call, doubtOf }: Settings<Item, R, E, Services, Reason, Foreign>
): Effect.Effect<SettledPlace<Item, R, E | Foreign, Reason>, E | Foreign, Services> => {
  let itemsByKey: Map<string, Item> | undefined
  const itemOf = (key: string): Item => {
    // The first item of a key is the last one to be set.
    itemsByKey ??= new Map(
      items.toReversed().flatMap((one) => (one._tag === "Valid" ? [[one.key, one.item] as const] : []))
    )
    return itemsByKey.get(key) as Item
  }
  const results: Effect.Effect<KeyResults<R, E | Foreign>, E | Foreign, Services> = keys.length === 0
    ? Effect.succeed(emptyResults())
    : settle(
        run,
        (some, { signal }) => {
          place.begin()
          return call(some, { item: itemOf, signal })
        },
        keys
      )
  return Effect.map(
    Effect.ensuring(
      Effect.tapError(Effect.provideService(results, Supply, place.supply), (error) =>
        run.health.fail(error)
      ),
      run.health.addPending(-keys.length)
    ),
    (settled) => {
      const all: Array<Outcome.Outcome<Item, R, E | Foreign, Reason>> = items.map((one) =>
        one._tag === "Invalid" ? one : outcomeOf(one, settled, doubtOf)
      )
      for (const record of settled.surplus) all.push(record)
      place.settle(settled.bytes)
      return { place, settled: { outcomes: all, spans, digest, suspicious } }
    }
  )
}

/** Makes the outcome of an item from the results of its key. */
const outcomeOf = <Item, R, E>(
  { item, key }: ValidItem<Item>,
  { errors, records, suggestions, truncated }: KeyResults<R, E>,
  doubtOf: ((records: ReadonlyArray<R>) => Outcome.Doubt | undefined) | undefined
): Outcome.Outcome<Item, R, E, never> => {
  const own = records.get(key)
  // A call may fail with undefined, as a promise that is rejected without a reason.
  if (errors.has(key)) return { _tag: "Failed", key, item, error: errors.get(key) as E, records: own }
  if (own === undefined) return { _tag: "Missing", key, item, suggestions: suggestions.get(key) }
  const why = truncated.get(key)
  const doubt = doubtOf?.(own)
  return {
    _tag: "Found",
    key,
    item,
    records: own,
    ...(why === undefined ? {} : { truncated: why }),
    ...(doubt === undefined ? {} : { doubt })
  }
}
