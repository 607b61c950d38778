/** Medians and percentiles of measurements. */

/** Returns the value below which a share of the values lies (nearest rank). NaN without values. */
export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN
}

/** Returns the median. */
export const median = (values: ReadonlyArray<number>): number => percentile(values, 0.5)

/** Divides each dividend by its divisor. */
export const quotients = (dividends: ReadonlyArray<number>, divisors: ReadonlyArray<number>): Array<number> =>
  dividends.map((dividend, n) => dividend / (divisors[n] as number))

/** Rounds a number to three significant digits. */
export const short = (value: number): number => Number(value.toPrecision(3))

/** The medians of measurements, with three significant digits. */
export const mediansOf = (
  measurements: Readonly<Record<string, ReadonlyArray<number>>>
): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(measurements).map(([name, values]) => [name, short(median(values))]))

/** Returns the slope of the line through the logarithms of points, by least squares. */
export const slope = (points: ReadonlyArray<readonly [number, number]>): number => {
  const logarithms = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const)
  const mean = (of: 0 | 1): number => logarithms.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const covariance = logarithms.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return covariance / logarithms.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}
