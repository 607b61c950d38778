/**
 * When a bioactivity data record counts as active (docs/service.md, section 5.6).
 *
 * Arithmetic only: counting is the store's, and which records a summary takes is `cytotoxicity`'s and
 * `tissueSummary`'s.
 */
import { BioactivityData } from "@chemstream/api"

/** The two numbers of a data record that decide; null where they are not known. */
export interface Measured {
  /** The hit call: continuous in multi-concentration data, 1 or 0 in single-concentration data. */
  readonly hitc: number | null
  /** The number of concentrations tested. */
  readonly nconc: number | null
}

/**
 * Whether a record is of single-concentration screening: exactly one concentration was tested. How the two
 * are told apart is not documented; this rule is this project's own. A record that does not say how many is of
 * multi-concentration screening.
 */
export const isSingle = ({ nconc }: Pick<Measured, "nconc">): boolean => nconc === 1

/**
 * Whether a record is active: in multi-concentration data from a hit call of 0.9 on, in single-concentration
 * data with a hit call of 1. A record without a hit call is not active.
 */
export const isActive = (measured: Measured): boolean => {
  const { hitc } = measured
  if (hitc === null) return false
  return isSingle(measured) ? hitc === 1 : hitc >= BioactivityData.activeFrom
}

/** The hit call in words, null where there is none. */
export const inWords = (measured: Measured): "Active" | "Inactive" | null => {
  if (measured.hitc === null) return null
  return isActive(measured) ? "Active" : "Inactive"
}
