/**
 * Draws bioactivity data as SVG: hit calls against AC50, the points of one record with its fitted curve, and the AC50 of
 * the chemicals of a list as a ranking and as a heat map.
 *
 * The modules `draw…` in `internal/plots` draw them, `plotFrame.ts` draws titles, legends and notes, and `plotColours.ts` has the
 * colours. `toHtml` combines plots into one page. Plots are readable in black and white, show the values of a point as a
 * tooltip, and contain no links and no scripts. Each plot says how many records it cannot draw, and why.
 */

import type { BioactivityData } from "@chemstream/api"
import { Options as Declared } from "@chemstream/batch"
import type { Effect } from "effect"
import { checkList } from "./internal/arguments.ts"
import { drawCurve } from "./internal/plots/drawCurve.ts"
import { drawHeatMap } from "./internal/plots/drawHeatMap.ts"
import { drawHitCalls } from "./internal/plots/drawHitCalls.ts"
import { drawRanking } from "./internal/plots/drawRanking.ts"
import type { CurveOptions, HitCallOptions, Options, PlotRecord } from "./internal/plots/plotOptions.ts"
import { curveSet, hitCallSet, optionSet } from "./internal/plots/plotOptions.ts"
import type { Tested } from "./internal/plots/plottedChemicals.ts"
import * as htmlPage from "./internal/text/htmlPage.ts"
import { Markup, markup } from "./internal/text/markup.ts"

export type { CurveOptions, HitCallOptions, Options, PlotRecord, Tested }

/**
 * Draws continuous hit calls against AC50: active records as filled circles, inactive ones as hollow triangles.
 *
 * A line marks the lowest active hit call (0.9; docs/service.md, section 5.6). Active records stand above it, stacked, so
 * that each one is seen, and the most potent endpoints have labels. Records of single-concentration screening have no
 * AC50; their number is given below the plot.
 *
 * @example
 *
 * ```ts
 * import { Plot } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const records = [
 *   { dtxsid: "DTXSID7020182", aeid: 3032, hitc: 0.99, ac50: 1.2 },
 *   { dtxsid: "DTXSID7020182", aeid: 704, hitc: 0.24, ac50: 30 }
 * ]
 * const svg = await Effect.runPromise(Plot.hitCalls(records))
 * svg.includes("1 active") // => true
 * ```
 */
export const hitCalls = (
  records: ReadonlyArray<PlotRecord>,
  options: HitCallOptions = {}
): Effect.Effect<string> => drawHitCalls(records, Declared.argument("options", hitCallSet, options))

/**
 * Draws the points of one data record, its curve (`Curve`), the cutoff band and the AC50.
 *
 * A record without a curve is drawn as points, with the reason.
 *
 * @example
 *
 * ```ts
 * import { Plot } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const record = {
 *   m4id: 1842410,
 *   modl: "hill",
 *   coff: 22.6,
 *   mc3Param: { logc: [-1, 0, 1, 2], resp: [2, 8, 44, 58] },
 *   mc5Param: { tp: 60, ga: 5, p: 1.4, ac50: 5 }
 * }
 * const svg = await Effect.runPromise(Plot.curve(record))
 * svg.includes("AC50 5 µM") // => true
 * ```
 */
export const curve = (
  record: BioactivityData.BioactivityData,
  options: CurveOptions = {}
): Effect.Effect<string> => drawCurve(record, Declared.argument("options", curveSet, options))

/**
 * Draws the AC50 of the active assay endpoints of several chemicals, one row each, the most potent first.
 *
 * @example
 *
 * ```ts
 * import { Plot, Potency } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const endpoints = Potency.endpoints([{ aeid: 3032, hitc: 0.99, ac50: 1.2 }])
 * const svg = await Effect.runPromise(Plot.ranking([{ name: "Bisphenol A", endpoints }]))
 * svg.includes("1/1  endpoint 3032") // => true
 * ```
 */
export const ranking = (chemicals: ReadonlyArray<Tested>, options: Options = {}): Effect.Effect<string> =>
  drawRanking(chemicals, Declared.argument("options", optionSet, options))

/**
 * Draws the lowest AC50 of chemicals (rows) in assay endpoints (columns) as colours, those with the most activity first.
 *
 * @example
 *
 * ```ts
 * import { Plot, Potency } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const endpoints = Potency.endpoints([{ aeid: 3032, hitc: 0.99, ac50: 1.2 }])
 * const svg = await Effect.runPromise(Plot.heatMap([{ name: "Bisphenol A", endpoints }]))
 * svg.includes("Bisphenol A\nendpoint 3032\nAC50 1.2 µM") // => true
 * ```
 */
export const heatMap = (chemicals: ReadonlyArray<Tested>, options: Options = {}): Effect.Effect<string> =>
  drawHeatMap(chemicals, Declared.argument("options", optionSet, options))

/**
 * Combines SVGs of this package into one HTML file without network requests or scripts.
 *
 * @example
 *
 * ```ts
 * import { Plot } from "@chemstream/figures"
 *
 * Plot.toHtml("Two curves", ["<svg></svg>", "<svg></svg>"]).startsWith("<!DOCTYPE html>") // => true
 * ```
 */
export const toHtml = (title: string, svgs: ReadonlyArray<string>): string => {
  Declared.argument("title", Declared.text, title)
  checkList("svgs", svgs, "string")
  return (
    htmlPage.begin(title).text +
    markup`<h1>${title}</h1>
${svgs.map(
  (svg) => markup`<figure>${new Markup(svg)}</figure>
`
)}`.text +
    htmlPage.end().text
  )
}
