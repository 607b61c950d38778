/**
 * Messages about identifiers without a record, for people and for the lines of problems.
 */

/** The message for an unknown identifier. */
export const absence = (id: string): string => `the service does not know ${id}`

/**
 * Adds the names that the service suggests to a message. They are similar in spelling, and may all be wrong.
 */
export const withSuggestions = (message: string, suggestions: ReadonlyArray<string> = []): string =>
  suggestions.length === 0
    ? message
    : `${message}; similar ${suggestions.length === 1 ? "name" : "names"}: ${suggestions.join(", ")}`
