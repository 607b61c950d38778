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

/** How identifiers become batch calls. */
export interface Settings<R, E, Services> {
  /** The identifier in canonical spelling, or why the text is none. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** Asks for a batch of distinct identifiers: at least one, at most `size`. */
  readonly call: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Keyed<R>>, E, Services>
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
 *   call: (ids) => Effect.succeed(ids.map((id) => ({ key: id, record: id.toUpperCase() }))),
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
      Stream.flattenIterable,
      Stream.onEnd(Ledger.check(ledger))
    )
  })

const answer = <R, E, Services>(
  settings: Settings<R, E, Services>,
  batch: Batch
): Effect.Effect<ReadonlyArray<Outcome.Outcome<R, E>>, E, Services> => {
  const { call, isFatal, ledger } = settings
  if (batch.ids.length === 0) return Effect.sync(() => settle(ledger, batch, new Map()))
  return call(batch.ids).pipe(
    Effect.map((records) => {
      ledger.batches++
      const reconciled = byKey(batch.ids, records)
      ledger.surplus += reconciled.surplus
      return settle<R, E>(ledger, batch, reconciled.records)
    }),
    Effect.catch((error) => {
      if (isFatal(error)) return Effect.fail(error)
      ledger.batches++
      return Effect.succeed(settle<R, E>(ledger, batch, { error }))
    })
  )
}

/** The outcomes of a batch, entered in the ledger: from the records of its answer, or all failed with its error. */
const settle = <R, E>(
  ledger: Ledger.Ledger,
  batch: Batch,
  answer: ReadonlyMap<string, R> | { readonly error: E }
): ReadonlyArray<Outcome.Outcome<R, E>> =>
  batch.places.map((place) => {
    const outcome = place._tag === "Invalid" ? place : outcomeOf(place, answer)
    Ledger.enter(ledger, outcome)
    return outcome
  })

const outcomeOf = <R, E>(
  { id, line }: Admitted,
  answer: ReadonlyMap<string, R> | { readonly error: E }
): Outcome.Outcome<R, E> => {
  if ("error" in answer) return Outcome.failed(id, line, answer.error)
  const record = answer.get(id)
  return record === undefined ? Outcome.missing(id, line) : Outcome.found(id, line, [record])
}
