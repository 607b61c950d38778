/**
 * The names and types of the fields that the public service sends and the contract does not name (docs/service.md, section 5):
 * other names, and fields of other projections.
 */
import type { everyField, fields } from "../../records/DetailProjection.ts"
import type { number, numbers, textOrNumber, textOrTexts, texts } from "../../records/internal/fieldTypes.ts"

type EveryField = typeof everyField
type Fields = typeof fields
type Number = ReturnType<typeof number>

/** The public service's names of fields of the detail record, by those of the contract. */
export const detailFieldNames = {
  assaySelect: "toxcastSelect",
  extdbCount: "pubchemCount",
  extdbCid: "pubchemCid",
  encyclopediaArticle: "wikipediaArticle"
} as const

type Names = typeof detailFieldNames

/** The fields that have other names there. */
export type Renamed = { readonly [Name in keyof Names as Names[Name]]: EveryField[Name] }

/** Of `ccdassaydetails`, a record an assay result. */
export interface AssayResult {
  readonly top: Number
  readonly scaledTop: Number
  readonly ac50: Number
  readonly logAc50: Number
  readonly hitc: ReturnType<typeof textOrNumber>
}

/** Of the detail record, by projection. */
export interface Detail {
  readonly chemicaldetailstandard: Renamed & Pick<EveryField, "descriptorStringTsv">
  readonly chemicalidentifier: unknown
  readonly chemicalstructure: unknown
  readonly ntatoolkit: unknown
  readonly ccdchemicaldetails: Renamed
  readonly ccdassaydetails: Renamed & Omit<EveryField, keyof Fields["ccdassaydetails"]> & AssayResult
  readonly chemicaldetailall: Renamed & Omit<EveryField, keyof Fields["chemicaldetailall"]>
  readonly compact: unknown
}

/** Of the synonym record. */
export interface Synonyms {
  readonly deleted: ReturnType<typeof textOrTexts>
  readonly alternate: ReturnType<typeof texts>
}

/** Of the bioactivity data record, whose concentrations are in µM then. */
export interface Data {
  readonly concMax: Number
  readonly concMin: Number
  readonly nmedGtblPos: Number
  readonly nmedGtblNeg: Number
}

/** Of the points of a bioactivity data record. */
export interface Points {
  readonly conc: ReturnType<typeof numbers>
}

/** Of a point of the summary plot. */
export interface PlotPoint {
  readonly topOverCutoff: Number
}
