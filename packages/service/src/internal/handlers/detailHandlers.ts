/**
 * Handles detail records and the list of all chemicals, whose records have a table of their own.
 *
 * Records pass from the store to the response as bytes. Before that, middlewares of the contract check the key and
 * the request.
 */
import { AllRecord, DetailProjection, Details, type ProblemDetails } from "@chemstream/api"
import { Effect, type Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Store, StoredDetail, StoreError } from "../../Store.ts"
import { checkBatchSize } from "../records/checkBatchSize.ts"
import { json, recordsResponse } from "../records/jsonResponses.ts"
import { project } from "../records/projectDetail.ts"
import { type HandlersOf, orNotFound } from "./endpointHandlers.ts"

export interface Options {
  /** The number of records in a page of the list of all chemicals. Default: 10,000. */
  readonly pageSize?: number | undefined
}

/** Returns the handlers of the group by endpoint. */
export const make = (
  store: Store["Service"],
  { pageSize = Details.defaultPageSize }: Options
): HandlersOf<"details"> => ({
  byDtxsid: ({ params: { dtxsid }, query: { projection = DetailProjection.defaultProjection } }) =>
    projection === DetailProjection.defaultProjection
      ? respondWith(dtxsid, store.detailRecord(dtxsid), json)
      : respondWith(dtxsid, store.detail(dtxsid), (detail) => json(project(detail, projection))),
  byDtxsidBatch: Effect.fnUntraced(function* ({ payload, query }) {
    yield* checkBatchSize(Details.byDtxsid, payload)
    return yield* batchResponse(payload, query.projection, store.details, store.detailArray)
  }),
  byDtxcid: ({ params: { dtxcid }, query: { projection } }) =>
    respondWith(dtxcid, store.detailByDtxcid(dtxcid), (detail) => json(project(detail, projection))),
  byDtxcidBatch: Effect.fnUntraced(function* ({ payload, query }) {
    yield* checkBatchSize(Details.byDtxcid, payload)
    return yield* batchResponse(payload, query.projection, store.detailsByDtxcid, store.detailArrayByDtxcid)
  }),
  all: Effect.fnUntraced(function* ({ query }) {
    const fields = query.projection === "all-ids" ? idFields : standardFields
    const page = query[Details.defaultPageParameter] ?? 1
    return json(yield* Effect.orDie(store.detailPage(page, pageSize, fields)))
  })
})

type Projection = DetailProjection.DetailProjection

// Records are stored in the default projection, so the store returns the whole array.
const batchResponse = (
  identifiers: ReadonlyArray<string>,
  projection: Projection = DetailProjection.defaultProjection,
  details: (identifiers: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredDetail>, StoreError>,
  array: (identifiers: ReadonlyArray<string>) => Effect.Effect<Uint8Array, StoreError>
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  (projection === DetailProjection.defaultProjection
    ? Effect.map(array(identifiers), json)
    : Effect.map(details(identifiers), (records) =>
        recordsResponse(records.map((record) => project(record, projection)))
      )
  ).pipe(Effect.orDie)

const standardFields = Object.keys(AllRecord.standardFields)

const idFields = Object.keys(AllRecord.idFields)

const respondWith = <A>(
  identifier: string,
  lookup: Effect.Effect<Option.Option<A>, StoreError>,
  toResponse: (found: A) => HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemDetails.NotFound> =>
  Effect.map(orNotFound(Effect.orDie(lookup), `No chemical is known by ${identifier}`), toResponse)
