/** Checks bounds that a program sets. An invalid bound is a mistake of the program, so the check throws. */
import { InvalidOption } from "../InvalidOption.ts"

/** Returns the bound. Throws `InvalidOption` if it is not a number of at least 1. */
export const atLeastOne = (name: string, bound: number): number => {
  if (!(bound >= 1)) throw new InvalidOption(name, "must be a number of at least 1", bound)
  return bound
}
