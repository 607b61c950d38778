/**
 * What to ask a chemical-information service for a stream of identifiers, and the run that asks it.
 *
 * A lookup says what an identifier looks like, how many go into one call, how they are asked for and whose each record
 * is. The modules of the endpoints make lookups (`Details.byDtxsid()`, `Search.equal()` …); here they are run. Records
 * stay the bytes they came in (`RawRecord`), unless `decode` turns them into values.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import {
  Availability,
  Batch,
  Outcome as Core,
  InvalidOption,
  Reconcile,
  type ResumePoint
} from "@chemstream/batch"
import { BodyReader, type ChemClient, ChemError } from "@chemstream/client"
import { type Drift, RawRecord } from "@chemstream/ndjson"
import { type Duration, Effect, Result, type Schema, type Stream } from "effect"
import { dual } from "effect/Function"
import type { Identifier } from "../identifiers/Identifiers.ts"
import * as BatchCalls from "../runs/BatchCalls.ts"
import * as Ledger from "../runs/Ledger.ts"
import type { Outcome } from "../runs/Outcome.ts"
import { callsOf, type OwnError } from "./internal/calls.ts"
import { isDataFirst } from "./internal/dataFirst.ts"
import { type Inspection, memory } from "./internal/inspection.ts"

export type { Inspection }

/** The most calls in flight when not set. */
export const defaultConcurrency = Batch.defaultConcurrency

/** What to ask for. `E` is what an identifier can fail with beside the failure of its call. */
export interface Lookup<R, E = never> {
  /** The endpoint in the contract, e.g. `details.byDtxsidBatch`. */
  readonly endpoint: string
  /** The identifier in canonical spelling, or why the text is none. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** Whether the check digit of a parsed identifier fits; every identifier passes where there is none. */
  readonly verify: (id: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** The most identifiers one call takes. */
  readonly size: number
  /** How many records an identifier may have. */
  readonly multiplicity: Reconcile.Multiplicity
  /** What the contract says of a record, where it says anything: the names and kinds of its fields. */
  readonly schema?: Schema.Constraint | undefined
  /** The field by which the records of a batch are told apart, where they are told apart by a field. */
  readonly key?: string | undefined
  /**
   * The record of an identifier that was given in another spelling, where a record says what was asked; as it is when not
   * given.
   */
  readonly asGiven?: AsGiven<R>["asGiven"] | undefined
  /** What is asked for beside the identifiers, e.g. the projection. A checkpoint is of one lookup with one set of these. */
  readonly parameters?: Readonly<Record<string, string | number>> | undefined
  /** Asks for a batch of distinct identifiers. */
  readonly ask: (
    ids: ReadonlyArray<string>,
    inspection: Inspection
  ) => Effect.Effect<Batch.CallResult<R, ChemError.ChemError | E>, ChemError.ChemError, ChemClient.ChemClient>
}

/** The records of a lookup. */
export type RecordOf<L> = L extends Lookup<infer R, unknown> ? R : never

/** Declared as a method, so that a lookup of records of one type is one of records of any. */
interface AsGiven<R> {
  asGiven(record: R, id: string, given: string): R
}

/** How a lookup is run. */
export interface Options {
  /** The most identifiers in one call, at least 1; the `size` of the lookup bounds it. Default: that `size`. */
  readonly batchSize?: number | undefined
  /** The most calls in flight, at least 1. Default: 4. */
  readonly concurrency?: number | undefined
  /** Whether outcomes keep the order of the input; true when not given. */
  readonly ordered?: boolean | undefined
  /**
   * Whether repeated identifiers are counted instead of asked for again. A set of one's own can be given, e.g. one that
   * keeps them on disk. Default: true.
   */
  readonly dedupe?: boolean | Batch.Seen | undefined
  /** Whether an identifier whose check digit does not fit is invalid; asked for all the same when not given. */
  readonly strictIds?: boolean | undefined
  /**
   * What becomes of a record whose fields are not of the kinds that the contract has: it passes on as it came and is
   * tallied in the ledger's `drift` (`warn`), its identifier is `Failed` (`strict`, which also checks every answer down to
   * the last digit), or nothing is looked at but the identifiers (`off`); `warn` when not given.
   */
  readonly validate?: Drift.Validate | undefined
  /** What is done about a failed batch; `isolate` when not given. */
  readonly onFailure?: Batch.OnFailure | undefined
  /**
   * How long calls wait for a service that is unavailable. Waiting calls are counted in `waiting` of the ledger, and logged.
   * Default: 1 minute, then the run ends with `ServiceUnavailable`.
   */
  readonly availability?: Availability.Options | undefined
  /** The longest an identifier waits for its batch to fill; until the batch is full when not given. */
  readonly window?: Duration.Input | undefined
  /** Where the run is counted (`Ledger`). Default: a ledger of its own for each run. */
  readonly ledger?: Ledger.Ledger | undefined
}

/**
 * Runs a lookup over a stream of identifiers: one outcome an identifier.
 *
 * Ends with an error, after the outcomes so far, when the service refuses the API key, when it could not be reached at
 * all or there is nothing but pages under the address, and when it stays unavailable for longer than `availability` waits
 * (`ServiceUnavailable`). Every other failure of a call is the `Failed` outcome of its identifiers. An option that cannot be used is an `InvalidOption`, before anything is asked.
 *
 * The stream is a description: each run of it is independent of the others, so it can be retried and repeated. A `ledger`
 * that the caller gives accumulates the counts of all runs.
 *
 * @example
 * ```ts
 * import { Details, Identifiers, Lookup } from "@chemstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = Identifiers.fromIterable(["DTXSID7020182"]).pipe(
 *   Lookup.outcomes(Details.byDtxsid({ projection: "compact" })),
 *   Stream.runForEach((outcome) => Effect.log(outcome._tag))
 * )
 * ```
 */
export const outcomes: {
  <R, F = never>(
    lookup: Lookup<R, F>,
    options?: Options
  ): <I extends Identifier, E, Services>(
    identifiers: Stream.Stream<I, E, Services>
  ) => Stream.Stream<
    Outcome<R, ChemError.ChemError | F, I["carried"]>,
    E | ChemError.ChemError | F | InvalidOption.InvalidOption,
    Services | ChemClient.ChemClient
  >
  <I extends Identifier, R, E, Services, F = never>(
    identifiers: Stream.Stream<I, E, Services>,
    lookup: Lookup<R, F>,
    options?: Options
  ): Stream.Stream<
    Outcome<R, ChemError.ChemError | F, I["carried"]>,
    E | ChemError.ChemError | F | InvalidOption.InvalidOption,
    Services | ChemClient.ChemClient
  >
} = dual(
  isDataFirst,
  <I extends Identifier, R, E, Services, F>(
    identifiers: Stream.Stream<I, E, Services>,
    lookup: Lookup<R, F>,
    options: Options = {}
  ) => InvalidOption.start(checks(options), () => BatchCalls.outcomes(identifiers, settings(lookup, options)))
)

/**
 * As `outcomes`, batch by batch, each with the part of the input it accounts for: what a `Checkpoint` records.
 * `resumePoint` is what an earlier run over the same input has accounted for; another input fails with `InputMismatch`.
 */
export const batches: {
  <R, F = never>(
    lookup: Lookup<R, F>,
    options?: BatchOptions
  ): <I extends Identifier, E, Services>(
    identifiers: Stream.Stream<I, E, Services>
  ) => Stream.Stream<
    BatchCalls.SettledBatch<R, ChemError.ChemError | F, I["carried"]>,
    E | ChemError.ChemError | F | Batch.InputMismatch | InvalidOption.InvalidOption,
    Services | ChemClient.ChemClient
  >
  <I extends Identifier, R, E, Services, F = never>(
    identifiers: Stream.Stream<I, E, Services>,
    lookup: Lookup<R, F>,
    options?: BatchOptions
  ): Stream.Stream<
    BatchCalls.SettledBatch<R, ChemError.ChemError | F, I["carried"]>,
    E | ChemError.ChemError | F | Batch.InputMismatch | InvalidOption.InvalidOption,
    Services | ChemClient.ChemClient
  >
} = dual(
  isDataFirst,
  <I extends Identifier, R, E, Services, F>(
    identifiers: Stream.Stream<I, E, Services>,
    lookup: Lookup<R, F>,
    options: BatchOptions = {}
  ) =>
    InvalidOption.start(checks(options), () =>
      BatchCalls.batches(identifiers, { ...settings(lookup, options), resumePoint: options.resumePoint })
    )
)

/** How a lookup is run that may continue another. */
export interface BatchOptions extends Options {
  /** What an earlier run over the same input has accounted for. Default: nothing. */
  readonly resumePoint?: ResumePoint.ResumePoint | undefined
}

/**
 * The same lookup with its records as values, each checked against a schema. An identifier of which a record does not
 * fit is `Failed` with a `MalformedResponse` that says where.
 *
 * The schema must not transform: the value is the one that was parsed, unknown fields included.
 *
 * @example
 * ```ts
 * import { DetailRecord } from "@chemstream/api"
 * import { Details, Lookup } from "@chemstream/stream"
 *
 * const lookup = Lookup.decode(Details.byDtxsid({ projection: "compact" }), DetailRecord.schemas.compact)
 * lookup.endpoint // => "details.byDtxsidBatch"
 * ```
 */
export const decode = <A, B, F = never>(
  lookup: Lookup<RawRecord.RawRecord<B>, F>,
  schema: Schema.ConstraintDecoder<A> & Fitting<A, B>
): Lookup<A, F> => ({ ...reading(lookup, BodyReader.json<A>(schema)), schema })

/** What a schema must be for records of type `B`: without fields that these cannot have. */
export type Fitting<A, B> = unknown extends B
  ? unknown
  : [Exclude<keyof A, keyof B>] extends [never]
    ? unknown
    : { readonly "fields that the records do not have": Exclude<keyof A, keyof B> }

/**
 * The same lookup with its records as the objects that `JSON.parse` makes of them. An identifier of which a record is not JSON
 * is `Failed` with a `MalformedResponse`. Their types are the contract's: `decode` checks them.
 *
 * @example
 * ```ts
 * import { Details, Lookup } from "@chemstream/stream"
 *
 * const lookup = Lookup.parse(Details.byDtxsid({ projection: "compact" }))
 * lookup.size // => 1000
 * ```
 */
export const parse = <A, F = never>(lookup: Lookup<RawRecord.RawRecord<A>, F>): Lookup<A, F> =>
  reading(lookup, (bytes) =>
    Result.mapError(RawRecord.parse(RawRecord.fromBytes<A>(bytes)), (error) => ({
      path: "",
      reason: error.message
    }))
  )

/** A lookup whose records are what `read` makes of them. */
const reading = <A, B, F>(
  lookup: Lookup<RawRecord.RawRecord<B>, F>,
  read: BodyReader.BodyReader<A>
): Lookup<A, F> => {
  const { asGiven } = lookup
  // The text of a value, for a record that says what was asked: it is changed, and read again.
  const texts = new WeakMap<object, RawRecord.RawRecord<B>>()
  const remember = (value: A, text: RawRecord.RawRecord<B>): A => {
    if (asGiven !== undefined && typeof value === "object" && value !== null) texts.set(value, text)
    return value
  }
  const readAll = (
    ids: ReadonlyArray<string>,
    answer: Batch.CallResult<RawRecord.RawRecord<B>, ChemError.ChemError | F>
  ): Batch.CallResult<A, ChemError.ChemError | F> => {
    const isRequested = Reconcile.requested(ids)
    const records: Array<{ readonly key: string; readonly record: A }> = []
    const surplus = (answer.surplus ?? []).map((one) => ({
      ...one,
      record: Result.getOrElse(read(RawRecord.toBytes(one.record as RawRecord.RawRecord)), () => one.record)
    }))
    const errors = new Map(answer.errors)
    for (const { key, record } of answer.records) {
      const value = read(RawRecord.toBytes(record))
      if (Result.isSuccess(value)) records.push({ key, record: remember(value.success, record) })
      else if (isRequested(key)) errors.set(key, misfit(lookup.endpoint, key, value.failure))
      else surplus.push(Core.surplus("unrequested", record, key))
    }
    return { ...answer, records, errors, surplus }
  }
  return {
    ...lookup,
    asGiven:
      asGiven === undefined
        ? undefined
        : (value, id, given) => {
            const text = typeof value === "object" && value !== null ? texts.get(value) : undefined
            return text === undefined
              ? value
              : Result.getOrElse(read(RawRecord.toBytes(asGiven(text, id, given))), () => value)
          },
    ask: (ids, inspection) => Effect.map(lookup.ask(ids, inspection), (answer) => readAll(ids, answer))
  }
}

const misfit = (
  endpoint: string,
  id: string,
  { path, reason }: BodyReader.BodyFault
): ChemError.MalformedResponse =>
  new ChemError.MalformedResponse({
    endpoint,
    attempts: 1,
    status: 200,
    path,
    message: `a record of ${id} is not what ${endpoint} answers${path === "" ? "" : `, at ${path}`}: ${reason}`
  })

const checks = ({ availability, batchSize, concurrency, window }: Options) => [
  InvalidOption.count("batchSize", batchSize),
  InvalidOption.count("concurrency", concurrency),
  InvalidOption.time("window", window, "finite"),
  ...Availability.checks("availability", availability)
]

/** The settings of one run, with the state that it keeps: called when the run starts. */
const settings = <R, F>(
  lookup: Lookup<R, F>,
  options: Options
): BatchCalls.Settings<R, ChemError.ChemError | F, ChemClient.ChemClient, OwnError> => {
  const ledger = options.ledger ?? Ledger.make()
  const strict = options.strictIds ?? false
  const validate = options.validate ?? "warn"
  const { call, ...calls } = callsOf<R, F>(lookup, options, ledger)
  const inspection = { validate, drift: ledger.drift, memory: memory() }
  return {
    ...calls,
    call: (ids) => call(ids, inspection),
    parse: (text) => (strict ? Result.flatMap(lookup.parse(text), lookup.verify) : lookup.parse(text)),
    isSuspicious: (id) => Result.isFailure(lookup.verify(id)),
    asGiven: lookup.asGiven,
    size: Math.min(options.batchSize ?? lookup.size, lookup.size),
    window: options.window,
    ordered: options.ordered,
    dedupe: options.dedupe,
    ledger
  }
}
