/**
 * Checks of the bounds a program sets: a wrong one is a mistake of the program, so it throws at once.
 */

/** The bound itself; throws a `RangeError` when it is not a number of at least 1. */
export const atLeastOne = (name: string, bound: number): number => {
  if (!(bound >= 1)) throw new RangeError(`${name} must be a number of at least 1, got ${bound}`)
  return bound
}
