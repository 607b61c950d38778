/**
 * Draws a chemical structure from its SMILES or mol block: as SVG, or as text for a terminal.
 *
 * RDKit reads the structure and computes its layout; `Png` converts the SVG to pixels. A Markush structure has `*`
 * or `R` at its open positions. The terminal drawing shows no stereochemistry.
 */
import { Quote } from "@chemstream/api"
import type { Mol } from "@rdkit/rdkit"
import { Data, Effect } from "effect"
import { draw, type Sketch } from "./internal/structures/brailleDrawing.ts"
import { symbols } from "./internal/structures/elements.ts"
import { discardBroken, load, withMolecule } from "./internal/structures/rdkit.ts"
import { escapeMarkup } from "./internal/text/markup.ts"

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

/**
 * Draws the structure as SVG, on a transparent background, with outlines that need no font.
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
  const { height = 220, palette = "black", title = "chemical structure", width = 300 } = options
  return withStructure(text, (molecule) => {
    const drawn = molecule.get_svg_with_highlights(
      JSON.stringify({ ...drawing, width, height, atomColourPalette: palettes[palette] })
    )
    const body = drawn.slice(drawn.indexOf(">", drawn.indexOf("<svg")) + 1, drawn.lastIndexOf("</svg>"))
    const shapes = body.replace(/<!--.*?-->\s*/gs, "").trim()
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" role="img"><title>${escapeMarkup(title)}</title>\n${shapes}\n</svg>\n`
    )
  })
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
export const toText = (text: string, options: TextOptions = {}): Effect.Effect<string, UnreadableStructure> =>
  withStructure(text, (molecule) => {
    molecule.set_new_coords()
    return draw(sketchOf(molecule), { columns: options.columns ?? 72, rows: options.rows ?? 20 })
  })

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
    // Before RDKit, which needs seconds to read thousands of atoms.
    const written = writtenAtoms(text)
    return written > maxAtoms ? tooManyAtoms(written, text) : Effect.asVoid(withStructure(text, () => true))
  })

/** Lines of 1.5 px and bonds of at most 28 px, so that small molecules are not enlarged. */
const drawing = {
  bondLineWidth: 1.5,
  fixedBondLength: 28,
  scaleBondWidth: false,
  padding: 0.04,
  clearBackground: false
}

const black = [0, 0, 0]

// The usual colours, each dark enough for white paper and greyscale.
const palettes = {
  black: Object.fromEntries([-1, ...symbols.keys()].map((number) => [number, black])),
  elements: {
    "-1": black,
    "7": [0.1, 0.2, 0.75],
    "8": [0.75, 0.05, 0.05],
    "9": [0, 0.42, 0.3],
    "15": [0.65, 0.3, 0],
    "16": [0.5, 0.4, 0],
    "17": [0, 0.45, 0],
    "35": [0.5, 0.2, 0.1],
    "53": [0.4, 0.05, 0.5]
  }
}

const withStructure = <A>(text: string, use: (molecule: Mol) => A): Effect.Effect<A, UnreadableStructure> =>
  Effect.gen(function* () {
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
          return atoms > maxAtoms ? { atoms } : { value: use(molecule) }
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

/** The part of RDKit's JSON (the CommonChem format) that the sketch needs. */
interface Json {
  readonly defaults: { readonly atom: { readonly z: number; readonly impHs: number; readonly chg: number } }
  readonly molecules: ReadonlyArray<{
    readonly atoms: ReadonlyArray<{
      readonly z?: number
      readonly impHs?: number
      readonly chg?: number
      readonly isotope?: number
    }>
    readonly bonds?: ReadonlyArray<{ readonly bo?: number; readonly atoms: readonly [number, number] }>
    readonly conformers?: ReadonlyArray<{ readonly coords: ReadonlyArray<readonly [number, number]> }>
  }>
}

const sketchOf = (molecule: Mol): Sketch => {
  const { defaults, molecules }: Json = JSON.parse(molecule.get_json())
  const { atoms = [], bonds = [], conformers = [] } = molecules[0] ?? {}
  const coords = conformers[0]?.coords ?? []
  return {
    atoms: atoms.map((atom, at) => ({
      x: coords[at]?.[0] ?? 0,
      // RDKit's y axis points up, a terminal's down.
      y: -(coords[at]?.[1] ?? 0),
      number: atom.z ?? defaults.atom.z,
      hydrogens: atom.impHs ?? defaults.atom.impHs,
      charge: atom.chg ?? defaults.atom.chg,
      isotope: atom.isotope ?? 0
    })),
    bonds: bonds.map(({ atoms: [from, to], bo = 1 }) => ({ from, to, order: bo }))
  }
}
