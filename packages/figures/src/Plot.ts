/**
 * The pictures of bioactivity data that people in this field know: hit calls against AC50 of a chemical's records, and
 * the points of one record with the curve fitted to them. As SVG, and as one HTML file of several.
 *
 * Both can be told apart in black and white. Each point says what it is when the pointer rests on it. They link to nothing
 * and run nothing. What a record must have to be drawn is said in the picture, with how many had it not.
 */
import { BioactivityData } from "@chemstream/api"
import type { Effect } from "effect"
import * as Curve from "./Curve.ts"
import { framed } from "./internal/plots/frame.ts"
import { largest, smallest } from "./internal/records/extremes.ts"
import { listOf, measurable, numberOf, significant, textOf } from "./internal/records/fields.ts"
import { allowed, Markup, markup } from "./internal/text/markup.ts"
import * as page from "./internal/text/page.ts"

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

const defaultWidth = 720
const defaultHeight = 440
const activeColour = "#0b4f9e"
const inactiveColour = "#6b6b6b"

/** The points in which a curve is drawn. */
const curvePoints = 240

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
): Effect.Effect<string> => {
  const points = records.flatMap(pointOf)
  const active = points.filter(({ hitc }) => hitc >= BioactivityData.activeFrom)
  const inactive = points.filter(({ hitc }) => hitc < BioactivityData.activeFrom)
  const cytotox = measurable(options.cytotoxLowerUm) ?? 0
  const lower = cytotox > 0 ? cytotox : undefined
  const left = records.length - points.length
  const chemicals = [...new Set(records.flatMap((record) => textOf(record, "dtxsid") ?? []))]
  const frame = {
    width: options.width ?? defaultWidth,
    height: options.height ?? defaultHeight,
    title: options.title ?? (chemicals.length === 1 ? `${chemicals[0]}` : "Bioactivity"),
    subtitle: `Continuous hit call against AC50, ${counted(points.length, "record")}`,
    legend: [
      markup`<circle cx="18" cy="50" r="4.5" fill="${activeColour}" stroke="#000000"/>`,
      markup`<text x="28" y="54">${active.length} active (hit call of ${BioactivityData.activeFrom} or more)</text>`,
      markup`<path d="M258,54.5 l5,-9 l5,9 z" fill="#ffffff" stroke="${inactiveColour}" stroke-width="1.5"/>`,
      markup`<text x="274" y="54">${inactive.length} inactive</text>`,
      lower === undefined
        ? undefined
        : markup`<path d="M368,50 h24" stroke="#000000" stroke-dasharray="2 3"/><text x="398" y="54">cytotoxicity begins at ${significant(lower)} µM</text>`
    ],
    notes:
      left === 0
        ? []
        : [
            `Not drawn: ${counted(left, "record")} without AC50 or hit call (single concentration, or no curve).`
          ]
  }
  const [from, to] = spread([...points.map(({ ac50 }) => ac50), ...(lower === undefined ? [] : [lower])])
  const lowest = smallest(
    points.map(({ hitc }) => hitc),
    0
  )
  return framed(frame, (Plot) => ({
    marginLeft: 52,
    marginBottom: 44,
    marginTop: 20,
    marginRight: 20,
    x: { ...concentrationAxis(from, to), label: "AC50 (µM)" },
    y: {
      domain: [lowest, 1],
      label: "Continuous hit call",
      labelAnchor: "center",
      labelArrow: "none",
      inset: 8,
      ticks: 6,
      grid: true
    },
    marks: [
      Plot.frame({ stroke: "#999999" }),
      Plot.ruleY([BioactivityData.activeFrom], { stroke: "#000000", strokeWidth: 1.2 }),
      ...(lower === undefined ? [] : [Plot.ruleX([lower], { stroke: "#000000", strokeDasharray: "2 3" })]),
      Plot.dot(inactive, {
        x: "ac50",
        y: "hitc",
        symbol: "triangle",
        r: 4.5,
        fill: "#ffffff",
        fillOpacity: 0.6,
        stroke: inactiveColour,
        strokeWidth: 1.5,
        title: "title"
      }),
      Plot.dot(active, {
        x: "ac50",
        y: "hitc",
        symbol: "circle",
        r: 4.5,
        fill: activeColour,
        stroke: "#000000",
        strokeWidth: 0.8,
        title: "title"
      })
    ]
  }))
}

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
): Effect.Effect<string> => {
  const points = measuredPoints(record)
  const fitted = Curve.of(record)
  const ac50 = Curve.ac50(record)
  const cutoff = numberOf(record, "coff")
  const hitc = numberOf(record, "hitc")
  const [from, to] = spread([...points.map(({ concentration }) => concentration)])
  const line =
    fitted === undefined || points.length === 0
      ? []
      : Array.from({ length: curvePoints + 1 }, (_, at) => {
          const concentration = from * (to / from) ** (at / curvePoints)
          return { concentration, response: fitted.at(concentration) }
        }).filter(({ response }) => measurable(response) !== undefined)
  const inside = ac50 !== undefined && ac50 >= from && ac50 <= to ? ac50 : undefined
  const names = [textOf(record, "chnm") ?? textOf(record, "dtxsid"), labelled("m4id", record, "m4id")]
  const about = [
    labelled("assay endpoint", record, "aeid"),
    labelled("sample", record, "spid"),
    hitc === undefined ? undefined : `hit call ${significant(hitc)}${active(hitc)}`
  ]
  const facts = [
    fitted === undefined ? undefined : `${fitted.name} model: ${parametersOf(fitted)}`,
    fitted === undefined ? `No curve: ${whyNot(record)}` : undefined,
    ac50 === undefined ? undefined : `AC50 ${significant(ac50)} µM${inside === undefined ? " (outside)" : ""}`
  ]
  const frame = {
    width: options.width ?? defaultWidth,
    height: options.height ?? defaultHeight,
    title: options.title ?? joined(names, ", "),
    subtitle: joined(about, " · "),
    legend: [
      markup`<circle cx="18" cy="50" r="4" fill="#ffffff" stroke="#000000" stroke-width="1.3"/><text x="28" y="54">measured</text>`,
      fitted === undefined
        ? undefined
        : markup`<path d="M104,50 h24" stroke="${activeColour}" stroke-width="2.5"/><text x="134" y="54">${fitted.name} model</text>`,
      cutoff === undefined
        ? undefined
        : markup`<rect x="280" y="44" width="24" height="12" fill="#e4e4e4" stroke="#777777" stroke-dasharray="4 3"/><text x="310" y="54">below the cutoff, ${significant(cutoff)}</text>`,
      inside === undefined
        ? undefined
        : markup`<path d="M476,50 h24" stroke="#000000" stroke-dasharray="2 3"/><text x="506" y="54">AC50 ${significant(inside)} µM</text>`
    ],
    notes: [joined(facts, " · ")].filter((note) => note !== "")
  }
  const band = cutoff === undefined ? [] : [{ low: -Math.abs(cutoff), high: Math.abs(cutoff) }]
  return framed(frame, (Plot) => ({
    marginLeft: 60,
    marginBottom: 44,
    marginTop: 20,
    marginRight: 20,
    x: { ...concentrationAxis(from, to), label: "Concentration (µM)" },
    y: { label: "Response", labelAnchor: "center", labelArrow: "none", inset: 8, nice: true, ticks: 6 },
    marks: [
      Plot.rect(band, { x1: from, x2: to, y1: "low", y2: "high", fill: "#e4e4e4" }),
      Plot.ruleY(
        band.flatMap(({ high, low }) => [low, high]),
        { stroke: "#777777", strokeDasharray: "4 3" }
      ),
      Plot.ruleY([0], { stroke: "#bbbbbb" }),
      Plot.frame({ stroke: "#999999" }),
      ...(inside === undefined ? [] : [Plot.ruleX([inside], { stroke: "#000000", strokeDasharray: "2 3" })]),
      Plot.line(line, { x: "concentration", y: "response", stroke: activeColour, strokeWidth: 2.5 }),
      Plot.dot(points, {
        x: "concentration",
        y: "response",
        r: 4,
        fill: "#ffffff",
        stroke: "#000000",
        strokeWidth: 1.3,
        title: "title"
      })
    ]
  }))
}

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

interface Point {
  readonly ac50: number
  readonly hitc: number
  readonly title: string
}

const pointOf = (record: Measured): ReadonlyArray<Point> => {
  const ac50 = Curve.ac50(record)
  const hitc = numberOf(record, "hitc")
  if (ac50 === undefined || hitc === undefined || numberOf(record, "nconc") === 1) return []
  const top = Curve.top(record)
  const parts = [
    labelled("assay endpoint", record, "aeid"),
    labelled("m4id", record, "m4id"),
    labelled("sample", record, "spid"),
    `AC50 ${significant(ac50)} µM`,
    `hit call ${significant(hitc)}`,
    labelled("model", record, "modl"),
    top === undefined ? undefined : `top ${significant(top)}`
  ]
  return [{ ac50, hitc, title: allowed(joined(parts, "\n")) }]
}

interface Measurement {
  readonly concentration: number
  readonly response: number
  readonly title: string
}

const measuredPoints = (record: BioactivityData.BioactivityData): ReadonlyArray<Measurement> => {
  const responses = listOf(record.mc3Param, "resp")
  return BioactivityData.concentrations(record).flatMap((value, at) => {
    const response = measurable(responses[at])
    const concentration = measurable(value) ?? 0
    if (concentration <= 0 || response === undefined) return []
    const title = `${significant(concentration)} µM\nresponse ${significant(response)}`
    return [{ concentration, response, title }]
  })
}

const whyNot = (record: BioactivityData.BioactivityData): string => {
  const model = textOf(record, "modl")
  if (model === undefined || model === "none") return "no model was fitted"
  return (Curve.models as ReadonlyArray<string>).includes(model)
    ? `the parameters of model ${model} are not in the record`
    : `model ${model} is not known`
}

const parametersOf = ({ parameters }: Curve.Curve): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} = ${significant(value)}`)
    .join(", ") || "none"

const active = (hitc: number): string => (hitc >= BioactivityData.activeFrom ? " (active)" : " (inactive)")

const labelled = (label: string, record: object, field: string): string | undefined => {
  const value = textOf(record, field)
  return value === undefined ? undefined : `${label} ${value}`
}

const joined = (parts: ReadonlyArray<string | undefined>, separator: string): string =>
  parts.filter((part) => part !== undefined).join(separator)

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** The ends of a logarithmic axis of these values: a tenth of a decade around them, and never less than a decade. */
const spread = (values: ReadonlyArray<number>): readonly [from: number, to: number] => {
  if (values.length === 0) return [0.01, 100]
  let low = Math.log10(smallest(values)) - 0.1
  let high = Math.log10(largest(values)) + 0.1
  if (high - low < 1) {
    const middle = (low + high) / 2
    low = middle - 0.5
    high = middle + 0.5
  }
  return [10 ** Math.max(low, -300), 10 ** Math.min(high, 300)]
}

const concentrationAxis = (from: number, to: number) => {
  const decades = Math.log10(to / from)
  const every = Math.max(1, Math.ceil(decades / 8))
  const marks = decades > 5 ? [1] : decades > 1.5 ? [1, 3] : [1, 2, 5]
  const ticks: Array<number> = []
  for (let exponent = Math.floor(Math.log10(from)); exponent <= Math.log10(to); exponent += every) {
    for (const mark of marks) {
      const tick = Number(`${mark}e${exponent}`)
      if (tick >= from && tick <= to) ticks.push(tick)
    }
  }
  return {
    type: "log" as const,
    domain: [from, to],
    ticks,
    tickFormat: (tick: number): string => (tick >= 1e-4 && tick < 1e6 ? String(tick) : tick.toExponential(0)),
    labelAnchor: "center" as const,
    labelArrow: "none" as const,
    grid: true
  }
}
