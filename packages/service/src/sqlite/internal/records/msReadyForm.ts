/**
 * Formula and monoisotopic mass of the MS-ready form of a substance, from its `msReadySmiles`.
 *
 * Where that is the structure of the record itself, formula and mass are the record's own; else they are computed by
 * OpenChemLib, which is loaded when it is first needed. Isotopes are counted as their element.
 */
import { createRequire } from "node:module"
import { MolecularFormula } from "@chemstream/api"
import { Result } from "effect"

/** What is needed of a detail record; what it lacks is undefined. */
export interface Structure {
  readonly smiles: string | undefined
  readonly msReadySmiles: string | undefined
  /** In Hill order; null where there is none. */
  readonly formula: string | null
  readonly monoisotopicMass: number | undefined
}

/** Formula in Hill order, and mass in dalton; null where there is none, or it can't be computed. */
export interface MsReadyForm {
  readonly formula: string | null
  readonly mass: number | null
}

/** A formula in Hill order, or null where it is none. */
export const hill = (formula: string | undefined): string | null =>
  formula === undefined ? null : Result.getOrElse(MolecularFormula.parse(formula), () => null)

/** The MS-ready form of a record. */
export const of = ({ smiles, msReadySmiles, formula, monoisotopicMass }: Structure): MsReadyForm => {
  if (msReadySmiles === undefined) return { formula: null, mass: null }
  if (msReadySmiles === smiles && formula !== null && monoisotopicMass !== undefined) {
    return { formula, mass: monoisotopicMass }
  }
  return computed(msReadySmiles)
}

const computed = (smiles: string): MsReadyForm => {
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
    // A structure that the library can't read is found by its other fields only.
    return { formula: null, mass: null }
  }
}

let library: typeof import("openchemlib") | undefined
