/**
 * Converts an SVG of this package to PNG, with the optional package `@resvg/resvg-js`.
 *
 * Text is drawn with the fonts of the machine; structures have outlines and need no font. Links of the SVG are not
 * loaded.
 */
import { Data, Effect } from "effect"
import { MissingPackage } from "./MissingPackage.ts"

/** The default scale: two pixels per unit of the SVG. */
export const defaultScale = 2

/** The largest number of pixels of a side. */
export const maxSide = 16_384

/** The text is not an SVG, or the picture would be larger than `maxSide`. */
export class UnreadableSvg extends Data.TaggedError("UnreadableSvg")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The options of a PNG. */
export interface Options {
  /** Pixels per unit of the SVG. Default: `defaultScale`. */
  readonly scale?: number | undefined
}

/**
 * Returns the PNG of an SVG, on white.
 *
 * Fails with `MissingPackage` if `@resvg/resvg-js` is not installed, and with `UnreadableSvg`.
 *
 * @example
 *
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
      new UnreadableSvg({ message: `Cannot draw the SVG as PNG: ${reasonOf(cause)}`, cause })
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
        message: `Cannot draw ${width} × ${height} as PNG at scale ${scale}: each side must have 1 to ${maxSide} pixels`
      })
    }
    return yield* Effect.try({ try: () => new Uint8Array(drawing.render().asPng()), catch: unreadable })
  })

/** Fails with `MissingPackage` if `@resvg/resvg-js` is not installed. */
export const check: Effect.Effect<void, MissingPackage> = Effect.suspend(() => Effect.asVoid(rasteriser))

const rasteriser = Effect.tryPromise({
  try: () => import("@resvg/resvg-js"),
  catch: (cause) =>
    new MissingPackage({
      package: "@resvg/resvg-js",
      message: "PNG needs the package @resvg/resvg-js. Install it: npm install @resvg/resvg-js",
      cause
    })
})

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
