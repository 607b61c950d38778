/**
 * A generator of random numbers that depend only on its seed.
 *
 * mulberry32 of Tommy Ettinger and FNV-1a of Fowler, Noll and Vo, both in the public domain. Not for secrets.
 */

/** Draws numbers. Each draw changes the state, so the next one differs. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  readonly unit: () => number
  /** An integer from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number
  /** Returns true with this probability. */
  readonly happens: (probability: number) => boolean
  readonly pick: <A>(values: readonly [A, ...ReadonlyArray<A>]) => A
}

export const make = (seed: number): Random => {
  let state = seed | 0
  const unit = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (least: number, most: number): number => least + Math.floor(unit() * (most - least + 1))
  return {
    unit,
    between,
    happens: (probability) => unit() < probability,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0]
  }
}

/** Hashes a seed and texts into a 32-bit integer. */
export const hash = (seed: number, ...texts: ReadonlyArray<string>): number => {
  let value = Math.imul(seed ^ 0x811c9dc5, 0x01000193)
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
    }
    value = Math.imul(value ^ 0x1f, 0x01000193)
  }
  return value >>> 0
}
