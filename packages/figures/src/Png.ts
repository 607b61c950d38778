/**
 * Converts an SVG of this package to PNG, with the optional package `@resvg/resvg-js`.
 */

import { crc32 } from "node:zlib"
import { Options as Declared } from "@chemstream/batch"
import { Effect } from "effect"
import * as readSvg from "./internal/pictures/readSvg.ts"
import type { MissingPackage } from "./MissingPackage.ts"

/** The default resolution, in pixels per inch: that of journals for pictures with colours. */
export const defaultDpi = 300

/** The largest number of pixels of a side. */
export const maxSide = 16_384

/** The text is not an SVG, its text needs a font and the machine has none, or a side would be larger than `maxSide`. */
export const UnreadableSvg = readSvg.UnreadableSvg
export type UnreadableSvg = readSvg.UnreadableSvg

/** The options of a PNG. */
export interface Options {
  /** Pixels per inch; the PNG says so, and 96 are one pixel per unit of the SVG. Default: `defaultDpi`. */
  readonly dpi?: number | undefined
  /** Whether the background is transparent instead of white. Default: false. */
  readonly transparent?: boolean | undefined
}

const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  dpi: Declared.amount,
  transparent: Declared.flag
})

/**
 * Returns the PNG of an SVG. It has the physical size of the SVG.
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
  given: Options = {}
): Effect.Effect<Uint8Array, MissingPackage | UnreadableSvg> => {
  Declared.argument("svg", Declared.text, svg)
  const { dpi = defaultDpi, transparent = false } = Declared.argument("options", optionSet, given)
  const scale = dpi / 96
  const options: readSvg.Options = {
    ...(transparent ? {} : { background: "#ffffff" }),
    fitTo: { mode: "zoom", value: scale }
  }
  return Effect.gen(function* () {
    const result = yield* readSvg.read(svg, "PNG", options, (drawing) => {
      const { height, width } = drawing
      return scale > 0 && Math.max(height, width) * scale <= maxSide
        ? withResolution(drawing.render().asPng(), dpi)
        : { height, width }
    })
    if (result instanceof Uint8Array) return result
    return yield* new UnreadableSvg({
      message: `Cannot draw ${result.width} × ${result.height} as PNG at ${dpi} pixels per inch: each side must have 1 to ${maxSide} pixels. Lower the resolution, draw fewer, or use SVG or PDF`
    })
  })
}

/** The bytes of a PNG before its first chunk after the header (PNG specification, sections 5.2 and 11.2.1). */
const headerEnd = 33

/** Returns the PNG with its number of pixels per metre (PNG specification, section 11.3.4.3). */
const withResolution = (png: Uint8Array, dpi: number): Uint8Array => {
  const chunk = Buffer.alloc(21)
  chunk.writeUInt32BE(9, 0)
  chunk.write("pHYs", 4, "latin1")
  const perMetre = Math.round(dpi / 0.0254)
  chunk.writeUInt32BE(perMetre, 8)
  chunk.writeUInt32BE(perMetre, 12)
  chunk.writeUInt8(1, 16)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17)
  return new Uint8Array(Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]))
}

/** Fails with `MissingPackage` if `@resvg/resvg-js` is not installed. */
export const check: Effect.Effect<void, MissingPackage> = Effect.suspend(() => Effect.asVoid(readSvg.library))
