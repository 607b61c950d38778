/**
 * A stream of identifiers through batch calls to a stream of outcomes: `Batch` of `@chemstream/batch` for identifiers that
 * have a line and may carry more of their row.
 *
 * Trying a call again is left to the caller's client, continuing a run that was cut short to `Checkpoint`.
 */
import { InvalidIdentifier } from "@chemstream/api"
import { Batch, type Outcome as CoreOutcome } from "@chemstream/batch"
import { type Effect, Result, Stream } from "effect"
import type { Identifier } from "./Identifiers.ts"
import type * as Ledger from "./Ledger.ts"
import * as Outcome from "./Outcome.ts"
import * as Seen from "./Seen.ts"

/** How identifiers become batch calls. */
export interface Settings<R, E, Services, Foreign = Batch.ForeignAnswer>
  extends Omit<
    Batch.Settings<Identifier, R, E, Services, InvalidIdentifier.InvalidIdentifier, Foreign>,
    "call" | "dedupe" | "fingerprint" | "key" | "ledger"
  > {
  /** The identifier in canonical spelling, or why the text is none. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** Asks for a batch of distinct identifiers: at least one, at most `size`. */
  readonly call: (
    ids: ReadonlyArray<string>
  ) => Effect.Effect<Batch.Answer<R, E>, E, Services> | Promise<Batch.Answer<R, E>>
  /**
   * The record of an identifier whose text was given in another spelling, where a record says what was asked. Default: the
   * record as it is.
   */
  readonly asGiven?: ((record: R, id: string, given: string) => R) | undefined
  /**
   * Whether an identifier that came before is counted as a duplicate instead of asked for again. `true` remembers
   * identifiers in memory; a set of one's own can be given, which keeps what earlier runs put there. Default: true.
   */
  readonly dedupe?: boolean | Seen.Seen | undefined
  /** Where the run is counted (`Ledger`). Default: a ledger of its own for each run. */
  readonly ledger?: Ledger.Ledger | undefined
}

/** The outcomes of a part of the input. */
export interface SettledBatch<R, E> extends Pick<Batch.SettledBatch<never, R, E, never>, "digest" | "spans"> {
  readonly outcomes: ReadonlyArray<Outcome.Outcome<R, E>>
}

/**
 * The outcomes of a stream of identifiers. Fails with the first error that ends the run, after the outcomes before it, and
 * with `InvalidRunOption`, before anything is asked, where a setting cannot be used.
 *
 * @example
 * ```ts
 * import { BatchCalls, Identifiers, Ledger } from "@chemstream/stream"
 * import { Effect, Result, Stream } from "effect"
 *
 * const ledger = Ledger.make()
 * const outcomes = BatchCalls.outcomes(Identifiers.fromIterable(["a", "b", "a"]), {
 *   parse: Result.succeed,
 *   call: async (ids) => ({ records: ids.map((id) => ({ key: id, record: id.toUpperCase() })) }),
 *   ledger
 * })
 * const all = await Effect.runPromise(Stream.runCollect(outcomes))
 * all.map(({ _tag, id }) => `${_tag} ${id}`) // => ["Found a", "Found b"]
 * ledger.duplicates // => 1
 * ```
 */
export const outcomes = <EI, RI, R, E = unknown, Services = never, Foreign = Batch.ForeignAnswer>(
  identifiers: Stream.Stream<Identifier, EI, RI>,
  settings: Omit<Settings<R, E, Services, Foreign>, "settlement">
): Stream.Stream<Outcome.Outcome<R, E | Foreign>, EI | E | Foreign | Batch.InvalidRunOption, RI | Services> =>
  Stream.map(Batch.outcomes(identifiers, coreSettings(settings)), toOutcome(settings.asGiven))

/**
 * As `outcomes`, batch by batch, each with the part of the input that it accounts for. The parts cover the input
 * without overlap; in ordered mode they follow one another.
 */
export const batches = <EI, RI, R, E = unknown, Services = never, Foreign = Batch.ForeignAnswer>(
  identifiers: Stream.Stream<Identifier, EI, RI>,
  settings: Settings<R, E, Services, Foreign>
): Stream.Stream<
  SettledBatch<R, E | Foreign>,
  EI | E | Foreign | Batch.OtherInput | Batch.InvalidRunOption,
  RI | Services
> => {
  const told = toOutcome<R, E | Foreign>(settings.asGiven)
  return Stream.map(Batch.batches(identifiers, coreSettings(settings)), (batch) => ({
    ...batch,
    outcomes: batch.outcomes.map(told)
  }))
}

const coreSettings = <R, E, Services, Foreign>({
  dedupe = true,
  parse,
  ...settings
}: Settings<R, E, Services, Foreign>): Batch.Settings<
  Identifier,
  R,
  E,
  Services,
  InvalidIdentifier.InvalidIdentifier,
  Foreign
> => ({
  ...settings,
  key: ({ fault, text }) => (fault === undefined ? parse(text) : Result.fail(faulty(text, fault))),
  fingerprint: ({ text }) => text,
  // A set in memory that is made when the run starts, smaller than one of texts.
  dedupe: dedupe === true ? inMemory : dedupe
})

const inMemory = (): Batch.Seen => ({ add: Seen.inMemory().add, isExact: true })

const faulty = (value: string, message: string): InvalidIdentifier.InvalidIdentifier =>
  new InvalidIdentifier.InvalidIdentifier({ identifier: "identifier", value, reason: "malformed", message })

const toOutcome =
  <R, E>(asGiven: Settings<R, E, never>["asGiven"]) =>
  (
    outcome: CoreOutcome.Outcome<Identifier, R, E, InvalidIdentifier.InvalidIdentifier>
  ): Outcome.Outcome<R, E> => {
    const { carried, line, text } = outcome.item
    if (outcome._tag === "Invalid") {
      const invalid = Outcome.invalid(text, line, outcome.reason)
      return carried === undefined ? invalid : { ...invalid, carried }
    }
    const { key: id } = outcome
    const told = ofAsked(outcome, asGiven)
    if (text === id && carried === undefined) return told
    return {
      ...told,
      ...(text === id ? {} : { given: text }),
      ...(carried === undefined ? {} : { carried })
    }
  }

const ofAsked = <R, E>(
  outcome: Exclude<
    CoreOutcome.Outcome<Identifier, R, E, InvalidIdentifier.InvalidIdentifier>,
    { readonly _tag: "Invalid" }
  >,
  asGiven: Settings<R, E, never>["asGiven"]
): Outcome.Found<R> | Outcome.Missing | Outcome.Failed<E> => {
  const { item, key } = outcome
  const own = (records: ReadonlyArray<R>): ReadonlyArray<R> =>
    item.text === key || asGiven === undefined
      ? records
      : records.map((record) => asGiven(record, key, item.text))
  switch (outcome._tag) {
    case "Found":
      return Outcome.found(key, item.line, own(outcome.records))
    case "Missing":
      return Outcome.missing(key, item.line, outcome.suggestions)
    case "Failed":
      return Outcome.failed(key, item.line, outcome.error, outcome.records && own(outcome.records))
  }
}
