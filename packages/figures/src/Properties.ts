/**
 * Computes InChIs, InChIKeys and monoisotopic masses of structures with RDKit.
 *
 * Masses use RDKit's own table of isotopes. `Structure` draws structures.
 */

import { Adduct, Quote } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Effect } from "effect"
import { graphOf } from "./internal/structures/moleculeGraph.ts"
import { discardBroken, load, using } from "./internal/structures/rdkit.ts"
import { maxTextLength, UnreadableStructure } from "./Structure.ts"

/** The number of cached results. */
const cacheSize = 10_000

const malformed = (text: string, kind: string): UnreadableStructure =>
  new UnreadableStructure({
    reason: "malformed",
    text,
    message: `${Quote.value(text)} ${
      kind === "SMILES" && text.includes("*")
        ? "contains the atom *, so it is a group of structures and has no InChIKey"
        : `is not a valid ${kind}`
    }`
  })

/** Computes a result for a text, and caches it. */
const cachedComputation = <A>(
  kindOf: (text: string) => string,
  compute: (library: Effect.Success<typeof load>, text: string) => A | undefined
): ((text: string) => Effect.Effect<A, UnreadableStructure>) => {
  const cache = new Map<string, A>()
  return (input) =>
    Effect.suspend(() => {
      Options.argument("structure", Options.text, input)
      const text = input.trim()
      const cachedValue = cache.get(text)
      if (cachedValue !== undefined) return Effect.succeed(cachedValue)
      if (text === "" || text.length > maxTextLength) return Effect.fail(malformed(text, kindOf(text)))
      return Effect.flatMap(load, (library) =>
        Effect.try({
          try: () => compute(library, text),
          catch: (cause) => {
            discardBroken(cause)
            return malformed(text, kindOf(text))
          }
        })
      ).pipe(
        Effect.flatMap((value) =>
          value === undefined ? Effect.fail(malformed(text, kindOf(text))) : Effect.succeed(value)
        ),
        Effect.tap((value) =>
          Effect.sync(() => {
            if (cache.size >= cacheSize) cache.clear()
            cache.set(text, value)
          })
        )
      )
    })
}

const isInchi = (text: string): boolean => text.startsWith("InChI=")

/** Matches an InChI with a formula layer. RDKit computes a key from any text that begins like an InChI. */
const inchiForm = /^InChI=1S?\/[A-Z\d][A-Za-z\d.]*(?:\/|$)/

/**
 * Matches layers that a standard InChI cannot have: fixed hydrogens, bonds to metals, unknown stereochemistry (InChI
 * Technical Manual).
 */
const nonStandardLayers = /\/[for]|\/[bt][^/]*[?u]/

/**
 * Returns the standard form of an InChI, if it has one. Some records have a standard InChI with the prefix
 * `InChI=1/`. RDKit would compute another key from that prefix.
 */
const toStandard = (text: string): string =>
  text.startsWith("InChI=1/") && !nonStandardLayers.test(text) ? text.replace("InChI=1/", "InChI=1S/") : text

/** Returns the InChI of a SMILES, or undefined if RDKit cannot read it. */
const inchiOf = (library: Effect.Success<typeof load>, smiles: string): string | undefined =>
  using(library.get_mol(smiles), (molecule) => molecule.get_inchi() || undefined)

/** Returns the standard InChI of a SMILES. Fails with `UnreadableStructure`. */
export const inchi: (smiles: string) => Effect.Effect<string, UnreadableStructure> = cachedComputation(
  () => "SMILES",
  inchiOf
)

/**
 * Returns the standard InChIKey of a SMILES or an InChI. Fails with `UnreadableStructure`.
 *
 * @example
 *
 * ```ts
 * import { Properties } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * await Effect.runPromise(Properties.inchikey("CC(C)(c1ccc(O)cc1)c1ccc(O)cc1")) // => "IISBACLAFKSPIT-UHFFFAOYSA-N"
 * ```
 */
export const inchikey: (structure: string) => Effect.Effect<string, UnreadableStructure> = cachedComputation(
  (text) => (isInchi(text) ? "InChI" : "SMILES"),
  (library, text) => {
    if (isInchi(text))
      return inchiForm.test(text) ? library.get_inchikey_for_inchi(toStandard(text)) : undefined
    const found = inchiOf(library, text)
    return found === undefined ? undefined : library.get_inchikey_for_inchi(found)
  }
)

/**
 * Returns the monoisotopic mass of a SMILES in dalton. Fails with `UnreadableStructure`.
 *
 * It is the sum of the masses of the atoms, as `Adduct` of the contract expects it. The charge does not change it.
 *
 * @example
 *
 * ```ts
 * import { Properties } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * (await Effect.runPromise(Properties.mass("c1ccccc1"))).toFixed(4) // => "78.0470"
 * ```
 */
export const mass: (smiles: string) => Effect.Effect<number, UnreadableStructure> = cachedComputation(
  () => "SMILES",
  (library, text) =>
    using(library.get_mol(text), (molecule) => {
      const { exactmw } = JSON.parse(molecule.get_descriptors())
      const charge = graphOf(molecule).atoms.reduce((sum, atom) => sum + atom.charge, 0)
      // RDKit's mass leaves out the electrons that a charge lacks, and counts those that it has in excess.
      const sum = exactmw + charge * Adduct.electronMass
      return sum > 0 ? sum : undefined
    })
)

/** The implementation of `Structures` of `@chemstream/stream`. */
export const structures: {
  readonly inchi: typeof inchi
  readonly inchikey: typeof inchikey
  readonly mass: typeof mass
} = { inchi, inchikey, mass }
