/**
 * Messages about identifiers without a record, for people and for the lines of problems. A skeleton is the first block of an InChIKey,
 * which stereoisomers and charged forms share.
 */

import { Repair } from "@chemstream/api"

/** The message for an unknown identifier. */
export const absence = (id: string): string => `the service does not know ${id}`

/** Whether a suggestion is a substance of the skeleton: `resolve/internal/readingFindings.ts` names the layers in which it differs. */
const isNearMiss = (suggestion: string): boolean => / with other (?:stereo|charge)/.test(suggestion)

/** Adds to a message substances of the same skeleton, and names that are similar in spelling and may all be wrong. */
export const withSuggestions = (message: string, suggestions: ReadonlyArray<string> = []): string => {
  const near = suggestions.filter(isNearMiss)
  const names = suggestions.filter((one) => !isNearMiss(one))
  const ofSkeleton = near.length === 0 ? "" : `; of the same skeleton: ${near.join(", ")}`
  const label = names.length === 1 ? "name" : "names"
  return `${message}${ofSkeleton}${names.length === 0 ? "" : `; similar ${label}: ${names.join(", ")}`}`
}

/** Returns the note of an identifier that was repaired. Null: it was given as it is. */
export const repairOf = ({ given, id }: { readonly given?: string; readonly id: string }): string | null =>
  given === undefined ? null : (Repair.noteOf(given, id) ?? null)

/** Adds to a message how an identifier was repaired. */
export const withRepair = (message: string, place: Parameters<typeof repairOf>[0]): string => {
  const repair = repairOf(place)
  return repair === null ? message : `${repair}; ${message}`
}
