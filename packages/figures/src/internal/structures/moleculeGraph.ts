/** Reads the atoms and bonds of a molecule from RDKit's JSON (the CommonChem format). */
import type { Mol } from "@rdkit/rdkit"

export interface Atom {
  /** Coordinates in ångström. A bond is about 1.5 long, and the y axis points up. */
  readonly x: number
  readonly y: number
  /** Atomic number; 0 for any atom. */
  readonly number: number
  readonly hydrogens: number
  readonly charge: number
  /** Mass number. 0: not specified. */
  readonly isotope: number
  /** The number of unpaired electrons. */
  readonly radicals: number
}

export interface Bond {
  readonly from: number
  readonly to: number
  readonly order: number
}

/** The atoms and bonds of a molecule with coordinates. */
export interface Graph {
  readonly atoms: ReadonlyArray<Atom>
  readonly bonds: ReadonlyArray<Bond>
}

/** The part of RDKit's JSON (the CommonChem format) that a graph needs. */
interface Json {
  readonly defaults: { readonly atom: { readonly z: number; readonly impHs: number; readonly chg: number } }
  readonly molecules: ReadonlyArray<{
    readonly atoms: ReadonlyArray<{
      readonly z?: number
      readonly impHs?: number
      readonly chg?: number
      readonly isotope?: number
      readonly nRad?: number
    }>
    readonly bonds?: ReadonlyArray<{ readonly bo?: number; readonly atoms: readonly [number, number] }>
    readonly conformers?: ReadonlyArray<{ readonly coords: ReadonlyArray<readonly [number, number]> }>
  }>
}

/** Reads the graph of a molecule. */
export const graphOf = (molecule: Mol): Graph => {
  const { defaults, molecules }: Json = JSON.parse(molecule.get_json())
  const { atoms = [], bonds = [], conformers = [] } = molecules[0] ?? {}
  const coords = conformers[0]?.coords ?? []
  return {
    atoms: atoms.map((atom, at) => ({
      x: coords[at]?.[0] ?? 0,
      y: coords[at]?.[1] ?? 0,
      number: atom.z ?? defaults.atom.z,
      hydrogens: atom.impHs ?? defaults.atom.impHs,
      charge: atom.chg ?? defaults.atom.chg,
      isotope: atom.isotope ?? 0,
      radicals: atom.nRad ?? 0
    })),
    bonds: bonds.map(({ atoms: [from, to], bo = 1 }) => ({ from, to, order: bo }))
  }
}
