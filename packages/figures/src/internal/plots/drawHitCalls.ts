/**
 * Draws hit calls against AC50: inactive records at their hit call, and active ones stacked in a band above the cut-off, because
 * nearly all of them have a hit call of 1.
 */

import { BioactivityData } from "@chemstream/api"
import type { Effect } from "effect"
import * as Curve from "../../Curve.ts"
import { checkList } from "../arguments.ts"
import { titles } from "../quantityTitles.ts"
import { smallest } from "../records/extremes.ts"
import { drawableNumber, numberOf, significant, textOf } from "../records/recordFields.ts"
import { type Markup, markup, replaceForbidden } from "../text/markup.ts"
import { formatCount } from "../text/plainText.ts"
import { textWidth } from "../text/textWidth.ts"
import * as EndpointLabels from "./endpointLabels.ts"
import { logAxis, logRange } from "./logAxis.ts"
import { activeColour, frameColour, gridColour, inactiveColour, markedColour } from "./plotColours.ts"
import {
  type Area,
  type Drawing,
  drawInFrame,
  type Frame,
  heightOf,
  isNarrow,
  type Library,
  labelOver,
  legendLine
} from "./plotFrame.ts"
import type { HitCallOptions, Options, PlotRecord } from "./plotOptions.ts"
import { assayLabel, assayNameOf, fieldLabel, joinDefined } from "./recordLabels.ts"
import { pitchOf, stack } from "./stackMarks.ts"

interface Point {
  readonly ac50: number
  readonly hitc: number
  /** The name or number of the assay endpoint. */
  readonly endpoint: string | undefined
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
  const endpoint = assayNameOf(record, options) ?? fieldLabel("endpoint", record, "aeid")
  return [{ ac50, hitc, endpoint, title: replaceForbidden(joinDefined(parts, "\n")) }]
}

/** The drawn points and the numbers of the legend. */
interface HitCalls {
  readonly points: ReadonlyArray<Point>
  /** The active points, the most potent first. */
  readonly active: ReadonlyArray<Point>
  readonly inactive: ReadonlyArray<Point>
  readonly notDrawn: number
  readonly cytotoxLowerUm: number | undefined
}

export const drawHitCalls = (
  records: ReadonlyArray<PlotRecord>,
  options: HitCallOptions
): Effect.Effect<string> => {
  checkList("records", records)
  const points = records.flatMap((record) => pointOf(record, options))
  const lower = drawableNumber(options.cytotoxLowerUm) ?? 0
  const hitCalls: HitCalls = {
    points,
    active: points.filter(({ hitc }) => hitc >= BioactivityData.activeFrom).sort((a, b) => a.ac50 - b.ac50),
    inactive: points.filter(({ hitc }) => hitc < BioactivityData.activeFrom),
    notDrawn: records.length - points.length,
    cytotoxLowerUm: lower > 0 ? lower : undefined
  }
  const labelled = mostPotent(hitCalls, options)
  const frame: Frame = {
    ...frameOf(records, hitCalls, options),
    plotHeight: ({ em, width }) => heightOf({ width }) + EndpointLabels.heightOf(labelled.length, em)
  }
  return drawInFrame(options, frame, (Plot, area) => drawingOf(hitCalls, labelled, Plot, area))
}

/** Returns the most potent active point of each of the first endpoints. */
const mostPotent = ({ active }: HitCalls, options: HitCallOptions): ReadonlyArray<Point> => {
  const { labels = isNarrow(options) ? 5 : 8 } = options
  const endpoints = new Set<string>()
  return active.filter(({ endpoint }) => {
    if (endpoint === undefined || endpoints.has(endpoint) || endpoints.size >= labels) return false
    endpoints.add(endpoint)
    return true
  })
}

const frameOf = (
  records: ReadonlyArray<PlotRecord>,
  { active, cytotoxLowerUm, inactive, notDrawn, points }: HitCalls,
  options: HitCallOptions
): Frame => {
  const chemicals = [...new Set(records.flatMap((record) => textOf(record, "dtxsid") ?? []))]
  const [only, other] = chemicals
  const id = other === undefined ? only : undefined
  const title = options.title ?? id ?? "Bioactivity"
  const what = `Continuous hit call against AC50, ${formatCount(points.length, "record")}`
  return {
    title,
    subtitle: joinDefined([id === title ? undefined : id, what], " · "),
    legend: [
      {
        text: `${active.length} active (hit call of ${BioactivityData.activeFrom} or more)`,
        symbol: (x, y, em) =>
          markup`<circle cx="${x + em}" cy="${y}" r="${0.36 * em}" fill="${activeColour}" stroke="#000000" stroke-width="0.8"/>`
      },
      {
        text: `${inactive.length} inactive`,
        symbol: (x, y, em) =>
          markup`<path d="M${x + 0.6 * em},${y + 0.35 * em} l${0.4 * em},${-0.75 * em} l${0.4 * em},${0.75 * em} z" fill="#ffffff" stroke="${inactiveColour}"/>`
      },
      cytotoxLowerUm === undefined
        ? undefined
        : {
            text: `cytotoxicity begins at ${significant(cytotoxLowerUm)} µM`,
            symbol: legendLine(markedColour, 1.5, "2 3")
          }
    ],
    notes: [
      ...(active.length === 0
        ? []
        : ["Active records are stacked: one mark each, and their height has no meaning."]),
      ...(notDrawn === 0
        ? []
        : [
            `Not drawn: ${formatCount(notDrawn, "record")} without AC50 or hit call (single concentration, or no curve).`
          ])
    ]
  }
}

/** Where a plot has its parts, in pixels. */
const layoutOf = (
  { active, cytotoxLowerUm, points }: HitCalls,
  labelCount: number,
  { em, height, width }: Area
) => {
  const range = logRange([
    ...points.map(({ ac50 }) => ac50),
    ...(cytotoxLowerUm === undefined ? [] : [cytotoxLowerUm])
  ])
  const lowest = smallest(
    points.map(({ hitc }) => hitc),
    0
  )
  const left = 4.6 * em
  const right = width - 1.2 * em
  const top = EndpointLabels.heightOf(labelCount, em)
  const bottom = height - 3.8 * em
  // The band of active records takes a half at most, and the others keep their axis.
  const leastBand = 0.12 * (bottom - top)
  const xOf = (value: number): number =>
    left + (Math.log(value / range[0]) / Math.log(range[1] / range[0])) * (right - left)
  const { overlapping, radius, rowCount, rows } = stack(
    active.map(({ ac50 }) => xOf(ac50)),
    0.5 * (bottom - top) - 0.8 * em,
    0.36 * em
  )
  const pitch = pitchOf(radius)
  const cut = top + Math.max(rowCount * pitch + 0.8 * em, leastBand)
  const first = top + 0.4 * em + pitch / 2
  const heights = new Map(active.map((point, at) => [point, first + (rows[at] ?? 0) * pitch]))
  const zero = bottom - 0.6 * em
  return {
    ...{ bottom, cut, left, lowest, overlapping, radius, range, right, top, xOf },
    yOf: (hitc: number): number =>
      zero - ((hitc - lowest) / (BioactivityData.activeFrom - lowest)) * (zero - cut),
    /** The height of an active point, in its stack. */
    stackedY: (point: Point): number => heights.get(point) ?? first
  }
}

type Layout = ReturnType<typeof layoutOf>

const drawingOf = (
  hitCalls: HitCalls,
  labelled: ReadonlyArray<Point>,
  Plot: Library,
  area: Area
): Drawing => {
  const { em, height, width } = area
  const layout = layoutOf(hitCalls, labelled.length, area)
  const { bottom, cut, left, right, top } = layout
  const labelSize = em * 0.92
  return {
    plot: {
      marginLeft: left,
      marginBottom: height - bottom,
      marginTop: top,
      marginRight: width - right,
      x: { type: "log", domain: [...layout.range], axis: null },
      // In pixels, because the active records have no place on the axis of hit calls.
      y: { domain: [0, 1], range: [0, 1], axis: null },
      marks: [...axisMarks(layout, Plot, area), ...recordMarks(hitCalls, layout, Plot, area)]
    },
    overlay: [
      ...EndpointLabels.drawLabels(
        labelled.map((point) => ({
          x: layout.xOf(point.ac50),
          y: layout.stackedY(point) - layout.radius,
          text: `${Number(point.ac50.toPrecision(2))} µM ${point.endpoint}`
        })),
        { em: labelSize, left, right, top: 0.4 * em }
      ),
      cutOffLabel(hitCalls, layout, labelSize),
      ...(layout.overlapping === 0
        ? []
        : [
            labelOver(
              right - 0.4 * em,
              cut - 0.4 * em,
              `${layout.overlapping} marks overlap`,
              "end",
              labelSize
            )
          ])
    ]
  }
}

/** Labels the cut-off above its line, on the left, or on the right if a mark is there. */
const cutOffLabel = (
  { active, cytotoxLowerUm = Number.NaN }: HitCalls,
  { cut, left, right, stackedY, xOf }: Layout,
  em: number
): Markup => {
  const text = `cut-off ${BioactivityData.activeFrom}`
  const end = left + textWidth(text, em) + em
  const isTaken =
    xOf(cytotoxLowerUm) < end ||
    active.some((point) => xOf(point.ac50) < end && stackedY(point) > cut - 2 * em)
  return labelOver(
    isTaken ? right - 0.4 * em : left + 0.4 * em,
    cut - 0.4 * em,
    text,
    isTaken ? "end" : "start",
    em
  )
}

const axisMarks = ({ cut, left, lowest, range, right, top, yOf }: Layout, Plot: Library, area: Area) => {
  const ticks = [-0.9, -0.6, -0.3, 0, 0.3, 0.6, BioactivityData.activeFrom].filter((tick) => tick >= lowest)
  return [
    Plot.rect([0], { x1: range[0], x2: range[1], y1: top, y2: cut, fill: "#e9f2f8" }),
    ...logAxis(Plot, range, titles.ac50, area, right - left).marks,
    Plot.gridY(ticks, { y: yOf, stroke: gridColour, strokeOpacity: 1 }),
    Plot.axisY(ticks, {
      y: yOf,
      text: String,
      label: titles.hitCall,
      labelAnchor: "center",
      labelArrow: "none",
      labelOffset: 3.8 * area.em,
      fontSize: area.em
    }),
    Plot.frame({ stroke: frameColour }),
    Plot.ruleY([cut], { stroke: "#000000", strokeWidth: 1.2 })
  ]
}

const recordMarks = (
  { active, cytotoxLowerUm, inactive }: HitCalls,
  { radius, stackedY, yOf }: Layout,
  Plot: Library,
  { em, width }: Area
) => [
  Plot.dot(inactive, {
    x: "ac50",
    y: ({ hitc }: Point) => yOf(hitc),
    symbol: "triangle",
    r: (inactive.length > width / 2 ? 0.25 : 0.36) * em,
    fill: "#ffffff",
    fillOpacity: 0.6,
    stroke: inactiveColour,
    strokeWidth: 1,
    title: "title"
  }),
  ...(cytotoxLowerUm === undefined
    ? []
    : [Plot.ruleX([cytotoxLowerUm], { stroke: markedColour, strokeWidth: 1.5, strokeDasharray: "2 3" })]),
  Plot.dot(active, {
    x: "ac50",
    y: stackedY,
    symbol: "circle",
    r: radius,
    fill: activeColour,
    stroke: "#000000",
    strokeWidth: radius < 2.5 ? 0.3 : 0.8,
    title: "title"
  })
]
