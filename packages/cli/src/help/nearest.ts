/**
 * Suggests the name that was most likely meant by an unknown name.
 */
import { InvalidOption } from "@chemstream/client"

export const nearest = InvalidOption.nearest

/** Returns the nearest name as a question in brackets. Empty if none is near. */
export const didYouMean = (name: string, names: ReadonlyArray<string>): string => {
  const meant = nearest(name, names)
  return meant === undefined ? "" : ` (did you mean ${meant}?)`
}
