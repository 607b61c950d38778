/**
 * What is said of an identifier that has no record: in a line for people (`Outcome.describe`), and in lines of problems.
 */

/** That the service has nothing of an identifier. */
export const absence = (id: string): string => `the service does not know ${id}`

/** A message with what the service names instead, where it names anything. */
export const withSuggestions = (message: string, suggestions: ReadonlyArray<string> = []): string =>
  suggestions.length === 0 ? message : `${message}; it suggests ${suggestions.join(", ")}`
