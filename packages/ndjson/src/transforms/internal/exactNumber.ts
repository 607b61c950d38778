/**
 * Compares numbers of a text exactly. Two identifiers of twenty digits may be one double, but are different numbers.
 *
 * A number of up to 15 digits is a double, which is exact enough to compare. A longer number keeps its digits.
 */

/** A number that a double may not hold exactly: 0.`digits` × 10^`exponent`, without zeros at either end. */
export class LongNumber {
  readonly negative: boolean
  readonly digits: string
  readonly exponent: number
  /** The nearest double. */
  readonly nearest: number

  constructor(negative: boolean, digits: string, exponent: number, nearest: number) {
    this.negative = negative
    this.digits = digits
    this.exponent = exponent
    this.nearest = nearest
  }
}

// Different numbers with at most this many significant digits are different doubles, within the exponents below.
const EXACT_DIGITS = 15
const EXACT_EXPONENT = 300

/** Returns the number of a JSON text. */
export const numberOf = (text: string): number | LongNumber => {
  if (text.length <= EXACT_DIGITS && !/[eE]/.test(text)) return Number(text)
  const long = parse(text)
  const exact = long.digits.length <= EXACT_DIGITS && Math.abs(long.exponent) <= EXACT_EXPONENT
  return exact || long.digits === "" ? long.nearest : long
}

/** Compares two numbers by value. Returns a negative number, 0 or a positive number. */
export const compareNumbers = (a: number | LongNumber, b: number | LongNumber): number => {
  const x = typeof a === "number" ? a : a.nearest
  const y = typeof b === "number" ? b : b.nearest
  if (x !== y) return x < y ? -1 : 1
  if (typeof a === "number" && typeof b === "number") return 0
  return compareLong(longOf(a), longOf(b))
}

/** Returns a text that is equal only for equal numbers. */
export const numberName = (number: number | LongNumber): string => {
  const exact = typeof number === "number" ? numberOf(String(number)) : number
  if (typeof exact === "number") return String(exact)
  return `${exact.negative ? "-" : ""}.${exact.digits}e${exact.exponent}`
}

const longOf = (number: number | LongNumber): LongNumber =>
  typeof number === "number" ? parse(String(number)) : number

const compareLong = (a: LongNumber, b: LongNumber): number => {
  const sign = signOf(a)
  if (sign !== signOf(b)) return sign - signOf(b)
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -sign : sign
  if (a.digits === b.digits) return 0
  return a.digits < b.digits ? -sign : sign
}

const signOf = (number: LongNumber): number => (number.digits === "" ? 0 : number.negative ? -1 : 1)

/** Returns the number of a text with all its digits. */
const parse = (text: string): LongNumber => {
  const [, minus, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(?=[.\d])(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const nearest = Number(text)
  // An infinity is beyond every number with digits.
  if (whole + fraction === "") return new LongNumber(nearest < 0, "1", Number.POSITIVE_INFINITY, nearest)
  const all = whole + fraction
  let first = 0
  while (all.charCodeAt(first) === 0x30) first++
  let last = all.length
  while (last > first && all.charCodeAt(last - 1) === 0x30) last--
  const digits = all.slice(first, last)
  return new LongNumber(minus === "-", digits, whole.length - first + Number(exponent), nearest)
}
