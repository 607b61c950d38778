/**
 * Draws a plot with its title and legend above it and its notes below it, at its size on paper. Sizes are in pixels of 1/96 inch.
 *
 * Observable Plot is loaded with the first plot. It draws into the document of the page, or into one of linkedom.
 */
import { Effect } from "effect"
import { Markup, markup, replaceForbidden, type Value } from "../text/markup.ts"
import { millimetres } from "../text/millimetres.ts"
import { wrap } from "../text/plainText.ts"
import { font, textWidth } from "../text/textWidth.ts"
import type { Options } from "./plotOptions.ts"

export type Library = typeof import("@observablehq/plot")
export type PlotOptions = import("@observablehq/plot").PlotOptions

let loading: Promise<{ readonly library: Library; readonly document: Document }> | undefined

const loadPlot = Effect.promise(() => {
  loading ??= Promise.all([import("@observablehq/plot"), documentOf()]).then(([library, document]) => ({
    library,
    document
  }))
  return loading
})

const documentOf = async (): Promise<Document> =>
  "document" in globalThis
    ? globalThis.document
    : (await import("linkedom")).parseHTML("<html></html>").document

/** Plots below this width, in pixels, are as narrow as a column of a journal. */
const narrow = 480

/** Whether a plot is as narrow as a column of a journal. */
export const isNarrow = ({ width = 720 }: Options): boolean => width < narrow

/** The size of the text of a plot, in pixels. */
export const emOf = (options: Options): number => options.fontSize ?? (isNarrow(options) ? 28 / 3 : 12)

/** The default height of a plot. */
export const heightOf = ({ width }: { readonly width: number }): number =>
  width * (width < narrow ? 0.68 : 0.48)

/** A size in pixels of 1/96 inch. */
export interface Area {
  readonly width: number
  readonly height: number
  /** The size of the text. */
  readonly em: number
}

/** An entry of the legend. `symbol` draws it from a point on its left, at half the height of the text. */
export interface LegendItem {
  readonly text: string
  readonly symbol: (x: number, y: number, em: number) => Markup
}

/** The texts around a plot. Its head is title, subtitle and legend. */
export interface Frame {
  readonly title: string
  /** The line below the title. */
  readonly subtitle: string
  readonly legend: ReadonlyArray<LegendItem | undefined>
  /** Lines below the plot. */
  readonly notes: ReadonlyArray<string>
  /** Returns the height of the plot without its head and notes, if the options have no height. Default: it follows the width. */
  readonly plotHeight?: (area: Omit<Area, "height">) => number
}

/** A plot, and shapes over it in its pixels. */
export interface Drawing {
  readonly plot: PlotOptions
  readonly overlay?: Value
}

/** Draws a plot in its frame, as SVG. Texts in the plot must have passed `replaceForbidden`. */
export const drawInFrame = (
  options: Options,
  { legend, notes, plotHeight = heightOf, subtitle, title }: Frame,
  drawingOf: (library: Library, area: Area) => Drawing
): Effect.Effect<string> =>
  Effect.map(loadPlot, ({ document, library }) => {
    const width = options.width ?? 720
    const em = emOf(options)
    const head = headOf({ title, subtitle, legend, width, em })
    const small = em * 0.92
    const noteLines = notes.flatMap((note) => linesOf(note, width - 2 * em, small))
    const foot = noteLines.length === 0 ? 0 : noteLines.length * small * 1.35 + small * 0.6
    const height = options.height ?? Math.round(head.height + plotHeight({ width, em }) + foot)
    const area = { width, height: Math.max(6 * em, height - head.height - foot), em }
    const { overlay, plot: plotOptions } = drawingOf(library, area)
    const plot = library.plot({
      ...plotOptions,
      document,
      width,
      height: area.height,
      className: "plot"
    })
    // Attributes instead of a style: some pages allow no inline styles.
    const attributes = { y: head.height, "font-family": font, "font-size": em, color: "#000000" }
    for (const [name, value] of Object.entries(attributes)) plot.setAttribute(name, String(value))
    // Without a legend and a title, the plot is the SVG element itself. The document has escaped its text.
    const plotSvg = plot.outerHTML.replace(/<style>.*?<\/style>/s, "")
    return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${millimetres(width)}" height="${millimetres(height)}" viewBox="0 0 ${width} ${height}" role="img" font-family="${font}" font-size="${em}" fill="#000000"><title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${head.markup}
${new Markup(plotSvg)}
<g transform="translate(0,${head.height})">${overlay}</g>
${noteLines.map((line, at) => markup`<text x="${em}" y="${height - foot + (at + 1) * small * 1.35}" font-size="${small}" fill="#333333">${line}</text>`)}
</svg>
`.text
  })

const linesOf = (text: string, width: number, em: number): ReadonlyArray<string> =>
  wrap(replaceForbidden(text), Math.floor(width / (em * 0.56)))

const headOf = ({
  em,
  legend,
  subtitle,
  title,
  width
}: Omit<Frame, "notes"> & Pick<Area, "width" | "em">): {
  readonly height: number
  readonly markup: Value
} => {
  const room = width - 2 * em
  const parts: Array<Markup> = []
  let y = 0.5 * em
  for (const line of linesOf(title, room, em * 1.3)) {
    y += 1.6 * em
    parts.push(markup`<text x="${em}" y="${y - 0.3 * em}" font-size="${em * 1.25}" font-weight="bold">${line}</text>
`)
  }
  for (const line of linesOf(subtitle, room, em)) {
    y += 1.35 * em
    parts.push(markup`<text x="${em}" y="${y - 0.3 * em}">${line}</text>
`)
  }
  let x = em
  y += 1.6 * em
  for (const item of legend) {
    if (item === undefined) continue
    const needed = 2.6 * em + textWidth(item.text, em)
    if (x > em && x + needed > width - em) {
      x = em
      y += 1.5 * em
    }
    parts.push(
      markup`${item.symbol(x, y - 0.65 * em, em)}<text x="${x + 2.6 * em}" y="${y - 0.3 * em}">${item.text}</text>
`
    )
    x += needed + 1.5 * em
  }
  return { height: y, markup: parts }
}

/** A text on the plot that stays readable on marks and lines. */
export const labelOver = (x: number, y: number, text: string, anchor: "start" | "end", em: number): Markup =>
  markup`<text x="${x}" y="${y}" font-size="${em}" text-anchor="${anchor}" stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke">${text}</text>`

/** Draws a line in the legend. */
export const legendLine =
  (stroke: string, strokeWidth: number, dashes?: string): LegendItem["symbol"] =>
  (x, y, em) =>
    markup`<path d="M${x},${y} h${2 * em}" stroke="${stroke}" stroke-width="${strokeWidth}"${dashes === undefined ? undefined : markup` stroke-dasharray="${dashes}"`}/>`
