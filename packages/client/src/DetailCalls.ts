/**
 * The calls of the chemical detail endpoints (specification, section 4.1), derived from the contract.
 *
 * One method an endpoint. Chunking more identifiers than a call takes is left to the stream package.
 */
import {
  BatchLimit,
  type ChemicalApi,
  DetailProjection,
  DetailRecord,
  Details,
  Dtxsid,
  type InvalidIdentifier
} from "@chemstream/api"
import { Effect, Result, Schema } from "effect"
import { HttpClientError } from "effect/http"
import type { HttpApiClient } from "effect/http-api"
import { type BodyReader, json } from "./BodyReader.ts"
import { BatchTooLarge, type ChemError } from "./ChemError.ts"
import type { Call } from "./internal/call.ts"

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
  ) => Effect.Effect<DetailRecord.DetailRecord<P>, ChemError | InvalidIdentifier>

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
  ) => Effect.Effect<ReadonlyArray<DetailRecord.DetailRecord<P>>, ChemError | InvalidIdentifier>

  /**
   * As `byDtxsidBatch`, with the body read by `read`: for records that pass on as the bytes they came in. An
   * answer that `read` refuses is a `MalformedResponse`, and is retried as one.
   */
  readonly byDtxsidBatchWith: <A>(
    read: BodyReader<A>,
    dtxsids: ReadonlyArray<string>,
    options?: DetailOptions<DetailProjection.DetailProjection>
  ) => Effect.Effect<A, ChemError | InvalidIdentifier>
}

const emptyAnswer = new TextEncoder().encode("[]")

export const make = (
  api: HttpApiClient.ForApi<typeof ChemicalApi.ChemicalApi>,
  run: <A>(call: Call<A>) => Effect.Effect<A, ChemError>
): DetailCalls => {
  const limit = BatchLimit.of(Details.byDtxsidBatch)

  const byDtxsidBatchWith: DetailCalls["byDtxsidBatchWith"] = (read, dtxsids, options) =>
    Effect.gen(function* () {
      const endpoint = "details.byDtxsidBatch"
      const [first, ...rest] = yield* Effect.forEach(dtxsids, (dtxsid) =>
        Effect.fromResult(Dtxsid.parse(dtxsid))
      )
      const batchSize = dtxsids.length
      if (batchSize > limit) {
        const message = `${batchSize} identifiers in one call: ${endpoint} takes at most ${limit}`
        return yield* new BatchTooLarge({ endpoint, attempts: 0, batchSize, message })
      }
      if (first === undefined) return Result.getOrThrow(read(emptyAnswer))
      return yield* run({
        endpoint,
        batchSize,
        read,
        send: onlyTransport(
          api.details.byDtxsidBatch({
            payload: [first, ...rest],
            query: queryOf(options),
            responseMode: "response-only"
          })
        )
      })
    })

  return {
    byDtxsid: (dtxsid, options) =>
      Effect.gen(function* () {
        const parsed = yield* Effect.fromResult(Dtxsid.parse(dtxsid))
        return yield* run({
          endpoint: "details.byDtxsid",
          batchSize: 1,
          read: recordReader(options),
          send: onlyTransport(
            api.details.byDtxsid({
              params: { dtxsid: parsed },
              query: queryOf(options),
              responseMode: "response-only"
            })
          )
        })
      }),
    byDtxsidBatch: (dtxsids, options) => byDtxsidBatchWith(recordsReader(options), dtxsids, options),
    byDtxsidBatchWith
  }
}

/**
 * With the answer left undecoded, a request can only fail in transport: anything else would be a value that the
 * contract cannot encode, which the checks before it exclude.
 */
const onlyTransport = <A>(
  send: Effect.Effect<A, unknown>
): Effect.Effect<A, HttpClientError.HttpClientError> =>
  Effect.catch(send, (error) =>
    HttpClientError.isHttpClientError(error) ? Effect.fail(error) : Effect.die(error)
  )

const queryOf = (
  options: DetailOptions<DetailProjection.DetailProjection> | undefined
): { readonly projection?: DetailProjection.DetailProjection } =>
  options?.projection === undefined ? {} : { projection: options.projection }

const readers = Object.fromEntries(
  DetailProjection.names.map((name) => {
    const schema = DetailRecord.schemas[name] as Schema.ConstraintDecoder<unknown>
    return [name, { record: json(schema), records: json(Schema.Array(schema)) }]
  })
)

const readersOf = (options: DetailOptions<DetailProjection.DetailProjection> | undefined) =>
  readers[options?.projection ?? DetailProjection.defaultProjection] as NonNullable<(typeof readers)[string]>

const recordReader = <P extends DetailProjection.DetailProjection>(options: DetailOptions<P> | undefined) =>
  readersOf(options).record as BodyReader<DetailRecord.DetailRecord<P>>

const recordsReader = <P extends DetailProjection.DetailProjection>(options: DetailOptions<P> | undefined) =>
  readersOf(options).records as BodyReader<ReadonlyArray<DetailRecord.DetailRecord<P>>>
