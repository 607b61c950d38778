/**
 * Reads an SVG of this package with the optional package `@resvg/resvg-js`. `Png` and `Pdf` write what it reads.
 *
 * Text is drawn with the fonts of the machine; structures have outlines and need no font. Links of the SVG are not
 * loaded.
 */
import { Data, Effect } from "effect"
import { MissingPackage } from "../../MissingPackage.ts"

/** The text is not an SVG, its text needs a font and the machine has none, or the picture would be too large. */
export class UnreadableSvg extends Data.TaggedError("UnreadableSvg")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The options of the library. */
export type Options = NonNullable<ConstructorParameters<typeof import("@resvg/resvg-js").Resvg>[1]>

/** Fails with `MissingPackage` if `@resvg/resvg-js` is not installed. */
export const library = Effect.tryPromise({
  try: () => import("@resvg/resvg-js"),
  catch: (cause) =>
    new MissingPackage({
      package: "@resvg/resvg-js",
      message: "PNG and PDF need the package @resvg/resvg-js. Install it: npm install @resvg/resvg-js",
      cause
    })
})

const font = { loadSystemFonts: true, defaultFontFamily: "DejaVu Sans", sansSerifFamily: "DejaVu Sans" }

/** Reads an SVG, and applies `use` to it. `format` is for messages. */
export const read = <A>(
  svg: string,
  format: string,
  options: Options,
  use: (drawing: import("@resvg/resvg-js").Resvg) => A
): Effect.Effect<A, MissingPackage | UnreadableSvg> =>
  Effect.gen(function* () {
    const { Resvg } = yield* library
    const hasText = svg.includes("<text")
    if (hasText && !hasFonts(Resvg)) {
      return yield* new UnreadableSvg({
        message: `Cannot write text as ${format}: this machine has no fonts. Install some, e.g. the package fonts-dejavu-core of Debian, or write .svg`
      })
    }
    return yield* Effect.try({
      try: () => use(new Resvg(svg, { ...options, font: hasText ? font : { loadSystemFonts: false } })),
      catch: (cause) =>
        new UnreadableSvg({
          message: `Cannot draw the SVG as ${format}: ${cause instanceof Error ? cause.message : String(cause)}`,
          cause
        })
    })
  })

let fonts: boolean | undefined

/** Whether the machine has a font. Without one, text would be left out. */
const hasFonts = (Resvg: typeof import("@resvg/resvg-js").Resvg): boolean => {
  const probe = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">A</text></svg>`
  fonts ??= new Resvg(probe, { font }).toString().includes("<path")
  return fonts
}
