/**
 * Observable Plot over a document of linkedom's, loaded when the first plot is drawn, and the frame around a plot: its
 * title, its legend and its notes.
 */
import { Effect } from "effect"
import { Markup, markup, replaceForbidden, type Value } from "../text/markup.ts"

export type Library = typeof import("@observablehq/plot")
export type PlotOptions = import("@observablehq/plot").PlotOptions

let loading: Promise<{ readonly library: Library; readonly document: Document }> | undefined

const load = Effect.promise(() => {
  loading ??= Promise.all([import("@observablehq/plot"), import("linkedom")]).then(
    ([library, { parseHTML }]) => ({ library, document: parseHTML("<html></html>").document })
  )
  return loading
})

/** Fonts that are on most machines; the last one is on each. */
export const font = "Helvetica, Arial, 'DejaVu Sans', sans-serif"

/** Where a plot stands in its frame. */
const above = 50

const lineHeight = 16

export interface Frame {
  /** Pixels. Default: 720. */
  readonly width: number | undefined
  /** Pixels. Default: 440. */
  readonly height: number | undefined
  readonly title: string
  /** The second line. */
  readonly subtitle: string
  /** Shapes and words of the third line, in place. */
  readonly legend: Value
  /** Lines below the plot. */
  readonly notes: ReadonlyArray<string>
}

/** A plot in its frame, as SVG. Text that the plot holds must have gone through `allowed`. */
export const drawInFrame = (
  { height = 440, legend, notes, subtitle, title, width = 720 }: Frame,
  optionsOf: (library: Library) => PlotOptions
): Effect.Effect<string> =>
  Effect.map(load, ({ document, library }) => {
    const below = notes.length * lineHeight + (notes.length > 0 ? 8 : 0)
    const plot = library.plot({
      ...optionsOf(library),
      document,
      width,
      height: height - above - below,
      className: "plot",
      style: { fontFamily: font, fontSize: "12px", color: "#000000" }
    })
    plot.setAttribute("y", String(above))
    // A plot without a legend or title is the SVG itself; its text has been escaped by the document.
    const drawn = plot.outerHTML.replace(/<style>.*?<\/style>/s, "")
    return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${font}" font-size="12" fill="#000000"><title>${title}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="12" y="20" font-size="15" font-weight="bold">${truncate(title, width / 8.6)}</text>
<text x="12" y="37">${truncate(subtitle, width / 6.4)}</text>
<g>${legend}</g>
${new Markup(drawn)}
${notes.map((note, at) => markup`<text x="12" y="${height - below + at * lineHeight + 12}" font-size="11" fill="#333333">${truncate(note, width / 5.8)}</text>`)}
</svg>
`.text
  })

/** A text of at most so many characters, marked where it was cut. */
const truncate = (text: string, most: number): string => {
  const characters = [...replaceForbidden(text)]
  return characters.length <= most ? text : `${characters.slice(0, Math.floor(most) - 1).join("")}…`
}
