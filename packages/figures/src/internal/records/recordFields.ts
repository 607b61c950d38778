/** Reads fields that may be null, absent, or of another type than the contract's. */

const fieldOf = (record: object | null | undefined, field: string): unknown =>
  typeof record === "object" && record !== null ? Reflect.get(record, field) : undefined

/** Returns a field as text. Other types become JSON. Undefined if the field is null, absent or blank. */
export const textOf = (record: object | null | undefined, field: string): string | undefined => {
  const value = fieldOf(record, field)
  if (value === undefined || value === null) return undefined
  const text = typeof value === "string" ? value.trim() : (JSON.stringify(value) ?? "")
  return text === "" ? undefined : text
}

/** The largest number that can be drawn. Larger ones would overflow. Numbers below its reciprocal count as zero. */
const largestDrawable = 1e100

/** Returns a number that can be drawn. Undefined for other values and for numbers that are too large. */
export const drawableNumber = (value: unknown): number | undefined => {
  if (typeof value !== "number" || !(Math.abs(value) <= largestDrawable)) return undefined
  return Math.abs(value) < 1 / largestDrawable ? 0 : value
}

/** Returns the number of a field, or undefined. */
export const numberOf = (record: object | null | undefined, field: string): number | undefined =>
  drawableNumber(fieldOf(record, field))

/** Returns the elements of a field that is a list. */
export const listOf = (record: object | null | undefined, field: string): ReadonlyArray<unknown> => {
  const value = fieldOf(record, field)
  return Array.isArray(value) ? value : []
}

/** Formats a number with four significant digits. */
export const significant = (value: number): string => String(Number(value.toPrecision(4)))
