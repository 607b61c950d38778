/**
 * The pictures of bioactivity data that people in this field know: hit calls against AC50 of a chemical's records, and
 * the points of one record with the curve fitted to them. As SVG, and as one HTML file of several.
 *
 * Both can be told apart in black and white. Each point says what it is when the pointer rests on it. They link to nothing
 * and run nothing. What a record must have to be drawn is said in the picture, with how many had it not.
 */
import type { BioactivityData } from "@chemstream/api"
import type { Effect } from "effect"
import { drawCurve } from "./internal/plots/curve.ts"
import { drawHitCalls } from "./internal/plots/hitCalls.ts"
import type { HitCallOptions, Measured, Options } from "./internal/plots/options.ts"
import { Markup, markup } from "./internal/text/markup.ts"
import * as page from "./internal/text/page.ts"

export type { HitCallOptions, Measured, Options }

/**
 * Continuous hit call against AC50: filled circles are active, hollow triangles are not. The line is where activity
 * begins (0.9; docs/service.md, section 5.6). Records of single-concentration screening have no AC50 and are
 * counted below the picture.
 *
 * @example
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
  records: ReadonlyArray<Measured>,
  options: HitCallOptions = {}
): Effect.Effect<string> => drawHitCalls(records, options)

/**
 * The points of one data record, the curve of its winning model (`Curve`), the band between the cutoffs and the AC50. A
 * record without a curve shows its points alone, and says so.
 *
 * @example
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
  options: Options = {}
): Effect.Effect<string> => drawCurve(record, options)

/**
 * SVGs of this package as one HTML file that needs no network and runs no script.
 *
 * @example
 * ```ts
 * import { Plot } from "@chemstream/figures"
 *
 * Plot.toHtml("Two curves", ["<svg></svg>", "<svg></svg>"]).startsWith("<!DOCTYPE html>") // => true
 * ```
 */
export const toHtml = (title: string, svgs: ReadonlyArray<string>): string =>
  page.begin(title).text +
  markup`<h1>${title}</h1>
${svgs.map(
  (svg) => markup`<figure>${new Markup(svg)}</figure>
`
)}`.text +
  page.end.text
