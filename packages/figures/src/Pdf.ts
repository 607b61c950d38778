/**
 * Converts SVGs of this package to the pages of a PDF, with the optional packages `pdfkit` and `@resvg/resvg-js`.
 *
 * resvg turns all shapes and texts into paths, so a PDF needs no fonts.
 */
import { buffer } from "node:stream/consumers"
import { Options } from "@chemstream/batch"
import { Clock, Effect } from "effect"
import { checkList } from "./internal/arguments.ts"
import * as readSvg from "./internal/pictures/readSvg.ts"
import { MissingPackage } from "./MissingPackage.ts"
import type { UnreadableSvg } from "./Png.ts"

/** Points of a PDF for each unit of an SVG. */
const pointsPerUnit = 72 / 96

const pdfkit = Effect.tryPromise({
  try: () => import("pdfkit"),
  catch: (cause) =>
    new MissingPackage({
      package: "pdfkit",
      message: "PDF needs the package pdfkit. Install it: npm install pdfkit @resvg/resvg-js",
      cause
    })
})

/** Fails with `MissingPackage` if `pdfkit` or `@resvg/resvg-js` is not installed. */
export const check: Effect.Effect<void, MissingPackage> = Effect.suspend(() =>
  Effect.asVoid(Effect.andThen(pdfkit, readSvg.library))
)

/**
 * Returns a PDF with one page for each SVG, in its physical size.
 *
 * Fails with `MissingPackage` if a package is not installed, and with `UnreadableSvg`.
 *
 * @example
 *
 * ```ts
 * import { Pdf, Structure } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const pdf = await Effect.runPromise(
 *   Effect.flatMap(Structure.toSvg("CCO"), (svg) => Pdf.fromSvgs("Ethanol", [svg]))
 * )
 * Buffer.from(pdf).toString("latin1", 0, 5) // => "%PDF-"
 * ```
 */
export const fromSvgs = (
  title: string,
  svgs: ReadonlyArray<string>
): Effect.Effect<Uint8Array, MissingPackage | UnreadableSvg> =>
  Effect.gen(function* () {
    Options.argument("title", Options.text, title)
    checkList("svgs", svgs, "string")
    const { default: PdfDocument } = yield* pdfkit
    const { parseHTML } = yield* Effect.promise(() => import("linkedom"))
    const now = yield* Clock.currentTimeMillis
    const pages = yield* Effect.forEach(svgs, (svg) =>
      readSvg.read(svg, "PDF", {}, (drawing) => drawing.toString())
    )
    const document = new PdfDocument({
      autoFirstPage: false,
      info: { Title: title, CreationDate: new Date(now) }
    })
    for (const page of pages) drawPage(document, parseHTML(page).document.querySelector("svg") as Element)
    document.end()
    return new Uint8Array(yield* Effect.promise(() => buffer(document)))
  })

type Document = InstanceType<Effect.Success<typeof pdfkit>["default"]>

const numberIn = (element: Element, name: string, otherwise: number): number =>
  Number.parseFloat(element.getAttribute(name) ?? `${otherwise}`)

const drawPage = (document: Document, svg: Element): void => {
  const size = [numberIn(svg, "width", 1), numberIn(svg, "height", 1)] as const
  document.addPage({ size: size.map((side) => side * pointsPerUnit), margin: 0 })
  const [, , viewWidth = size[0]] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number)
  document.scale((size[0] / viewWidth) * pointsPerUnit)
  drawChildren(document, svg)
}

const drawChildren = (document: Document, parent: Element): void => {
  for (const element of parent.children) {
    const tag = element.tagName.toLowerCase()
    if (tag !== "g" && tag !== "path") continue
    document.save()
    const matrix = element
      .getAttribute("transform")
      ?.match(/-?[\d.]+(?:e-?\d+)?/gi)
      ?.map(Number)
    if (matrix?.length === 6)
      document.transform(...(matrix as [number, number, number, number, number, number]))
    if (tag === "g") drawChildren(document, element)
    else drawPath(document, element)
    document.restore()
  }
}

const drawPath = (document: Document, path: Element): void => {
  const d = path.getAttribute("d") ?? ""
  const fill = path.getAttribute("fill") ?? "none"
  const stroke = path.getAttribute("stroke") ?? "none"
  const drawFill = (): void => {
    if (fill === "none") return
    const rule = path.getAttribute("fill-rule") === "evenodd" ? "even-odd" : "non-zero"
    document
      .path(d)
      .fillOpacity(numberIn(path, "fill-opacity", 1))
      .fill(fill, rule)
  }
  if (path.getAttribute("paint-order") === null) drawFill()
  if (stroke !== "none") {
    document.path(d).lineWidth(numberIn(path, "stroke-width", 1))
    document.lineCap((path.getAttribute("stroke-linecap") ?? "butt") as "butt")
    document.lineJoin((path.getAttribute("stroke-linejoin") ?? "miter") as "miter")
    const [dash, space] = path.getAttribute("stroke-dasharray")?.split(/[ ,]+/).map(Number) ?? []
    if (dash !== undefined) document.dash(dash, { space: space ?? dash })
    document.strokeOpacity(numberIn(path, "stroke-opacity", 1)).stroke(stroke)
  }
  if (path.getAttribute("paint-order") !== null) drawFill()
}
