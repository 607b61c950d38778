/**
 * Draws the measured points of one data record with its fitted curve. `Curve.ts` computes the curve.
 */

import { BioactivityData } from "@chemstream/api"
import type { Effect } from "effect"
import * as Curve from "../../Curve.ts"
import { checkList } from "../arguments.ts"
import { titles } from "../quantityTitles.ts"
import { drawableNumber, listOf, numberOf, significant, textOf } from "../records/recordFields.ts"
import { markup, replaceForbidden } from "../text/markup.ts"
import { formatCount } from "../text/plainText.ts"
import { logAxis, logRange } from "./logAxis.ts"
import { activeColour, frameColour, markedColour } from "./plotColours.ts"
import { type Area, type Drawing, drawInFrame, type Frame, type Library, legendLine } from "./plotFrame.ts"
import type { CurveOptions, Options } from "./plotOptions.ts"
import { assayLabel, fieldLabel, joinDefined } from "./recordLabels.ts"

/** The number of steps in which a curve is drawn. */
const curveSteps = 240

/** A measured response, in the unit of the endpoint, at a concentration in µM. */
interface Measurement {
  readonly concentration: number
  readonly response: number
  readonly title: string
}

const measurementsOf = (record: BioactivityData.BioactivityData): ReadonlyArray<Measurement | undefined> => {
  const responses = listOf(record.mc3Param, "resp")
  const concentrations = BioactivityData.concentrations(record)
  const length = Math.max(concentrations.length, responses.length)
  return Array.from({ length }, (_, at) => {
    const response = drawableNumber(responses[at])
    const concentration = drawableNumber(concentrations[at]) ?? 0
    if (concentration <= 0 || response === undefined) return undefined
    const title = `${significant(concentration)} µM\nresponse ${significant(response)}`
    return { concentration, response, title }
  })
}

/** Returns the reason why a record has no curve. */
const noCurveReason = (record: BioactivityData.BioactivityData): string => {
  const model = textOf(record, "modl")
  if (model === undefined || model === "none") return "no model was fitted"
  return (Curve.models as ReadonlyArray<string>).includes(model)
    ? `the parameters of model ${model} are not in the record`
    : `model ${model} is not known`
}

const parameterList = ({ parameters }: Curve.Curve): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} = ${significant(value)}`)
    .join(", ") || "none"

const activeLabel = (hitc: number): string =>
  hitc >= BioactivityData.activeFrom ? " (active)" : " (inactive)"

/** A data record with the values that its plot shows. */
interface Fit {
  readonly record: BioactivityData.BioactivityData
  readonly points: ReadonlyArray<Measurement>
  /** The number of measurements without a point. */
  readonly notDrawn: number
  readonly curve: Curve.Curve | undefined
  readonly ac50: number | undefined
  readonly cutoff: number | undefined
  /** The range of the concentrations. */
  readonly range: readonly [from: number, to: number]
}

export const drawCurve = (
  record: BioactivityData.BioactivityData,
  options: CurveOptions
): Effect.Effect<string> => {
  checkList("record", [record])
  const measurements = measurementsOf(record)
  const points = measurements.filter((measurement) => measurement !== undefined)
  const fit: Fit = {
    record,
    points,
    notDrawn: measurements.length - points.length,
    curve: Curve.fromRecord(record),
    ac50: Curve.ac50(record),
    cutoff: numberOf(record, "coff"),
    range: logRange(points.map(({ concentration }) => concentration))
  }
  return drawInFrame(options, frameOf(fit, options), (Plot, area) => drawingOf(fit, options, Plot, area))
}

/** Returns the AC50 if it is in the range of the concentrations. */
const ac50InRange = ({ ac50, range: [from, to] }: Fit): number | undefined =>
  ac50 !== undefined && ac50 >= from && ac50 <= to ? ac50 : undefined

const notDrawnNote = (count: number): string =>
  count === 0
    ? ""
    : `Not drawn: ${formatCount(count, "point")} at concentration 0, or without a readable concentration or response.`

const frameOf = (fit: Fit, options: Options): Frame => {
  const { ac50, curve, cutoff, notDrawn, record } = fit
  const hitc = numberOf(record, "hitc")
  const visibleAc50 = ac50InRange(fit)
  const name = textOf(record, "chnm")
  const id = textOf(record, "dtxsid")
  const title = options.title ?? joinDefined([name ?? id, fieldLabel("m4id", record, "m4id")], ", ")
  const details = [
    title.includes(id ?? "") ? undefined : id,
    assayLabel(record, options),
    fieldLabel("sample", record, "spid"),
    hitc === undefined ? undefined : `hit call ${significant(hitc)}${activeLabel(hitc)}`
  ]
  const facts = [
    curve === undefined ? undefined : `${curve.name} model: ${parameterList(curve)}`,
    curve === undefined ? `No curve: ${noCurveReason(record)}` : undefined,
    ac50 === undefined
      ? undefined
      : `AC50 ${significant(ac50)} µM${visibleAc50 === undefined ? " (outside)" : ""}`
  ]
  return {
    title,
    subtitle: joinDefined(details, " · "),
    legend: [
      {
        text: "measured",
        symbol: (x, y, em) =>
          markup`<circle cx="${x + em}" cy="${y}" r="${0.33 * em}" fill="#ffffff" stroke="#000000" stroke-width="1.3"/>`
      },
      curve === undefined
        ? undefined
        : { text: `${curve.name} model`, symbol: legendLine(activeColour, 2.5) },
      cutoff === undefined
        ? undefined
        : {
            text: `below the cutoff, ${significant(cutoff)}`,
            symbol: (x, y, em) =>
              markup`<rect x="${x}" y="${y - 0.5 * em}" width="${2 * em}" height="${em}" fill="#e4e4e4" stroke="#777777" stroke-dasharray="4 3"/>`
          },
      visibleAc50 === undefined
        ? undefined
        : {
            text: `AC50 ${significant(visibleAc50)} µM`,
            symbol: legendLine(markedColour, 1.5, "2 3")
          }
    ],
    notes: [joinDefined(facts, " · "), notDrawnNote(notDrawn)].filter((note) => note !== "")
  }
}

const linePoints = ({ curve, points, range: [from, to] }: Fit) =>
  curve === undefined || points.length === 0
    ? []
    : Array.from({ length: curveSteps + 1 }, (_, step) => {
        const concentration = from * (to / from) ** (step / curveSteps)
        return { concentration, response: curve.at(concentration) }
      }).filter(({ response }) => drawableNumber(response) !== undefined)

const drawingOf = (fit: Fit, { responseUnit }: CurveOptions, Plot: Library, area: Area): Drawing => {
  const { cutoff, points, range } = fit
  const { em, height, width } = area
  const [from, to] = range
  const visibleAc50 = ac50InRange(fit)
  const band = cutoff === undefined ? [] : [{ low: -Math.abs(cutoff), high: Math.abs(cutoff) }]
  const left = 5 * em
  const right = 1.2 * em
  const axis = logAxis(Plot, range, titles.concentration, area, width - left - right)
  const unit = responseUnit === undefined ? "" : ` (${replaceForbidden(responseUnit)})`
  return {
    plot: {
      marginLeft: left,
      marginBottom: 3.8 * em,
      marginTop: 0.8 * em,
      marginRight: right,
      x: axis.x,
      y: {
        label: `Response${unit}`,
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 4.2 * em,
        inset: 0.7 * em,
        nice: true,
        ticks: Math.max(2, Math.min(6, Math.floor(height / (4 * em))))
      },
      marks: [
        Plot.rect(band, { x1: from, x2: to, y1: "low", y2: "high", fill: "#e4e4e4" }),
        ...axis.marks,
        Plot.ruleY(
          band.flatMap(({ high, low }) => [low, high]),
          { stroke: "#777777", strokeDasharray: "4 3" }
        ),
        Plot.ruleY([0], { stroke: "#bbbbbb" }),
        Plot.frame({ stroke: frameColour }),
        ...(visibleAc50 === undefined
          ? []
          : [Plot.ruleX([visibleAc50], { stroke: markedColour, strokeWidth: 1.5, strokeDasharray: "2 3" })]),
        Plot.line(linePoints(fit), {
          x: "concentration",
          y: "response",
          stroke: activeColour,
          strokeWidth: 2.5
        }),
        Plot.dot(points, {
          x: "concentration",
          y: "response",
          r: 0.33 * em,
          fill: "#ffffff",
          stroke: "#000000",
          strokeWidth: 1.3,
          title: "title"
        }),
        Plot.text(band, {
          x: from,
          y: "high",
          text: ({ high }: { readonly high: number }) => `cut-off ${significant(high)}`,
          textAnchor: "start",
          lineAnchor: "bottom",
          dx: 0.4 * em,
          dy: -0.2 * em,
          fontSize: 0.92 * em,
          stroke: "#ffffff",
          fill: "#000000"
        })
      ]
    }
  }
}
