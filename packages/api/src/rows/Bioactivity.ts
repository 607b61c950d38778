/**
 * The endpoints of bioactivity data: summaries, data records and activity-exposure-dose data (docs/service.md,
 * section 3.5).
 *
 * The batch limits are not documented: they are this project's own. Some deployments wrap single records: they send
 * the tissue summary as an array of any number of records, and the record of an `m4id` as an array of one. The
 * contract accepts both.
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `alsoSent`, further shapes of a
 * response; `form` and `forms`, the records by projection; `order`, the field that sorts the records of a value; `special`, why a service
 * needs code of its own.
 */
import { Schema } from "effect"
import { bioactivityBatchLimit, plotProjection } from "../dialect/internal/publicService.ts"
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Assay from "../identifiers/Assay.ts"
import * as Key from "../identifiers/Key.ts"
import { AedRecord } from "../records/AedRecord.ts"
import { BioactivityData, PlotPoint } from "../records/BioactivityData.ts"
import { ChemicalSummary, EndpointSummary, TissueSummary } from "../records/BioactivitySummary.ts"

/** The family of bioactivity data. */
export const family = Family.make({
  word: "bioactivity",
  title: "Bioactivity",
  description: "Bioactivity data of substances and assays",
  examples: [
    {
      command: "chemstream bioactivity summary DTXSID7020182",
      description: "How active a substance was, over all assays"
    }
  ],
  tool: {
    description:
      "Gives bioactivity (ToxCast): counts of assays and hits (view=summary), every curve with hit call and AC50 (view=data), or administered equivalent doses (view=aed).",
    identifiers: "DTXSIDs, or identifiers of the kind `by`",
    view: "summary"
  }
})

/** The batch limit of the contract is this project's own; a larger batch gets a 500 of the public service. */
const limit = {
  limit: 1000,
  documented: false,
  differences: { ctx: { largest: bioactivityBatchLimit } }
} as const

/** The common part of the rows of summaries. */
const summary = {
  section: "3.5",
  noun: "bioactivity data",
  multiplicity: "one",
  miss: "404"
} as const

/** The common part of the rows of data records. */
const data = {
  section: "3.5",
  what: "bioactivity data records",
  noun: "bioactivity data",
  order: "m4id",
  multiplicity: "many",
  miss: "404",
  record: () => BioactivityData
} as const

/** The command of the data records. */
const words = ["bioactivity", "data"] as const

/** The activity of a substance in a tissue. */
export const summaryByTissue = Row.make({
  ...summary,
  name: "bioactivity.summaryByTissue",
  what: "bioactivity summaries in a tissue",
  note: "The tissue is e.g. `liver`. `ac50` and `acc` are in µM.",
  key: Key.dtxsid,
  multiplicity: "many",
  query: { tissue: Schema.NonEmptyString.annotate({ description: "Tissue, e.g. liver" }) },
  record: () => TissueSummary,
  get: { path: "/bioactivity/data/summary/search/by-tissue/", answer: "either" },
  special: "computed from the data records"
})

/** The activity of a substance over all assay endpoints. */
export const summaryByDtxsid = Row.make({
  ...summary,
  name: "bioactivity.summaryByDtxsid",
  what: "bioactivity summaries over all assay endpoints",
  one: "bioactivity summary over all assay endpoints",
  key: Key.dtxsid,
  record: () => ChemicalSummary,
  get: {
    path: "/bioactivity/data/summary/search/by-dtxsid/{dtxsid}",
    answer: "one",
    alsoSent: ["list"]
  },
  command: {
    description: "How active substances were, or how many samples were active in an assay endpoint",
    by: "Kind of the values: substances over all assays, assay endpoints, or substances in the tissue of --tissue",
    examples: [
      {
        command: "chemstream bioactivity summary DTXSID7020182",
        description: "A substance over all assays"
      },
      {
        command: "chemstream bioactivity summary --by tissue --tissue liver DTXSID7020182",
        description: "A substance in a tissue"
      }
    ]
  },
  special: "computed from the data records"
})

/** The number of active samples in an assay endpoint. */
export const summaryByAeid = Row.make({
  ...summary,
  name: "bioactivity.summaryByAeid",
  what: "numbers of active samples",
  key: Key.aeid,
  record: () => EndpointSummary,
  get: {
    path: "/bioactivity/data/summary/search/by-aeid/{aeid}",
    answer: "one",
    alsoSent: ["list", "nothing"]
  },
  special: "computed from the data records"
})

/** The data records of samples. */
export const bySpid = Row.make({
  ...data,
  name: "bioactivity.bySpid",
  key: Key.spid,
  get: { path: "/bioactivity/data/search/by-spid/{spid}", answer: "list" },
  command: { words },
  batch: { ...limit, path: "/bioactivity/data/search/by-spid/" }
})

/** Data records by number, given as number or, in a batch, as text. */
export const byM4id = Row.make({
  ...data,
  name: "bioactivity.byM4id",
  key: Key.m4id,
  one: "bioactivity data record",
  multiplicity: "one",
  get: { path: "/bioactivity/data/search/by-m4id/{m4id}", answer: "either", alsoSent: ["nothing"] },
  command: { words },
  batch: {
    ...limit,
    path: "/bioactivity/data/search/by-m4id/",
    element: () =>
      Schema.Union([
        Assay.M4id,
        Schema.String.check(Schema.isPattern(/^[1-9]\d{0,9}$/, { expected: "a whole number" }))
      ])
  }
})

/** The data records of substances, or the points of the summary plot of one. */
export const byDtxsid = Row.make({
  ...data,
  name: "bioactivity.byDtxsid",
  key: Key.dtxsid,
  form: "data",
  forms: { "assay-summary-plot": { record: () => PlotPoint, answer: "list" } },
  formsNote: "assay-summary-plot for what a plot needs",
  get: {
    path: "/bioactivity/data/search/by-dtxsid/{dtxsid}",
    answer: "list",
    differences: { ctx: { projections: { "assay-summary-plot": plotProjection } } }
  },
  batch: { ...limit, path: "/bioactivity/data/search/by-dtxsid/" },
  command: {
    words,
    description: "Bioactivity data records, one NDJSON line each",
    by: "Kind of the values: substances, assay endpoints, samples or data identifiers",
    projection: "Only the fields of a plot, with one substance per request",
    form: "all data",
    examples: [
      { command: "chemstream bioactivity data DTXSID7020182", description: "All data of a substance" },
      {
        command: "chemstream bioactivity data --by aeid 3032 --output endpoint.ndjson.gz",
        description: "All data of an assay endpoint, into a compressed file"
      }
    ]
  },
  special: "the points of a plot are computed from the data records"
})

/** The data records of assay endpoints, which may be many megabytes. */
export const byAeid = Row.make({
  ...data,
  name: "bioactivity.byAeid",
  note: "They may be many megabytes.",
  key: Key.aeid,
  get: { path: "/bioactivity/data/search/by-aeid/{aeid}", answer: "list" },
  command: { words },
  batch: { ...limit, path: "/bioactivity/data/search/by-aeid/" }
})

/** The path of the public service since September 2025. Before, it had the path of the contract. */
const aedWithSlash = { path: "/bioactivity/data/aed/search/by-dtxsid/", refusedBy: 404 } as const

/** The activity-exposure-dose data of substances. The path of the batch has no trailing slash. */
export const aedByDtxsid = Row.make({
  ...data,
  name: "bioactivity.aedByDtxsid",
  what: "activity-exposure-dose (AED) records",
  noun: "AED data",
  order: "aeid",
  note: "Each dose has its unit beside it.",
  key: Key.dtxsid,
  record: () => AedRecord,
  get: { path: "/bioactivity/data/aed/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: {
    ...limit,
    path: "/bioactivity/data/aed/search/by-dtxsid",
    differences: {
      specification: { forms: [{ refusedBy: 404 }, aedWithSlash] },
      ctx: { largest: bioactivityBatchLimit, forms: [aedWithSlash, { refusedBy: 404 }] }
    }
  },
  command: {
    description: "Activity-exposure-dose records of substances, one NDJSON line each",
    examples: [
      { command: "chemstream bioactivity aed DTXSID7020182", description: "All records of a substance" }
    ]
  }
})
