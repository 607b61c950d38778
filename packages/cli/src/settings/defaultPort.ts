/**
 * Where `chemstream serve` listens and all other commands ask, when nothing else is said.
 */

/** The port when none is given. */
export const defaultPort = 8765
