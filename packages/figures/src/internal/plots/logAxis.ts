/** Makes the logarithmic axes of concentrations. */

import { largest, smallest } from "../records/extremes.ts"
import { gridColour } from "./plotColours.ts"
import type { Area, Library } from "./plotFrame.ts"

/** The range of an axis. */
export type Range = readonly [from: number, to: number]

/** Returns the range of a logarithmic axis: the values with a tenth of a decade on each side. At least one decade. */
export const logRange = (values: ReadonlyArray<number>): Range => {
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

/** Returns the ticks of a logarithmic axis. `room` is the number of labels that have room. */
const ticksOf = ([from, to]: Range, room: number): ReadonlyArray<number> => {
  const decades = Math.log10(to / from)
  const every = Math.max(1, Math.ceil(decades / Math.min(8, room)))
  const firstDigits = [[1, 2, 5], [1, 3], [1]].find((digits) => decades * digits.length <= room) ?? [1]
  const ticks: Array<number> = []
  for (let exponent = Math.floor(Math.log10(from)); exponent <= Math.log10(to); exponent += every) {
    for (const digit of firstDigits) {
      const tick = Number(`${digit}e${exponent}`)
      if (tick >= from && tick <= to) ticks.push(tick)
    }
  }
  return ticks
}

const tickText = (tick: number): string => (tick >= 1e-4 && tick < 1e6 ? String(tick) : tick.toExponential(0))

/** Returns a logarithmic axis with its scale and its marks, for a plot with this many pixels between its margins. */
export const logAxis = (Plot: Library, range: Range, label: string, { em }: Area, inner: number) => {
  const ticks = ticksOf(range, Math.max(2, inner / (3.6 * em)))
  return {
    x: { type: "log" as const, domain: [...range], axis: null },
    marks: [
      Plot.gridX(ticks, { stroke: gridColour, strokeOpacity: 1 }),
      // The format of a tick would hide some labels of a logarithmic axis.
      Plot.axisX(ticks, {
        text: tickText,
        label,
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 3 * em,
        fontSize: em
      })
    ]
  }
}
