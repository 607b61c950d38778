/**
 * Sends identifiers through batch calls: `Batch` of `@chemstream/batch` for identifiers with a line and data of
 * the caller.
 *
 * The caller's client retries calls. `Checkpoint` continues a run that stopped.
 */
import { InvalidIdentifier } from "@chemstream/api"
import { Batch, type Outcome as CoreOutcome, InvalidOption, Options } from "@chemstream/batch"
import { RawRecord } from "@chemstream/ndjson"
import { type Effect, Result, Stream } from "effect"
import type { Identifier } from "../identifiers/Identifiers.ts"
import type * as Ledger from "./Ledger.ts"
import * as Outcome from "./Outcome.ts"

/** The settings of batch calls. */
export interface Settings<R, E, Services, Foreign = Batch.OwnError>
  extends Omit<
    Batch.Settings<Identifier, R, E, Services, InvalidIdentifier.InvalidIdentifier, Foreign>,
    "call" | "dedupe" | "fingerprint" | "key" | "ledger"
  > {
  /** Returns the identifier in canonical spelling, or why the text is not one. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** Requests a batch of distinct identifiers: at least one, at most `size`. */
  readonly call: (
    ids: ReadonlyArray<string>
  ) => Effect.Effect<Batch.CallResult<R, E>, E, Services> | Promise<Batch.CallResult<R, E>>
  /**
   * Whether an identifier that occurred before is counted as a duplicate, and not requested. Default: only an
   * identifier without `carried`. Every row of the caller has its outcome.
   */
  readonly dedupe?: boolean | Batch.KeySet | undefined
  /** Returns the record with the identifier in the spelling of the input. Default: the record as it is. */
  readonly restoreSpelling?: ((record: R, id: string, given: string) => R) | undefined
  /** The ledger of the run. Default: a new ledger for each run. */
  readonly ledger?: Ledger.Ledger | undefined
}

/** The outcomes of a part of the input. */
export interface SettledBatch<R, E, C = unknown>
  extends Pick<Batch.SettledBatch<never, R, E, never>, "digest" | "spans" | "suspicious"> {
  /** The outcomes of its identifiers, then the surplus records of its responses. */
  readonly outcomes: ReadonlyArray<Outcome.Outcome<R, E, C>>
}

/** The settings of the batching core, besides those that this module sets. */
const { fingerprint: _, key: __, ledger, ...core } = Batch.outcomeSet.fields

/** The declaration of the settings of `outcomes`. */
const outcomeSet = Options.set<Omit<Settings<unknown, unknown, never>, "resumePoint">>()({
  ...core,
  parse: Options.required(Options.func),
  dedupe: Options.anyOf(Options.flag, Batch.keySet),
  restoreSpelling: Options.func,
  ledger: Options.kind<Ledger.Ledger>(ledger.wanted, ledger.matches)
})

const settingsSet = Options.set<Settings<unknown, unknown, never>>()({
  ...outcomeSet.fields,
  resumePoint: Batch.settingsSet.fields.resumePoint
})

/**
 * Returns the outcomes of a stream of identifiers. Fails with the first error that stops the run, after the
 * outcomes before it. A setting out of range fails with `InvalidOption` before the first call.
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
export const outcomes: {
  <I extends Identifier, EI, RI, R, E = unknown, Services = never, Foreign = Batch.OwnError>(
    identifiers: Stream.Stream<I, EI, RI>,
    settings: Omit<Settings<R, E, Services, Foreign>, "resumePoint">
  ): Batch.RunStream<Outcome.Outcome<R, E | Foreign, I["carried"]>, EI | E | Foreign, RI | Services>
  <R, E = unknown, Services = never, Foreign = Batch.OwnError>(
    settings: Omit<Settings<R, E, Services, Foreign>, "resumePoint">
  ): <I extends Identifier, EI, RI>(
    identifiers: Stream.Stream<I, EI, RI>
  ) => Batch.RunStream<Outcome.Outcome<R, E | Foreign, I["carried"]>, EI | E | Foreign, RI | Services>
} = Options.streamFrom("identifiers", { settings: Options.required(outcomeSet) })(
  <I extends Identifier, EI, RI, R, E, Services, Foreign>(
    identifiers: Stream.Stream<I, EI, RI>,
    settings: Omit<Settings<R, E, Services, Foreign>, "resumePoint">
  ) =>
    Stream.map(
      Batch.outcomes(identifiers, coreSettings<R, E, Services, Foreign>(settings)),
      toOutcome<R, E | Foreign, I["carried"]>(settings.restoreSpelling)
    )
)

/**
 * Like `outcomes`, but emits settled batches with the part of the input that each covers. The parts do not
 * overlap and together cover the input. In ordered mode they follow one another.
 */
export const batches: {
  <I extends Identifier, EI, RI, R, E = unknown, Services = never, Foreign = Batch.OwnError>(
    identifiers: Stream.Stream<I, EI, RI>,
    settings: Settings<R, E, Services, Foreign>
  ): Batch.RunStream<
    SettledBatch<R, E | Foreign, I["carried"]>,
    EI | E | Foreign | Batch.InputMismatch,
    RI | Services
  >
  <R, E = unknown, Services = never, Foreign = Batch.OwnError>(
    settings: Settings<R, E, Services, Foreign>
  ): <I extends Identifier, EI, RI>(
    identifiers: Stream.Stream<I, EI, RI>
  ) => Batch.RunStream<
    SettledBatch<R, E | Foreign, I["carried"]>,
    EI | E | Foreign | Batch.InputMismatch,
    RI | Services
  >
} = Options.streamFrom("identifiers", { settings: Options.required(settingsSet) })(
  <I extends Identifier, EI, RI, R, E, Services, Foreign>(
    identifiers: Stream.Stream<I, EI, RI>,
    settings: Settings<R, E, Services, Foreign>
  ) => {
    const convert = toOutcome<R, E | Foreign, I["carried"]>(settings.restoreSpelling)
    return Stream.map(
      Batch.batches(identifiers, coreSettings<R, E, Services, Foreign>(settings)),
      (batch) => ({
        ...batch,
        outcomes: batch.outcomes.map(convert)
      })
    )
  }
)

const coreSettings = <R, E, Services, Foreign>({
  dedupe,
  parse,
  restoreSpelling: _,
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
  dedupe: dedupe ?? isPlain,
  key: (identifier) => {
    const { fault, line, text } = Object(identifier) as Partial<Identifier>
    if (typeof text !== "string" || !Options.amount.matches(line))
      throw new InvalidOption.InvalidOption({
        option: "identifiers",
        value: identifier,
        wanted:
          "identifiers of Identifiers.fromIterable, fromItems or fromBytes, each with its text and line",
        isArgument: true
      })
    return fault === undefined ? parse(text) : Result.fail(faulty(text, fault))
  },
  fingerprint
})

/** Whether an identifier is only a text, not a row of the caller. */
const isPlain = (identifier: Identifier): boolean => !("carried" in identifier)

/** The text by which a resumed run compares an identifier: everything that affects its output. */
const fingerprint = ({ carried, line, text }: Identifier): string =>
  carried === undefined ? `${line} ${text}` : `${line} ${text}\n${textOf(carried)}`

const textOf = (carried: unknown): string => {
  if (RawRecord.isRawRecord(carried)) return RawRecord.toText(carried)
  try {
    return JSON.stringify(carried, (_, value) => (typeof value === "bigint" ? `${value}` : value)) ?? ""
  } catch {
    // A circular value has no JSON text.
    return String(carried)
  }
}

const faulty = (value: string, message: string): InvalidIdentifier.InvalidIdentifier =>
  new InvalidIdentifier.InvalidIdentifier({ identifier: "identifier", value, reason: "malformed", message })

/** `C` is the type of the data that the identifiers carry. */
const toOutcome = <R, E, C>(restoreSpelling: Settings<R, E, never>["restoreSpelling"]) =>
  outcomeOf(restoreSpelling) as (
    outcome: CoreOutcome.Outcome<Identifier, R, E, InvalidIdentifier.InvalidIdentifier>
  ) => Outcome.Outcome<R, E, C>

const outcomeOf =
  <R, E>(restoreSpelling: Settings<R, E, never>["restoreSpelling"]) =>
  (
    outcome: CoreOutcome.Outcome<Identifier, R, E, InvalidIdentifier.InvalidIdentifier>
  ): Outcome.Outcome<R, E> => {
    if (outcome._tag === "Surplus") return Outcome.surplus(outcome.reason, outcome.record, outcome.key)
    const { carried, line, text } = outcome.item
    const data = carried === undefined ? {} : { carried }
    if (outcome._tag === "Invalid") return { ...Outcome.invalid(text, line, outcome.reason), ...data }
    const { key: id } = outcome
    const place = text === id ? data : { given: text, ...data }
    const own = (records: ReadonlyArray<R>): ReadonlyArray<R> =>
      text === id || restoreSpelling === undefined
        ? records
        : records.map((record) => restoreSpelling(record, id, text))
    switch (outcome._tag) {
      case "Found": {
        const { doubt, records, truncated } = outcome
        return { ...Outcome.found(id, line, own(records), truncated, doubt), ...place }
      }
      case "Missing":
        return { ...Outcome.missing(id, line, outcome.suggestions), ...place }
      case "Failed":
        return {
          ...Outcome.failed(id, line, outcome.error, outcome.records && own(outcome.records)),
          ...place
        }
    }
  }
