/**
 * Computes the formula and the monoisotopic mass of the MS-ready form of a substance.
 *
 * If `msReadySmiles` is the structure of the record, formula and mass are those of the record. Otherwise OpenChemLib
 * computes them; it is loaded when first needed. Isotopes count as their element.
 */
import { createRequire } from "node:module"
import { MolecularFormula } from "@chemstream/api"
import { Result } from "effect"

/** The structure fields of a detail record. */
export interface Structure {
  readonly smiles: string | undefined
  readonly msReadySmiles: string | undefined
  /** In Hill order. Null if there is none. */
  readonly formula: string | null
  readonly monoisotopicMass: number | undefined
}

/** The formula in Hill order and the mass in dalton. Null if unknown. */
export interface MsReadyForm {
  readonly formula: string | null
  readonly mass: number | null
}

/** Returns a formula in Hill order, or null if it is malformed. */
export const hill = (formula: string | undefined): string | null =>
  formula === undefined ? null : Result.getOrElse(MolecularFormula.parse(formula), () => null)

/** Returns the MS-ready form of a record. */
export const fromStructure = ({
  smiles,
  msReadySmiles,
  formula,
  monoisotopicMass
}: Structure): MsReadyForm => {
  if (msReadySmiles === undefined) return { formula: null, mass: null }
  if (msReadySmiles === smiles && formula !== null && monoisotopicMass !== undefined) {
    return { formula, mass: monoisotopicMass }
  }
  return compute(msReadySmiles)
}

const compute = (smiles: string): MsReadyForm => {
  library ??= createRequire(import.meta.url)("openchemlib") as typeof import("openchemlib")
  try {
    const { formula, absoluteWeight } = library.Molecule.fromSmiles(smiles, {
      noCoordinates: true,
      noStereo: true
    }).getMolecularFormula()
    return {
      formula: hill(formula.replace(/[DT](?![a-z])/g, "H")),
      mass: Math.round(absoluteWeight * 1e6) / 1e6
    }
  } catch {
    // A structure that the library cannot read is still found by its other fields.
    return { formula: null, mass: null }
  }
}

let library: typeof import("openchemlib") | undefined
