/**
 * The endpoints of hazard data of the public service (docs/families/hazard.md): toxicity values, calls, assessments and
 * animal studies.
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `recordKey: null`, records that do not
 * name their value; `scalar`, the name of a bare value; `form` and `forms`, the records by projection; `from`, the row whose stored records
 * a service uses; `order`, the field that sorts the records of a value; `blank`, what stands for no value; `compared`, the fields that a
 * service compares with the query; `vocabulary`, the source of the known values; `suggested`, the batch size of lookups.
 */
import { Schema } from "effect"
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as HazardRecords from "../records/HazardRecords.ts"
import { bySubstance } from "./internal/bySubstance.ts"

/** The family of hazard. */
export const family = Family.make({
  word: "hazard",
  title: "Hazard",
  description: "Toxicity values, studies, and calls of cancer, genotoxicity and irritation",
  about:
    "Most records come from databases that collect the results of many sources: ToxValDB for toxicity values, ToxRefDB for animal studies. A record names its source, so one study may be in several records. Values have different units, species, routes and durations: filter by these fields before you compare numbers. IRIS and PPRTV assessments have their values as texts. The number of records of a substance changes with each release of the data."
})

/** What the batches have in common. */
const batch = { limit: 200, documented: true, refusal: 400 } as const

/** The common part of the rows of toxicity values. */
const values = {
  ...bySubstance,
  order: "id",
  record: HazardRecords.ToxicityValue,
  blank: {
    "*": ["-", -999],
    strain: ["Not Specified"],
    exposureMethodOriginal: ["No Data"]
  }
} as const

/** The toxicity values of substances, of all sources of ToxValDB. */
export const toxval = Row.make({
  ...values,
  name: "hazard.toxval",
  what: "toxicity values",
  note: "They are for human health and ecology (`humanEco`), each in the unit of `toxvalUnits`. `-` and -999 mean unknown. A substance may have hundreds, of about 2.5 kB each.",
  get: { path: "/hazard/toxval/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/hazard/toxval/search/by-dtxsid/", suggested: 24 },
  command: {
    description: "Toxicity values of substances, one NDJSON line each",
    by: "All values of substances, or those of the category of --category",
    examples: [
      { command: "chemstream hazard toxval DTXSID7020182", description: "All values of a substance" },
      {
        command: 'chemstream hazard toxval --by category --category "Toxicity Value" DTXSID7020182',
        description: "Reference doses, slope factors and the like"
      }
    ]
  }
})

/** The toxicity values of substances in a category. */
export const toxvalByCategory = Row.make({
  ...values,
  name: "hazard.toxvalByCategory",
  from: { row: "hazard.toxval" },
  compared: { category: "toxvalTypeSuperCategory" },
  what: "toxicity values in a category",
  note: "`hazard.toxvalSupercategories` has the categories of a substance. An unknown category has no values.",
  query: {
    category: Schema.NonEmptyString.annotate({
      description: "Category of the kinds of values, e.g. Dose Response Summary Value"
    })
  },
  get: { path: "/hazard/toxval/search/by-category/{dtxsid}", answer: "list" }
})

/** The categories that the toxicity values of substances have. */
export const toxvalSupercategories = Row.make({
  ...bySubstance,
  name: "hazard.toxvalSupercategories",
  from: { row: "hazard.toxval", value: "toxvalTypeSuperCategory" },
  what: "categories of toxicity values",
  recordKey: null,
  scalar: "toxvalTypeSuperCategory",
  record: () => Schema.String.annotate({ description: "Category, e.g. Dose Response Summary Value" }),
  get: { path: "/hazard/toxval/supercategory/search/by-dtxsid/{dtxsid}", answer: "list" }
})

/** The results of substances on irritation of skin and eyes, and sensitization of skin. */
export const skinEye = Row.make({
  ...bySubstance,
  name: "hazard.skinEye",
  what: "skin and eye results",
  note: "They are irritation of skin or eyes, and sensitization of skin. `-` and the year -1 mean unknown.",
  order: "id",
  record: HazardRecords.SkinEyeResult,
  blank: { "*": ["-"], year: [-1] },
  get: { path: "/hazard/skin-eye/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/hazard/skin-eye/search/by-dtxsid/" }
})

/** The cancer calls of substances, one of each source. */
export const cancer = Row.make({
  ...bySubstance,
  name: "hazard.cancer",
  what: "cancer calls",
  note: "Each source has its own terms.",
  order: "id",
  record: HazardRecords.CancerCall,
  get: { path: "/hazard/cancer-summary/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/hazard/cancer-summary/search/by-dtxsid/" }
})

/** The summaries of the genotoxicity tests of substances. A substance has at most one. */
export const genetox = Row.make({
  ...bySubstance,
  name: "hazard.genetox",
  what: "genotoxicity summaries",
  note: "A substance has at most one.",
  order: "id",
  record: HazardRecords.GenotoxicitySummary,
  get: { path: "/hazard/genetox/summary/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/hazard/genetox/summary/search/by-dtxsid/" },
  command: {
    description: "Genotoxicity of substances: a summary each, or the result of each test",
    examples: [
      { command: "chemstream hazard genetox DTXSID7020182", description: "The summary of a substance" },
      {
        command: "chemstream hazard genetox --details DTXSID7020182",
        description: "Its tests, one NDJSON line each"
      }
    ]
  }
})

/** The results of the genotoxicity tests of substances. */
export const genetoxDetails = Row.make({
  ...bySubstance,
  name: "hazard.genetoxDetails",
  what: "genotoxicity tests",
  note: "The service documents many more fields than the nine that it sends, with or without a projection.",
  record: HazardRecords.GenotoxicityTest,
  blank: { species: ["Not specified"] },
  form: "all",
  forms: { "ccd-genetox-details": { record: HazardRecords.DashboardGenotoxicityTest, answer: "list" } },
  formsNote: "ccd-genetox-details for tests with their standardized names, as in the dashboard",
  get: { path: "/hazard/genetox/details/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/hazard/genetox/details/search/by-dtxsid/" },
  command: {
    words: ["hazard", "genetox"],
    flag: { name: "details", description: "Write the result of each test instead of the summary" }
  }
})

/** The assessments of substances in the Integrated Risk Information System (IRIS). */
export const iris = Row.make({
  ...bySubstance,
  name: "hazard.iris",
  what: "IRIS assessments",
  note: "Reference doses and concentrations are texts with their unit, e.g. `5 x 10 -2 mg/kg-day`.",
  record: HazardRecords.IrisAssessment,
  get: { path: "/hazard/iris/search/by-dtxsid/{dtxsid}", answer: "list" }
})

/** The provisional peer-reviewed toxicity value (PPRTV) assessments of substances. */
export const pprtv = Row.make({
  ...bySubstance,
  name: "hazard.pprtv",
  what: "PPRTV assessments",
  note: "Provisional peer-reviewed toxicity values are texts with their unit, e.g. `7 x 10-5 mg/kg-day`, or `Not available`.",
  order: "id",
  record: HazardRecords.PprtvAssessment,
  blank: { "*": ["Not available"] },
  get: { path: "/hazard/pprtv/search/by-dtxsid/{dtxsid}", answer: "list" }
})

/** The assessments of substances in the Health Assessment Workspace Collaborative (HAWC). */
export const hawc = Row.make({
  ...bySubstance,
  name: "hazard.hawc",
  what: "HAWC assessments",
  note: "A record has the page of an assessment, not its values.",
  order: "id",
  record: HazardRecords.HawcAssessment,
  get: { path: "/hazard/hawc/search/by-dtxsid/{dtxsid}", answer: "list" }
})

/** The parameters of substances for in vitro to in vivo extrapolation (IVIVE). */
export const admeIvive = Row.make({
  ...bySubstance,
  name: "hazard.admeIvive",
  what: "ADME parameters",
  note: "They are for in vitro to in vivo extrapolation. Numbers are texts with their unit beside them, and `NA` means unknown. Css is for a dose of 1 mg/kg/day.",
  order: "id",
  record: HazardRecords.KineticParameter,
  blank: { "*": ["NA"] },
  form: "all",
  forms: { "ccd-adme-data": { record: HazardRecords.DashboardKineticParameter } },
  formsNote: "ccd-adme-data for parameters with labels and explanations, as in the dashboard",
  get: { path: "/hazard/adme-ivive/search/by-dtxsid/{dtxsid}", answer: "list" }
})

const study = Key.integer("studyId", { one: "a study", many: "studies", example: "63" })

const studyType = Key.text("studyType", {
  one: "a study type",
  many: "study types",
  example: "DEV",
  description: "A type of study: ACU, SAC, SUB, CHR, DEV, MGR, NEU or DNT"
})

const studyTypes = { values: ["ACU", "SAC", "SUB", "CHR", "DEV", "MGR", "NEU", "DNT"] } as const

const byStudy = { dialect: "ctx", key: study, order: "id", multiplicity: "many", miss: "empty" } as const

const byStudyType = { ...byStudy, key: studyType, vocabulary: studyTypes } as const

/** The command of the animal studies, and its parts. */
const toxref = { words: ["hazard", "toxref"] } as const

const dataPart = { ...toxref, part: "data" } as const
const effectsPart = { ...toxref, part: "effects" } as const
const observationsPart = { ...toxref, part: "observations" } as const
const summaryPart = { ...toxref, part: "summary" } as const

const data = {
  what: "examinations in animal studies (ToxRefDB)",
  note: "A record is a dosed group and an endpoint, with or without an effect. A study type has pages of 10,000 records, which take the service up to 50 s each.",
  record: HazardRecords.ToxrefData,
  blank: { "*": ["NA", ""] }
} as const

/** The examinations of dosed groups in the animal studies of substances. The batch is not documented. */
export const toxrefData = Row.make({
  ...bySubstance,
  ...data,
  name: "hazard.toxrefData",
  note: "A record is a dosed group and an endpoint, with or without an effect. A batch sends most numbers as text, and no `id`.",
  get: { path: "/hazard/toxref/data/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { ...batch, path: "/hazard/toxref/search/by-dtxsid/", documented: false, suggested: 10 },
  command: {
    ...dataPart,
    description: "Animal studies of ToxRefDB: their data, effects, observations or summaries",
    by: "Kind of the values: substances, studies, or types of study",
    examples: [
      {
        command: "chemstream hazard toxref --part summary DTXSID7020182",
        description: "The studies of a substance"
      },
      {
        command: "chemstream hazard toxref --part effects --by study-id 63",
        description: "The effects in a study"
      },
      {
        command: "chemstream hazard toxref --part data --by study-type DEV --output dev.ndjson.gz",
        description: "All developmental studies, page by page"
      }
    ]
  }
})

/** The examinations of dosed groups in animal studies. */
export const toxrefDataByStudyId = Row.make({
  ...byStudy,
  ...data,
  name: "hazard.toxrefDataByStudyId",
  from: { row: "hazard.toxrefData", key: "studyId" },
  get: { path: "/hazard/toxref/data/search/by-study-id/{studyId}", answer: "list" },
  command: dataPart
})

/** The examinations of dosed groups in all animal studies of a type. */
export const toxrefDataByStudyType = Row.make({
  ...byStudyType,
  ...data,
  name: "hazard.toxrefDataByStudyType",
  from: { row: "hazard.toxrefData", key: "studyType" },
  page: "pageNumber",
  get: { path: "/hazard/toxref/data/search/by-study-type/{studyType}", answer: "page" },
  command: dataPart
})

const effects = {
  what: "effects in animal studies (ToxRefDB)",
  note: "A record is an effect in a dosed group. Doses by body weight are in the unit of `doseAdjustedUnit`. A study type has pages of 10,000 records.",
  order: "id",
  record: HazardRecords.ToxrefEffect,
  blank: { "*": ["NA", ""] }
} as const

/** The effects in the animal studies of substances. */
export const toxrefEffects = Row.make({
  ...bySubstance,
  ...effects,
  name: "hazard.toxrefEffects",
  get: { path: "/hazard/toxref/effects/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: effectsPart
})

/** The effects in animal studies. */
export const toxrefEffectsByStudyId = Row.make({
  ...byStudy,
  ...effects,
  name: "hazard.toxrefEffectsByStudyId",
  from: { row: "hazard.toxrefEffects", key: "studyId" },
  get: { path: "/hazard/toxref/effects/search/by-study-id/{studyId}", answer: "list" },
  command: effectsPart
})

/** The effects in all animal studies of a type. */
export const toxrefEffectsByStudyType = Row.make({
  ...byStudyType,
  ...effects,
  name: "hazard.toxrefEffectsByStudyType",
  from: { row: "hazard.toxrefEffects", key: "studyType" },
  page: "pageNumber",
  get: { path: "/hazard/toxref/effects/search/by-study-type/{studyType}", answer: "page" },
  command: effectsPart
})

const observations = {
  what: "observations in animal studies (ToxRefDB)",
  note: "A record is an endpoint of the study's test guideline, tested or not. A study has about 400. A study type has pages of 10,000 records.",
  order: "id",
  record: HazardRecords.ToxrefObservation
} as const

/** The endpoints that the animal studies of substances were to observe. */
export const toxrefObservations = Row.make({
  ...bySubstance,
  ...observations,
  name: "hazard.toxrefObservations",
  get: { path: "/hazard/toxref/observations/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: observationsPart
})

/** The endpoints that animal studies were to observe. */
export const toxrefObservationsByStudyId = Row.make({
  ...byStudy,
  ...observations,
  name: "hazard.toxrefObservationsByStudyId",
  from: { row: "hazard.toxrefObservations", key: "studyId" },
  get: { path: "/hazard/toxref/observations/search/by-study-id/{studyId}", answer: "list" },
  command: observationsPart
})

/** The endpoints that all animal studies of a type were to observe. */
export const toxrefObservationsByStudyType = Row.make({
  ...byStudyType,
  ...observations,
  name: "hazard.toxrefObservationsByStudyType",
  from: { row: "hazard.toxrefObservations", key: "studyType" },
  page: "pageNumber",
  get: { path: "/hazard/toxref/observations/search/by-study-type/{studyType}", answer: "page" },
  command: observationsPart
})

const summaries = {
  what: "summaries of animal studies (ToxRefDB)",
  note: "A record is a study: its document, animals and dosing, without results.",
  order: "id",
  record: HazardRecords.ToxrefStudy
} as const

/** The animal studies of substances. */
export const toxrefSummary = Row.make({
  ...bySubstance,
  ...summaries,
  name: "hazard.toxrefSummary",
  get: { path: "/hazard/toxref/summary/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: summaryPart
})

/** Animal studies by number. */
export const toxrefSummaryByStudyId = Row.make({
  ...byStudy,
  ...summaries,
  name: "hazard.toxrefSummaryByStudyId",
  from: { row: "hazard.toxrefSummary", key: "studyId" },
  get: { path: "/hazard/toxref/summary/search/by-study-id/{studyId}", answer: "list" },
  command: summaryPart
})

/** All animal studies of a type, without pages. */
export const toxrefSummaryByStudyType = Row.make({
  ...byStudyType,
  ...summaries,
  name: "hazard.toxrefSummaryByStudyType",
  from: { row: "hazard.toxrefSummary", key: "studyType" },
  get: { path: "/hazard/toxref/summary/search/by-study-type/{studyType}", answer: "list" },
  command: summaryPart
})
