/**
 * Messages about identifiers without a record, for people and for the lines of problems.
 */

/** The message for an unknown identifier. */
export const absence = (id: string): string => `the service does not know ${id}`

/** Adds the suggestions of the service to a message. */
export const withSuggestions = (message: string, suggestions: ReadonlyArray<string> = []): string =>
  suggestions.length === 0 ? message : `${message}; it suggests ${suggestions.join(", ")}`
