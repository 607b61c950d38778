/**
 * Reading of fields that may be null, absent, or of another kind than the contract's.
 */

const fieldOf = (record: object | null | undefined, field: string): unknown =>
  typeof record === "object" && record !== null ? Reflect.get(record, field) : undefined

/** The value of a field as text, what is no text as JSON; undefined where it is null, absent or blank. */
export const textOf = (record: object | null | undefined, field: string): string | undefined => {
  const value = fieldOf(record, field)
  if (value === undefined || value === null) return undefined
  const text = typeof value === "string" ? value.trim() : (JSON.stringify(value) ?? "")
  return text === "" ? undefined : text
}

/** Beyond this no number is a measurement, and below one by this it is nothing: what is computed with it overflows. */
const largest = 1e100

/** A value that can be drawn: a number, and not too large; undefined for any other. */
export const drawableNumber = (value: unknown): number | undefined => {
  if (typeof value !== "number" || !(Math.abs(value) <= largest)) return undefined
  return Math.abs(value) < 1 / largest ? 0 : value
}

/** The value of a field that is a number. */
export const numberOf = (record: object | null | undefined, field: string): number | undefined =>
  drawableNumber(fieldOf(record, field))

/** The elements of a field that is a list. */
export const listOf = (record: object | null | undefined, field: string): ReadonlyArray<unknown> => {
  const value = fieldOf(record, field)
  return Array.isArray(value) ? value : []
}

/** A number as a person reads it: four significant digits. */
export const significant = (value: number): string => String(Number(value.toPrecision(4)))
