/**
 * The endpoints of the chemical detail record (specification, section 4.1).
 *
 * Paths are exact, trailing slash included: a deployment may answer 404 without it.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiKey, RequestCheck } from "./Access.ts"
import { BatchLimit } from "./BatchLimit.ts"
import { DetailProjection, defaultProjection } from "./DetailProjection.ts"
import { DetailRecord } from "./DetailRecord.ts"
import { Dtxsid } from "./Dtxsid.ts"
import { NotFound, TooLarge } from "./Problem.ts"

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
 * not the request's; an identifier asked for twice is answered once (wire facts, Errors).
 */
export const byDtxsidBatch = HttpApiEndpoint.post("byDtxsidBatch", "/chemical/detail/search/by-dtxsid/", {
  query,
  payload: Schema.NonEmptyArray(Dtxsid),
  success: Schema.Array(DetailRecord),
  error: TooLarge
})
  .annotate(BatchLimit, 1000)
  .annotate(OpenApi.Summary, "Chemical detail records of a batch of DTXSIDs")

/** The group of these endpoints. */
export class Details extends HttpApiGroup.make("details")
  .add(byDtxsid, byDtxsidBatch)
  .middleware(RequestCheck)
  .middleware(ApiKey) {}
