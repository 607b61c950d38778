/** The records and options of plots. */
import type { BioactivityData } from "@chemstream/api"
import { Options as Declared } from "@chemstream/batch"

/** A whole data record, or a point of the summary plot. */
export type PlotRecord = BioactivityData.BioactivityData | BioactivityData.PlotPoint

/** The size of a plot, and its texts. */
export interface Options {
  /** Width in pixels of 1/96 inch. Default: 720. */
  readonly width?: number | undefined
  /** Height in pixels of 1/96 inch. Default: it follows the width. */
  readonly height?: number | undefined
  /** Size of the text in pixels of 1/96 inch. Default: 12 (9 pt), or 9.33 (7 pt) in a plot as narrow as a column. */
  readonly fontSize?: number | undefined
  /** Default: the name or identifier of the chemical. */
  readonly title?: string | undefined
  /** The names of assay endpoints, by number (`aeid`). Default: a plot has the numbers alone. */
  readonly assayNames?: ReadonlyMap<number, string> | undefined
}

/** The options of a hit-call plot. */
export interface HitCallOptions extends Options {
  /** The lower bound of cytotoxicity, in µM (`cytotoxLowerUm` of the chemical's summary). Default: no line. */
  readonly cytotoxLowerUm?: number | null | undefined
  /** The largest number of labelled endpoints, the most potent first. Default: 8, or 5 in a plot as narrow as a column. */
  readonly labels?: number | undefined
}

/** The options of a concentration-response plot. */
export interface CurveOptions extends Options {
  /** The unit of the responses, e.g. `percent activity` (`normalizedDataType` of the assay endpoint). Default: none. */
  readonly responseUnit?: string | undefined
}

const common = {
  width: Declared.rate,
  height: Declared.rate,
  fontSize: Declared.rate,
  title: Declared.text,
  assayNames: /* @__PURE__ */ Declared.instance<ReadonlyMap<number, string>>("a Map of names by aeid", "get")
}

/** The declarations of the options. */
export const optionSet = /* @__PURE__ */ Declared.set<Options>()(common)
export const curveSet = /* @__PURE__ */ Declared.set<CurveOptions>()({
  ...common,
  responseUnit: Declared.text
})
export const hitCallSet = /* @__PURE__ */ Declared.set<HitCallOptions>()({
  ...common,
  // The field of a record, which may have any type.
  cytotoxLowerUm: Declared.kind<number | null>("a number or null", () => true),
  labels: Declared.amount
})
