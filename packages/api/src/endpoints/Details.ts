/**
 * The endpoints of the chemical detail record and the list of all chemicals (docs/service.md, section 3.1).
 *
 * Paths are exact, including the trailing slash: a deployment may respond 404 without it.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Dtxcid } from "../identifiers/Dtxcid.ts"
import { Dtxsid } from "../identifiers/Dtxsid.ts"
import { IdRecord, Projection, StandardRecord } from "../records/AllRecord.ts"
import { DetailProjection, defaultProjection } from "../records/DetailProjection.ts"
import { DetailRecord } from "../records/DetailRecord.ts"
import { ApiKey, RequestCheck } from "./Access.ts"
import { BatchLimit } from "./BatchLimit.ts"
import { BadRequest, NotFound, TooLarge } from "./ProblemDetails.ts"

/** The default name of the page parameter of `/chemical/all` (docs/service.md, section 3.1). */
export const defaultPageParameter = "next"

/** The number of records in a page of `/chemical/all` of this project's service (docs/service.md, section 2). */
export const defaultPageSize = 10_000

const query = {
  projection: Schema.optionalKey(
    DetailProjection.annotate({ description: `Fields of the response. Default: ${defaultProjection}` })
  )
}

/** One record by substance identifier; an unknown identifier is 404. */
export const byDtxsid = HttpApiEndpoint.get("byDtxsid", "/chemical/detail/search/by-dtxsid/:dtxsid", {
  params: { dtxsid: Dtxsid },
  query,
  success: DetailRecord,
  error: NotFound
}).annotate(OpenApi.Summary, "A chemical detail record by DTXSID")

/**
 * The records of up to 1000 substance identifiers (docs/service.md, section 4).
 *
 * The response omits unknown identifiers, is in any order, and has one record for a duplicate.
 */
export const byDtxsidBatch = HttpApiEndpoint.post("byDtxsidBatch", "/chemical/detail/search/by-dtxsid/", {
  query,
  payload: Schema.NonEmptyArray(Dtxsid),
  success: Schema.Array(DetailRecord),
  error: TooLarge
})
  .annotate(BatchLimit, { values: 1000, refusal: 413, documented: true })
  .annotate(OpenApi.Summary, "Chemical detail records of a batch of DTXSIDs")

/** One record by compound identifier; an unknown identifier is 404. */
export const byDtxcid = HttpApiEndpoint.get("byDtxcid", "/chemical/detail/search/by-dtxcid/:dtxcid", {
  params: { dtxcid: Dtxcid },
  query,
  success: DetailRecord,
  error: NotFound
}).annotate(OpenApi.Summary, "A chemical detail record by DTXCID")

/** The records of up to 1000 compound identifiers; more are 400 (docs/service.md, section 4). */
export const byDtxcidBatch = HttpApiEndpoint.post("byDtxcidBatch", "/chemical/detail/search/by-dtxcid/", {
  query,
  payload: Schema.NonEmptyArray(Dtxcid),
  success: Schema.Array(DetailRecord),
  error: BadRequest
})
  .annotate(BatchLimit, { values: 1000, refusal: 400, documented: true })
  .annotate(OpenApi.Summary, "Chemical detail records of a batch of DTXCIDs")

/**
 * All chemicals, a page at a time, from page 1. A page past the end is empty.
 *
 * The name of the page parameter is not documented; here it is `next`.
 */
export const all = HttpApiEndpoint.get("all", "/chemical/all", {
  query: {
    [defaultPageParameter]: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 })).annotate({
        description: "Page, from 1"
      })
    ),
    projection: Schema.optionalKey(
      Projection.annotate({
        description: "all-ids for the identifiers alone. Default: standard-2 records"
      })
    )
  },
  success: Schema.Union([Schema.Array(StandardRecord), Schema.Array(IdRecord)])
}).annotate(OpenApi.Summary, "All chemicals, page by page")

/** The group of these endpoints. */
export class Details extends HttpApiGroup.make("details")
  .add(byDtxsid, byDtxsidBatch, byDtxcid, byDtxcidBatch, all)
  .middleware(RequestCheck)
  .middleware(ApiKey) {}
