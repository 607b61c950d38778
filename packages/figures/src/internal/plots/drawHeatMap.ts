/**
 * Draws the AC50 of chemicals (rows) in assay endpoints (columns) as a table of colours.
 */
import { Effect } from "effect"
import { titles } from "../quantityTitles.ts"
import { significant } from "../records/recordFields.ts"
import { type Markup, markup } from "../text/markup.ts"
import { formatCount } from "../text/plainText.ts"
import { shorten, textWidth } from "../text/textWidth.ts"
import { logRange } from "./logAxis.ts"
import { heatScheme } from "./plotColours.ts"
import { type Area, type Drawing, drawInFrame, emOf, type Library } from "./plotFrame.ts"
import type { Options } from "./plotOptions.ts"
import { endpointName, othersNote, type Row, rowsOf, type Tested } from "./plottedChemicals.ts"

/** The colour of an inactive cell. */
const inactive = "#e6e6e6"

/** A column: an assay endpoint. */
interface Column {
  readonly aeid: number
  readonly name: string
}

export const drawHeatMap = (chemicals: ReadonlyArray<Tested>, options: Options): Effect.Effect<string> =>
  Effect.suspend(() => {
    const { others, rows } = rowsOf(chemicals)
    const { width = 720 } = options
    const mostColumns = Math.max(4, Math.floor((width * 0.66) / (emOf(options) * 1.1)))
    const all = columnsOf(rows, options)
    const columns = all.slice(0, mostColumns)
    const more = all.length - columns.length
    return drawInFrame(
      options,
      {
        title: options.title ?? "Chemicals and assay endpoints",
        subtitle: `Lowest AC50 of active records, ${formatCount(chemicals.length, "chemical")} × ${formatCount(columns.length, "endpoint")}`,
        legend: [
          {
            text: "inactive",
            symbol: (x, y, em) =>
              markup`<rect x="${x + 0.5 * em}" y="${y - 0.5 * em}" width="${em}" height="${em}" fill="${inactive}"/>`
          },
          {
            text: "not tested",
            symbol: (x, y, em) =>
              markup`<rect x="${x + 0.5 * em}" y="${y - 0.5 * em}" width="${em}" height="${em}" fill="#ffffff" stroke="#cccccc" stroke-width="0.6"/>`
          }
        ],
        notes: [
          ...(more === 0
            ? []
            : [
                `Not drawn: ${formatCount(more, "further endpoint")} in which fewer of the chemicals are active.`
              ]),
          ...othersNote(others)
        ],
        plotHeight: ({ em }) => rows.length * 1.35 * em + labelHeight(columns, em) + 5 * em
      },
      (Plot, area) => drawingOf(rows, columns, Plot, area)
    )
  })

const labelHeight = (columns: ReadonlyArray<Column>, em: number): number =>
  Math.min(16 * em, Math.max(0, ...columns.map(({ name }) => textWidth(name, em)))) + em

/** Returns the endpoints in which a chemical is active, those with the most active chemicals first. */
const columnsOf = (rows: ReadonlyArray<Row>, options: Options): ReadonlyArray<Column> => {
  const actives = new Map<number, { count: number; ac50: number }>()
  for (const { ac50, aeid } of rows.flatMap(({ active }) => active)) {
    const sofar = actives.get(aeid) ?? { count: 0, ac50 }
    actives.set(aeid, { count: sofar.count + 1, ac50: Math.min(sofar.ac50, ac50) })
  }
  return [...actives]
    .sort(([, a], [, b]) => b.count - a.count || a.ac50 - b.ac50)
    .map(([aeid]) => ({ aeid, name: endpointName({ aeid }, options) }))
}

const drawingOf = (
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<Column>,
  Plot: Library,
  { em, height, width }: Area
): Drawing => {
  const range = logRange(rows.flatMap(({ active }) => active.map(({ ac50 }) => ac50)))
  const scale = Plot.scale({ color: { type: "log", scheme: heatScheme, domain: [...range] } })
  const colourOf = (ac50: number): string => scale?.apply(ac50)
  const widest = rows.reduce((most, { name }) => Math.max(most, textWidth(name, em)), 0)
  const names = Math.min(0.32 * width, widest)
  const left = names + 1.6 * em
  const top = labelHeight(columns, em)
  const bottom = height - 4.4 * em
  const pitch = {
    x: (width - left - em) / Math.max(1, columns.length),
    y: (bottom - top) / Math.max(1, rows.length)
  }
  const cellWidth = Math.min(pitch.x, 2.4 * em)
  const size = Math.min(em, pitch.y * 0.95, cellWidth * 0.95)
  const heads = columns.map(({ name }, at) => {
    const x = left + (at + 0.5) * cellWidth + 0.35 * size
    return markup`<text transform="translate(${x},${top - 0.4 * em}) rotate(-90)" font-size="${size}">${shorten(name, top - 0.6 * em, size)}</text>
`
  })
  const lines = rows.map((row, at) => {
    const y = top + at * pitch.y
    const tested = new Map(row.endpoints.map((endpoint) => [endpoint.aeid, endpoint]))
    const cells = columns.flatMap(({ aeid, name }, column): ReadonlyArray<Markup> => {
      const endpoint = tested.get(aeid)
      if (endpoint === undefined) return []
      const { ac50, isActive } = endpoint
      const without = isActive ? "active, no AC50" : "inactive"
      const result = ac50 === undefined ? without : `AC50 ${significant(ac50)} µM`
      return [
        markup`<rect x="${left + column * cellWidth}" y="${y}" width="${cellWidth - 0.6}" height="${pitch.y - 0.6}" fill="${ac50 === undefined ? inactive : colourOf(ac50)}"><title>${row.name}\n${name}\n${result}</title></rect>`
      ]
    })
    return markup`<text x="${left - 0.5 * em}" y="${y + pitch.y / 2 + 0.35 * size}" font-size="${size}" text-anchor="end">${shorten(row.name, names, size)}</text>${cells}
`
  })
  const edge = markup`<rect x="${left - 0.3}" y="${top - 0.3}" width="${columns.length * cellWidth}" height="${bottom - top}" fill="none" stroke="#cccccc" stroke-width="0.6"/>`
  return {
    plot: { marks: [] },
    overlay: [
      ...heads,
      ...lines,
      edge,
      colourBar(range, colourOf, { em, left, width, top: bottom + 0.8 * em })
    ]
  }
}

/** Draws the scale of colours with its ticks at powers of ten. */
const colourBar = (
  [from, to]: readonly [number, number],
  colourOf: (ac50: number) => string,
  { em, left, top, width }: Readonly<Record<"em" | "left" | "top" | "width", number>>
): Markup => {
  const barWidth = Math.min(width - left - 8 * em, 24 * em)
  const steps = 48
  const decades = Math.log10(to / from)
  const xOf = (value: number): number => left + (Math.log10(value / from) / decades) * barWidth
  const exponents = Array.from(
    { length: Math.floor(Math.log10(to)) - Math.ceil(Math.log10(from)) + 1 },
    (_, at) => Math.ceil(Math.log10(from)) + at
  )
  const every = Math.max(1, Math.ceil((exponents.length * 3 * em) / barWidth))
  return markup`${Array.from({ length: steps }, (_, at) => {
    const colour = colourOf(from * 10 ** (((at + 0.5) / steps) * decades))
    return markup`<rect x="${left + (at * barWidth) / steps}" y="${top}" width="${barWidth / steps + 0.3}" height="${0.8 * em}" fill="${colour}"/>`
  })}${exponents
    .filter((_, at) => at % every === 0)
    .map(
      (exponent) =>
        markup`<path d="M${xOf(10 ** exponent)},${top + 0.8 * em} v${0.3 * em}" stroke="#000000"/><text x="${xOf(10 ** exponent)}" y="${top + 2.1 * em}" text-anchor="middle">${Number(`1e${exponent}`)}</text>`
    )}<text x="${left + barWidth + 0.6 * em}" y="${top + 0.75 * em}">${titles.ac50}</text>`
}
