/** The records and options of plots. */
import type { BioactivityData } from "@chemstream/api"

/** A whole data record, or a point of the summary plot. */
export type PlotRecord = BioactivityData.BioactivityData | BioactivityData.PlotPoint

/** The size of a plot, and its texts. */
export interface Options {
  /** Width in pixels. Default: 720. */
  readonly width?: number | undefined
  /** Height in pixels. Default: 440. */
  readonly height?: number | undefined
  /** Default: the name or identifier of the chemical. */
  readonly title?: string | undefined
  /** The names of assay endpoints, by number (`aeid`). Default: a plot has the numbers alone. */
  readonly assayNames?: ReadonlyMap<number, string> | undefined
}

/** The options of a hit-call plot. */
export interface HitCallOptions extends Options {
  /** The lower bound of cytotoxicity, in µM (`cytotoxLowerUm` of the chemical's summary). Default: no line. */
  readonly cytotoxLowerUm?: number | null | undefined
}
