/**
 * The default port of `chemstream serve`, and of the base URL of all other commands.
 */

/** The default port. */
export const defaultPort = 8765
