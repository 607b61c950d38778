/**
 * Defines a chemical by its records, and makes the facts that cards and reports show.
 *
 * Null and absent fields are left out. A field with an unexpected type is shown as JSON. `Card` lays the facts out.
 */

import {
  type BioactivityData,
  type BioactivitySummary,
  DetailProjection,
  type DetailRecord,
  SynonymRecord
} from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Schema } from "effect"
import { checkedChemical } from "./internal/arguments.ts"
import { numberOf, significant, textOf } from "./internal/records/recordFields.ts"
import * as Potency from "./Potency.ts"

/** The records of a chemical. Only `id` is required. */
export interface Chemical {
  /** The requested identifier. */
  readonly id: string
  /** Its detail record, in any projection. Facts that the projection lacks are left out. */
  readonly details?: DetailRecord.DetailRecord | undefined
  readonly synonyms?: SynonymRecord.SynonymRecord | undefined
  readonly summary?: BioactivitySummary.ChemicalSummary | undefined
  /** Its bioactivity data: whole records or points of the summary plot. */
  readonly data?: ReadonlyArray<BioactivityData.BioactivityData> | undefined
  /** The names of assay endpoints, by number (`aeid`). Default: facts and plots have the numbers alone. */
  readonly assayNames?: ReadonlyMap<number, string> | undefined
}

/** A fact: a label and its value as text. */
export interface Fact {
  readonly label: string
  readonly value: string
}

/** A group of facts. */
export interface Section {
  readonly title: string
  readonly facts: ReadonlyArray<Fact>
}

/** The default number of synonyms. */
export const defaultSynonyms = 10

/** The options of `factsOf`. */
export interface FactOptions {
  /** The largest number of synonyms. Further ones are only counted. Default: `defaultSynonyms`. */
  readonly synonyms?: number | undefined
}

const factSet = /* @__PURE__ */ Options.set<FactOptions>()({ synonyms: Options.amount })

/** Returns the preferred name, the IUPAC name or the identifier, whichever exists first. */
export const nameOf = (chemical: Chemical): string => {
  const { details, id } = checkedChemical(chemical)
  return textOf(details, "preferredName") ?? textOf(details, "iupacName") ?? id
}

/** Returns the SMILES, if there is one. */
export const smilesOf = (chemical: Chemical): string | undefined =>
  textOf(checkedChemical(chemical).details, "smiles")

/**
 * Returns the facts of a chemical in sections. A section without facts is left out.
 *
 * @example
 *
 * ```ts
 * import { Chemical } from "@chemstream/figures"
 *
 * const chemical = { id: "DTXSID7020182", details: { dtxsid: "DTXSID7020182", averageMass: 228.291 } }
 * Chemical.factsOf(chemical)
 * // => [
 * //   { title: "Identifiers", facts: [{ label: "DTXSID", value: "DTXSID7020182" }] },
 * //   { title: "Structure and mass", facts: [{ label: "Average mass", value: "228.291 Da" }] }
 * // ]
 * ```
 */
export const factsOf = (chemical: Chemical, options: FactOptions = {}): ReadonlyArray<Section> => {
  const { details, summary } = checkedChemical(chemical)
  const { synonyms = defaultSynonyms } = Options.argument("options", factSet, options)
  const id = textOf(details, "dtxsid") ?? chemical.id
  return [
    { title: "Identifiers", facts: [{ label: "DTXSID", value: id }, ...listFacts(details, identifiers)] },
    { title: "Structure and mass", facts: listFacts(details, structure) },
    { title: "Curation and use", facts: listFacts(details, curation) },
    { title: "Synonyms", facts: synonymsOf(chemical.synonyms, synonyms) },
    {
      title: "Bioactivity",
      facts: [...listFacts(details, assays), ...summaryOf(summary), ...endpointsOf(chemical)]
    },
    { title: "Predicted and measured properties", facts: listFacts(details, properties) }
  ].filter(({ facts }) => facts.length > 0)
}

/** A field with its label and the unit of its value. */
type Line = readonly [field: string, label: string, unit?: string]

const identifiers: ReadonlyArray<Line> = [
  ["dtxcid", "DTXCID"],
  ["casrn", "CAS number"],
  ["iupacName", "IUPAC name"],
  ["inchikey", "InChIKey"]
]

const structure: ReadonlyArray<Line> = [
  ["molFormula", "Formula"],
  ["monoisotopicMass", "Monoisotopic mass", "Da"],
  ["averageMass", "Average mass", "Da"],
  ["smiles", "SMILES"],
  ["msReadySmiles", "MS-ready SMILES"],
  ["inchiString", "InChI"],
  ["stereo", "Stereochemistry"]
]

const curation: ReadonlyArray<Line> = [
  ["qcLevelDesc", "Curation"],
  ["qcNotes", "Notes of the curators"],
  ["sourcesCount", "Data sources"],
  ["pubmedCount", "PubMed articles"],
  ["cpdataCount", "Consumer-product records"],
  ["expocat", "Exposure category"],
  ["expocatMedianPrediction", "Predicted median exposure", "mg/kg/day"],
  ["nhanes", "Measured in NHANES"]
]

const assays: ReadonlyArray<Line> = [
  ["activeAssays", "Active assays"],
  ["totalAssays", "Tested assays"],
  ["percentAssays", "Share of active assays", "%"]
]

const descriptionOf = (schema: Schema.Constraint): string | undefined => {
  const description = Schema.resolveAnnotations(schema)?.["description"]
  return typeof description === "string" ? description : undefined
}

// The fields that only the largest projection has, except those listed above. The contract has their labels and
// units.
const listedFields = new Set([...identifiers, ...structure, ...curation, ...assays].map(([field]) => field))
const baseFields: ReadonlySet<string> = new Set(DetailProjection.fieldNames("chemicaldetailall"))
const properties: ReadonlyArray<Line> = Object.entries(DetailProjection.everyField).flatMap(
  ([name, field]): ReadonlyArray<Line> => {
    if (listedFields.has(name) || baseFields.has(name)) return []
    const schema = "schema" in field ? field.schema.members[0] : field
    return [[name, descriptionOf(schema) ?? name]]
  }
)

const listFacts = (record: object | undefined, lines: ReadonlyArray<Line>): ReadonlyArray<Fact> =>
  lines.flatMap(([field, label, unit]) => {
    const value = textOf(record, field)
    return value === undefined ? [] : [{ label, value: unit === undefined ? value : `${value} ${unit}` }]
  })

const summaryOf = (summary: Chemical["summary"]): ReadonlyArray<Fact> => {
  const count = (active: string, total: string, label: string, noun: string): ReadonlyArray<Fact> => {
    const totalCount = textOf(summary, total)
    return totalCount === undefined
      ? []
      : [{ label, value: `${textOf(summary, active) ?? "?"} of ${totalCount} ${noun} active` }]
  }
  const lower = numberOf(summary, "cytotoxLowerUm")
  const median = numberOf(summary, "cytotoxMedianUm")
  return [
    ...count("activeMc", "totalMc", "Multi-concentration", "records"),
    ...count("activeSc", "totalSc", "Single concentration", "records"),
    ...count("nhit", "ntested", "Cytotoxicity", "endpoints"),
    ...(median === undefined ? [] : [{ label: "Cytotoxicity median", value: `${significant(median)} µM` }]),
    ...(lower === undefined ? [] : [{ label: "Cytotoxicity lower bound", value: `${significant(lower)} µM` }])
  ]
}

const endpointsOf = ({ assayNames, data = [] }: Chemical): ReadonlyArray<Fact> => {
  const endpoints = Potency.endpoints(data)
  if (endpoints.length === 0) return []
  const counts = { label: "Assay endpoints", value: `${Potency.countsOf(endpoints, " of ")} active` }
  const [{ ac50, aeid }] = endpoints as [Potency.Endpoint]
  if (ac50 === undefined) return [counts]
  const name = assayNames?.get(aeid) ?? `assay endpoint ${aeid}`
  return [counts, { label: "Most potent", value: `${name}, AC50 ${significant(ac50)} µM` }]
}

const qualities = [
  ["valid", "Validated"],
  ["good", "Good"],
  ["other", "Other"]
] as const

const synonymsOf = (record: Chemical["synonyms"], limit: number): ReadonlyArray<Fact> => {
  let remaining = Math.max(0, limit)
  const sorted = SynonymRecord.sort(record ?? {})
  const names = qualities.flatMap(([field, label]) => {
    const all = sorted[field]
    const shown = all.slice(0, remaining)
    remaining -= shown.length
    if (all.length === 0) return []
    const more = all.length - shown.length
    const words = [...shown, ...(more > 0 ? [`${shown.length > 0 ? "and " : ""}${more} more`] : [])]
    return [{ label, value: words.join("; ") }]
  })
  const numbers = [
    ["alternateCasrn", "Further CAS numbers"],
    ["deletedCasrn", "Former CAS numbers"]
  ] as const
  return [
    ...names,
    ...numbers.flatMap(([field, label]) => {
      const all = sorted[field]
      return all.length === 0 ? [] : [{ label, value: all.join("; ") }]
    })
  ]
}
