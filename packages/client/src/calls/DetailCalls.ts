/**
 * The calls of the chemical detail endpoints and of the list of all chemicals (docs/service.md, section 3.1).
 *
 * The stream package splits longer lists into batches. `Endpoint.Raw` returns records as bytes.
 */
import type { AllRecord, DetailProjection, DetailRecord, InvalidIdentifier } from "@chemstream/api"
import type { ChemError } from "../errors/ChemError.ts"
import type { Effects, Many, Mode, One } from "./Mode.ts"

type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** The projection of the records. Default: `chemicaldetailall`. */
export interface DetailOptions<P extends DetailProjection.DetailProjection> {
  readonly projection?: P | undefined
}

/** The forms of a record in the list of all chemicals: the standard-2 record, or its identifiers alone. */
export interface AllForms {
  readonly "standard-2": AllRecord.StandardRecord
  readonly "all-ids": AllRecord.IdRecord
}

/** The form of the records. Default: `standard-2`. */
export interface AllOptions<P extends keyof AllForms> {
  readonly projection?: P | undefined
  /** The page. Default: 1. */
  readonly page?: number | undefined
}

/** The calls of the chemical detail endpoints. */
export interface DetailCalls<F extends Mode = Effects> {
  /**
   * Gets the detail record of a DTXSID (GET, docs/service.md 3.1).
   *
   * Masses are in dalton; the description of each other field has its unit. Fails with `NotFound` if the identifier
   * is unknown, and with `InvalidIdentifier`, without a request, if it is malformed.
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
   * Gets the detail records of up to 1000 DTXSIDs in one request (POST, docs/service.md 3.1).
   *
   * Unknown identifiers have no record, the order may differ from the request, and a duplicate has one record. A
   * longer list fails with `BatchTooLarge`, without a request. An empty list sends no request.
   */
  readonly byDtxsidBatch: <
    P extends DetailProjection.DetailProjection = typeof DetailProjection.defaultProjection
  >(
    dtxsids: ReadonlyArray<string>,
    options?: DetailOptions<P>
  ) => One<F, ReadonlyArray<DetailRecord.DetailRecord<P>>, Failure>

  /** Gets the detail record of a DTXCID (GET, docs/service.md 3.1). Fails as `byDtxsid`. */
  readonly byDtxcid: <
    P extends DetailProjection.DetailProjection = typeof DetailProjection.defaultProjection
  >(
    dtxcid: string,
    options?: DetailOptions<P>
  ) => One<F, DetailRecord.DetailRecord<P>, Failure>

  /** Gets the detail records of up to 1000 DTXCIDs in one request (POST, docs/service.md 3.1), as `byDtxsidBatch`. */
  readonly byDtxcidBatch: <
    P extends DetailProjection.DetailProjection = typeof DetailProjection.defaultProjection
  >(
    dtxcids: ReadonlyArray<string>,
    options?: DetailOptions<P>
  ) => One<F, ReadonlyArray<DetailRecord.DetailRecord<P>>, Failure>

  /**
   * Gets one page of all chemicals (GET, docs/service.md 3.1). A page past the end is empty.
   *
   * Pages are large: 10,000 records in this project's service. Fails with `InvalidIdentifier`, without a request, if
   * the page is not a whole number from 1.
   */
  readonly all: <P extends keyof AllForms = "standard-2">(
    options?: AllOptions<P>
  ) => One<F, ReadonlyArray<AllForms[P]>, Failure>

  /**
   * Streams all chemicals, page by page from `page`, until an empty page (GET, docs/service.md 3.1). One page is in
   * memory at a time; the next is requested when it is consumed.
   *
   * Fails with `MalformedResponse` if a page repeats the one before it. The service then has another name for the
   * page (`Settings.pageParameter`) and would repeat that page forever.
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
   * Gets the detail record of a DTXSID or DTXCID in a batch with the calls of other fibers (`Settings.batching`): a
   * thousand fibers make one request. Each kind of identifier and each projection has its own requests.
   *
   * Fails with `NotFound` if the response has no record of this identifier. If the request fails, all its callers
   * fail.
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
