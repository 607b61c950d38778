/**
 * Exponential, logarithm and normal distribution with the same bits on every machine.
 *
 * They use only + - × ÷ and square roots, which IEEE 754 defines to the last bit. `Math.exp` and similar functions
 * may differ in the last bit between machines, and so would the records.
 */

const ln2 = Math.LN2
const ln10 = Math.LN10

/** Returns e to the power of x, for x from -700 to 700. Below that range: 0. Above: the value at 700. */
export const exp = (x: number): number => {
  if (x < -700) return 0
  const bounded = Math.min(x, 700)
  // e^x = 2^doublings × e^rest
  const doublings = Math.round(bounded / ln2)
  const rest = bounded - doublings * ln2
  // Taylor series: |rest| is at most 0.35, so 14 terms reach the last bit.
  let term = 1
  let sum = 1
  for (let n = 1; n <= 14; n++) {
    term = (term * rest) / n
    sum += term
  }
  const step = doublings < 0 ? 0.5 : 2
  for (let n = Math.abs(doublings); n > 0; n--) sum *= step
  return sum
}

/** Returns the natural logarithm of a positive number. */
export const ln = (x: number): number => {
  let mantissa = x
  let exponent = 0
  while (mantissa > Math.SQRT2) {
    mantissa /= 2
    exponent++
  }
  while (mantissa < Math.SQRT1_2) {
    mantissa *= 2
    exponent--
  }
  // ln m = 2 artanh((m - 1) / (m + 1)); the argument is at most 0.172, so 11 odd terms reach the last bit.
  const ratio = (mantissa - 1) / (mantissa + 1)
  const square = ratio * ratio
  let power = ratio
  let sum = 0
  for (let n = 1; n <= 21; n += 2) {
    sum += power / n
    power *= square
  }
  return 2 * sum + exponent * ln2
}

/** Returns 10 to the power of x. */
export const exp10 = (x: number): number => exp(x * ln10)

/** Returns the decimal logarithm of a positive number. */
export const log10 = (x: number): number => ln(x) / ln10

/**
 * Returns the probability that a standard normal variable is below x, accurate to 1e-7.
 *
 * Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17.
 */
export const normalCdf = (x: number): number => {
  if (x < 0) return 1 - normalCdf(-x)
  const t = 1 / (1 + 0.2316419 * x)
  const poly =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - 0.3989422804014327 * exp((-x * x) / 2) * poly
}

/** Rounds a number to at most `decimals` decimals. */
export const round = (x: number, decimals: number): number => {
  const scale = powersOfTen[decimals] ?? 1
  return Math.round(x * scale) / scale
}

const powersOfTen = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]
