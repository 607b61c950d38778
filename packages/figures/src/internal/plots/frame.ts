/**
 * Draws a plot in a frame with its title, legend and notes.
 *
 * Observable Plot is loaded with the first plot. It draws into the document of the page, or into one of linkedom.
 */
import { Effect } from "effect"
import { Markup, markup, replaceForbidden, type Value } from "../text/markup.ts"

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

/** Common fonts, with a generic one at the end. */
export const font = "Helvetica, Arial, 'DejaVu Sans', sans-serif"

/** The top of the plot in its frame, in pixels. */
const plotTop = 50

const lineHeight = 16

export interface Frame {
  /** Pixels. Default: 720. */
  readonly width: number | undefined
  /** Pixels. Default: 440. */
  readonly height: number | undefined
  readonly title: string
  /** The second line. */
  readonly subtitle: string
  /** The third line: shapes and words with their coordinates. */
  readonly legend: Value
  /** Lines below the plot. */
  readonly notes: ReadonlyArray<string>
}

/** Draws a plot in its frame, as SVG. Texts in the plot must have passed `replaceForbidden`. */
export const drawInFrame = (
  { height = 440, legend, notes, subtitle, title, width = 720 }: Frame,
  optionsOf: (library: Library) => PlotOptions
): Effect.Effect<string> =>
  Effect.map(loadPlot, ({ document, library }) => {
    const notesHeight = notes.length * lineHeight + (notes.length > 0 ? 8 : 0)
    const plot = library.plot({
      ...optionsOf(library),
      document,
      width,
      height: height - plotTop - notesHeight,
      className: "plot"
    })
    // Attributes instead of a style: some pages allow no inline styles.
    const attributes = { y: plotTop, "font-family": font, "font-size": 12, color: "#000000" }
    for (const [name, value] of Object.entries(attributes)) plot.setAttribute(name, String(value))
    // Without a legend and a title, the plot is the SVG element itself. The document has escaped its text.
    const plotSvg = plot.outerHTML.replace(/<style>.*?<\/style>/s, "")
    return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${font}" font-size="12" fill="#000000"><title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="12" y="20" font-size="15" font-weight="bold">${truncate(title, width / 8.6)}</text>
<text x="12" y="37">${truncate(subtitle, width / 6.4)}</text>
<g>${legend}</g>
${new Markup(plotSvg)}
${notes.map((note, at) => markup`<text x="12" y="${height - notesHeight + at * lineHeight + 12}" font-size="11" fill="#333333">${truncate(note, width / 5.8)}</text>`)}
</svg>
`.text
  })

/** Shortens a text to at most this many characters, with an ellipsis at the end. */
const truncate = (text: string, maxLength: number): string => {
  const characters = [...replaceForbidden(text)]
  return characters.length <= maxLength ? text : `${characters.slice(0, Math.floor(maxLength) - 1).join("")}…`
}
