/**
 * The detail calls over the client that derives from the contract.
 */
import {
  BatchLimit,
  type ChemicalApi,
  DetailProjection,
  DetailRecord,
  Details,
  Dtxsid
} from "@chemstream/api"
import { Effect, Result, Schema } from "effect"
import { HttpClientError } from "effect/http"
import type { HttpApiClient } from "effect/http-api"
import { type BodyReader, json } from "../BodyReader.ts"
import { BatchTooLarge } from "../ChemError.ts"
import type { DetailCalls, DetailOptions } from "../DetailCalls.ts"
import type { Run } from "./call.ts"

const emptyAnswer = new TextEncoder().encode("[]")

export const make = (api: HttpApiClient.ForApi<typeof ChemicalApi.ChemicalApi>, run: Run): DetailCalls => {
  const limit = BatchLimit.of(Details.byDtxsidBatch).values

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
        question: { dtxsids, projection: options?.projection },
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
          question: { dtxsid: parsed, projection: options?.projection },
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
