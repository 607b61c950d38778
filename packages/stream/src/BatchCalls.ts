/**
 * The generic core: a stream of identifiers through batch calls to a stream of outcomes.
 *
 * Knows nothing of chemistry: what an identifier looks like, how a batch is asked for and what a failure means, the
 * caller says. Guarantees: each identifier has one outcome; in ordered mode outcomes come in the order of the input;
 * memory is bounded by `concurrency × size` and a quarter more, beside the set of seen identifiers; the ledger's law is
 * checked at the end. Trying a call again is left to the caller's client, continuing a run that was cut short to `Checkpoint`.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { Array as Arr, Data, type Duration, Effect, type Result, Stream } from "effect"
import type { Identifier } from "./Identifiers.ts"
import { type Admitted, type Batch, gather } from "./internal/admission.ts"
import type { Answer, OnFailure, Verdict } from "./internal/batchCall.ts"
import * as BatchSize from "./internal/batchSize.ts"
import { flatten } from "./internal/flatten.ts"
import * as Patience from "./internal/patience.ts"
import { type Settled, settle } from "./internal/settle.ts"
import * as Slots from "./internal/slots.ts"
import type { Settlement, Span } from "./internal/spans.ts"
import * as Ledger from "./Ledger.ts"
import * as Outcome from "./Outcome.ts"
import type { Multiplicity } from "./Reconcile.ts"
import * as Seen from "./Seen.ts"

export type { Answer, OnFailure, Settlement, Span, Verdict }

/** The input of a run that should continue an earlier one is not the input that one had; `reason` says how it differs. */
export class OtherInput extends Data.TaggedError("OtherInput")<{
  readonly reason: string
  readonly message: string
}> {}

/** How identifiers become batch calls. */
export interface Settings<R, E, Services> {
  /** The identifier in canonical spelling, or why the text is none. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** Whether an identifier is counted as one that is asked for although it looks wrong; none is when not given. */
  readonly isSuspicious?: ((id: string) => boolean) | undefined
  /** Asks for a batch of distinct identifiers: at least one, at most `size`. */
  readonly call: (ids: ReadonlyArray<string>) => Effect.Effect<Answer<R, E>, E, Services>
  /** What a failed call means. */
  readonly judge: (error: E) => Verdict
  /** Whether a call failed without anything having been asked, and so is no batch; none does when not given. */
  readonly isUnasked?: ((error: E) => boolean) | undefined
  /** What the service names instead of an identifier that it calls missing with this error; nothing when not given. */
  readonly suggestions?: ((error: E) => ReadonlyArray<string>) | undefined
  /** What is done about a failed batch; `isolate` when not given. */
  readonly onFailure?: OnFailure | undefined
  /**
   * The record of an identifier whose text was given in another spelling, where a record says what was asked; as it is
   * when not given.
   */
  readonly asGiven?: ((record: R, id: string, given: string) => R) | undefined
  /** How many records an identifier may have; one when not given. */
  readonly multiplicity?: Multiplicity | undefined
  /** The most identifiers in one call. */
  readonly size: number
  /**
   * The longest an identifier waits for its batch to fill, for input that comes slowly; a batch waits until it is full
   * when not given.
   */
  readonly window?: Duration.Input | undefined
  /**
   * The most calls in flight. Meanwhile a quarter as many batches, but one at least, are made ready, or their answers read: a
   * call that asks through `ChemClient` counts as in flight until the body of its answer has arrived, any other to its end.
   */
  readonly concurrency: number
  /** Whether outcomes keep the order of the input. */
  readonly ordered: boolean
  /**
   * Whether an identifier that came before is counted as a duplicate instead of asked for again. `true` remembers
   * identifiers in memory; a set of one's own can be given.
   */
  readonly dedupe: boolean | Seen.Seen
  /**
   * What an earlier run over the same input has accounted for: it is passed over, and is not counted again. The run
   * fails with `OtherInput`, before it asks for anything, where the input is another one.
   */
  readonly settlement?: Settlement | undefined
  /** Where the run is counted. */
  readonly ledger: Ledger.Ledger
}

/** The outcomes of a part of the input. */
export interface SettledBatch<R, E> {
  readonly outcomes: ReadonlyArray<Outcome.Outcome<R, E>>
  /** Which parts of the input: what of them has no outcome came before and is a duplicate. */
  readonly spans: ReadonlyArray<Span>
  /** The digest of the input up to the end of the last part. */
  readonly digest: string
}

/**
 * The outcomes of a stream of identifiers. Fails with the first error that ends the run, after the outcomes before it.
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
 *   judge: () => "fail",
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
  settings: Omit<Settings<R, E, Services>, "settlement">
): Stream.Stream<Outcome.Outcome<R, E>, EI | E, RI | Services> =>
  batches(identifiers, settings).pipe(
    // Without a settlement no input is another one.
    Stream.catchTag("OtherInput", Stream.die),
    Stream.map((batch) => batch.outcomes),
    flatten
  )

/**
 * As `outcomes`, batch by batch, each with the part of the input that it accounts for. The parts cover the input
 * without overlap; in ordered mode they follow one another.
 */
export const batches = <EI, RI, R, E, Services>(
  identifiers: Stream.Stream<Identifier, EI, RI>,
  settings: Settings<R, E, Services>
): Stream.Stream<SettledBatch<R, E>, EI | E | OtherInput, RI | Services> =>
  Stream.suspend(() => {
    const { concurrency, ledger, ordered } = settings
    ledger.batchSize = settings.size
    const batchSize = BatchSize.make(ledger)
    const patience = Patience.make()
    const slots = Slots.make(concurrency, ledger)
    return gathered(identifiers, settings).pipe(
      Stream.map(boxed),
      // An error that ends the run travels as a value past the concurrent step, which would drop the outcomes queued
      // before it.
      Stream.mapEffect(
        (batch) => Effect.map(Effect.result(answer(settings, batch, batchSize, patience, slots)), boxed),
        {
          // While some are in flight others are made ready, or their answers are read.
          concurrency: concurrency + Math.ceil(concurrency / 4),
          unordered: !ordered
        }
      ),
      Stream.mapEffect((box) => Effect.fromResult(box.take())),
      // Entered where they are handed on, so that the ledger counts nothing that a fatal error or an interruption drops.
      Stream.tap((batch) => Effect.sync(() => enter(ledger, batch))),
      Stream.onEnd(Ledger.check(ledger))
    )
  })

/** Enters the outcomes of a batch in a ledger, and the duplicates of its part of the input. */
export const enter = <R, E>(ledger: Ledger.Ledger, { outcomes, spans }: SettledBatch<R, E>): void => {
  Ledger.enter(ledger, outcomes)
  ledger.duplicates += length(spans) - outcomes.length
}

const gathered = <EI, RI, R, E, Services>(
  identifiers: Stream.Stream<Identifier, EI, RI>,
  settings: Settings<R, E, Services>
): Stream.Stream<Batch, EI | OtherInput, RI> => {
  const { dedupe, isSuspicious, ledger, parse, settlement, window } = settings
  const gathering = gather({
    parse,
    isSuspicious: isSuspicious ?? (() => false),
    ledger,
    seen: dedupe === true ? Seen.inMemory() : dedupe === false ? undefined : dedupe,
    isExact: dedupe === true,
    settlement,
    size: () => ledger.batchSize
  })
  const add = (array: ReadonlyArray<Identifier>): Effect.Effect<ReadonlyArray<Batch>, OtherInput> =>
    unlessOther(
      () => (window === undefined ? gathering.add(array) : [...gathering.add(array), ...gathering.flush()]),
      gathering.mismatch
    )
  const arrays =
    window === undefined
      ? // No more than a batch at a time: the first call does not wait for what will be in the next ones.
        flatten(Stream.map(Stream.chunks(identifiers), (array) => Arr.chunksOf(array, settings.size)))
      : Stream.groupedWithin(identifiers, settings.size, window)
  return arrays.pipe(
    Stream.mapEffect((array) => Effect.tap(add(array), Slots.requestsFirst)),
    Stream.concat(Stream.fromEffect(unlessOther(gathering.flush, gathering.mismatchAtEnd))),
    flatten
  )
}

const unlessOther = <A>(step: () => A, mismatch: () => string | undefined): Effect.Effect<A, OtherInput> =>
  Effect.suspend(() => {
    const result = step()
    const reason = mismatch()
    if (reason === undefined) return Effect.succeed(result)
    const message = `the input is not the one this run began with: ${reason}. Give the input of that run, or start anew`
    return Effect.fail(new OtherInput({ reason, message }))
  })

/** A value that can be taken once. */
interface Box<A> {
  readonly take: () => A
}

/**
 * Puts a value in a box. The fibers of a concurrent step hold on to one another, and each to what it was given and came
 * to, until the old generation of the heap is collected: with boxes they do not keep batches and answers from the young
 * one.
 */
const boxed = <A>(value: A): Box<A> => {
  let content: A | undefined = value
  return {
    take: () => {
      const taken = content as A
      content = undefined
      return taken
    }
  }
}

const length = (spans: ReadonlyArray<Span>): number => spans.reduce((sum, { from, to }) => sum + to - from, 0)

const answer = <R, E, Services>(
  settings: Settings<R, E, Services>,
  box: Box<Batch>,
  batchSize: BatchSize.BatchSize,
  patience: Patience.Patience,
  slots: Slots.Slots
): Effect.Effect<SettledBatch<R, E>, E, Services> =>
  Effect.suspend(() => {
    const { digest, ids, places, spans } = box.take()
    return Effect.map(settle(settings, ids, batchSize, patience, slots), (settled) => ({
      outcomes: places.map((place) =>
        place._tag === "Invalid" ? place : outcomeOf(place, settled, settings.asGiven)
      ),
      spans,
      digest
    }))
  })

const outcomeOf = <R, E>(
  { id, input, line }: Admitted,
  { errors, records, suggestions }: Settled<R, E>,
  asGiven: Settings<R, E, never>["asGiven"]
): Outcome.Outcome<R, E> => {
  const { carried, text } = input
  const answered = records.get(id)
  const own =
    text === id || asGiven === undefined ? answered : answered?.map((record) => asGiven(record, id, text))
  const error = errors.size === 0 ? undefined : errors.get(id)
  const outcome =
    error !== undefined
      ? Outcome.failed(id, line, error, own)
      : own === undefined
        ? Outcome.missing(id, line, suggestions.get(id))
        : Outcome.found(id, line, own)
  if (text === id && carried === undefined) return outcome
  return {
    ...outcome,
    ...(text === id ? {} : { given: text }),
    ...(carried === undefined ? {} : { carried })
  }
}
