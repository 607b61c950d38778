/** What a lookup is: how identifiers are parsed, requested, and matched with records. */
import type { Dialect, InvalidIdentifier, Key } from "@chemstream/api"
import { type Batch, type InvalidOption, Options, type Outcome, type Reconcile } from "@chemstream/batch"
import { ChemClient, type ChemError, Endpoint } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import type { Effect, Result, Schema, Stream } from "effect"
import type { Inspection } from "./inspection.ts"

/** The results of a run of lookups, which fails with the errors of its calls, and of its options before the first call. */
export type RunStream<A, E, R> = Stream.Stream<
  A,
  E | ChemError.ChemError | InvalidOption.InvalidOption,
  R | ChemClient.ChemClient
>

/**
 * Describes how identifiers are looked up. `E` is the type of failures of one identifier, besides the failure
 * of its call. `M` says whether an identifier has one record or any number.
 */
export interface Lookup<R, E = never, M extends Reconcile.Multiplicity = Reconcile.Multiplicity> {
  /** The endpoint in the contract, e.g. `details.byDtxsidBatch`. */
  readonly endpoint: string
  /** Returns the identifier in canonical spelling, or why the text is not one. */
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** The kinds of identifiers whose damage a run repairs (`Repair.readKey`). Default: none. */
  readonly kinds?: Key.Key["kinds"]
  /** Checks the check digit of a parsed identifier. An identifier without a check digit passes. */
  readonly verify: (id: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  /** The largest number of identifiers in one call. */
  readonly size: number
  /** How many records an identifier may have. */
  readonly multiplicity: M
  /** Returns why the records of an identifier need a review. Default: they need none. */
  readonly doubtOf?: Methods<R>["doubtOf"] | undefined
  /** The names and kinds of the fields of a record, if the contract defines them. */
  readonly schema?: Schema.Constraint | undefined
  /** The field with the identifier of a record. Undefined: records have none. */
  readonly key?: string | undefined
  /** Returns the record with the identifier in the spelling of the input. Default: the record as it is. */
  readonly restoreSpelling?: Methods<R>["restoreSpelling"] | undefined
  /**
   * The other parameters of the request, e.g. the projection. A checkpoint belongs to one lookup with these
   * values.
   */
  readonly parameters?: Readonly<Record<string, string | number>> | undefined
  /**
   * Returns why a service of this dialect has no such records, and what to do. Undefined: it has them. Default:
   * all services have them.
   */
  readonly refusal?: ((dialect: Dialect.Name) => string | undefined) | undefined
  /**
   * Starts to count the requests of a run. The function returns those for the next batch of distinct identifiers. Default: one request a
   * batch.
   */
  readonly cost?: ((dialect: Dialect.Name) => (ids: ReadonlyArray<string>) => Cost) | undefined
  /**
   * The fewest batches in flight, for a lookup that fills its own requests from several batches. `concurrency` limits those requests.
   * Default: 1.
   */
  readonly leastConcurrency?: number | undefined
  /** Requests a batch of distinct identifiers. */
  readonly requestBatch: (
    ids: ReadonlyArray<string>,
    inspection: Inspection
  ) => Effect.Effect<Batch.CallResult<R, ChemError.ChemError | E>, ChemError.ChemError, ChemClient.ChemClient>
}

/** A lookup of records that never have more than one for an identifier. */
export type LookupOfOne<A> = Lookup<RawRecord.RawRecord<A>, never, "one">

/** A lookup of records, any number for an identifier. */
export type LookupOfMany<A> = Lookup<RawRecord.RawRecord<A>, never, "many">

/** The requests for a batch of identifiers, without retries and without the parts of a failed batch. */
export interface Cost {
  /** The number of identifiers of each kind, by its name in the plural. */
  readonly kinds: Readonly<Record<string, number>>
  /** The fewest requests. */
  readonly least: number
  /** The most requests. Undefined: the responses decide. */
  readonly most: number | undefined
}

/** The kind of a lookup, for declarations of options. */
export const lookupKind: Options.AnyKind = /* @__PURE__ */ Options.kind(
  "a lookup, e.g. Details.byDtxsid()",
  (value) =>
    typeof value === "function"
      ? "the lookup that it returns, e.g. Details.byDtxsid() and not Details.byDtxsid"
      : typeof (value as Partial<Lookup<never>> | null)?.requestBatch === "function"
)

/** The kind of a row (`Row`), for declarations of options. */
export const rowKind: Options.AnyKind = Endpoint.rowKind

/** Returns what to do with a setting of the client among the options of a run. */
export const settingOfClient: Options.Elsewhere = (name) =>
  Object.hasOwn(ChemClient.optionSet.fields, name)
    ? `it to the client, e.g. createClient({ ${name} }): it is no option of a run`
    : undefined

/** Methods, so that a lookup of one record type is assignable to a lookup of any. */
interface Methods<R> {
  doubtOf(records: ReadonlyArray<R>): Outcome.Doubt | undefined
  restoreSpelling(record: R, id: string, given: string): R
}
