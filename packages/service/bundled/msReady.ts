/**
 * Computes the MS-ready form of a structure: the part that a mass spectrometer detects.
 *
 * It keeps isotope labels and the largest organic component: the one with the most atoms other than hydrogen, or of
 * equals, the first SMILES in code order. It drops stereochemistry, and neutralises charges that a proton explains.
 * It does not unify tautomers, break bonds to metals, or change charges without a proton (quaternary nitrogen, nitro
 * groups). A structure without carbon has no MS-ready form.
 */
import { Molecule } from "openchemlib"
import { openMolecule, type RDKit, withMolecule } from "./structure.ts"

/**
 * Returns the MS-ready SMILES in RDKit's canonical form, or null if no component has carbon. Throws
 * `StructureError` if a library cannot read the SMILES.
 *
 * @example
 * msReady(rdkit, "[Na+].[O-]C(=O)c1ccccc1") // "O=C(O)c1ccccc1"
 * msReady(rdkit, "[Na+].[Cl-]") // null
 */
export const msReady = (rdkit: RDKit, smiles: string): string | null => {
  const organic = smiles
    .split(".")
    .map((component) => openMolecule(component, { noStereo: true }))
    .filter((molecule) => atomsOf(molecule).some((atom) => molecule.getAtomicNo(atom) === 6))
    .map((molecule) => ({ size: heavyAtoms(molecule), smiles: canonical(rdkit, neutralise(molecule)) }))
    .sort((a, b) => b.size - a.size || (a.smiles < b.smiles ? -1 : 1))
  return organic[0]?.smiles ?? null
}

const atomsOf = (molecule: Molecule): ReadonlyArray<number> =>
  Array.from({ length: molecule.getAllAtoms() }, (_, atom) => atom)

const heavyAtoms = (molecule: Molecule): number =>
  atomsOf(molecule).filter((atom) => molecule.getAtomicNo(atom) > 1).length

// Implicit hydrogens follow from the charge, so changing the charge also adds or removes the proton.
const neutralise = (molecule: Molecule): Molecule => {
  molecule.ensureHelperArrays(Molecule.cHelperNeighbours)
  const neutral = atomsOf(molecule).filter((atom) => {
    const charge = molecule.getAtomCharge(atom)
    if (charge === 0 || besideOppositeCharge(molecule, atom, charge)) return false
    return charge < 0 || molecule.getAllHydrogens(atom) >= charge
  })
  for (const atom of neutral) molecule.setAtomCharge(atom, 0)
  return molecule
}

const besideOppositeCharge = (molecule: Molecule, atom: number, charge: number): boolean =>
  Array.from({ length: molecule.getAllConnAtoms(atom) }, (_, i) => molecule.getConnAtom(atom, i)).some(
    (neighbour) => molecule.getAtomCharge(neighbour) * charge < 0
  )

const canonical = (rdkit: RDKit, molecule: Molecule): string =>
  withMolecule(rdkit, molecule.toIsomericSmiles({ kekulizedOutput: true }), (read) => read.get_smiles())
