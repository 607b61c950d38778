/**
 * The projections of the chemical detail record and their fields (docs/service.md, section 5.1).
 *
 * Three projections are documented by name only: `chemicaldetailstandard`, `ccdassaydetails` and `compact`. Their
 * fields are this project's own. A service may send further fields, which are kept.
 */
import { Schema, Struct } from "effect"
import { named } from "../internal/checkArgument.ts"
import { lazy } from "../schemas/internal/lazyObject.ts"
import * as group from "./internal/detailFields.ts"

/** The names of the projections, in the documented order. */
export const names = [
  "chemicaldetailstandard",
  "chemicalidentifier",
  "chemicalstructure",
  "ntatoolkit",
  "ccdchemicaldetails",
  "ccdassaydetails",
  "chemicaldetailall",
  "compact"
] as const

/** The name of a projection. */
export type DetailProjection = (typeof names)[number]

/** The schema of the projection's name. */
export const DetailProjection: Schema.Literals<typeof names> = Schema.Literals(names)

/** The projection of a request that names none. `ccdchemicaldetails` has more fields. */
export const defaultProjection = "chemicaldetailall"

/** The fields of `chemicaldetailall`. */
const defaultFields = lazy(() => ({
  ...group.identity,
  ...group.structure,
  ...group.formula,
  ...group.quality,
  ...group.assayCounts,
  ...group.sources
}))

/** Every documented field of the detail record, with its schema and meaning. */
export const everyField = lazy(() => ({
  ...defaultFields,
  ...group.averageMass,
  ...group.stereo,
  ...group.exposure,
  ...group.properties
}))

type EveryField = typeof everyField

/** The fields of these names. */
const pick = <const Names extends ReadonlyArray<keyof EveryField>>(
  ...chosen: Names
): { [K in Names[number]]: EveryField[K] } =>
  lazy(() => Object.fromEntries(chosen.map((field) => [field, everyField[field]]))) as never

const withoutFingerprint = lazy(() => Struct.omit(defaultFields, ["descriptorStringTsv"]))

/**
 * The fields of each projection, in the documented order.
 *
 * Three field sets are this project's own:
 * - `chemicaldetailstandard`: `chemicaldetailall` without `descriptorStringTsv`, which is most of a record's bytes.
 * - `ccdassaydetails`: the identifiers of the substance and its assay counts.
 * - `compact`: the columns of a table of substances.
 */
export const fields = {
  chemicaldetailstandard: withoutFingerprint,
  chemicalidentifier: pick("preferredName", "iupacName", "inchikey", "dtxcid", "dtxsid", "casrn"),
  chemicalstructure: pick(
    "id",
    "preferredName",
    "msReadySmiles",
    "inchiString",
    "inchikey",
    "qsarReadySmiles",
    "smiles",
    "dtxcid",
    "dtxsid",
    "casrn",
    "hasStructureImage"
  ),
  ntatoolkit: pick(
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
  ),
  ccdchemicaldetails: everyField,
  ccdassaydetails: pick(
    "dtxsid",
    "dtxcid",
    "casrn",
    "preferredName",
    "activeAssays",
    "totalAssays",
    "percentAssays",
    "assaySelect"
  ),
  chemicaldetailall: defaultFields,
  compact: pick(
    "dtxsid",
    "dtxcid",
    "casrn",
    "preferredName",
    "molFormula",
    "monoisotopicMass",
    "smiles",
    "inchikey"
  )
} satisfies Record<DetailProjection, Partial<EveryField>>

/** Returns the field names of a projection, in the documented order. */
export const fieldNames = (projection: DetailProjection): ReadonlyArray<string> =>
  Object.keys(named("projection", fields, projection))
