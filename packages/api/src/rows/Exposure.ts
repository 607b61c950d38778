/**
 * The endpoints of exposure of the public service (docs/families/exposure.md): uses, products, toxicokinetics,
 * predictions and monitoring.
 *
 * The batch limits are not documented: a larger batch gets a 500 without a text.
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `form` and `forms`, the records by
 * projection; `from`, the row whose stored records a service uses; `order`, the field that sorts the records of a value; `blank`, what
 * stands for no value; `vocabulary`, the source of the known values; `suggested`, the batch size of lookups.
 */
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as ExposureRecords from "../records/ExposureRecords.ts"
import { bySubstance } from "./internal/bySubstance.ts"

/** The family of exposure. */
export const family = Family.make({
  word: "exposure",
  title: "Exposure",
  description: "Uses, products, lists, monitoring and predicted exposure of substances",
  about:
    "Reported uses, products and lists come from public documents, in their own words and with harmonized categories beside them. Measured concentrations come from monitoring programmes (MMDB, NHANES). Predictions come from models: functional uses and their probabilities, exposure pathways and doses (SEEM), toxicokinetic parameters (httk). The parts of `exposure ccd` are the same data in the form of the CompTox Chemicals Dashboard."
})

/** What the catalogues have in common. */
const catalogue = { dialect: "ctx", multiplicity: "many", miss: "empty" } as const

/** What the batches have in common. */
const batch = { limit: 200, documented: false } as const

/** The functional uses of substances, as documents report them. */
export const functionalUse = Row.make({
  ...bySubstance,
  name: "exposure.functionalUse",
  what: "functional uses",
  note: "They are as documents report them, with a category where there is one.",
  order: "id",
  record: ExposureRecords.FunctionalUse,
  get: { path: "/exposure/functional-use/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/exposure/functional-use/search/by-dtxsid/" },
  command: {
    description: "Functional uses of substances, as reported or as predicted from structure",
    examples: [
      { command: "chemstream exposure functional-use DTXSID7020182", description: "The reported uses" },
      {
        command: "chemstream exposure functional-use --probability DTXSID7020182",
        description: "The predicted uses, with their probabilities"
      }
    ]
  }
})

/** The functional uses that structure models predict for substances. */
export const functionalUseProbability = Row.make({
  ...bySubstance,
  name: "exposure.functionalUseProbability",
  what: "predicted functional uses",
  note: "A probability is from 0 to 1. The probabilities of a substance do not add up to 1.",
  record: ExposureRecords.FunctionalUseProbability,
  get: { path: "/exposure/functional-use/probability/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: {
    words: ["exposure", "functional-use"],
    flag: { name: "probability", description: "Write the uses that models predict, with their probabilities" }
  }
})

/** All categories of functional uses, with their definitions. */
export const functionalUseCategories = Row.make({
  ...catalogue,
  name: "exposure.functionalUseCategories",
  what: "categories of functional uses",
  order: "id",
  record: ExposureRecords.FunctionalUseCategory,
  get: { path: "/exposure/functional-use/category", answer: "list" }
})

/** The products that contain substances. */
export const productData = Row.make({
  ...bySubstance,
  name: "exposure.productData",
  what: "product data records",
  noun: "product data",
  note: "Weight fractions are from 0 to 1. Amounts and dates of the documents are texts as printed, with their spaces. A substance may have hundreds of records.",
  record: ExposureRecords.ProductData,
  get: { path: "/exposure/product-data/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/exposure/product-data/search/by-dtxsid/", suggested: 40 }
})

/** The product use categories (PUC). */
export const productCategories = Row.make({
  ...catalogue,
  name: "exposure.productCategories",
  what: "product use categories",
  order: "id",
  record: ExposureRecords.ProductCategory,
  get: { path: "/exposure/product-data/puc", answer: "list" }
})

/** The documents that list substances. */
export const listPresence = Row.make({
  ...bySubstance,
  name: "exposure.listPresence",
  what: "list entries",
  note: "An entry is a document that lists the substance. The keywords in `keywordset` are separated by semicolons. `exposure.listPresenceTags` has their meaning.",
  record: ExposureRecords.ListPresence,
  get: { path: "/exposure/list-presence/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/exposure/list-presence/search/by-dtxsid/", suggested: 100 }
})

/** The keywords of the documents that list substances. */
export const listPresenceTags = Row.make({
  ...catalogue,
  name: "exposure.listPresenceTags",
  what: "keywords of list documents",
  order: "id",
  record: ExposureRecords.ListPresenceTag,
  get: { path: "/exposure/list-presence/tags", answer: "list" }
})

/** The toxicokinetic parameters of substances, of the httk models. */
export const httk = Row.make({
  ...bySubstance,
  name: "exposure.httk",
  what: "toxicokinetic parameters",
  note: "A value is a number, in the unit of `units`, and the text of its source. `NA` means unknown. Css is for a dose of 1 mg/kg/day.",
  order: "id",
  record: ExposureRecords.ToxicokineticParameter,
  blank: { "*": ["NA"] },
  get: { path: "/exposure/httk/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/exposure/httk/search/by-dtxsid/" }
})

/** The production volumes and exposure pathways of substances, of the SEEM models. */
export const seem = Row.make({
  ...bySubstance,
  name: "exposure.seem",
  what: "exposure pathways (SEEM)",
  note: "They are probabilities from 0 to 1, and the production volume in the unit of `units`. `exposure.seemDemographic` has the doses. `probabilityPesticde` is the service's spelling.",
  record: ExposureRecords.ExposurePathways,
  form: "all",
  forms: { "ccd-general": { record: ExposureRecords.DashboardExposurePathway, answer: "list" } },
  formsNote: "ccd-general for a record per value, as in the dashboard",
  get: { path: "/exposure/seem/general/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/exposure/seem/general/search/by-dtxsid/" },
  command: {
    description: "Exposure pathways of substances, or the doses predicted for parts of the population",
    projection: "ccd-general, or ccd-demographic with --demographic, for the fields of the dashboard",
    examples: [
      { command: "chemstream exposure seem DTXSID7020182", description: "The likely pathways" },
      {
        command: "chemstream exposure seem --demographic DTXSID7020182",
        description: "The predicted doses in mg/kg/day"
      }
    ]
  }
})

/** The exposures that models predict for parts of the population. */
export const seemDemographic = Row.make({
  ...bySubstance,
  name: "exposure.seemDemographic",
  what: "exposure predictions (SEEM)",
  note: "Each is in the unit of `units`, for the consensus model mg/kg/day. The demographic `Total` with the predictor `SEEM3 Consensus` is the prediction for all people. In the text of a value, `NA` means unknown.",
  record: ExposureRecords.ExposurePrediction,
  blank: { "*": ["NA"] },
  form: "all",
  forms: { "ccd-demographic": { record: ExposureRecords.DashboardExposurePrediction, answer: "list" } },
  formsNote: "ccd-demographic for the fields of the dashboard",
  get: { path: "/exposure/seem/demographic/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/exposure/seem/demographic/search/by-dtxsid/" },
  command: {
    words: ["exposure", "seem"],
    flag: { name: "demographic", description: "Write the doses predicted for parts of the population" }
  }
})

const medium = Key.text("medium", {
  one: "a medium",
  many: "media",
  example: "surface water",
  description: "A medium, e.g. surface water"
})

/** The common part of the rows by medium, e.g. surface water. */
const byMedium = {
  dialect: "ctx",
  key: medium,
  vocabulary: { row: () => mmdbMediums, field: "harmonizedMedium" },
  recordKey: "harmonizedMedium",
  multiplicity: "many",
  miss: "empty",
  page: "pageNumber"
} as const

/** The command of the Multimedia Monitoring Database, and its parts. */
const mmdb = { words: ["exposure", "mmdb"] } as const

const aggregatePart = { ...mmdb, part: "aggregate" } as const
const singleSamplePart = { ...mmdb, part: "single-sample" } as const

const aggregate = {
  what: "monitoring statistics (MMDB)",
  note: "Results are texts as in the source, with their unit beside them. A well-studied substance has more than 4 MB of them. A medium has pages of 10,000 records.",
  order: "id",
  record: ExposureRecords.MonitoringStatistic
} as const

/** The monitoring statistics of substances in all media. */
export const mmdbAggregate = Row.make({
  ...bySubstance,
  ...aggregate,
  name: "exposure.mmdbAggregate",
  get: { path: "/exposure/mmdb/aggregate/by-dtxsid/{dtxsid}", answer: "list" },
  command: {
    ...aggregatePart,
    description: "Monitoring data of substances or media: statistics or single samples",
    by: "Kind of the values: substances or media",
    examples: [
      {
        command: "chemstream exposure mmdb --part aggregate DTXSID7020182",
        description: "The statistics of a substance"
      },
      {
        command:
          'chemstream exposure mmdb --part single-sample --by medium "surface water" --output water.ndjson.gz',
        description: "All samples of a medium, page by page"
      }
    ]
  }
})

/** The monitoring statistics of all substances in media. */
export const mmdbAggregateByMedium = Row.make({
  ...byMedium,
  ...aggregate,
  name: "exposure.mmdbAggregateByMedium",
  from: { row: "exposure.mmdbAggregate", key: "harmonizedMedium" },
  get: { path: "/exposure/mmdb/aggregate/by-medium", answer: "page" },
  command: aggregatePart
})

const singleSample = {
  what: "monitoring samples (MMDB)",
  note: "Results are texts as in the source, with their unit beside them. A well-studied substance has more than 4 MB of them. A medium has pages of 10,000 records.",
  order: "id",
  record: ExposureRecords.MonitoringSample
} as const

/** The monitoring samples of substances in all media. */
export const mmdbSingleSample = Row.make({
  ...bySubstance,
  ...singleSample,
  name: "exposure.mmdbSingleSample",
  get: { path: "/exposure/mmdb/single-sample/by-dtxsid/{dtxsid}", answer: "list" },
  command: singleSamplePart
})

/** The monitoring samples of all substances in media. */
export const mmdbSingleSampleByMedium = Row.make({
  ...byMedium,
  ...singleSample,
  name: "exposure.mmdbSingleSampleByMedium",
  from: { row: "exposure.mmdbSingleSample", key: "harmonizedMedium" },
  get: { path: "/exposure/mmdb/single-sample/by-medium", answer: "page" },
  command: singleSamplePart
})

/** The media of the Multimedia Monitoring Database. */
export const mmdbMediums = Row.make({
  ...catalogue,
  name: "exposure.mmdbMediums",
  what: "media of the monitoring data (MMDB)",
  record: ExposureRecords.MonitoringMedium,
  get: { path: "/exposure/mmdb/mediums", answer: "list" }
})

/** The command of the dashboard's data, whose parts are the rows. */
const ccd = { words: ["exposure", "ccd"] } as const

/** The product use categories with products that contain substances. */
export const ccdProductUseCategories = Row.make({
  ...bySubstance,
  name: "exposure.ccdProductUseCategories",
  what: "product use categories",
  note: "A record has the number of products in a category.",
  record: ExposureRecords.ProductUse,
  get: { path: "/exposure/ccd/puc/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: {
    ...ccd,
    part: "product-use-categories",
    description: "Exposure data of substances, as the CompTox Chemicals Dashboard shows them",
    examples: [
      {
        command: "chemstream exposure ccd --part production-volume DTXSID7020182",
        description: "The production volumes of a substance"
      },
      {
        command: "chemstream exposure ccd --part chem-weight-fractions DTXSID7020182",
        description: "Its weight fractions in products"
      }
    ]
  }
})

/** The production volumes of substances, by year. */
export const ccdProductionVolume = Row.make({
  ...bySubstance,
  name: "exposure.ccdProductionVolume",
  what: "production volumes",
  note: "An amount is a text with its unit, often a range, e.g. `1,000,000,000 - <5,000,000,000 lb`.",
  order: "id",
  record: ExposureRecords.ProductionVolume,
  get: { path: "/exposure/ccd/production-volume/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: { ...ccd, part: "production-volume" }
})

/** The exposures to substances that are inferred from biomonitoring (NHANES). */
export const ccdMonitoringData = Row.make({
  ...bySubstance,
  name: "exposure.ccdMonitoringData",
  what: "exposures inferred from biomonitoring (NHANES)",
  note: "A record is for a part of the population. Intakes are in mg/kg/day. The records of `ccd-biomonitoring` have other field names.",
  order: "id",
  record: ExposureRecords.Biomonitoring,
  blank: { hoverMsg: ["null"] },
  form: "all",
  forms: { "ccd-biomonitoring": { record: ExposureRecords.DashboardBiomonitoring } },
  formsNote: "ccd-biomonitoring for the fields of the dashboard",
  get: { path: "/exposure/ccd/monitoring-data/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: { ...ccd, part: "monitoring-data" }
})

/** The keywords about the use of substances. */
export const ccdKeywords = Row.make({
  ...bySubstance,
  name: "exposure.ccdKeywords",
  what: "keywords of general use",
  note: "The keywords in `keywordset` are separated by commas.",
  order: "id",
  record: ExposureRecords.UseKeywords,
  get: { path: "/exposure/ccd/keywords/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: { ...ccd, part: "keywords" }
})

/** The categories of the reported functional uses of substances. */
export const ccdFunctionalUse = Row.make({
  ...bySubstance,
  name: "exposure.ccdFunctionalUse",
  what: "categories of reported functional uses",
  order: "id",
  record: ExposureRecords.ReportedUse,
  get: { path: "/exposure/ccd/functional-use/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: { ...ccd, part: "functional-use" }
})

/** The weight fractions of substances in products. */
export const ccdChemWeightFractions = Row.make({
  ...bySubstance,
  name: "exposure.ccdChemWeightFractions",
  what: "weight fractions in products",
  note: "Weight fractions are from 0 to 1. A substance may have a thousand records, together 1.2 MB.",
  order: "id",
  record: ExposureRecords.WeightFraction,
  get: { path: "/exposure/ccd/chem-weight-fractions/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: { ...ccd, part: "chem-weight-fractions" }
})
