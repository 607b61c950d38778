/**
 * Draws the AC50 of the active endpoints of several chemicals, one row each, the most potent first.
 */

import type { Effect } from "effect"
import * as Potency from "../../Potency.ts"
import { titles } from "../quantityTitles.ts"
import { significant } from "../records/recordFields.ts"
import { markup, replaceForbidden } from "../text/markup.ts"
import { formatCount } from "../text/plainText.ts"
import { shorten, textWidth } from "../text/textWidth.ts"
import { logAxis, logRange } from "./logAxis.ts"
import { activeColour, frameColour, gridColour, inactiveColour } from "./plotColours.ts"
import { type Area, type Drawing, drawInFrame, isNarrow, type Library } from "./plotFrame.ts"
import type { Options } from "./plotOptions.ts"
import { type Active, endpointName, othersNote, type Row, rowsOf, type Tested } from "./plottedChemicals.ts"

export const drawRanking = (chemicals: ReadonlyArray<Tested>, options: Options): Effect.Effect<string> => {
  const { others, rows } = rowsOf(chemicals)
  return drawInFrame(
    options,
    {
      title: options.title ?? "Chemicals by potency",
      subtitle: `AC50 of active assay endpoints, ${formatCount(chemicals.length, "chemical")}`,
      legend: [
        {
          text: "most potent endpoint",
          symbol: (x, y, em) =>
            markup`<circle cx="${x + em}" cy="${y}" r="${0.36 * em}" fill="${activeColour}" stroke="#000000" stroke-width="0.8"/>`
        },
        {
          text: "other active endpoints",
          symbol: (x, y, em) =>
            markup`<path d="M${x + em},${y - 0.4 * em} v${0.8 * em}" stroke="${inactiveColour}" stroke-width="1.2"/>`
        }
      ],
      notes: [
        isNarrow(options)
          ? "On the right: active / tested endpoints."
          : "On the right: active / tested endpoints, and the most potent one.",
        ...othersNote(others)
      ],
      plotHeight: ({ em }) => (rows.length * 1.5 + 5) * em
    },
    (Plot, area) => drawingOf(rows, options, Plot, area)
  )
}

/** An active endpoint in its row. */
interface Mark extends Active {
  readonly row: number
  readonly isFirst: boolean
  readonly title: string
}

const countsOf = ({ active, endpoints }: Row, options: Options): string => {
  const counts = Potency.countsOf(endpoints)
  const [first] = active
  return isNarrow(options) || first === undefined ? counts : `${counts}  ${endpointName(first, options)}`
}

const marksOf = (rows: ReadonlyArray<Row>, options: Options): ReadonlyArray<Mark> =>
  rows.flatMap(({ active, name }, row) =>
    active.map(
      (one, at): Mark => ({
        ...one,
        row,
        isFirst: at === 0,
        title: replaceForbidden(`${name}\n${endpointName(one, options)}\nAC50 ${significant(one.ac50)} µM`)
      })
    )
  )

const drawingOf = (rows: ReadonlyArray<Row>, options: Options, Plot: Library, area: Area): Drawing => {
  const { em, height, width } = area
  const widest = (texts: ReadonlyArray<string>, share: number): number =>
    texts.reduce((most, text) => Math.max(most, Math.min(share * width, textWidth(text, em))), 0)
  const counts = rows.map((row) => countsOf(row, options))
  const left =
    widest(
      rows.map(({ name }) => name),
      0.36
    ) +
    1.6 * em
  const right = widest(counts, 0.3) + 1.6 * em
  const top = 0.6 * em
  const bottom = height - 3.8 * em
  const pitch = (bottom - top) / Math.max(1, rows.length)
  const yOf = (row: number): number => top + (row + 0.5) * pitch
  const marks = marksOf(rows, options)
  const range = logRange(marks.map(({ ac50 }) => ac50))
  const axis = logAxis(Plot, range, titles.ac50, area, width - left - right)
  const y = ({ row }: Mark): number => yOf(row)
  return {
    plot: {
      marginLeft: left,
      marginRight: right,
      marginTop: top,
      marginBottom: height - bottom,
      x: axis.x,
      y: { domain: [0, 1], range: [0, 1], axis: null },
      marks: [
        ...axis.marks,
        Plot.ruleY(
          rows.map((_, row) => yOf(row)),
          { stroke: gridColour }
        ),
        Plot.frame({ stroke: frameColour }),
        Plot.ruleX(
          marks.filter(({ isFirst }) => !isFirst),
          {
            x: "ac50",
            y1: (mark: Mark) => y(mark) - 0.3 * pitch,
            y2: (mark: Mark) => y(mark) + 0.3 * pitch,
            stroke: inactiveColour,
            title: "title"
          }
        ),
        Plot.dot(
          marks.filter(({ isFirst }) => isFirst),
          {
            x: "ac50",
            y,
            r: Math.min(0.36 * em, 0.4 * pitch),
            fill: activeColour,
            stroke: "#000000",
            strokeWidth: 0.8,
            title: "title"
          }
        )
      ]
    },
    overlay: rows.map(({ name }, row) => {
      const size = Math.min(em, pitch)
      const baseline = yOf(row) + 0.35 * em
      const label = shorten(name, left - 1.2 * em, size)
      const count = shorten(counts[row] ?? "", right - em, size)
      return markup`<text x="${left - 0.5 * size}" y="${baseline}" font-size="${size}" text-anchor="end">${label}</text><text x="${width - right + 0.5 * size}" y="${baseline}" font-size="${size}">${count}</text>
`
    })
  }
}
