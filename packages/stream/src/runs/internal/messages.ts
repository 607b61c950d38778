/**
 * Messages about identifiers without a record, for people and for the lines of problems.
 */

import { Repair } from "@chemstream/api"

/** The message for an unknown identifier. */
export const absence = (id: string): string => `the service does not know ${id}`

/**
 * Adds the names that the service suggests to a message. They are similar in spelling, and may all be wrong.
 */
export const withSuggestions = (message: string, suggestions: ReadonlyArray<string> = []): string =>
  suggestions.length === 0
    ? message
    : `${message}; similar ${suggestions.length === 1 ? "name" : "names"}: ${suggestions.join(", ")}`

/** Returns the note of an identifier that was repaired. Null: it was given as it is. */
export const repairOf = ({ given, id }: { readonly given?: string; readonly id: string }): string | null =>
  given === undefined ? null : (Repair.noteOf(given, id) ?? null)

/** Adds to a message how an identifier was repaired. */
export const withRepair = (message: string, place: Parameters<typeof repairOf>[0]): string => {
  const repair = repairOf(place)
  return repair === null ? message : `${repair}; ${message}`
}
