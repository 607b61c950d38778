/**
 * SVG to PNG, by the package `@resvg/resvg-js`, which is optional and loaded on first use.
 *
 * Takes any SVG of this package. Text in it is drawn with the fonts of the machine; a structure needs none, its letters
 * are outlines. What the SVG links to is not loaded.
 */
import { Data, Effect } from "effect"
import { MissingPackage } from "./MissingPackage.ts"

/** The scale unless another is asked for: two pixels for each unit of the SVG. */
export const defaultScale = 2

/** The most pixels a side may have. */
export const maxSide = 16_384

/** The SVG cannot be drawn as pixels: it is none, or the picture would be larger than `longestSide`. */
export class UnreadableSvg extends Data.TaggedError("UnreadableSvg")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** How a picture is turned into pixels. */
export interface Options {
  /** Pixels for each unit of the SVG, `defaultScale` unless given. */
  readonly scale?: number | undefined
}

/**
 * The PNG of an SVG, on white.
 *
 * Fails with `MissingPackage` where `@resvg/resvg-js` is not installed, and with `UnreadableSvg`.
 *
 * @example
 * ```ts
 * import { Png, Structure } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const png = await Effect.runPromise(Effect.flatMap(Structure.toSvg("CCO"), (svg) => Png.fromSvg(svg)))
 * Buffer.from(png).toString("latin1", 1, 4) // => "PNG"
 * ```
 */
export const fromSvg = (
  svg: string,
  options: Options = {}
): Effect.Effect<Uint8Array, MissingPackage | UnreadableSvg> =>
  Effect.gen(function* () {
    const { Resvg } = yield* rasteriser
    const scale = options.scale ?? defaultScale
    const unreadable = (cause: unknown): UnreadableSvg =>
      new UnreadableSvg({ message: `cannot draw the SVG as PNG: ${reasonOf(cause)}`, cause })
    const drawing = yield* Effect.try({
      try: () =>
        new Resvg(svg, {
          background: "#ffffff",
          fitTo: { mode: "zoom", value: scale },
          font: { loadSystemFonts: svg.includes("<text"), defaultFontFamily: "DejaVu Sans" }
        }),
      catch: unreadable
    })
    const { height, width } = drawing
    if (!(scale > 0) || Math.max(height, width) * scale > maxSide) {
      return yield* new UnreadableSvg({
        message: `cannot draw ${width} × ${height} as PNG at scale ${scale}: a side has 1 to ${maxSide} pixels`
      })
    }
    return yield* Effect.try({ try: () => new Uint8Array(drawing.render().asPng()), catch: unreadable })
  })

const rasteriser = Effect.tryPromise({
  try: () => import("@resvg/resvg-js"),
  catch: (cause) =>
    new MissingPackage({
      package: "@resvg/resvg-js",
      message:
        "PNG needs the package @resvg/resvg-js, which could not be loaded. Install it: npm install @resvg/resvg-js",
      cause
    })
})

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
