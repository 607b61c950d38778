/**
 * Computes the fields that follow from a SMILES: formula, masses, InChI, InChIKey, fingerprint and flags.
 *
 * RDKit computes InChI, InChIKey, monoisotopic mass and fingerprint; OpenChemLib computes formula and average mass. A
 * structure is refused if the monoisotopic masses of both differ. Not supported: Markush structures and polymers.
 */
import initRDKitModule, { type MainModule, type Mol } from "@rdkit/rdkit"
import { Data } from "effect"
import { Molecule } from "openchemlib"

/** The number of fingerprint bits: the length of `descriptorStringTsv` in public deployments. */
export const fingerprintBits = 729

/** The radius of the Morgan fingerprint, in bonds. Radius 2 is also called ECFP4. */
export const fingerprintRadius = 2

/** The largest allowed difference between the monoisotopic masses of the two libraries, in dalton. */
export const massTolerance = 0.001

/** A structure is unreadable, or its masses in the two libraries differ. */
export class StructureError extends Data.TaggedError("StructureError")<{
  readonly smiles: string
  readonly message: string
}> {}

/** The computed fields of a structure. */
export interface Structure {
  /** In Hill order. Isotopes count as their element. */
  readonly molFormula: string
  /** In dalton, of the given isotopes, otherwise of the most abundant isotope of each element. */
  readonly monoisotopicMass: number
  /** In dalton, of natural abundances, with three decimals. */
  readonly averageMass: number
  readonly inchiString: string
  readonly inchikey: string
  /** `fingerprintBits` tab-separated 0 and 1. */
  readonly descriptorStringTsv: string
  /** 1 if an atom has a given isotope, else 0. */
  readonly isotope: number
  /** 1 if the structure has more than one component, else 0. */
  readonly multicomponent: number
  /** "1" if a stereocentre or double bond has a given configuration, else "0". */
  readonly stereo: string
}

/** The loaded RDKit. */
export type RDKit = MainModule

/** Loads RDKit's WebAssembly module. Takes about 0.1 s, so load it once. */
export const loadRDKit = (): Promise<RDKit> => initRDKitModule.default()

/**
 * Reads a SMILES with RDKit, passes the molecule to `use` and deletes it. Throws `StructureError` if RDKit cannot
 * read it.
 *
 * @example
 * withMolecule(rdkit, "OCC", (molecule) => molecule.get_smiles()) // "CCO"
 */
export const withMolecule = <A>(rdkit: RDKit, smiles: string, use: (molecule: Mol) => A): A => {
  const molecule = rdkit.get_mol(smiles)
  if (molecule === null)
    throw new StructureError({ smiles, message: `RDKit cannot read the SMILES ${smiles}` })
  try {
    return use(molecule)
  } finally {
    molecule.delete()
  }
}

/**
 * Reads a SMILES with OpenChemLib. Throws `StructureError` if it cannot read it.
 *
 * @example
 * openMolecule("CCO").getMolecularFormula().formula // "C2H6O"
 */
export const openMolecule = (smiles: string, options: { readonly noStereo?: boolean } = {}): Molecule => {
  try {
    return Molecule.fromSmiles(smiles, { noCoordinates: true, ...options })
  } catch (cause) {
    throw new StructureError({ smiles, message: `OpenChemLib cannot read the SMILES ${smiles}: ${cause}` })
  }
}

/**
 * Computes all fields that follow from a SMILES. Throws `StructureError` if a library cannot read it, if the
 * monoisotopic masses differ by more than `massTolerance`, or if it has no InChI.
 *
 * @example
 * const { molFormula, inchikey } = fromSmiles(await loadRDKit(), "CC(C)(c1ccc(O)cc1)c1ccc(O)cc1")
 * // molFormula is "C15H16O2", inchikey is "IISBACLAFKSPIT-UHFFFAOYSA-N"
 */
export const fromSmiles = (rdkit: RDKit, smiles: string): Structure => {
  const formula = openMolecule(smiles).getMolecularFormula()
  return withMolecule(rdkit, smiles, (molecule) => {
    const { exactmw } = JSON.parse(molecule.get_descriptors()) as { readonly exactmw: number }
    if (!(Math.abs(exactmw - formula.absoluteWeight) <= massTolerance)) {
      throw new StructureError({
        smiles,
        message: `RDKit and OpenChemLib differ on the monoisotopic mass of ${smiles}: ${exactmw} and ${formula.absoluteWeight}`
      })
    }
    const inchiString = molecule.get_inchi()
    if (inchiString === "")
      throw new StructureError({ smiles, message: `RDKit computes no InChI of ${smiles}` })
    const fingerprint = molecule.get_morgan_fp(
      JSON.stringify({ radius: fingerprintRadius, nBits: fingerprintBits })
    )
    const canonical = molecule.get_smiles()
    return {
      molFormula: hill(formula.formula),
      monoisotopicMass: round(exactmw, 9),
      averageMass: round(formula.relativeWeight, 3),
      inchiString,
      inchikey: rdkit.get_inchikey_for_inchi(inchiString),
      descriptorStringTsv: Array.from(fingerprint).join("\t"),
      isotope: /\[\d/.test(canonical) ? 1 : 0,
      multicomponent: canonical.includes(".") ? 1 : 0,
      stereo: /[@/\\]/.test(canonical) ? "1" : "0"
    }
  })
}

/**
 * Writes a formula in Hill order: carbon, hydrogen, then the other elements by name. Without carbon, all are
 * sorted by name. D and T count as hydrogen.
 *
 * @example
 * hill("C3H5OCl") // "C3H5ClO"
 * hill("HF") // "FH"
 */
export const hill = (formula: string): string => {
  const counts = new Map<string, number>()
  for (const [, symbol, count] of formula.matchAll(/([A-Z][a-z]?)(\d*)/g)) {
    const element = symbol === "D" || symbol === "T" ? "H" : (symbol as string)
    counts.set(element, (counts.get(element) ?? 0) + (count ? Number(count) : 1))
  }
  const first = counts.has("C") ? ["C", "H"].filter((element) => counts.has(element)) : []
  const others = [...counts.keys()].filter((element) => !first.includes(element)).sort()
  return [...first, ...others]
    .map((element) => (counts.get(element) === 1 ? element : `${element}${counts.get(element)}`))
    .join("")
}

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals))
