/**
 * The calls of the chemical detail endpoints and of the list of all chemicals (docs/service.md, section 3.1).
 *
 * Chunking more identifiers than a call takes, and records as bytes, are left to the stream package and to `Endpoint.Raw`.
 */
import type { AllRecord, DetailProjection, DetailRecord, InvalidIdentifier } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Many, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The projection to answer; `chemicaldetailall` when not given. */
export interface DetailOptions<P extends DetailProjection.DetailProjection> {
  readonly projection?: P | undefined
}

/** The forms of a record in the list of all chemicals: the standard-2 record, or its identifiers alone. */
export interface AllForms {
  readonly "standard-2": AllRecord.StandardRecord
  readonly "all-ids": AllRecord.IdRecord
}

/** The form of the records of the list; `standard-2` when not given. */
export interface AllOptions<P extends keyof AllForms> {
  readonly projection?: P | undefined
  /** The page, from 1; the first when not given. */
  readonly page?: number | undefined
}

/** The calls of the chemical detail endpoints. */
export interface DetailCalls<F extends Mode = Effects> {
  /**
   * One detail record by substance identifier (GET, docs/service.md 3.1).
   *
   * Masses are in dalton; the unit of every other field is in its description. Fails with `NotFound` when the
   * service does not know the identifier, with `InvalidIdentifier` (and no request) when it is malformed.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const program = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   const record = yield* client.details.byDtxsid("DTXSID7020182", { projection: "ntatoolkit" })
   *   return record.monoisotopicMass
   * })
   * ```
   */
  readonly byDtxsid: <
    P extends DetailProjection.DetailProjection = typeof DetailProjection.defaultProjection
  >(
    dtxsid: string,
    options?: DetailOptions<P>
  ) => One<F, DetailRecord.DetailRecord<P>, Failure>

  /**
   * The detail records of up to 1000 substance identifiers in one call (POST, docs/service.md 3.1).
   *
   * The answer is the service's: unknown identifiers are absent, the order is not the request's, and an identifier
   * given twice is answered once. Fails with `BatchTooLarge` (and no request) over the limit. No identifiers, no
   * request: the answer is empty.
   */
  readonly byDtxsidBatch: <
    P extends DetailProjection.DetailProjection = typeof DetailProjection.defaultProjection
  >(
    dtxsids: ReadonlyArray<string>,
    options?: DetailOptions<P>
  ) => One<F, ReadonlyArray<DetailRecord.DetailRecord<P>>, Failure>

  /** One detail record by compound identifier (GET, docs/service.md 3.1). Fails as `byDtxsid`. */
  readonly byDtxcid: <
    P extends DetailProjection.DetailProjection = typeof DetailProjection.defaultProjection
  >(
    dtxcid: string,
    options?: DetailOptions<P>
  ) => One<F, DetailRecord.DetailRecord<P>, Failure>

  /** The detail records of up to 1000 compound identifiers in one call (POST, docs/service.md 3.1). As `byDtxsidBatch`. */
  readonly byDtxcidBatch: <
    P extends DetailProjection.DetailProjection = typeof DetailProjection.defaultProjection
  >(
    dtxcids: ReadonlyArray<string>,
    options?: DetailOptions<P>
  ) => One<F, ReadonlyArray<DetailRecord.DetailRecord<P>>, Failure>

  /**
   * One page of all chemicals (GET, docs/service.md 3.1). A page past the end is empty.
   *
   * The payload is large: 10,000 records a page in this project's service. Fails with `InvalidIdentifier` (and no request)
   * when the page is no whole number from 1.
   */
  readonly all: <P extends keyof AllForms = "standard-2">(
    options?: AllOptions<P>
  ) => One<F, ReadonlyArray<AllForms[P]>, Failure>

  /**
   * All chemicals, page after page from `page` on (GET, docs/service.md 3.1), until an empty page. One page is in
   * memory at a time, and the next is asked for when it has been used up.
   *
   * A page that begins as the one before it did is a `MalformedResponse`: the service then calls the page otherwise
   * (`Settings.pageParameter`) and would send the same page for ever.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect, Stream } from "effect"
   *
   * const ids = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return client.details.allPages({ projection: "all-ids" }).pipe(Stream.map((record) => record.dtxsid))
   * }).pipe(Stream.unwrap)
   * ```
   */
  readonly allPages: <P extends keyof AllForms = "standard-2">(
    options?: AllOptions<P>
  ) => Many<F, AllForms[P], Failure>

  /**
   * One detail record by DTXSID or DTXCID, asked for together with those that other fibers ask for at the same time
   * (`Settings.batching`): a thousand fibers make one request. The two kinds of identifiers, and each projection, have
   * requests of their own.
   *
   * Fails for this caller with `NotFound` when the answer has no record of its identifier; a failed request is the failure
   * of everyone in it.
   *
   * @example
   * ```ts
   * import { ChemClient } from "@chemstream/client"
   * import { Effect } from "effect"
   *
   * const names = Effect.gen(function* () {
   *   const client = yield* ChemClient.ChemClient
   *   return yield* Effect.forEach(
   *     ["DTXSID7020182", "DTXSID3039242"],
   *     (id) => Effect.map(client.details.get(id, { projection: "compact" }), (record) => record.preferredName),
   *     { concurrency: "unbounded" }
   *   )
   * })
   * ```
   */
  readonly get: <P extends DetailProjection.DetailProjection = typeof DetailProjection.defaultProjection>(
    id: string,
    options?: DetailOptions<P>
  ) => One<F, DetailRecord.DetailRecord<P>, Failure>
}
