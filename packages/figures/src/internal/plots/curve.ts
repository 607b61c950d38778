/**
 * Draws the points of one data record with its fitted curve.
 */
import { BioactivityData } from "@chemstream/api"
import type { Effect } from "effect"
import * as Curve from "../../Curve.ts"
import { drawableNumber, listOf, numberOf, significant, textOf } from "../records/fields.ts"
import { markup } from "../text/markup.ts"
import { formatCount } from "../text/plainText.ts"
import { concentrationAxis, logRange } from "./axes.ts"
import { drawInFrame, type Frame, type Library, type PlotOptions } from "./frame.ts"
import { activeColour, assayLabel, fieldLabel, joinDefined } from "./labels.ts"
import type { Options } from "./options.ts"

/** The number of steps in which a curve is drawn. */
const curveSteps = 240

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
  options: Options
): Effect.Effect<string> => {
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
  return drawInFrame(frameOf(fit, options), (Plot) => plotOf(fit, Plot))
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
  const names = [textOf(record, "chnm") ?? textOf(record, "dtxsid"), fieldLabel("m4id", record, "m4id")]
  const details = [
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
    width: options.width,
    height: options.height,
    title: options.title ?? joinDefined(names, ", "),
    subtitle: joinDefined(details, " · "),
    legend: [
      markup`<circle cx="18" cy="50" r="4" fill="#ffffff" stroke="#000000" stroke-width="1.3"/><text x="28" y="54">measured</text>`,
      curve === undefined
        ? undefined
        : markup`<path d="M104,50 h24" stroke="${activeColour}" stroke-width="2.5"/><text x="134" y="54">${curve.name} model</text>`,
      cutoff === undefined
        ? undefined
        : markup`<rect x="280" y="44" width="24" height="12" fill="#e4e4e4" stroke="#777777" stroke-dasharray="4 3"/><text x="310" y="54">below the cutoff, ${significant(cutoff)}</text>`,
      visibleAc50 === undefined
        ? undefined
        : markup`<path d="M476,50 h24" stroke="#000000" stroke-dasharray="2 3"/><text x="506" y="54">AC50 ${significant(visibleAc50)} µM</text>`
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

const plotOf = (fit: Fit, Plot: Library): PlotOptions => {
  const { cutoff, points, range } = fit
  const [from, to] = range
  const visibleAc50 = ac50InRange(fit)
  const band = cutoff === undefined ? [] : [{ low: -Math.abs(cutoff), high: Math.abs(cutoff) }]
  return {
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
      ...(visibleAc50 === undefined
        ? []
        : [Plot.ruleX([visibleAc50], { stroke: "#000000", strokeDasharray: "2 3" })]),
      Plot.line(linePoints(fit), {
        x: "concentration",
        y: "response",
        stroke: activeColour,
        strokeWidth: 2.5
      }),
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
  }
}
