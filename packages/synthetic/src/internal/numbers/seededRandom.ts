/**
 * A seeded generator of pseudo-random numbers that draws the same numbers on every machine.
 *
 * It is sfc32 ("small fast counter", 32 bit) of Chris Doty-Humphrey's PractRand (public domain,
 * pracrand.sourceforge.net/RNG_engines.txt). It uses only integer arithmetic. Not for secrets.
 */

/** Draws numbers; each draw changes the state. */
export interface Random {
  /** An integer from 0 to 4294967295. */
  readonly bits: () => number
  /** A number from 0 (included) to 1 (excluded). */
  readonly unit: () => number
  /** An integer from 0 (included) to `bound` (excluded). */
  readonly integerBelow: (bound: number) => number
  /** A number from the normal distribution with mean 0 and deviation 1, within ±6. */
  readonly normal: () => number
}

/** The draws that mix the seed before the first number is used, as in the reference implementation. */
const warmUp = 12

/**
 * Returns the generator of record `index` for `seed`.
 *
 * Its numbers depend on nothing else, so a record is the same in a data set of any size.
 *
 * @example
 * make(1, 0).integerBelow(6) // 0 to 5, always the same
 */
export const make = (seed: number, index: number): Random => {
  let a = seed | 0
  let b = index | 0
  let c = Math.floor(index / 4294967296) | 0
  let counter = 1
  const bits = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let i = 0; i < warmUp; i++) bits()
  const unit = (): number => bits() / 4294967296
  return {
    bits,
    unit,
    integerBelow: (bound) => Math.floor(unit() * bound),
    normal: () => {
      // The sum of twelve uniform numbers (Irwin and Hall) needs no logarithm, whose last bit differs between
      // machines.
      let sum = -6
      for (let i = 0; i < 12; i++) sum += unit()
      return sum
    }
  }
}

/** Draws an element of a list that is not empty. */
export const choose = <A>(random: Random, list: ReadonlyArray<A>): A =>
  list[random.integerBelow(list.length)] as A

/** Hashes integers into a 32-bit integer (the finalizer of MurmurHash3, by Austin Appleby, public domain). */
export const mix = (...values: ReadonlyArray<number>): number => {
  let hash = 0x9e3779b9
  for (const value of values) {
    hash = Math.imul(hash ^ value, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return hash >>> 0
}
