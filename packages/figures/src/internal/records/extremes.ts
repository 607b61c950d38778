/** The smallest and the largest of many values. `Math.min` throws above some 100,000 arguments. */

/** Returns the smallest of the values and of `bound`. Default: `Infinity`. */
export const smallest = (values: ReadonlyArray<number>, bound = Number.POSITIVE_INFINITY): number =>
  values.reduce((result, value) => Math.min(result, value), bound)

/** Returns the largest of the values and of `bound`. Default: `-Infinity`. */
export const largest = (values: ReadonlyArray<number>, bound = Number.NEGATIVE_INFINITY): number =>
  values.reduce((result, value) => Math.max(result, value), bound)
