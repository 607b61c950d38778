/**
 * The names and types of the fields that the public service sends and the contract does not name (docs/service.md,
 * section 5): renamed fields, and fields of other projections.
 *
 * They are type aliases, because an interface has no index signature and so is no `Schema.Struct.Fields`.
 */
import type { everyField, fields } from "../../records/DetailProjection.ts"
import type { number, numbers, textOrNumber, textOrTexts, texts } from "../../records/internal/fieldTypes.ts"

type EveryField = typeof everyField
type Fields = typeof fields
type Number = ReturnType<typeof number>

/** The public service's names of fields of the detail record, by the contract's names. */
export const detailFieldNames = {
  assaySelect: "toxcastSelect",
  extdbCount: "pubchemCount",
  extdbCid: "pubchemCid",
  encyclopediaArticle: "wikipediaArticle"
} as const

type Names = typeof detailFieldNames

/** The renamed fields, by the public service's names. */
export type Renamed = { readonly [Name in keyof Names as Names[Name]]: EveryField[Name] }

/** Fields of `ccdassaydetails`, with a record for each assay result. */
export type AssayResult = {
  readonly top: Number
  readonly scaledTop: Number
  readonly ac50: Number
  readonly logAc50: Number
  readonly hitc: ReturnType<typeof textOrNumber>
}

/** Fields of the detail record, by projection. */
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

/** Fields of the synonym record. */
export type Synonyms = {
  readonly deleted: ReturnType<typeof textOrTexts>
  readonly alternate: ReturnType<typeof texts>
}

/** Fields of the bioactivity data record, whose concentrations are then in µM. */
export type Data = {
  readonly concMax: Number
  readonly concMin: Number
  readonly nmedGtblPos: Number
  readonly nmedGtblNeg: Number
}

/** Fields of the points of a bioactivity data record. */
export type Points = {
  readonly conc: ReturnType<typeof numbers>
}

/** Fields of a point of the summary plot. */
export type PlotPoint = {
  readonly topOverCutoff: Number
}
