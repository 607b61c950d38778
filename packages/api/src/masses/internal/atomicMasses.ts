/**
 * The isotope masses behind monoisotopic masses, in unified atomic mass units.
 *
 * Isotopes: Wang, Huang, Kondev, Audi, Naimi, "The AME 2020 atomic mass evaluation (II)", Chinese Physics C 45 (2021)
 * 030003, file `mass_1.mas20`. Electron: CODATA 2018, 5.48579909065(16)e-4 u. CODATA 2022 differs from it by 3e-14 u.
 */
import { Result } from "effect"
import type { InvalidIdentifier } from "../../identifiers/InvalidIdentifier.ts"
import * as MolecularFormula from "../../identifiers/MolecularFormula.ts"

/** The mass of an electron. */
export const electron = 5.48579909065e-4

/** The most abundant isotope of each element in ions and solvents. */
const isotopes: ReadonlyMap<string, number> = new Map([
  ["H", 1.007825031898],
  ["D", 2.014101777844],
  ["Li", 7.01600343426],
  ["B", 11.009305166],
  ["C", 12],
  ["N", 14.00307400425],
  ["O", 15.99491461926],
  ["F", 18.99840316207],
  ["Na", 22.98976928195],
  ["Mg", 23.985041689],
  ["Al", 26.981538408],
  ["Si", 27.97692653442],
  ["P", 30.97376199768],
  ["S", 31.97207117354],
  ["Cl", 34.968852694],
  ["K", 38.96370648482],
  ["Ca", 39.96259085],
  ["Mn", 54.93804304],
  ["Fe", 55.934935537],
  ["Co", 58.933193524],
  ["Ni", 57.93534165],
  ["Cu", 62.929597119],
  ["Zn", 63.929141776],
  ["As", 74.921594562],
  ["Se", 79.916521761],
  ["Br", 78.918337574],
  ["Rb", 84.91178973604],
  ["Sr", 87.905612253],
  ["Ag", 106.905091509],
  ["I", 126.904472592],
  ["Cs", 132.905451958],
  ["Ba", 137.905247059]
])

/** Returns the monoisotopic mass of a formula, or undefined if the table lacks one of its elements. */
export const ofFormula = (text: string): Result.Result<number | undefined, InvalidIdentifier> =>
  Result.map(MolecularFormula.parse(text), (formula) => {
    let mass = 0
    for (const [, symbol = "", count = ""] of formula.matchAll(/([A-Z][a-z]?)(\d*)/g)) {
      mass += (isotopes.get(symbol) ?? Number.NaN) * (count === "" ? 1 : Number(count))
    }
    return Number.isNaN(mass) ? undefined : mass
  })
