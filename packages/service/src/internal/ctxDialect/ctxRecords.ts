/**
 * Makes the records of the public service from stored records. A stored record may have the names of the contract or,
 * if it was recorded there, those of the public service.
 */
import { type DetailProjection, Dialect, SearchHit } from "@chemstream/api"
import type { StoredRecord } from "../../Store.ts"
import type { Variants } from "../../Variants.ts"
import type { FlatSynonym } from "../records/flatSynonyms.ts"
import { asDouble, double, type Field, numbers, object, reshape, textsOf } from "./reshapeRecord.ts"

/** Makes a record of the public service from a stored record, as text. */
export type Reshape = (stored: StoredRecord) => string

/** The names of fields in the contract, by their names in the public service. */
const contractNames = new Map(
  Object.entries(Dialect.detailFieldNames).map(([ours, theirs]) => [theirs, ours])
)

/** The fields that the public service writes as a double, e.g. `3.0`. */
const doubles = new Set(["percentAssays", "pubmedCount"])

/** The projections of the detail record in the public service. */
export type CtxProjection = keyof typeof Dialect.ctxDetailFields

/** Returns whether a text is the name of a projection. */
export const isProjection = (name: string): name is CtxProjection & DetailProjection.DetailProjection =>
  Object.hasOwn(Dialect.ctxDetailFields, name)

/** Makes detail records, by projection. */
export const details = ({ id }: Pick<Variants, "id">): { readonly [P in CtxProjection]: Reshape } => {
  const field = (name: string): Field => ({
    name,
    from: [name, contractNames.get(name as never) ?? name],
    convert: name === "id" ? (id === "number" ? asNumber : asText) : doubles.has(name) ? asDouble : undefined
  })
  return Object.fromEntries(
    Object.entries(Dialect.ctxDetailFields).map(([projection, names]) => [
      projection,
      reshape(names.map(field))
    ])
  ) as { readonly [P in CtxProjection]: Reshape }
}

const asNumber = (text: string): string => (/^"\d+"$/.test(text) ? text.slice(1, -1) : text)
const asText = (text: string): string => (text.startsWith('"') ? text : `"${text}"`)

/** The fields of a record of `/chemical/all`, without and with a projection. */
export const listFields = {
  all: [
    "dtxsid",
    "casrn",
    "preferredName",
    "molFormula",
    "monoisotopicMass",
    "averageMass",
    "qcLevel",
    "qcLevelDesc",
    "iupacName",
    "smiles",
    "inchiString",
    "inchikey"
  ],
  projected: ["dtxsid", "dtxcid"]
} as const

const [hitFields, batchFields] = [
  [
    "dtxsid",
    "dtxcid",
    "casrn",
    "preferredName",
    "hasStructureImage",
    "smiles",
    "isMarkush",
    "searchName",
    "searchValue",
    "rank"
  ],
  Object.keys(SearchHit.fields)
]

/** Makes hits of a single search, by projection. */
export const hits: Readonly<Record<string, Reshape>> = {
  chemicalsearchall: reshape(hitFields.map((name) => ({ name }))),
  ccdsearchresult: reshape(hitFields.map((name) => ({ name }))),
  dtxsidonly: reshape([{ name: "dtxsid" }])
}

/** Makes a record of a batch search. */
export const batchRecord = (values: Readonly<Record<string, unknown>>): string =>
  object(batchFields.map((name) => [name, JSON.stringify(values[name] ?? null)]))

/** The lists of a synonym record by release: the name, and the list of the contract that has its content. */
const synonymNames: { readonly [S in Variants["synonyms"]]: ReadonlyArray<readonly [string, string]> } = {
  // As the public service sends them: three lists have wrong names.
  "2026": [
    ["other", "deletedCasrn"],
    ["deleted", "beilstein"],
    ["beilstein", "other"],
    ["alternate", "alternateCasrn"]
  ],
  "2024": [
    ["deletedCasrn", "deletedCasrn"],
    ["other", "other"],
    ["beilstein", "beilstein"],
    ["alternateCasrn", "alternateCasrn"]
  ],
  repaired: [
    ["other", "other"],
    ["deleted", "deletedCasrn"],
    ["beilstein", "beilstein"],
    ["alternate", "alternateCasrn"]
  ]
}

/** Makes synonym records. A stored record with the names of 2026 stays as it is, because its lists are mixed up. */
export const synonyms = ({ synonyms: release }: Pick<Variants, "synonyms">): Reshape => {
  const sameName = (name: string): Field => ({ name })
  const reshaped = reshape([
    ...["dtxsid", "valid", "good"].map(sameName),
    ...synonymNames[release].map(([name, from]): Field => ({ name, from: [from] })),
    { name: "pcCode", convert: release === "2024" ? firstText : asArray }
  ])
  return (stored) => {
    const names = textsOf(stored)
    return names.has("deleted") || names.has("alternate") ? object([...names]) : reshaped(stored)
  }
}

const asArray = (text: string): string => (text.startsWith("[") ? text : `[${text}]`)
const firstText = (text: string): string =>
  text.startsWith("[") ? JSON.stringify(JSON.parse(text)[0] ?? null) : text

/** The qualities of synonyms in the public service, by those of the contract. */
const qualities: Readonly<Record<string, string>> = {
  Valid: "valid_synonym",
  Good: "good_synonym",
  Other: "other_synonym",
  "Alternate CAS-RN": "alternate_synonym",
  "Deleted CAS-RN": "deleted_synonym",
  Beilstein: "beilstein_synonym"
}

/** Makes the synonyms of the flat list, which has no pesticide codes. */
export const flatSynonyms = (list: ReadonlyArray<FlatSynonym>): ReadonlyArray<FlatSynonym> =>
  list.flatMap(({ quality, synonym }) => {
    const name = qualities[quality ?? ""]
    return name === undefined ? [] : [{ synonym, quality: name }]
  })

/** Makes bioactivity data records. */
export const data = ({ data: release }: Pick<Variants, "data">): Reshape => {
  const linear = release === "2025"
  const unit: Field["convert"] = (text, record) =>
    isLinear(record) === linear ? text : numbers(linear ? (value) => 10 ** value : Math.log10)(text)
  const concentration = (linearName: string, logName: string): Field => {
    const [name, other] = linear ? [linearName, logName] : [logName, linearName]
    return { name, from: [name, other], convert: unit }
  }
  const curve = reshape([concentration("conc", "logc"), { name: "resp" }])
  return reshape([
    ...plainDataFields.map((name) => ({ name })),
    // Both releases have these names, with different units.
    { name: "maxMeanConc", convert: unit },
    { name: "maxMedConc", convert: unit },
    concentration("concMax", "logcMax"),
    concentration("concMin", "logcMin"),
    ...(linear
      ? [{ name: "nmedGtblPos", from: ["nmedGtblPos", "nmedGtbl"] }, { name: "nmedGtblNeg" }]
      : [{ name: "nmedGtbl", from: ["nmedGtbl", "nmedGtblPos"] }, { name: "tmpi" }]),
    { name: "mc3Param", convert: (text) => curve(encoder.encode(text)) }
  ])
}

const encoder = new TextEncoder()

/** Returns whether the concentrations of a data record or of its curve are in µM. Its field names tell. */
const isLinear = (record: ReadonlyMap<string, string>): boolean =>
  ["concMax", "concMin", "conc"].some((name) => record.has(name)) ||
  textsOf(record.get("mc3Param")?.startsWith("{") === true ? (record.get("mc3Param") as string) : "{}").has(
    "conc"
  )

const plainDataFields = (
  "m4id spid chid casn chnm dtxsid aeid bmad respMax respMin maxMean maxMed nconc npts nrep m5id " +
  "modl hitc fitc coff actp modelType chidRep stkc stkcUnit testedConcUnit mc4Param mc5Param mc6Param"
).split(" ")

/** Makes points of the summary plot. */
export const plotPoint: Reshape = (stored) => {
  const fields = textsOf(stored)
  const model = textsOf(fields.get("mc5Param")?.startsWith("{") ? (fields.get("mc5Param") as string) : "{}")
  const top = Number(model.get("top") ?? "NaN")
  const ratio = top / Number(fields.get("coff") ?? "NaN")
  return object([
    ["aeid", JSON.stringify(fields.get("aeid") ?? null)],
    ["hitc", fields.get("hitc") ?? "null"],
    ["ac50", model.get("ac50") ?? "null"],
    ["topOverCutoff", Number.isFinite(ratio) ? double(ratio) : "null"]
  ])
}

/** Makes AED records of a batch. */
export const aed: Reshape = (stored) => object([...textsOf(stored)])

/** Makes AED records of a single substance. They do not name the endpoint. */
export const singleAed: Reshape = (stored) =>
  object([...textsOf(stored)].map(([name, text]) => [name, name === "aenm" ? "null" : text]))

/** Makes the summary of a substance. */
export const summary: Reshape = (stored) =>
  object(
    [...textsOf(stored)].map(([name, text]) => [
      name,
      name === "ntested" || name === "nhit" ? asDouble(text) : text
    ])
  )
