/** The window of mass in which a feature is searched for as an ion. */
import { Adduct, MassRange } from "@chemstream/api"

/** Removes the rounding noise of binary fractions. */
const round = (mass: number): number => Number(mass.toFixed(9))

/** Returns the window of a feature as an ion, as `MsReady.byMassRange` takes it. */
export const windowOf = (adduct: Adduct.Adduct, mz: number, tolerance: Adduct.Tolerance): string => {
  const width = round(Adduct.massTolerance(adduct, mz, tolerance))
  const mass = round(Adduct.neutralMass(adduct, mz))
  return `${Math.max(0, round(mass - width))},${Math.min(MassRange.largestMass, round(mass + width))}`
}
