/**
 * The two kinds of services, and the facts of the public one that client and service share.
 *
 * `specification` is the service of the contract, `ctx` the public service below `epa.gov`. How a request is sent under each
 * is the client's `Dialect`; how the public service is imitated is the service's `ctx` folder.
 */
import * as group from "./internal/detailFields.ts"

/** The names of the dialects. */
export const names = ["specification", "ctx"] as const

/** The name of a dialect. */
export type Name = (typeof names)[number]

/** Whether a text is the name of a dialect. */
export const isName = (text: unknown): text is Name => names.some((name) => name === text)

/** Paths of the public service that differ from the contract's, by group and endpoint. */
export const ctxPaths: Readonly<Record<string, `/${string}`>> = {
  "bioactivity.aedByDtxsidBatch": "/bioactivity/data/aed/search/by-dtxsid/"
}

/** The most values in a batch of bioactivity data of the public service. More are answered with a 500 without a reason. */
export const bioactivityBatchLimit = 200

/** The records of a page of the public service's `/chemical/all`. */
export const ctxPageSize = 1000

/** How many hits the public service answers to a starts-with search that does not say how many: the first ones. */
export const startWithTop = 500

/** The public service's name of the projection `assay-summary-plot`. */
export const plotProjection = "toxcast-summary-plot"

/** The public service's names of fields of the detail record, by those of the contract. */
export const detailFieldNames = {
  assaySelect: "toxcastSelect",
  extdbCount: "pubchemCount",
  extdbCid: "pubchemCid",
  encyclopediaArticle: "wikipediaArticle"
} as const

const named = (fields: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.keys(fields).map((field) => (detailFieldNames as Readonly<Record<string, string>>)[field] ?? field)

const standard = [
  group.identity,
  group.structure,
  group.formula,
  group.quality,
  group.assayCounts,
  group.sources
].flatMap(named)

/**
 * The fields of the public service's detail record in each projection, by its names. `ccdassaydetails` is not among them:
 * the service refuses it.
 */
export const ctxDetailFields = {
  chemicaldetailall: [
    ...standard,
    ...named(group.averageMass),
    ...named(group.stereo),
    ...named(group.exposure),
    ...named(group.properties)
  ],
  chemicaldetailstandard: standard,
  ccdchemicaldetails: [
    ...standard.filter((field) => field !== "descriptorStringTsv"),
    "averageMass",
    "stereo"
  ],
  chemicalidentifier: ["casrn", "preferredName", "iupacName", "inchikey", "dtxsid", "dtxcid"],
  chemicalstructure: [
    "id",
    "casrn",
    "preferredName",
    "hasStructureImage",
    "smiles",
    "inchiString",
    "inchikey",
    "qsarReadySmiles",
    "msReadySmiles",
    "dtxsid",
    "dtxcid"
  ],
  ntatoolkit: [
    "preferredName",
    "activeAssays",
    "cpdataCount",
    "molFormula",
    "percentAssays",
    "totalAssays",
    "sourcesCount",
    "msReadySmiles",
    "inchikey",
    "smiles",
    "dtxcid",
    "dtxsid",
    "casrn",
    "monoisotopicMass",
    "expocat",
    "nhanes",
    "expocatMedianPrediction"
  ],
  compact: ["dtxsid", "casrn", "preferredName"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>
