/**
 * Draws the structures of several chemicals on sheets, each with its caption.
 *
 * `Structure` draws one structure. `Pdf` and `Png` convert the sheets.
 */

import { Options as Declared } from "@chemstream/batch"
import { Effect } from "effect"
import { checkList } from "./internal/arguments.ts"
import { Markup, markup } from "./internal/text/markup.ts"
import { millimetres } from "./internal/text/millimetres.ts"
import { oneLine, wrap } from "./internal/text/plainText.ts"
import { font, shorten } from "./internal/text/textWidth.ts"
import * as Structure from "./Structure.ts"

/** A structure with its caption. */
export interface Cell {
  /** SMILES or mol block. A cell without a readable structure says why. */
  readonly structure: string
  /** The name of the structure for readers who cannot see it. */
  readonly title: string
  /** The lines below the structure. The first one may take two lines. */
  readonly caption: ReadonlyArray<string>
}

/** The options of a sheet. */
export interface Options {
  /** The width of a sheet in pixels of 1/96 inch. Default: 718, which is 190 mm. */
  readonly width?: number | undefined
  /** The number of structures beside each other, at least 1. Default: 4. */
  readonly columns?: number | undefined
  /** The largest height of a sheet. More rows make more sheets. Default: one sheet of any height. */
  readonly pageHeight?: number | undefined
  /** Whether the background is transparent instead of white. Default: false. */
  readonly transparent?: boolean | undefined
}

const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  width: Declared.rate,
  columns: Declared.count,
  pageHeight: Declared.rate,
  transparent: Declared.flag
})

/** The height of a page of A4 and of Letter within margins of 10 mm, in pixels. */
export const pageHeight = 980

/** The size of the captions: 7 pt. */
const em = 28 / 3

const lineHeight = 1.3 * em

/**
 * Returns sheets as SVGs, with structures from left to right in the order of the cells.
 *
 * @example
 *
 * ```ts
 * import { Sheet } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const cells = [
 *   { structure: "CCO", title: "Ethanol", caption: ["Ethanol", "m/z 47.0491"] },
 *   { structure: "", title: "Starch", caption: ["Starch"] }
 * ]
 * const [svg = ""] = await Effect.runPromise(Sheet.toSvgs(cells))
 * svg.includes(">m/z 47.0491</text>") // => true
 * svg.includes(">no structure</text>") // => true
 * ```
 */
export const toSvgs = (
  cells: ReadonlyArray<Cell>,
  options: Options = {}
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    checkList("cells", cells)
    Declared.argument("options", optionSet, options)
    const { columns = 4, pageHeight: highest, transparent = false, width = 718 } = options
    const cellWidth = width / columns
    const drawingHeight = cellWidth * 0.72
    const lines = cells.reduce((most, { caption }) => Math.max(most, caption.length), 0) + 1
    const cellHeight = drawingHeight + (lines + 0.7) * lineHeight
    const rows = Math.ceil(cells.length / columns)
    const rowsOfPage =
      highest === undefined ? Math.max(1, rows) : Math.max(1, Math.floor(highest / cellHeight))
    const drawn = yield* Effect.forEach(cells, (cell, at) =>
      cellOf(cell, {
        x: (at % columns) * cellWidth,
        y: (Math.floor(at / columns) % rowsOfPage) * cellHeight,
        width: cellWidth,
        height: drawingHeight
      })
    )
    const cellsOfPage = rowsOfPage * columns
    return Array.from({ length: Math.max(1, Math.ceil(rows / rowsOfPage)) }, (_, page) => {
      const onPage = drawn.slice(page * cellsOfPage, (page + 1) * cellsOfPage)
      const height = Math.max(1, Math.ceil(onPage.length / columns)) * cellHeight
      const background = transparent
        ? undefined
        : markup`<rect width="${width}" height="${height}" fill="#ffffff"/>`
      return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${millimetres(width)}" height="${millimetres(height)}" viewBox="0 0 ${width} ${height}" role="group" font-family="${font}" font-size="${em}" fill="#000000">${background}
${onPage}</svg>
`.text
    })
  })

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  /** The height of the structure. */
  readonly height: number
}

const cellOf = ({ caption, structure, title }: Cell, { height, width, x, y }: Place): Effect.Effect<Markup> =>
  Effect.map(
    Effect.result(
      Structure.toSvg(structure, {
        title,
        palette: "elements",
        bondLength: 20,
        width: Math.floor(width - em),
        height: Math.floor(height - em)
      })
    ),
    (drawing) => {
      const middle = x + width / 2
      const text = (line: string, baseline: number): Markup =>
        markup`<text x="${middle}" y="${baseline}" text-anchor="middle">${shorten(line, width - em, em)}</text>`
      const shapes =
        drawing._tag === "Success"
          ? new Markup(drawing.success.replace("<svg ", `<svg x="${x + em / 2}" y="${y + em / 2}" `))
          : text(drawing.failure.reason === "empty" ? "no structure" : "no drawing", y + height / 2)
      const [name = "", ...others] = caption
      const [first = ""] = wrap(name, Math.floor((width - em) / (0.6 * em)))
      const rest = oneLine(name).slice(first.length).trim()
      const lines = [first, ...(rest === "" ? [] : [rest]), ...others]
      return markup`<g>${shapes}${lines.map((line, at) => text(line, y + height + (at + 1) * lineHeight))}</g>
`
    }
  )
