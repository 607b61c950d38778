/**
 * Makes values of decimals, instants and times of day, which typed tables store as integers with a scale. A value that no double or `Date`
 * holds is text with all its digits.
 */
import { isNumber } from "../TextNumbers.ts"

/** Returns the decimal of an integer and its digits behind the point. */
export const decimal = (unscaled: bigint, scale: number): number | string => {
  const digits = String(unscaled)
    .replace("-", "")
    .padStart(scale + 1, "0")
  const point = digits.length - scale
  const whole = `${unscaled < 0n ? "-" : ""}${digits.slice(0, point)}`
  const fraction = scale > 0 ? `.${digits.slice(point)}` : ""
  const text = whole + fraction
  return isNumber(whole + fraction.replace(/\.?0+$/, "")) ? Number(text) : text
}

const nanosOfMillisecond = 1_000_000n

/** Returns the instant of a count since 1970 in units of a second with so many digits, e.g. 6 for microseconds. */
export const instant = (count: bigint, digits: number): Date | string => {
  const nanos = count * 10n ** BigInt(9 - digits)
  const rest = ((nanos % nanosOfMillisecond) + nanosOfMillisecond) % nanosOfMillisecond
  const date = new Date(Number((nanos - rest) / nanosOfMillisecond))
  if (rest === 0n || Number.isNaN(date.getTime())) return date
  return date.toISOString().replace("Z", `${String(rest).padStart(6, "0").replace(/000$/, "")}Z`)
}

/** Returns the time of day of a count since midnight, in the same units. */
export const timeOfDay = (count: bigint, digits: number): string => {
  const at = instant(count, digits)
  return (typeof at === "string" ? at : at.toISOString()).slice(11, -1).replace(/\.000$/, "")
}

/** Returns the integer of big-endian bytes in two's complement. */
export const integerOf = (bytes: Uint8Array): bigint =>
  BigInt.asIntN(
    bytes.length * 8,
    bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  )
