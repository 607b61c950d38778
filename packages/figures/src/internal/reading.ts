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

/** The value of a field that is a finite number. */
export const numberOf = (record: object | null | undefined, field: string): number | undefined => {
  const value = fieldOf(record, field)
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/** The elements of a field that is a list. */
export const listOf = (record: object | null | undefined, field: string): ReadonlyArray<unknown> => {
  const value = fieldOf(record, field)
  return Array.isArray(value) ? value : []
}

/** A number as a person reads it: four significant digits. */
export const significant = (value: number): string => {
  const rounded = Number(value.toPrecision(4))
  // The largest numbers there are have nothing to be rounded up to.
  return String(Number.isFinite(rounded) ? rounded : value)
}
