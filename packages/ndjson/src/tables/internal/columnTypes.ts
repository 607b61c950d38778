/** Determines the types of columns from the first records, and whether a value fits a column. */
import type { Column, ColumnType, ExpectedColumn } from "../Table.ts"
import type { Cell, Cells } from "./recordCells.ts"

/** The value of a cell in a typed column. */
export type ColumnValue = string | number | bigint | boolean

/**
 * Returns the columns of the first rows: the expected columns, then the other fields in order of appearance.
 *
 * Expected types never change. A column with an array or an object is `json`, which any value fits. Of the others, one whose values are all
 * booleans is `boolean`, all numbers of a double `number`, and any other `text`. It is never `integer`, because a later number may have a
 * fraction. Beside expected columns, it is always `text`, so that the types do not depend on the records.
 */
export const columnsOfSample = (
  rows: ReadonlyArray<Cells>,
  expected: ReadonlyArray<ExpectedColumn>
): ReadonlyArray<Column> => {
  const known = new Map(expected.map(({ name, type = "json" }): [string, ColumnType] => [name, type]))
  const types = new Map<string, ColumnType | undefined>()
  for (const row of rows) for (const [name, cell] of row) if (!known.has(name)) widen(types, name, cell)
  const others = Array.from(types, ([name, type]) => ({ name, type: otherType(type, known.size > 0) }))
  return [...Array.from(known, ([name, type]) => ({ name, type })), ...others]
}

/** Adds the type of a value to the types of the fields. Undefined: only `null` so far. */
export const widen = (types: Map<string, ColumnType | undefined>, name: string, cell: Cell): void => {
  const known = types.get(name)
  const type = cell.kind === "null" ? known : typeOf(cell)
  if (known === undefined || known === type) types.set(name, type)
  else types.set(name, known === "json" || type === "json" ? "json" : "text")
}

/** Returns the type of a column that is not expected, from the type of its values. */
export const otherType = (type: ColumnType = "json", isBesideExpected: boolean): ColumnType =>
  isBesideExpected && type !== "json" ? "text" : type

/** Returns the value of a cell that is not `null`, for a column of this type. Undefined: it does not fit. */
export const fit = ({ kind, text }: Cell, type: ColumnType): ColumnValue | undefined => {
  switch (type) {
    case "text":
      return kind === "array" || kind === "object" ? undefined : text
    case "integer":
      return kind === "number" || (kind === "string" && isLarge(text)) ? integer(text) : undefined
    case "number":
      return kind === "number" ? double(text) : undefined
    case "boolean":
      return kind === "boolean" ? text === "true" : undefined
    case "json":
      return kind === "string" ? JSON.stringify(text) : text
  }
}

const typeOf = (cell: Cell): ColumnType =>
  (["boolean", "number", "text"] as const).find((type) => fit(cell, type) !== undefined) ?? "json"

/** Whether a string is an integer that no double holds, which sources write as a string to keep its digits. */
const isLarge = (text: string): boolean =>
  /^-?[1-9]\d{15,18}$/.test(text) && !Number.isSafeInteger(Number(text))

const isDigits = (text: string): boolean => /^-?\d+$/.test(text)

const integer = (text: string): bigint | undefined => {
  if (isDigits(text)) {
    const value = BigInt(text)
    return value === BigInt.asIntN(64, value) ? value : undefined
  }
  const value = Number(text)
  return Number.isSafeInteger(value) ? BigInt(value) : undefined
}

const double = (text: string): number | undefined => {
  const value = Number(text)
  // A number that is too large for a double is infinite, and one that is too small is not 0.
  if (!Number.isFinite(value) || (value === 0 && /[1-9]/.test(text.replace(/e.*/i, "")))) return undefined
  if (Number.isSafeInteger(value) || !isDigits(text)) return value
  // The shortest JSON of a large double need not be its exact value.
  return JSON.stringify(value) === text || BigInt(value) === BigInt(text) ? value : undefined
}
