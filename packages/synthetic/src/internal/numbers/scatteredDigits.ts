/**
 * Turns a number into digits that look random. Different numbers get different digits.
 *
 * So the structures and names of a data set are unique, without a list of those already used.
 */
import { mix } from "./seededRandom.ts"

/**
 * Returns the digits of a number in mixed radix, scrambled by the seed.
 *
 * Each digit is moved by a hash of the lower digits, then by a hash of the higher ones. Both steps can be inverted,
 * so different numbers have different digits. `number` must be below the product of `radices`.
 */
export const scatter = (
  number: number,
  radices: ReadonlyArray<number>,
  seed: number
): ReadonlyArray<number> => {
  const digits: Array<number> = []
  let rest = number
  for (const radix of radices) {
    digits.push(rest % radix)
    rest = Math.floor(rest / radix)
  }
  let hash = seed
  for (let i = 0; i < digits.length; i++) {
    digits[i] = shiftDigit(digits[i] as number, hash, radices[i] as number)
    hash = mix(hash, digits[i] as number)
  }
  hash = mix(seed, 1)
  for (let i = digits.length - 1; i >= 0; i--) {
    const before = digits[i] as number
    digits[i] = shiftDigit(before, hash, radices[i] as number)
    hash = mix(hash, digits[i] as number)
  }
  return digits
}

const shiftDigit = (digit: number, hash: number, radix: number): number => (digit + (hash % radix)) % radix
