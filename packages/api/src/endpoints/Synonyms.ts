/**
 * The endpoints of synonyms and alternate identifiers (docs/service.md, section 3.4).
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Dtxsid } from "../identifiers/Dtxsid.ts"
import { defaultProjection, FlatSynonym, Projection, SynonymRecord } from "../records/SynonymRecord.ts"
import { ApiKey, RequestCheck } from "./Access.ts"
import { BatchLimit } from "./BatchLimit.ts"
import { NotFound, TooLarge } from "./ProblemDetails.ts"

/** The synonyms of a substance: by quality, or as a flat list under `ccd-synonyms`. */
export const byDtxsid = HttpApiEndpoint.get("byDtxsid", "/chemical/synonym/search/by-dtxsid/:dtxsid", {
  params: { dtxsid: Dtxsid },
  query: {
    projection: Schema.optionalKey(
      Projection.annotate({ description: `Form of the response. Default: ${defaultProjection}` })
    )
  },
  success: Schema.Union([SynonymRecord, Schema.Array(FlatSynonym)]),
  error: NotFound
}).annotate(OpenApi.Summary, "Synonyms of a substance")

/** The synonyms of up to 1000 substances, by quality. The response omits unknown identifiers. */
export const byDtxsidBatch = HttpApiEndpoint.post("byDtxsidBatch", "/chemical/synonym/search/by-dtxsid/", {
  payload: Schema.NonEmptyArray(Dtxsid),
  success: Schema.Array(SynonymRecord),
  error: TooLarge
})
  .annotate(BatchLimit, { values: 1000, refusal: 413, documented: true })
  .annotate(OpenApi.Summary, "Synonyms of a batch of substances")

/** The group of these endpoints. */
export class Synonyms extends HttpApiGroup.make("synonyms")
  .add(byDtxsid, byDtxsidBatch)
  .middleware(RequestCheck)
  .middleware(ApiKey) {}
