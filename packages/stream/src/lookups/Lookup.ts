/**
 * Defines a lookup, and runs it over a stream of identifiers.
 *
 * A lookup says how identifiers are parsed, how many go into one call, how they are requested, and how records
 * are matched with them. The modules of the endpoints make lookups, e.g. `Details.byDtxsid()`. Records stay the
 * bytes of the response (`RawRecord`) unless `decode` or `parse` is used.
 */
import { type Key, Repair, type Row } from "@chemstream/api"
import { type Availability, Batch, Options as Declared, type ResumePoint } from "@chemstream/batch"
import { BodyReader, type ChemClient, type ChemError } from "@chemstream/client"
import { type Drift, RawRecord } from "@chemstream/ndjson"
import { type Duration, Result, Schema, type Stream } from "effect"
import type { Identifier } from "../identifiers/Identifiers.ts"
import * as BatchCalls from "../runs/BatchCalls.ts"
import * as Ledger from "../runs/Ledger.ts"
import type { Outcome } from "../runs/Outcome.ts"
import { decodeRecords } from "./internal/decodeRecords.ts"
import type * as endpointLookup from "./internal/endpointLookup.ts"
import { type Inspection, memory } from "./internal/inspection.ts"
import { callsOf, type OwnError, Requester } from "./internal/lookupCalls.ts"
import * as ByName from "./internal/lookupsByName.ts"
import { type Lookup, lookupKind, type RunStream, rowKind, settingOfClient } from "./internal/lookupType.ts"

export type { Inspection }
export { Requester }

/** The most batches in flight, if `concurrency` is not given. */
export const defaultConcurrency = Batch.defaultConcurrency

export type { Cost, Lookup, LookupOfMany, LookupOfOne, RunStream } from "./internal/lookupType.ts"

/** The name of a lookup: that of its endpoint, e.g. `details.byDtxsid`. */
export type Name = ByName.Name

/** The names of all lookups. `Lookup.of`, `endpoint` of a run and the harvests take them. */
export const names: ReadonlyArray<Name> = ByName.names

/** A function, so that a bundle without it leaves out the rows of all lookups. */
const known = (name: Name): Name => {
  Declared.refuseArguments({ name: Declared.required(ByName.named) }, [name])
  return name
}

/** The options of a lookup by its name: the projection and the parameters of the request. */
export type OptionsOf<N extends Name> = ByName.OtherOptionsOf<N> &
  ([ByName.ProjectionOf<N>] extends [never]
    ? unknown
    : { readonly projection?: ByName.ProjectionOf<N> | undefined })

/**
 * Returns the schemas of the options of a lookup, e.g. to store them.
 *
 * @example
 * ```ts
 * import { Lookup } from "@chemstream/stream"
 *
 * Object.keys(Lookup.optionFields("bioactivity.summaryByTissue")) // => ["tissue"]
 * ```
 */
export const optionFields = (name: Name): Schema.Struct.Fields => ByName.optionFields(known(name))

/**
 * Returns the key of a lookup: how its values are read, and their words and example.
 *
 * @example
 * ```ts
 * import { Lookup } from "@chemstream/stream"
 *
 * Lookup.keyOf("msready.byFormula").recordField // => "molFormula"
 * ```
 */
export const keyOf = (name: Name): Key.Key => ByName.keyOf(known(name))

/**
 * Makes a lookup by its name, or of a row. Options are the projection and the parameters of the request.
 *
 * Throws `InvalidOption` for an unknown name or option.
 *
 * @example
 * ```ts
 * import { Lookup } from "@chemstream/stream"
 *
 * Lookup.of("details.byDtxsid", { projection: "compact" }).size // => 1000
 * Lookup.of("bioactivity.summaryByTissue", { tissue: "liver" }).size // => 1
 * ```
 */
export const of: {
  <const N extends Name, const P extends ByName.ProjectionOf<N> = never>(
    name: N,
    options?: ByName.OtherOptionsOf<N> & { readonly projection?: P }
  ): ByName.LookupIn<N, P>
  <const R extends Row.Row, const P extends Row.FormName<R> | undefined = undefined>(
    row: R,
    options?: endpointLookup.OptionsOf<R, P>
  ): endpointLookup.LookupOf<R, P>
} = (endpoint: Name | Row.Row, options: unknown = {}): Lookup<RawRecord.RawRecord<never>> => {
  const given = options as object
  if (rowKind.matches(endpoint))
    return ByName.ofRow(endpoint as Row.Row, given) as Lookup<RawRecord.RawRecord<never>>
  Declared.refuse(ByName.setOf(endpoint, {}), { ...given, endpoint })
  return ByName.lookupOf(endpoint as Name, given) as Lookup<RawRecord.RawRecord<never>>
}

/** The records of a lookup. */
export type RecordOf<L> = L extends Lookup<infer R, unknown> ? R : never

/** The options of a run that affect the parts of a lookup of several parts. */
export interface CallOptions {
  /** The largest number of calls in flight, at least 1. Default: 4. */
  readonly concurrency?: number | undefined
  /** What to do with a failed batch. Default: `isolate`. */
  readonly onFailure?: Batch.OnFailure | undefined
}

/** How a lookup is run. */
export interface RunOptions extends CallOptions {
  /**
   * The largest number of identifiers in one call, at least 1 and at most the `size` of the lookup. Default:
   * that `size`.
   *
   * A lookup of several parts (`Enrich`, `Resolve`, `Suspects`) fills the requests of its parts with the identifiers of several
   * batches. With a smaller `batchSize`, each batch makes requests of its own.
   */
  readonly batchSize?: number | undefined
  /** Whether outcomes keep the order of the input. Default: true. */
  readonly ordered?: boolean | undefined
  /**
   * Whether a repeated identifier is counted instead of requested again. Pass your own set to keep identifiers
   * elsewhere, e.g. on disk. Default: true for texts, false for items: with `id` or `carried`, every item has its
   * outcome, and equal identifiers of a batch are requested once.
   */
  readonly dedupe?: boolean | Batch.KeySet | undefined
  /** Whether an identifier with a wrong check digit is `Invalid`. Otherwise it is requested. Default: false. */
  readonly strictIds?: boolean | undefined
  /**
   * What to do with a record whose fields differ from the contract.
   *
   * - `warn`: pass it on, and count the difference in the `drift` of the ledger.
   * - `strict`: its identifier is `Failed`.
   * - `off`: read only its identifier.
   *
   * An identifier whose record is not valid JSON is `Failed`, whatever the value.
   *
   * Default: `warn`.
   */
  readonly validate?: Drift.Validate | undefined
  /**
   * How long calls wait while the service is unavailable. The ledger counts waiting calls in `waiting`.
   * Default: that of the client, or else 1 minute. Then the run fails with `ServiceUnavailable`.
   */
  readonly availability?: Availability.Options | undefined
  /**
   * The longest time an identifier waits for its batch to fill. Default: until the batch is full. In a lookup of several parts it
   * waits as long again for the requests of the parts to fill; default: 1 second.
   */
  readonly window?: Duration.Input | undefined
}

/** How a lookup is run, and counted. */
export interface Options extends RunOptions {
  /** The ledger of the run. Default: a new ledger for each run. */
  readonly ledger?: Ledger.Ledger | undefined
}

/** Options of a run that can continue an earlier one. */
export interface BatchOptions extends Options {
  /** The part of the same input that an earlier run has settled. Default: nothing. */
  readonly resumePoint?: ResumePoint.ResumePoint | undefined
}

const core = Batch.settingsSet.fields

/** The declaration of the options. */
export const optionSet = Declared.set<Options>()(
  {
    batchSize: Declared.count,
    concurrency: core.concurrency,
    ordered: core.ordered,
    dedupe: Declared.anyOf(Declared.flag, Batch.keySet),
    strictIds: Declared.withDefault(Declared.flag, false),
    validate: Declared.withDefault(Declared.oneOf(["warn", "strict", "off"]), "warn"),
    onFailure: core.onFailure,
    availability: core.availability,
    window: core.window,
    ledger: Declared.kind<Ledger.Ledger>(core.ledger.wanted, core.ledger.matches)
  },
  settingOfClient
)

const batchesSet = Declared.set<BatchOptions>()(
  { ...optionSet.fields, resumePoint: core.resumePoint },
  settingOfClient
)

/**
 * Runs a lookup over a stream of identifiers, with one outcome for each identifier.
 *
 * After the outcomes so far, the stream fails if the service refuses the API key, was never reached, or is
 * unavailable for longer than `availability.wait` (`ServiceUnavailable`). It also fails if the address has only
 * web pages. Every other failure of a call is the `Failed` outcome of its identifiers. An option out of range
 * fails with `InvalidOption` before the first request.
 *
 * Each run of the stream is independent, so it can be retried and repeated. Only a `ledger` that you pass adds
 * up the counts of all runs.
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
  <I extends Identifier, R, E, Services, F = never>(
    identifiers: Stream.Stream<I, E, Services>,
    lookup: Lookup<R, F>,
    options?: Options
  ): RunStream<Outcome<R, ChemError.ChemError | F, I["carried"]>, E | F, Services>
  <R, F = never>(
    lookup: Lookup<R, F>,
    options?: Options
  ): <I extends Identifier, E, Services>(
    identifiers: Stream.Stream<I, E, Services>
  ) => RunStream<Outcome<R, ChemError.ChemError | F, I["carried"]>, E | F, Services>
} = Declared.streamFrom("identifiers", { lookup: Declared.required(lookupKind), options: optionSet })(
  <I extends Identifier, R, E, Services, F>(
    identifiers: Stream.Stream<I, E, Services>,
    lookup: Lookup<R, F>,
    options: Options = {}
  ) => BatchCalls.outcomes(identifiers, settings(lookup, options))
)

/**
 * Like `outcomes`, but emits settled batches with the part of the input that each covers. A `Checkpoint`
 * records them.
 *
 * `resumePoint` is the part of the same input that an earlier run has settled. Another input fails with
 * `InputMismatch`.
 */
export const batches: {
  <I extends Identifier, R, E, Services, F = never>(
    identifiers: Stream.Stream<I, E, Services>,
    lookup: Lookup<R, F>,
    options?: BatchOptions
  ): RunStream<
    BatchCalls.SettledBatch<R, ChemError.ChemError | F, I["carried"]>,
    E | F | Batch.InputMismatch,
    Services
  >
  <R, F = never>(
    lookup: Lookup<R, F>,
    options?: BatchOptions
  ): <I extends Identifier, E, Services>(
    identifiers: Stream.Stream<I, E, Services>
  ) => RunStream<
    BatchCalls.SettledBatch<R, ChemError.ChemError | F, I["carried"]>,
    E | F | Batch.InputMismatch,
    Services
  >
} = Declared.streamFrom("identifiers", { lookup: Declared.required(lookupKind), options: batchesSet })(
  <I extends Identifier, R, E, Services, F>(
    identifiers: Stream.Stream<I, E, Services>,
    lookup: Lookup<R, F>,
    options: BatchOptions = {}
  ) => BatchCalls.batches(identifiers, { ...settings(lookup, options), resumePoint: options.resumePoint })
)

/**
 * Makes a lookup whose records are values, each checked against a schema.
 *
 * An identifier is `Failed` with a `MalformedResponse` that names the field when one of its records violates
 * the schema. The schema must not transform values: a record is the parsed JSON with all its fields.
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
  schema: Schema.ConstraintDecoder<A> & NoExtraFields<A, B>
): Lookup<A, F> => {
  Declared.refuseArguments({ ...lookupArgument, schema: Declared.required(schemaKind) }, [lookup, schema])
  return { ...lookup, ...decodeRecords(lookup, BodyReader.json<A>(schema)), schema }
}

const lookupArgument = { lookup: /* @__PURE__ */ Declared.required(lookupKind) }

const schemaKind: Declared.AnyKind = /* @__PURE__ */ Declared.kind("a schema of Effect", Schema.isSchema)

/** Rejects a schema `A` with fields that records of type `B` do not have. */
export type NoExtraFields<A, B> = unknown extends B
  ? unknown
  : [Exclude<keyof A, keyof B>] extends [never]
    ? unknown
    : { readonly "fields that the records do not have": Exclude<keyof A, keyof B> }

/**
 * Makes a lookup whose records are parsed with `JSON.parse`. They have the types of the contract, unchecked:
 * use `decode` to check them.
 *
 * An identifier is `Failed` with a `MalformedResponse` when one of its records is not JSON.
 *
 * @example
 * ```ts
 * import { Details, Lookup } from "@chemstream/stream"
 *
 * const lookup = Lookup.parse(Details.byDtxsid({ projection: "compact" }))
 * lookup.size // => 1000
 * ```
 */
export const parse = <A, F = never>(lookup: Lookup<RawRecord.RawRecord<A>, F>): Lookup<A, F> => {
  Declared.refuseArguments(lookupArgument, [lookup])
  const read: BodyReader.BodyReader<A> = (bytes) =>
    Result.mapError(RawRecord.parse(RawRecord.fromBytes<A>(bytes)), (error) => ({
      path: "",
      reason: error.message
    }))
  return { ...lookup, ...decodeRecords(lookup, read) }
}

/** Makes the settings and the state of one run. */
const settings = <R, F>(
  lookup: Lookup<R, F>,
  options: Options
): BatchCalls.Settings<R, ChemError.ChemError | F, ChemClient.ChemClient, OwnError> => {
  const ledger = options.ledger ?? Ledger.make()
  const { concurrency, ordered, strictIds: strict, validate } = Declared.complete(optionSet, options)
  const { call, ...calls } = callsOf<R, F>(lookup, options, ledger)
  const { batchSize = lookup.size, onFailure, window } = options
  const read = (text: string) => Repair.readKey(lookup, text)
  const inspection = {
    validate,
    drift: ledger.drift,
    memory: memory(),
    run: { concurrency, onFailure, isApart: batchSize < lookup.size, window }
  }
  return {
    ...calls,
    concurrency: Math.max(concurrency, lookup.leastConcurrency ?? 1),
    call: (ids) => call(ids, inspection),
    parse: (text) => (strict ? Result.flatMap(read(text), lookup.verify) : read(text)),
    isSuspicious: (id) => Result.isFailure(lookup.verify(id)),
    restoreSpelling: lookup.restoreSpelling,
    doubtOf: lookup.doubtOf,
    size: Math.min(batchSize, lookup.size),
    window: options.window,
    ordered,
    dedupe: options.dedupe,
    ledger
  }
}
