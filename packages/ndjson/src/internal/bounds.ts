/** Checks bounds that a program sets. An invalid bound is a mistake of the program, so the check throws. */

/** Returns the bound. Throws a `RangeError` if it is not a number of at least 1. */
export const atLeastOne = (name: string, bound: number): number => {
  if (!(bound >= 1)) throw new RangeError(`${name} must be a number of at least 1, got ${bound}`)
  return bound
}
