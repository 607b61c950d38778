/**
 * The endpoints of the chemical detail record and the list of all chemicals (docs/service.md, section 3.1).
 *
 * Paths are exact, trailing slash included: a deployment may answer 404 without it.
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

/** The wire name of the page number of `/chemical/all`, unless configured otherwise (docs/service.md, section 3.1). */
export const defaultPageParameter = "next"

/** The records of a page of `/chemical/all` in this project's service (docs/service.md, section 2). */
export const defaultPageSize = 10_000

const query = {
  projection: Schema.optionalKey(
    DetailProjection.annotate({ description: `Fields of the answer; ${defaultProjection} when not given` })
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
 * The records of up to 1000 substance identifiers. Unknown identifiers are absent from the answer, whose order is
 * not the request's; an identifier asked for twice is answered once (docs/service.md, section 4).
 */
export const byDtxsidBatch = HttpApiEndpoint.post("byDtxsidBatch", "/chemical/detail/search/by-dtxsid/", {
  query,
  payload: Schema.NonEmptyArray(Dtxsid),
  success: Schema.Array(DetailRecord),
  error: TooLarge
})
  .annotate(BatchLimit, { values: 1000, refusal: 413, shown: true })
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
  .annotate(BatchLimit, { values: 1000, refusal: 400, shown: true })
  .annotate(OpenApi.Summary, "Chemical detail records of a batch of DTXCIDs")

/**
 * Every chemical, a page at a time, from page 1. A page past the end is empty. The wire name of the page number is
 * not documented; here it is `next`.
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
        description: "all-ids for the identifiers alone; standard-2 records when not given"
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
