/**
 * The smallest and the largest of any number of values. As arguments of `Math.min` more than some 100,000 throw.
 */

/** Returns the smallest of the values and of `bound`. Default: `Infinity`. */
export const smallest = (values: ReadonlyArray<number>, bound = Number.POSITIVE_INFINITY): number =>
  values.reduce((least, value) => Math.min(least, value), bound)

/** Returns the largest of the values and of `bound`. Default: `-Infinity`. */
export const largest = (values: ReadonlyArray<number>, bound = Number.NEGATIVE_INFINITY): number =>
  values.reduce((most, value) => Math.max(most, value), bound)
