/**
 * Decides when a bioactivity data record is active (docs/service.md, section 5.6).
 *
 * `assayFacts` and `cytotoxicity` apply the rule; `tissueSummary` names its result.
 */
import { BioactivityData } from "@chemstream/api"

/** The two numbers of a data record that decide. Null if unknown. */
export interface HitCallFields {
  /** The hit call: continuous in multi-concentration data, 1 or 0 in single-concentration data. */
  readonly hitc: number | null
  /** The number of tested concentrations. */
  readonly nconc: number | null
}

/**
 * Returns whether a record belongs to single-concentration screening: exactly one concentration was tested.
 *
 * No rule is documented, so the project chose this one. A record without the number counts as multi-concentration
 * screening.
 */
export const isSingle = ({ nconc }: Pick<HitCallFields, "nconc">): boolean => nconc === 1

/**
 * Returns whether a record is active: its hit call is at least 0.9 in multi-concentration data, or 1 in
 * single-concentration data. A record without a hit call is inactive.
 */
export const isActive = (record: HitCallFields): boolean => {
  const { hitc } = record
  if (hitc === null) return false
  return isSingle(record) ? hitc === 1 : hitc >= BioactivityData.activeFrom
}

/** Returns the hit call as a word, or null without a hit call. */
export const toWord = (record: HitCallFields): "Active" | "Inactive" | null => {
  if (record.hitc === null) return null
  return isActive(record) ? "Active" : "Inactive"
}
