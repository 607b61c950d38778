/**
 * Counts the atoms of a structure, and computes its formula and masses.
 *
 * Standard atomic weights: CIAAW 2021 (Pure Appl. Chem. 2022, 94, 573); for an interval, its conventional value.
 * Masses of isotopes: the Atomic Mass Evaluation of 2020 (Chinese Phys. C 2021, 45, 030003). Only the elements of
 * `structureFragments.ts`.
 */
import { round } from "../numbers/exactMath.ts"

interface Atom {
  /** The symbol in a composition. `D` is hydrogen-2 and `^C` is carbon-13. */
  readonly symbol: string
  readonly element: string
  /** Dalton. For `D` and `^C`, the mass of the isotope. */
  readonly averageMass: number
  /** Dalton, of the most abundant isotope. For `D` and `^C`, the mass of the isotope. */
  readonly monoisotopicMass: number
}

/** The atoms in Hill order of their elements: carbon, hydrogen, then by symbol. */
const atoms: ReadonlyArray<Atom> = [
  { symbol: "C", element: "C", averageMass: 12.011, monoisotopicMass: 12 },
  { symbol: "^C", element: "C", averageMass: 13.00335483534, monoisotopicMass: 13.00335483534 },
  { symbol: "H", element: "H", averageMass: 1.008, monoisotopicMass: 1.007825031898 },
  { symbol: "D", element: "H", averageMass: 2.014101777844, monoisotopicMass: 2.014101777844 },
  { symbol: "Br", element: "Br", averageMass: 79.904, monoisotopicMass: 78.9183376 },
  { symbol: "Cl", element: "Cl", averageMass: 35.45, monoisotopicMass: 34.968852694 },
  { symbol: "F", element: "F", averageMass: 18.998403162, monoisotopicMass: 18.998403162067 },
  { symbol: "I", element: "I", averageMass: 126.90447, monoisotopicMass: 126.9044719 },
  { symbol: "K", element: "K", averageMass: 39.0983, monoisotopicMass: 38.9637064848 },
  { symbol: "N", element: "N", averageMass: 14.007, monoisotopicMass: 14.003074004251 },
  { symbol: "Na", element: "Na", averageMass: 22.98976928, monoisotopicMass: 22.989769282 },
  { symbol: "O", element: "O", averageMass: 15.999, monoisotopicMass: 15.994914619257 },
  { symbol: "P", element: "P", averageMass: 30.973761998, monoisotopicMass: 30.973761997668 },
  { symbol: "S", element: "S", averageMass: 32.06, monoisotopicMass: 31.9720711735 },
  { symbol: "Si", element: "Si", averageMass: 28.085, monoisotopicMass: 27.976926534649 }
]

const indexBySymbol = new Map(atoms.map((atom, index) => [atom.symbol, index]))

/** Counts of atoms, indexed as `atoms`. */
export type Composition = ReadonlyArray<number>

/** No atoms. */
export const empty: Composition = atoms.map(() => 0)

/** Parses a composition such as `C6H5` or `CD3`. Throws if an atom is not in the table. */
export const parse = (text: string): Composition => {
  const counts = [...empty]
  for (const [part, symbol = "", count] of text.matchAll(/(\^?[A-Z][a-z]?)(\d*)/g)) {
    const index = indexBySymbol.get(symbol)
    if (index === undefined) throw new Error(`${text}: the atom ${part} is not in the table of atoms`)
    counts[index] = (counts[index] as number) + (count ? Number(count) : 1)
  }
  return counts
}

/** Returns `left + times × right`. */
export const add = (left: Composition, right: Composition, times = 1): Composition =>
  left.map((count, index) => count + times * (right[index] as number))

/** Returns the formula in Hill order. Isotopes count as their element. */
export const formula = (composition: Composition): string => {
  let text = ""
  for (let index = 0; index < atoms.length; ) {
    const { element } = atoms[index] as Atom
    let count = 0
    while (index < atoms.length && atoms[index]?.element === element) count += composition[index++] as number
    if (count > 0) text += count === 1 ? element : `${element}${count}`
  }
  return text
}

/** Returns the monoisotopic mass in dalton, with six decimals. */
export const monoisotopicMass = (composition: Composition): number =>
  round(massOf(composition, "monoisotopicMass"), 6)

/** Returns the average mass in dalton, with three decimals. */
export const averageMass = (composition: Composition): number => round(massOf(composition, "averageMass"), 3)

const massOf = (composition: Composition, mass: "averageMass" | "monoisotopicMass"): number =>
  composition.reduce((sum, count, index) => sum + count * (atoms[index] as Atom)[mass], 0)

/** Returns whether the composition has `D` or `^C`. */
export const hasIsotope = (composition: Composition): boolean =>
  atoms.some(({ symbol, element }, index) => symbol !== element && (composition[index] as number) > 0)
