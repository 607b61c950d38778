/**
 * The endpoints of assays of the public service (docs/families/assays.md): their annotation, tested substances, adverse
 * outcome pathways, models, and the quality of samples. `Bioactivity` has the results at several concentrations.
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `recordKey: null`, records that do not
 * name their value; `scalar`, the name of a bare value; `form` and `forms`, the records by projection; `from`, the row whose stored records
 * a service uses; `order`, the field that sorts the records of a value; `blank`, what stands for no value; `special`, why a service needs
 * code of its own.
 */
import { Schema } from "effect"
import { bioactivityBatchLimit } from "../dialect/internal/publicService.ts"
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as AssayRecords from "../records/AssayRecords.ts"
import * as DetailRecord from "../records/DetailRecord.ts"
import { dtxsidList } from "../records/internal/dtxsidList.ts"
import { bySubstance } from "./internal/bySubstance.ts"

/** The family of assays. */
export const family = Family.make({
  word: "assays",
  title: "Assays",
  description: "Assays: annotation, genes, pathways, models, quality control",
  about:
    "An assay endpoint (AEID) of ToxCast or Tox21 has an annotation: what it measures, in which cells, for which gene, and how its data are processed. Other commands write the tested substances, single-concentration results, adverse outcome pathways, predictions for the androgen and estrogen receptors, and the quality of samples. `chemstream bioactivity` has the results at several concentrations."
})

const many = { dialect: "ctx", multiplicity: "many", miss: "empty" } as const

/** The common part of the rows by assay endpoint. An unknown one has an empty list. */
const byAssay = { ...many, key: Key.aeid } as const

/** The sources of the annotation write these where there is no cell, gene or tissue. */
const blank = { "*": ["NA", ""] } as const

/** All assay endpoints. */
export const all = Row.make({
  ...many,
  name: "assays.all",
  what: "assay endpoints",
  note: "The response is several megabytes. Genes, lists and publications are one object or a list. The list of the dashboard counts the active and the tested substances.",
  blank,
  record: AssayRecords.Annotation,
  form: "assay-all",
  forms: { "ccd-assay-list": { record: AssayRecords.ListedAssay, answer: "list" } },
  formsNote: "ccd-assay-list for the list of the dashboard",
  get: { path: "/bioactivity/assay/", answer: "list" },
  command: {
    description: "All assay endpoints with their annotation, one NDJSON line each",
    examples: [
      {
        command: "chemstream assays all --fields aeid,assayComponentEndpointName",
        description: "Numbers and names of all assay endpoints"
      },
      { command: "chemstream assays all --count", description: "Their number" }
    ]
  }
})

/** The number of assay endpoints. */
export const count = Row.make({
  dialect: "ctx",
  name: "assays.count",
  special: "the number of records of another endpoint",
  what: "number of assay endpoints",
  multiplicity: "one",
  miss: "empty",
  scalar: "count",
  record: () => Schema.Int.annotate({ description: "Number of assay endpoints" }),
  get: { path: "/bioactivity/assay/count", answer: "one" },
  command: {
    words: ["assays", "all"],
    flag: { name: "count", description: "Write only the number of assay endpoints" }
  }
})

/** The forms of the annotation: parts of it, as the dashboard shows them. */
const forms = {
  "ccd-assay-annotation": { record: AssayRecords.DashboardAnnotation, answer: "either" },
  "ccd-assay-gene": { record: AssayRecords.Gene, answer: "either", multiplicity: "many" },
  "ccd-assay-citations": { record: AssayRecords.Citation, answer: "either", multiplicity: "many" },
  "ccd-tcpl-processing": { record: AssayRecords.ProcessingStep, answer: "either", multiplicity: "many" },
  "ccd-assay-reagents": { record: AssayRecords.Reagent, answer: "either", multiplicity: "many" },
  "ccd-assay-aop": { record: AssayRecords.Aop, answer: "either", multiplicity: "many" }
} as const

/** The annotation of assay endpoints, or a part of it. Older services send an object instead of a list of one. */
export const annotation = Row.make({
  ...byAssay,
  name: "assays.annotation",
  from: { row: "assays.all", key: "aeid" },
  what: "assay annotations",
  one: "assay annotation",
  note: "Genes, lists and publications are one object or a list.",
  blank,
  multiplicity: "one",
  record: AssayRecords.Annotation,
  form: "assay-all",
  forms,
  formsNote:
    "ccd-assay-annotation for the fields of the dashboard, others for the genes, publications, processing steps, reagents or adverse outcome pathways",
  get: { path: "/bioactivity/assay/search/by-aeid/{aeid}", answer: "either" },
  batch: { path: "/bioactivity/assay/search/by-aeid/", limit: bioactivityBatchLimit, documented: false },
  command: {
    description: "Annotation of assay endpoints, one NDJSON line each",
    examples: [
      {
        command: "chemstream assays annotation 3032",
        description: "The annotation of an assay endpoint"
      },
      {
        command: "chemstream assays annotation 3032 --projection ccd-assay-gene",
        description: "The genes of its target"
      }
    ]
  }
})

/** The assay endpoints of genes. */
export const byGene = Row.make({
  ...many,
  name: "assays.byGene",
  what: "assay endpoints",
  one: "assay endpoint",
  note: "The counts are texts, e.g. `131/1066(12.29%)`.",
  key: Key.text("geneSymbol", {
    one: "a gene",
    many: "genes",
    example: "TUBA1A",
    description: "Symbol of a gene, e.g. TUBA1A"
  }),
  record: AssayRecords.EndpointOfGene,
  get: { path: "/bioactivity/assay/search/by-gene/{geneSymbol}", answer: "list" },
  command: {
    words: ["assays", "genes"],
    description: "The assay endpoints of genes, one NDJSON line each",
    values: "Symbols of genes, e.g. TUBA1A"
  }
})

/** The numbers of assay endpoints by their names. */
export const byEndpointName = Row.make({
  ...many,
  name: "assays.byEndpointName",
  from: { row: "assays.all", key: "assayComponentEndpointName", value: "aeid" },
  what: "number of the assay endpoint with exactly this name",
  note: "The response to an unknown name is empty.",
  key: Key.text("endpoint", {
    one: "the name of an assay endpoint",
    many: "names of assay endpoints",
    example: "NVS_LGIC_rGABAR_NonSelective",
    description: "Name of an assay endpoint"
  }),
  recordKey: null,
  multiplicity: "one",
  miss: "nothing",
  scalar: "aeid",
  record: () => Schema.Int.annotate({ description: "Assay endpoint identifier" }),
  get: { path: "/bioactivity/assay/search/by-endpoint/", answer: "one" },
  command: {
    words: ["assays", "aeid"],
    description: "The numbers of assay endpoints by their names, one NDJSON line each",
    examples: [
      {
        command: "chemstream assays aeid NVS_LGIC_rGABAR_NonSelective",
        description: "The number of an assay endpoint"
      }
    ]
  }
})

/** The substances that were tested in assay endpoints, or their details with the result of each. */
export const chemicals = Row.make({
  ...byAssay,
  name: "assays.chemicals",
  what: "tested substances",
  note: "With `ccdassaydetails`, a record is the detail record of a substance with its result; `ac50` and `top` are texts.",
  recordKey: null,
  scalar: "dtxsid",
  record: () => dtxsidList.value,
  form: "dtxsidsonly",
  forms: {
    ccdassaydetails: {
      record: () => DetailRecord.schemas.ccdassaydetails,
      answer: "list",
      isObject: true
    }
  },
  formsNote: "ccdassaydetails for the detail record and the result of each substance",
  get: { path: "/bioactivity/assay/chemicals/search/by-aeid/{aeid}", answer: "list" },
  command: {
    description: "The substances that were tested in assay endpoints, one NDJSON line each",
    examples: [
      {
        command: "chemstream assays chemicals 3032 | chemstream details",
        description: "The details of the substances that an assay endpoint tested"
      }
    ]
  }
})

/** The results of assay endpoints in single-concentration screening. */
export const singleConc = Row.make({
  ...byAssay,
  name: "assays.singleConc",
  what: "single-concentration results",
  one: "single-concentration result",
  order: "s2id",
  note: "Concentrations are in `testedConcUnit`. An endpoint has thousands of records, together megabytes.",
  record: AssayRecords.SingleConcentration,
  form: "single-conc",
  forms: { "ccd-single-conc": { record: AssayRecords.DashboardSingleConcentration, answer: "list" } },
  formsNote: "ccd-single-conc for the fields of the dashboard",
  get: { path: "/bioactivity/assay/single-conc/search/by-aeid/{aeid}", answer: "list" },
  command: {
    examples: [
      {
        command: "chemstream assays single-conc 3032 --output single.ndjson.gz",
        description: "All results of an assay endpoint, into a compressed file"
      }
    ]
  }
})

/** The common part of the searches for assays. */
const search = {
  ...many,
  one: "assay name",
  order: "id",
  key: Key.text("assayName", {
    one: "the name of an assay",
    many: "names of assays",
    example: "ATG_ERa",
    description: "Name of an assay or of a part of one, in capitals or not"
  }),
  recordKey: null,
  record: AssayRecords.AssayHit
} as const

/** The assays with exactly this name. */
export const searchEqual = Row.make({
  ...search,
  name: "assays.searchEqual",
  special: "a text search in the names of assays",
  what: "assays with exactly this name",
  get: { path: "/bioactivity/search/equal/{assayName}", answer: "list", title: "Assays with a name" },
  command: {
    description: "Assays with exactly this name, one NDJSON line each",
    examples: [
      {
        command: "chemstream assays search-equal ATG_ERa_TRANS",
        description: "Whether there is an assay with this name"
      }
    ]
  }
})

/** Without this parameter, the service cuts off a search after 500 records. */
const whole = { differences: { ctx: { forms: [{ query: { top: "0" } }] } } } as const

/** The assays with a name that starts with this text. Where one has exactly this name, only that. */
export const searchStartWith = Row.make({
  ...search,
  name: "assays.searchStartWith",
  special: "a text search in the names of assays",
  what: "assays with a name that starts with this text",
  note: "Where an assay has exactly this name, the others are left out.",
  get: {
    ...whole,
    path: "/bioactivity/search/start-with/{assayName}",
    answer: "list",
    title: "Assays with a name that starts with a text"
  },
  command: {
    description: "Assays with a name that starts with this text, one NDJSON line each",
    examples: [
      {
        command: "chemstream assays search-start-with ATG_ERa",
        description: "The assays of a group of names"
      }
    ]
  }
})

/** The assays with a name that contains this text. */
export const searchContain = Row.make({
  ...search,
  name: "assays.searchContain",
  special: "a text search in the names of assays",
  what: "assays with a name that contains this text",
  get: {
    ...whole,
    path: "/bioactivity/search/contain/{assayName}",
    answer: "list",
    title: "Assays with a name that contains a text"
  },
  command: {
    description: "Assays with a name that contains this text, one NDJSON line each",
    examples: [
      { command: "chemstream assays search-contain ERa", description: "The assays with ERa in their names" }
    ]
  }
})

const predictions = {
  ...bySubstance,
  order: "id",
  note: "They are for the androgen and the estrogen receptor. Values are texts: 0 or 1, an area under the curve, or a strength. `-` means that the model does not predict it.",
  blank: { "*": ["-"] },
  record: AssayRecords.Model
} as const

/** The predictions of models of receptors for substances. */
export const models = Row.make({
  ...predictions,
  name: "assays.models",
  what: "receptor activity predictions",
  one: "receptor activity prediction",
  get: { path: "/bioactivity/models/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: {
    by: "Predictions of all models for substances, or those of the model of --model",
    examples: [
      { command: "chemstream assays models DTXSID7020182", description: "All predictions for a substance" },
      {
        command: "chemstream assays models --by name --model COMPARA DTXSID7020182",
        description: "Those of the models with COMPARA in their names"
      }
    ]
  }
})

/** The predictions of the models with a name, or with this text in it, for substances. */
export const modelsByName = Row.make({
  ...predictions,
  name: "assays.modelsByName",
  from: { row: "assays.models" },
  what: "receptor activity predictions of a model",
  one: "receptor activity prediction of a model",
  query: {
    model: Schema.NonEmptyString.annotate({ description: "Name of a model or a part of it, e.g. COMPARA" })
  },
  get: { path: "/bioactivity/models/search/", answer: "list" }
})

/** The common part of the rows of adverse outcome pathways. */
const pathways = {
  ...many,
  what: "adverse outcome pathways",
  one: "adverse outcome pathway",
  order: "id",
  note: "A record links an assay endpoint, a gene, a key event and a pathway.",
  record: AssayRecords.Aop
} as const

/** The adverse outcome pathways of assay endpoints. */
export const aopByAeid = Row.make({
  ...pathways,
  name: "assays.aopByAeid",
  key: Key.aeid,
  recordKey: "toxcastAeid",
  get: { path: "/bioactivity/aop/search/by-toxcast-aeid/{aeid}", answer: "list" },
  command: {
    description:
      "Adverse outcome pathways (AOP) of assay endpoints, key events or genes, one NDJSON line each",
    by: "Kind of the values: assay endpoints, numbers of key events in AOP-Wiki, or numbers of genes in NCBI Gene",
    examples: [
      { command: "chemstream assays aop 63", description: "The pathways of an assay endpoint" },
      { command: "chemstream assays aop --by event 18", description: "The assay endpoints of a key event" }
    ]
  }
})

/** The adverse outcome pathways of key events. */
export const aopByEvent = Row.make({
  ...pathways,
  name: "assays.aopByEvent",
  key: Key.integer("eventNumber", { one: "a key event", many: "key events", example: "18" }),
  get: { path: "/bioactivity/aop/search/by-event-number/{eventNumber}", answer: "list" }
})

/** The adverse outcome pathways of genes. */
export const aopByGene = Row.make({
  ...pathways,
  name: "assays.aopByGene",
  key: Key.integer("entrezGeneId", { one: "a gene of NCBI", many: "genes of NCBI", example: "196" }),
  get: { path: "/bioactivity/aop/search/by-entrez-gene-id/{entrezGeneId}", answer: "list" }
})

/** The analytical quality of the samples of substances. */
export const analyticalQc = Row.make({
  ...bySubstance,
  name: "assays.analyticalQc",
  what: "analytical quality records",
  one: "analytical quality record",
  order: "analyticalQcId",
  note: "Masses and properties are texts. The record of the substance has no sample.",
  record: AssayRecords.AnalyticalQc,
  get: { path: "/bioactivity/analyticalqc/search/by-dtxsid/{dtxsid}", answer: "list" },
  command: {
    words: ["assays", "qc"],
    description: "Analytical quality of the samples of substances, one NDJSON line each"
  }
})
