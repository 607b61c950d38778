/** Determines the types of columns from the first records, and whether a value fits a column. */
import type { Column, ColumnType, ExpectedColumn } from "../Table.ts"
import type { Cell, Cells } from "./cells.ts"

/** A value of a column. */
export type ColumnValue = string | number | bigint | boolean

/**
 * Returns the columns of the first rows: the expected columns, then the other fields in order of appearance.
 *
 * A column whose values are all strings is `text`, all booleans `boolean`, all numbers `number`. It is never
 * `integer`, because a later number may have a fraction. Every other column is `json`, which any value fits. An
 * expected type is kept if the first rows fit it.
 */
export const inferColumns = (
  rows: ReadonlyArray<Cells>,
  expected: ReadonlyArray<ExpectedColumn>
): ReadonlyArray<Column> => {
  const types = new Map(expected.map(({ name, type }) => [name, type]))
  for (const row of rows) {
    for (const [name, cell] of row) {
      const known = types.get(name)
      types.set(name, cell.kind === "null" ? known : known === undefined ? typeOf(cell) : widen(known, cell))
    }
  }
  return [...types].map(([name, type]) => ({ name, type: type ?? "json" }))
}

/** Returns the value of a cell that is not `null`, for a column of this type. Undefined: it does not fit. */
export const fit = ({ kind, text }: Cell, type: ColumnType): ColumnValue | undefined => {
  switch (type) {
    case "text":
      return kind === "string" ? text : undefined
    case "integer":
      return kind === "number" ? integer(text) : undefined
    case "number":
      return kind === "number" ? double(text) : undefined
    case "boolean":
      return kind === "boolean" ? text === "true" : undefined
    case "json":
      return kind === "string" ? JSON.stringify(text) : text
  }
}

/** Returns the type if the cell fits it, else a type that also fits the cell. */
const widen = (type: ColumnType, cell: Cell): ColumnType => {
  if (fit(cell, type) !== undefined) return type
  return type === "integer" && typeOf(cell) === "number" ? "number" : "json"
}

const typeOf = (cell: Cell): ColumnType => {
  if (cell.kind === "string") return "text"
  if (cell.kind === "boolean") return "boolean"
  return cell.kind === "number" && double(cell.text) !== undefined ? "number" : "json"
}

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
  if (Number.isSafeInteger(value) || !isDigits(text)) return Number.isFinite(value) ? value : undefined
  // The shortest JSON of a large double need not be its exact value.
  return JSON.stringify(value) === text || BigInt(value) === BigInt(text) ? value : undefined
}
