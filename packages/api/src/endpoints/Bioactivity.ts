/**
 * The endpoints of bioactivity data: summaries, data records and activity-exposure-dose data (docs/service.md,
 * section 3.5).
 *
 * The batch limits are not documented: they are this project's own. Some deployments wrap single records: they send
 * the tissue summary as an array of any number of records, and the record of an `m4id` as an array of one. The
 * contract accepts both.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Aeid, M4id, Spid } from "../identifiers/Assay.ts"
import { Dtxsid } from "../identifiers/Dtxsid.ts"
import { AedRecord } from "../records/AedRecord.ts"
import { BioactivityData, PlotPoint, Projection } from "../records/BioactivityData.ts"
import { ChemicalSummary, EndpointSummary, TissueSummary } from "../records/BioactivitySummary.ts"
import { ApiKey, RequestCheck } from "./Access.ts"
import { BatchLimit, type Limit } from "./BatchLimit.ts"
import { NotFound, TooLarge } from "./ProblemDetails.ts"

const limit: Limit = { values: 1000, refusal: 413, documented: false }

const data = Schema.Array(BioactivityData)
const aed = Schema.Array(AedRecord)

const orArray = <S extends Schema.Top>(schema: S): Schema.Union<readonly [S, Schema.$Array<S>]> =>
  Schema.Union([schema, Schema.Array(schema)])

/** The activity of a chemical in a tissue. */
export const summaryByTissue = HttpApiEndpoint.get(
  "summaryByTissue",
  "/bioactivity/data/summary/search/by-tissue/",
  {
    query: {
      dtxsid: Dtxsid,
      tissue: Schema.NonEmptyString.annotate({ description: "Tissue, e.g. liver" })
    },
    success: orArray(TissueSummary),
    error: NotFound
  }
).annotate(OpenApi.Summary, "Summary of a substance in a tissue")

/** The activity of a chemical over all assay endpoints. */
export const summaryByDtxsid = HttpApiEndpoint.get(
  "summaryByDtxsid",
  "/bioactivity/data/summary/search/by-dtxsid/:dtxsid",
  { params: { dtxsid: Dtxsid }, success: ChemicalSummary, error: NotFound }
).annotate(OpenApi.Summary, "Summary of a substance")

/** The number of active samples in an assay endpoint. */
export const summaryByAeid = HttpApiEndpoint.get(
  "summaryByAeid",
  "/bioactivity/data/summary/search/by-aeid/:aeid",
  { params: { aeid: Aeid }, success: EndpointSummary, error: NotFound }
).annotate(OpenApi.Summary, "Summary of an assay endpoint")

/** The data records of a sample. */
export const bySpid = HttpApiEndpoint.get("bySpid", "/bioactivity/data/search/by-spid/:spid", {
  params: { spid: Spid },
  success: data,
  error: NotFound
}).annotate(OpenApi.Summary, "Data records of a sample")

/** One data record. */
export const byM4id = HttpApiEndpoint.get("byM4id", "/bioactivity/data/search/by-m4id/:m4id", {
  params: { m4id: M4id },
  success: orArray(BioactivityData),
  error: NotFound
}).annotate(OpenApi.Summary, "A data record")

/** The data records of a chemical, or the points of its summary plot. */
export const byDtxsid = HttpApiEndpoint.get("byDtxsid", "/bioactivity/data/search/by-dtxsid/:dtxsid", {
  params: { dtxsid: Dtxsid },
  query: {
    projection: Schema.optionalKey(
      Projection.annotate({
        description: "assay-summary-plot for what a plot needs. Default: whole records"
      })
    )
  },
  success: Schema.Union([data, Schema.Array(PlotPoint)]),
  error: NotFound
}).annotate(OpenApi.Summary, "Data records of a substance")

/** The data records of an assay endpoint. */
export const byAeid = HttpApiEndpoint.get("byAeid", "/bioactivity/data/search/by-aeid/:aeid", {
  params: { aeid: Aeid },
  success: data,
  error: NotFound
}).annotate(OpenApi.Summary, "Data records of an assay endpoint")

/** The AED data of a chemical. */
export const aedByDtxsid = HttpApiEndpoint.get(
  "aedByDtxsid",
  "/bioactivity/data/aed/search/by-dtxsid/:dtxsid",
  { params: { dtxsid: Dtxsid }, success: aed, error: NotFound }
).annotate(OpenApi.Summary, "AED data of a substance")

/** The data records of a batch of samples. */
export const bySpidBatch = HttpApiEndpoint.post("bySpidBatch", "/bioactivity/data/search/by-spid/", {
  payload: Schema.NonEmptyArray(Spid),
  success: data,
  error: TooLarge
})
  .annotate(BatchLimit, limit)
  .annotate(OpenApi.Summary, "Data records of a batch of samples")

/** The data records of a batch of identifiers, given as numbers or as text. */
export const byM4idBatch = HttpApiEndpoint.post("byM4idBatch", "/bioactivity/data/search/by-m4id/", {
  payload: Schema.NonEmptyArray(
    Schema.Union([
      M4id,
      Schema.String.check(Schema.isPattern(/^[1-9]\d{0,9}$/, { expected: "a whole number" }))
    ])
  ),
  success: data,
  error: TooLarge
})
  .annotate(BatchLimit, limit)
  .annotate(OpenApi.Summary, "Data records of a batch of M4IDs")

/** The data records of a batch of chemicals. */
export const byDtxsidBatch = HttpApiEndpoint.post("byDtxsidBatch", "/bioactivity/data/search/by-dtxsid/", {
  payload: Schema.NonEmptyArray(Dtxsid),
  success: data,
  error: TooLarge
})
  .annotate(BatchLimit, limit)
  .annotate(OpenApi.Summary, "Data records of a batch of substances")

/** The data records of a batch of assay endpoints. */
export const byAeidBatch = HttpApiEndpoint.post("byAeidBatch", "/bioactivity/data/search/by-aeid/", {
  payload: Schema.NonEmptyArray(Aeid),
  success: data,
  error: TooLarge
})
  .annotate(BatchLimit, limit)
  .annotate(OpenApi.Summary, "Data records of a batch of assay endpoints")

/** The AED data of a batch of chemicals. This path has no trailing slash. */
export const aedByDtxsidBatch = HttpApiEndpoint.post(
  "aedByDtxsidBatch",
  "/bioactivity/data/aed/search/by-dtxsid",
  { payload: Schema.NonEmptyArray(Dtxsid), success: aed, error: TooLarge }
)
  .annotate(BatchLimit, limit)
  .annotate(OpenApi.Summary, "AED data of a batch of substances")

/** The group of these endpoints. */
export class Bioactivity extends HttpApiGroup.make("bioactivity")
  .add(
    summaryByTissue,
    summaryByDtxsid,
    summaryByAeid,
    bySpid,
    byM4id,
    byDtxsid,
    byAeid,
    aedByDtxsid,
    bySpidBatch,
    byM4idBatch,
    byDtxsidBatch,
    byAeidBatch,
    aedByDtxsidBatch
  )
  .middleware(RequestCheck)
  .middleware(ApiKey) {}
