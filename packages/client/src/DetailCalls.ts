/**
 * The calls of the chemical detail endpoints (specification, section 4.1): one method an endpoint.
 *
 * Chunking more identifiers than a call takes is left to the stream package.
 */
import type { DetailProjection, DetailRecord, InvalidIdentifier } from "@chemstream/api"
import type { Effect } from "effect"
import type { BodyReader } from "./BodyReader.ts"
import type { ChemError } from "./ChemError.ts"

/** The projection to answer; `chemicaldetailall` when not given. */
export interface DetailOptions<P extends DetailProjection.DetailProjection> {
  readonly projection?: P | undefined
}

/** The calls of the chemical detail endpoints. */
export interface DetailCalls {
  /**
   * One detail record by substance identifier (GET, specification 4.1).
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
  ) => Effect.Effect<DetailRecord.DetailRecord<P>, ChemError | InvalidIdentifier.InvalidIdentifier>

  /**
   * The detail records of up to 1000 substance identifiers in one call (POST, specification 4.1).
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
  ) => Effect.Effect<
    ReadonlyArray<DetailRecord.DetailRecord<P>>,
    ChemError | InvalidIdentifier.InvalidIdentifier
  >

  /**
   * As `byDtxsidBatch`, with the body read by `read`: for records that pass on as the bytes they came in. An
   * answer that `read` refuses is a `MalformedResponse`, and is retried as one.
   */
  readonly byDtxsidBatchWith: <A>(
    read: BodyReader<A>,
    dtxsids: ReadonlyArray<string>,
    options?: DetailOptions<DetailProjection.DetailProjection>
  ) => Effect.Effect<A, ChemError | InvalidIdentifier.InvalidIdentifier>
}
