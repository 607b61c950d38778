/**
 * Logarithmic axes of concentrations.
 */
import { largest, smallest } from "../records/extremes.ts"

/** Returns the range of a logarithmic axis: the values with a tenth of a decade on each side. At least one decade. */
export const logRange = (values: ReadonlyArray<number>): readonly [from: number, to: number] => {
  if (values.length === 0) return [0.01, 100]
  let low = Math.log10(smallest(values)) - 0.1
  let high = Math.log10(largest(values)) + 0.1
  if (high - low < 1) {
    const middle = (low + high) / 2
    low = middle - 0.5
    high = middle + 0.5
  }
  return [10 ** Math.max(low, -300), 10 ** Math.min(high, 300)]
}

/** Returns the options of a logarithmic axis in µM. A longer axis has fewer ticks per decade. */
export const concentrationAxis = (from: number, to: number) => {
  const decades = Math.log10(to / from)
  const every = Math.max(1, Math.ceil(decades / 8))
  const marks = decades > 5 ? [1] : decades > 1.5 ? [1, 3] : [1, 2, 5]
  const ticks: Array<number> = []
  for (let exponent = Math.floor(Math.log10(from)); exponent <= Math.log10(to); exponent += every) {
    for (const mark of marks) {
      const tick = Number(`${mark}e${exponent}`)
      if (tick >= from && tick <= to) ticks.push(tick)
    }
  }
  return {
    type: "log" as const,
    domain: [from, to],
    ticks,
    tickFormat: (tick: number): string => (tick >= 1e-4 && tick < 1e6 ? String(tick) : tick.toExponential(0)),
    labelAnchor: "center" as const,
    labelArrow: "none" as const,
    grid: true
  }
}
