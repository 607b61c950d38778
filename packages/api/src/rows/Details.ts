/**
 * The endpoints of the chemical detail record and the list of all chemicals (docs/service.md, section 3.1).
 *
 * Paths are exact, including the trailing slash: a deployment may respond 404 without it.
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `form` and `forms`, the records by
 * projection; `special`, why a service needs code of its own.
 */
import * as Dialect from "../dialect/Dialect.ts"
import * as Family from "../endpoints/Family.ts"
import { defaultPageParameter } from "../endpoints/internal/pageParameter.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import { IdRecord, StandardRecord } from "../records/AllRecord.ts"
import * as DetailProjection from "../records/DetailProjection.ts"
import * as DetailRecord from "../records/DetailRecord.ts"

export { defaultPageParameter }

/** The number of records in a page of `/chemical/all` of this project's service (docs/service.md, section 2). */
export const defaultPageSize = 10_000

/** The family of detail records. */
export const family = Family.make({
  word: "details",
  title: "Chemical details",
  description: "Detail records of substances",
  tool: {
    description:
      "Gives the chemical records of substances: names, formula, masses, structure, counts of assays.",
    identifiers: "DTXSIDs, or DTXCIDs with by=dtxcid",
    projection: {
      default: "compact",
      description:
        "The fields of the records: compact has 8, chemicaldetailall has the most. Default: compact."
    }
  }
})

/** The family of the list of all chemicals. */
export const allFamily = Family.make({
  word: "all",
  title: "All chemicals",
  description: "Every chemical of the service"
})

type Forms = {
  readonly [P in DetailProjection.DetailProjection]: {
    readonly record: () => (typeof DetailRecord.schemas)[P]
  }
}

/** The common part of the rows of detail records. */
const details = {
  section: "3.1",
  what: "chemical detail records",
  one: "chemical detail record",
  note: "Masses are in dalton; the description of each other field has its unit.",
  multiplicity: "one",
  miss: "404",
  record: () => DetailRecord.DetailRecord,
  form: DetailProjection.defaultProjection,
  forms: Object.fromEntries(
    DetailProjection.names.map((name) => [
      name,
      {
        record: () => DetailRecord.schemas[name],
        // With this projection, services send one record for each assay of a substance.
        ...(name === "ccdassaydetails" ? { multiplicity: "many" } : {})
      }
    ])
  ) as Forms,
  formsNote: "Fields of the response"
} as const

/** Returns why a dialect has no detail records of a projection that name their key. */
const refusalBy =
  (key: string): NonNullable<Row.Row["refusal"]> =>
  (dialect, form) =>
    Dialect.withoutProjection(dialect, form as DetailProjection.DetailProjection, key)

/** Detail records by substance. The response to a batch omits unknown identifiers, and is in any order. */
export const byDtxsid = Row.make({
  ...details,
  name: "details.byDtxsid",
  key: Key.dtxsid,
  refusal: refusalBy("dtxsid"),
  get: { path: "/chemical/detail/search/by-dtxsid/{dtxsid}", answer: "one" },
  batch: { path: "/chemical/detail/search/by-dtxsid/", limit: 1000, documented: true, hasForms: true },
  command: {
    description: "Detail records of substances, one NDJSON line each",
    by: "Kind of the values",
    projection: "Fields of the records",
    examples: [
      {
        command: "chemstream details DTXSID7020182 --projection compact",
        description: "One substance by its identifier"
      },
      {
        command: "cut -f1 hits.tsv | chemstream details --projection ntatoolkit > out.ndjson",
        description: "In a pipe, from the first column of a table"
      },
      {
        command: "chemstream details --input ids.txt --output out.ndjson.gz --errors problems.ndjson",
        description:
          "From a file; problems.ndjson lists the values without a record, and the same command continues a stopped run"
      }
    ]
  }
})

/** Detail records by compound. The response to a larger batch is 400 (docs/service.md, section 4). */
export const byDtxcid = Row.make({
  ...details,
  name: "details.byDtxcid",
  key: Key.dtxcid,
  refusal: refusalBy("dtxcid"),
  get: { path: "/chemical/detail/search/by-dtxcid/{dtxcid}", answer: "one" },
  batch: {
    path: "/chemical/detail/search/by-dtxcid/",
    limit: 1000,
    documented: true,
    refusal: 400,
    hasForms: true
  }
})

/** All chemicals, a page at a time. A page past the end is empty. */
export const all = Row.make({
  name: "details.all",
  section: "3.1",
  what: "all chemicals",
  note: "A page past the end is empty.",
  multiplicity: "many",
  miss: "empty",
  record: () => StandardRecord,
  form: "standard-2",
  forms: { "all-ids": { record: () => IdRecord, answer: "page" } },
  formsNote: "all-ids for the identifiers alone",
  page: defaultPageParameter,
  get: {
    path: "/chemical/all",
    answer: "page",
    title: "All chemicals, page by page",
    differences: {
      // A service with cursors reads page 1 as the cursor 1, and omits its first record.
      specification: { forms: [{ refusedBy: "object" }, { firstPage: 0 }] },
      ctx: { forms: [{ firstPage: 0, isObject: true }] }
    }
  },
  command: {
    words: ["all"],
    description: "Every chemical of the service, page after page, one NDJSON line each",
    projection: "Whole records, or only their identifiers",
    examples: [
      {
        command: "chemstream all --projection all-ids | chemstream details > everything.ndjson",
        description: "The details of all of them"
      },
      {
        command: "chemstream all --output all.ndjson",
        description: "Into a file; the same command continues a stopped run"
      }
    ]
  },
  special: "the store pages all detail records by number or cursor"
})
