/**
 * What plots are drawn from: records, a size and a title.
 */
import type { BioactivityData } from "@chemstream/api"

/** A whole data record, or a point of the summary plot. */
export type Measured = BioactivityData.BioactivityData | BioactivityData.PlotPoint

/** How a plot is drawn. */
export interface Options {
  /** Width in pixels, 720 unless given. */
  readonly width?: number | undefined
  /** Height in pixels, 440 unless given. */
  readonly height?: number | undefined
  /** The title; the chemical's identifier or name unless given. */
  readonly title?: string | undefined
}

/** How hit calls are drawn. */
export interface HitCallOptions extends Options {
  /** Where cytotoxicity begins, µM (`cytotoxLowerUm` of the chemical's summary); no line unless given. */
  readonly cytotoxLowerUm?: number | null | undefined
}
