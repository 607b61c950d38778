/**
 * Exact sets of texts that are a few letters and a number, as registries give them: kept as numbers, 6 to 13 bytes each,
 * where the text would take 20 to 30. Texts of the same letters and as many digits share a set, so that zeros in front
 * count.
 */

/** Fewer digits are mostly no number of a registry, but the end of something else. */
const leastDigits = 5

/** As many as a double holds exactly. */
const mostDigits = 15

/** How many kinds of letters and lengths are looked for; all others are left to the caller. */
const mostSets = 32

const longestPrefix = 32

const half = 2 ** 32

/** A set of whole numbers from 0, below 10 to the power of `digits`. */
export interface NumberSet {
  readonly has: (number: number) => boolean
  /** Whether it is new; from now on it is not. */
  readonly add: (number: number) => boolean
}

/** Where a text is kept. */
export interface Kept {
  readonly set: NumberSet
  readonly number: number
}

/** Finds the set of a text, and its number there; undefined where it is of no such form, or there are too many forms. */
export const numberedSets = (): ((text: string) => Kept | undefined) => {
  const kept = { set: numberSet(leastDigits), number: 0 }
  const known: Array<{ readonly prefix: string; readonly length: number; readonly set: NumberSet }> = []
  return (text) => {
    let digits = 0
    let number = 0
    for (let power = 1; digits < text.length; digits++, power *= 10) {
      const digit = text.charCodeAt(text.length - 1 - digits) - 0x30
      if (digit < 0 || digit > 9) break
      if (digits === mostDigits) return undefined
      number += digit * power
    }
    const prefixLength = text.length - digits
    if (digits < leastDigits || prefixLength > longestPrefix) return undefined
    kept.number = number
    for (let i = 0; i < known.length; i++) {
      const { length, prefix, set } = known[i] as (typeof known)[number]
      if (length !== text.length || prefix.length !== prefixLength || !text.startsWith(prefix)) continue
      kept.set = set
      return kept
    }
    if (known.length === mostSets) return undefined
    kept.set = numberSet(digits)
    known.push({ prefix: text.slice(0, prefixLength), length: text.length, set: kept.set })
    return kept
  }
}

/** As full as a table gets, and how much larger the next one is: doubled ones would be half empty on average. */
const fullest = 0.8
const growth = 1.25

// Open addressing; a number is kept plus 1, its upper half in as few bytes as it needs, and 0 is a free slot. Slots are in
// the order of the hashes, so that a larger table is filled from front to back.
const numberSet = (digits: number): NumberSet => {
  const Upper = 10 ** digits < half * 256 ? Uint8Array : Uint32Array
  let lower = new Uint32Array(64)
  let upper = new Upper(lower.length)
  let size = 0

  const slotOf = (low: number, high: number): number => {
    let slot = Math.floor((hash(low, high) / half) * lower.length)
    while ((lower[slot] !== low || upper[slot] !== high) && (lower[slot] !== 0 || upper[slot] !== 0))
      slot = slot + 1 === lower.length ? 0 : slot + 1
    return slot
  }

  const grow = (): void => {
    const lowers = lower
    const uppers = upper
    lower = new Uint32Array(growth * lowers.length)
    upper = new Upper(lower.length)
    for (let old = 0; old < lowers.length; old++) {
      const low = lowers[old] as number
      const high = uppers[old] as number
      if (low === 0 && high === 0) continue
      const slot = slotOf(low, high)
      lower[slot] = low
      upper[slot] = high
    }
  }

  const find = (number: number): number => slotOf((number + 1) >>> 0, Math.floor((number + 1) / half))
  const isFree = (slot: number): boolean => lower[slot] === 0 && upper[slot] === 0

  return {
    has: (number) => !isFree(find(number)),
    add: (number) => {
      const slot = find(number)
      if (!isFree(slot)) return false
      lower[slot] = (number + 1) >>> 0
      upper[slot] = Math.floor((number + 1) / half)
      if (++size > lower.length * fullest) grow()
      return true
    }
  }
}

const hash = (low: number, high: number): number => {
  let value = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 15), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
