/**
 * Draws a chemical structure from its SMILES or mol block: as SVG, or as text for a terminal.
 *
 * RDKit reads the structure and computes its layout; `Png` converts the SVG to pixels. A Markush structure has `*`
 * or `R` at its open positions. The terminal drawing shows no stereochemistry.
 */

import { Quote } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import type { MainModule, Mol } from "@rdkit/rdkit"
import { Data, Effect } from "effect"
import { arrange } from "./internal/structures/arrangeComponents.ts"
import { palettes } from "./internal/structures/atomColours.ts"
import { draw } from "./internal/structures/brailleDrawing.ts"
import { graphOf } from "./internal/structures/moleculeGraph.ts"
import { discardBroken, load, withMolecule } from "./internal/structures/rdkit.ts"
import { escapeMarkup } from "./internal/text/markup.ts"
import { millimetres } from "./internal/text/millimetres.ts"

/** The largest number of characters of a SMILES or mol block. */
export const maxTextLength = 100_000

/**
 * The largest number of atoms, without hydrogens. Larger drawings are unreadable, and cost RDKit seconds and much
 * memory.
 */
export const maxAtoms = 300

/**
 * The structure cannot be drawn.
 *
 * - `"empty"`: there is no text; polymers and mixtures often have no structure.
 * - `"too-large"`: the text is longer than `maxTextLength`, or has more than `maxAtoms` atoms.
 * - `"malformed"`: the text is neither a SMILES nor a mol block.
 */
export class UnreadableStructure extends Data.TaggedError("UnreadableStructure")<{
  readonly reason: "empty" | "too-large" | "malformed"
  readonly text: string
  readonly message: string
}> {}

/** The options of `toSvg`. */
export interface SvgOptions {
  /** Width in pixels. Default: 300. */
  readonly width?: number | undefined
  /** Height in pixels. Default: 220. */
  readonly height?: number | undefined
  /**
   * Whether the picture ends where the structure ends, at the size for print: bonds of 14.4 pt (ACS Document 1996). `width` and
   * `height` have no effect then. Default: false.
   */
  readonly crop?: boolean | undefined
  /** The largest length of a bond, in pixels, so that small structures are not enlarged. Default: 28. */
  readonly bondLength?: number | undefined
  /** The accessible name of the picture. Default: `chemical structure`. */
  readonly title?: string | undefined
  /** `elements` gives atoms other than carbon and hydrogen dark colours. Default: `black`. */
  readonly palette?: "black" | "elements" | undefined
}

/** The options of `toText`. */
export interface TextOptions {
  /** The largest number of columns. Default: 72. */
  readonly columns?: number | undefined
  /** The largest number of lines. Default: 20. */
  readonly rows?: number | undefined
}

const svgSet = /* @__PURE__ */ Options.set<SvgOptions>()({
  width: Options.rate,
  height: Options.rate,
  crop: Options.flag,
  bondLength: Options.rate,
  title: Options.text,
  palette: Options.oneOf(["black", "elements"])
})
const textSet = /* @__PURE__ */ Options.set<TextOptions>()({ columns: Options.amount, rows: Options.amount })

/**
 * Draws the structure as SVG, on a transparent background, with outlines that need no font.
 *
 * Equal components, such as the ions of a salt, are drawn once with their number.
 *
 * Fails with `UnreadableStructure`.
 *
 * @example
 *
 * ```ts
 * import { Structure } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const svg = await Effect.runPromise(Structure.toSvg("Cn1cnc2c1c(=O)n(C)c(=O)n2C", { title: "Caffeine" }))
 * svg.includes("<title>Caffeine</title>") // => true
 *
 * const error = await Effect.runPromise(Effect.flip(Structure.toSvg("xyz")))
 * error.reason // => "malformed"
 * ```
 */
export const toSvg = (text: string, options: SvgOptions = {}): Effect.Effect<string, UnreadableStructure> => {
  Options.argument("options", svgSet, options)
  const { bondLength = 28, crop = false, palette = "black", title = "chemical structure" } = options
  const { height = 220, width = 300 } = options
  const size = crop ? acsStyle : { ...screenStyle, fixedBondLength: bondLength, width, height }
  return withStructure(text, (molecule, library) => {
    const arranged = arrange(library, text.trim(), molecule)
    const copy = arranged === undefined ? null : library.get_mol(arranged.text)
    const { includeRadicals = true } = arranged ?? {}
    const drawn = (copy ?? molecule).get_svg_with_highlights(
      JSON.stringify({ ...drawing, ...size, includeRadicals, atomColourPalette: palettes[palette] })
    )
    copy?.delete()
    const body = drawn.slice(drawn.indexOf(">", drawn.indexOf("<svg")) + 1, drawn.lastIndexOf("</svg>"))
    const shapes = body.replace(/<!--.*?-->\s*/gs, "").trim()
    const box = crop
      ? croppedBox(drawn)
      : { lengths: `width="${width}" height="${height}"`, viewBox: `0 0 ${width} ${height}` }
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" ${box.lengths} ` +
      `viewBox="${box.viewBox}" role="img"><title>${escapeMarkup(title)}</title>\n${shapes}\n</svg>\n`
    )
  })
}

/** The margin of a cropped picture, in pixels, so that no letter touches its edge. */
const margin = 2

/** Returns the attributes of a picture that is as large as RDKit's drawing. */
const croppedBox = (drawn: string) => {
  const [, width, height] = /viewBox='0 0 (\d+) (\d+)'/.exec(drawn) ?? []
  const [wide, high] = [Number(width) + 2 * margin, Number(height) + 2 * margin]
  return {
    lengths: `width="${millimetres(wide)}" height="${millimetres(high)}"`,
    viewBox: `${-margin} ${-margin} ${wide} ${high}`
  }
}

/**
 * Draws the structure with braille dots and the letters of its atoms, within `columns` and `rows`.
 *
 * Fails with `UnreadableStructure`.
 *
 * @example
 *
 * ```ts
 * import { Structure } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const text = await Effect.runPromise(Structure.toText("Oc1ccccc1", { columns: 40 }))
 * text.split("\n").every((line) => line.length <= 40) // => true
 * ```
 */
export const toText = (
  text: string,
  options: TextOptions = {}
): Effect.Effect<string, UnreadableStructure> => {
  const { columns = 72, rows = 20 } = Options.argument("options", textSet, options)
  return withStructure(text, (molecule) => {
    molecule.set_new_coords()
    return draw(graphOf(molecule), { columns, rows })
  })
}

/**
 * Checks that RDKit can read a structure, and that it has at most `maxAtoms` atoms.
 *
 * Fails with `UnreadableStructure`. Use it before computations that have no such limit (`Properties`).
 *
 * @example
 *
 * ```ts
 * import { Structure } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const error = await Effect.runPromise(Effect.flip(Structure.check("C".repeat(301))))
 * error.reason // => "too-large"
 * ```
 */
export const check = (text: string): Effect.Effect<void, UnreadableStructure> =>
  Effect.suspend(() => {
    Options.argument("text", Options.text, text)
    // Before RDKit, which needs seconds to read thousands of atoms.
    const written = writtenAtoms(text)
    return written > maxAtoms ? tooManyAtoms(written, text) : Effect.asVoid(withStructure(text, () => true))
  })

const drawing = {
  scaleBondWidth: false,
  clearBackground: false,
  additionalAtomLabelPadding: 0.06
}

const screenStyle = { bondLineWidth: 1.5, padding: 0.04 }

/**
 * The style of the American Chemical Society (ACS Document 1996): bonds of 14.4 pt, lines of 0.6 pt and letters of 10 pt. A
 * negative size is that of the structure.
 */
const acsStyle = {
  bondLineWidth: 0.8,
  scalingFactor: 19.2 / 1.5,
  fixedFontSize: 13,
  padding: 0.01,
  width: -1,
  height: -1
}

const withStructure = <A>(
  text: string,
  use: (molecule: Mol, library: MainModule) => A
): Effect.Effect<A, UnreadableStructure> =>
  Effect.gen(function* () {
    Options.argument("text", Options.text, text)
    if (text.trim() === "") return yield* unreadable("empty", text, "there is no structure to draw")
    if (text.length > maxTextLength) {
      return yield* unreadable(
        "too-large",
        text,
        `a structure of ${text.length} characters is longer than the limit of ${maxTextLength}`
      )
    }
    const library = yield* load
    const result = yield* Effect.try({
      try: () =>
        // Only a SMILES is trimmed: the first line of a mol block may be blank.
        withMolecule(library, text.includes("\n") ? text : text.trim(), (molecule) => {
          const atoms = molecule.get_num_atoms(true)
          return atoms > maxAtoms ? { atoms } : { value: use(molecule, library) }
        }),
      catch: (cause) => {
        if (!discardBroken(cause)) return malformed(text)
        return unreadable(
          "too-large",
          text,
          `a structure of ${text.length} characters is too large for RDKit`
        )
      }
    })
    if (result === undefined) return yield* malformed(text)
    if (result.value !== undefined) return result.value
    return yield* tooManyAtoms(result.atoms ?? 0, text)
  })

const tooManyAtoms = (atoms: number, text: string): UnreadableStructure =>
  unreadable("too-large", text, `a structure of ${atoms} atoms is larger than the limit of ${maxAtoms}`)

/** Counts the atoms in the text of a SMILES, without hydrogens. A mol block has none, because RDKit counts its lines. */
const writtenAtoms = (text: string): number => {
  if (text.includes("\n")) return 0
  const [smiles = ""] = text.trim().split(/\s/, 1)
  const atoms = smiles.match(/\[[^\]]*\]|Cl|Br|[BCNOPSFIbcnops*]/g) ?? []
  return atoms.filter((atom) => !/^\[\d*H[+-]?\d*\]$/.test(atom)).length
}

const unreadable = (
  reason: UnreadableStructure["reason"],
  text: string,
  message: string
): UnreadableStructure => new UnreadableStructure({ reason, text, message })

const malformed = (text: string): UnreadableStructure => {
  const excerpt = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return unreadable("malformed", text, `${Quote.value(excerpt)} is neither a SMILES nor a mol block`)
}
