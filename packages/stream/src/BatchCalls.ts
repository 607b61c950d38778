/**
 * The generic core: a stream of identifiers through batch calls to a stream of outcomes.
 *
 * Knows nothing of chemistry: what an identifier looks like, how a batch is asked for and which failure ends the
 * run, the caller says. Guarantees: each identifier has one outcome; in ordered mode outcomes come in the order of
 * the input; memory is bounded by `concurrency × size` beside the set of seen identifiers; the ledger's law is
 * checked at the end. Trying a call again is left to the caller's client.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { Effect, type Result, Stream } from "effect"
import type { Identifier } from "./Identifiers.ts"
import { type Admitted, type Batch, gather } from "./internal/admission.ts"
import * as Ledger from "./Ledger.ts"
import * as Outcome from "./Outcome.ts"
import { byKey, type Keyed } from "./Reconcile.ts"

/** What a call came to. */
export interface Answer<R, E> {
  /** The records that carry an identifier, in any order; those that nobody asked for included. */
  readonly records: ReadonlyArray<Keyed<R>>
  /**
   * Why an identifier without a record cannot be called missing, e.g. because the answer holds a record that carries
   * no identifier and might be its own. Such identifiers fail with this error.
   */
  readonly doubt?: E | undefined
}

/** How identifiers become batch calls. */
export interface Settings<R, E, Services> {
  /** The identifier in canonical spelling, or why the text is none. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** Asks for a batch of distinct identifiers: at least one, at most `size`. */
  readonly call: (ids: ReadonlyArray<string>) => Effect.Effect<Answer<R, E>, E, Services>
  /** Whether a failed call ends the run instead of failing its identifiers. */
  readonly isFatal: (error: E) => boolean
  /** The most identifiers in one call. */
  readonly size: number
  /** The most calls in flight. */
  readonly concurrency: number
  /** Whether outcomes keep the order of the input. */
  readonly ordered: boolean
  /** Whether an identifier that came before is counted as a duplicate instead of asked for again. */
  readonly dedupe: boolean
  /** Where the run is counted. */
  readonly ledger: Ledger.Ledger
}

/**
 * The outcomes of a stream of identifiers. Fails with the first fatal error, after the outcomes before it.
 *
 * @example
 * ```ts
 * import { BatchCalls, Identifiers, Ledger } from "@chemstream/stream"
 * import { Effect, Result, Stream } from "effect"
 *
 * const ledger = Ledger.make()
 * const outcomes = BatchCalls.outcomes(Identifiers.fromIterable(["a", "b", "a"]), {
 *   parse: Result.succeed,
 *   call: (ids) => Effect.succeed({ records: ids.map((id) => ({ key: id, record: id.toUpperCase() })) }),
 *   isFatal: () => false,
 *   size: 100,
 *   concurrency: 4,
 *   ordered: true,
 *   dedupe: true,
 *   ledger
 * })
 * const all = await Effect.runPromise(Stream.runCollect(outcomes))
 * all.map(({ _tag, id }) => `${_tag} ${id}`) // => ["Found a", "Found b"]
 * ledger.duplicates // => 1
 * ```
 */
export const outcomes = <EI, RI, R, E, Services>(
  identifiers: Stream.Stream<Identifier, EI, RI>,
  settings: Settings<R, E, Services>
): Stream.Stream<Outcome.Outcome<R, E>, EI | E, RI | Services> =>
  Stream.suspend(() => {
    const { concurrency, ledger, ordered } = settings
    return identifiers.pipe(
      Stream.mapAccumArray(
        () => gather(settings),
        (gathering, array) => [gathering, gathering.add(array)] as const,
        { onHalt: (gathering) => gathering.flush() }
      ),
      // A fatal error travels as a value past the concurrent step, which would drop the outcomes queued before it.
      Stream.mapEffect((batch) => Effect.result(answer(settings, batch)), {
        concurrency,
        unordered: !ordered
      }),
      Stream.mapEffect(Effect.fromResult),
      // Entered where they are handed on, so that the ledger counts nothing that a fatal error or an interruption drops.
      Stream.tap((outcomes) => Effect.sync(() => Ledger.enter(ledger, outcomes))),
      Stream.flattenIterable,
      Stream.onEnd(Ledger.check(ledger))
    )
  })

/** The outcomes of a batch in the order of the input, not yet entered in the ledger. */
const answer = <R, E, Services>(
  settings: Settings<R, E, Services>,
  batch: Batch
): Effect.Effect<ReadonlyArray<Outcome.Outcome<R, E>>, E, Services> => {
  const { call, isFatal, ledger } = settings
  if (batch.ids.length === 0) return Effect.succeed(settle<R, E>(batch, { records: new Map() }))
  return call(batch.ids).pipe(
    Effect.map(({ doubt, records }) => {
      ledger.batches++
      const reconciled = byKey(batch.ids, records)
      ledger.surplus += reconciled.surplus
      return settle<R, E>(batch, { records: reconciled.records, error: doubt })
    }),
    Effect.catch((error) => {
      if (isFatal(error)) return Effect.fail(error)
      ledger.batches++
      return Effect.succeed(settle<R, E>(batch, { records: new Map(), error }))
    })
  )
}

/** What is known of a batch: records by identifier, and why those without one are failed instead of missing. */
interface Settled<R, E> {
  readonly records: ReadonlyMap<string, R>
  readonly error?: E | undefined
}

const settle = <R, E>(batch: Batch, settled: Settled<R, E>): ReadonlyArray<Outcome.Outcome<R, E>> =>
  batch.places.map((place) => (place._tag === "Invalid" ? place : outcomeOf(place, settled)))

const outcomeOf = <R, E>(
  { id, line }: Admitted,
  { error, records }: Settled<R, E>
): Outcome.Outcome<R, E> => {
  const record = records.get(id)
  if (record !== undefined) return Outcome.found(id, line, [record])
  return error === undefined ? Outcome.missing(id, line) : Outcome.failed(id, line, error)
}
