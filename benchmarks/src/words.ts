/**
 * Draws identifiers and words from the data set. They are the same in every run.
 */
import { Dtxsid } from "@chemstream/api"
import { Synthetic } from "@chemstream/synthetic"

/** Draws `n` whole numbers below `bound` with a seeded linear congruential generator (Numerical Recipes). */
export const draw = (n: number, bound: number, seed: number): ReadonlyArray<number> => {
  let state = seed >>> 0
  return Array.from({ length: n }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  })
}

/** Returns the identifiers of `n` different substances, spread over a data set of `count`. */
export const identifiers = (n: number, count: number, seed: number): ReadonlyArray<string> => {
  const [start = 0] = draw(1, count, seed)
  // Steps of about the golden ratio spread best. A step that is coprime with the count hits no substance twice.
  let step = Math.round(count * 0.618) + seed
  while (greatestCommonDivisor(step, count) > 1) step += 1
  return Array.from({ length: n }, (_, i) =>
    Dtxsid.fromNumber(Synthetic.firstNumber + ((start + i * step) % count))
  )
}

/** The words of each kind of search, from the names of some substances. */
export interface Words {
  readonly equal: ReadonlyArray<string>
  readonly startWith: ReadonlyArray<string>
  readonly contain: ReadonlyArray<string>
}

/** Makes words to search for: whole names, their first four to eight characters, and four to ten letters inside them. */
export const words = (names: ReadonlyArray<string>): Words => ({
  equal: names,
  startWith: names.map((name, n) =>
    Array.from(name)
      .slice(0, 4 + (n % 5))
      .join("")
      .trimEnd()
  ),
  contain: names.map((name, n) => {
    const runs = name.match(/[a-z]{4,}/gi) ?? ["acid"]
    const run = runs[n % runs.length] as string
    const length = Math.min(4 + (n % 7), run.length)
    const from = (7 * n) % (run.length - length + 1)
    return run.slice(from, from + length)
  })
})

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)
