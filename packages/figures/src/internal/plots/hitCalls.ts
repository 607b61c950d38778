/**
 * Draws hit calls against AC50.
 */
import { BioactivityData } from "@chemstream/api"
import type { Effect } from "effect"
import * as Curve from "../../Curve.ts"
import { smallest } from "../records/extremes.ts"
import { drawableNumber, numberOf, significant, textOf } from "../records/fields.ts"
import { markup, replaceForbidden } from "../text/markup.ts"
import { formatCount } from "../text/plainText.ts"
import { concentrationAxis, logRange } from "./axes.ts"
import { drawInFrame, type Frame, type Library, type PlotOptions } from "./frame.ts"
import { activeColour, assayLabel, fieldLabel, inactiveColour, joinDefined } from "./labels.ts"
import type { HitCallOptions, Options, PlotRecord } from "./options.ts"

interface Point {
  readonly ac50: number
  readonly hitc: number
  readonly title: string
}

const pointOf = (record: PlotRecord, options: Options): ReadonlyArray<Point> => {
  const ac50 = Curve.ac50(record)
  const hitc = numberOf(record, "hitc")
  if (ac50 === undefined || hitc === undefined || numberOf(record, "nconc") === 1) return []
  const top = Curve.top(record)
  const parts = [
    assayLabel(record, options),
    fieldLabel("m4id", record, "m4id"),
    fieldLabel("sample", record, "spid"),
    `AC50 ${significant(ac50)} µM`,
    `hit call ${significant(hitc)}`,
    fieldLabel("model", record, "modl"),
    top === undefined ? undefined : `top ${significant(top)}`
  ]
  return [{ ac50, hitc, title: replaceForbidden(joinDefined(parts, "\n")) }]
}

/** The drawn points and the numbers of the legend. */
interface HitCalls {
  readonly points: ReadonlyArray<Point>
  readonly active: ReadonlyArray<Point>
  readonly inactive: ReadonlyArray<Point>
  readonly notDrawn: number
  readonly cytotoxLowerUm: number | undefined
}

export const drawHitCalls = (
  records: ReadonlyArray<PlotRecord>,
  options: HitCallOptions
): Effect.Effect<string> => {
  const points = records.flatMap((record) => pointOf(record, options))
  const lower = drawableNumber(options.cytotoxLowerUm) ?? 0
  const hitCalls: HitCalls = {
    points,
    active: points.filter(({ hitc }) => hitc >= BioactivityData.activeFrom),
    inactive: points.filter(({ hitc }) => hitc < BioactivityData.activeFrom),
    notDrawn: records.length - points.length,
    cytotoxLowerUm: lower > 0 ? lower : undefined
  }
  return drawInFrame(frameOf(records, hitCalls, options), (Plot) => plotOf(hitCalls, Plot))
}

const frameOf = (
  records: ReadonlyArray<PlotRecord>,
  { active, cytotoxLowerUm, inactive, notDrawn, points }: HitCalls,
  options: HitCallOptions
): Frame => {
  const chemicals = [...new Set(records.flatMap((record) => textOf(record, "dtxsid") ?? []))]
  return {
    width: options.width,
    height: options.height,
    title: options.title ?? (chemicals.length === 1 ? `${chemicals[0]}` : "Bioactivity"),
    subtitle: `Continuous hit call against AC50, ${formatCount(points.length, "record")}`,
    legend: [
      markup`<circle cx="18" cy="50" r="4.5" fill="${activeColour}" stroke="#000000"/>`,
      markup`<text x="28" y="54">${active.length} active (hit call of ${BioactivityData.activeFrom} or more)</text>`,
      markup`<path d="M258,54.5 l5,-9 l5,9 z" fill="#ffffff" stroke="${inactiveColour}" stroke-width="1.5"/>`,
      markup`<text x="274" y="54">${inactive.length} inactive</text>`,
      cytotoxLowerUm === undefined
        ? undefined
        : markup`<path d="M368,50 h24" stroke="#000000" stroke-dasharray="2 3"/><text x="398" y="54">cytotoxicity begins at ${significant(cytotoxLowerUm)} µM</text>`
    ],
    notes:
      notDrawn === 0
        ? []
        : [
            `Not drawn: ${formatCount(notDrawn, "record")} without AC50 or hit call (single concentration, or no curve).`
          ]
  }
}

const plotOf = ({ active, cytotoxLowerUm, inactive, points }: HitCalls, Plot: Library): PlotOptions => {
  const [from, to] = logRange([
    ...points.map(({ ac50 }) => ac50),
    ...(cytotoxLowerUm === undefined ? [] : [cytotoxLowerUm])
  ])
  const lowest = smallest(
    points.map(({ hitc }) => hitc),
    0
  )
  return {
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
      ...(cytotoxLowerUm === undefined
        ? []
        : [Plot.ruleX([cytotoxLowerUm], { stroke: "#000000", strokeDasharray: "2 3" })]),
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
  }
}
