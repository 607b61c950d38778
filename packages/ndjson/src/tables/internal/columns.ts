/**
 * The types of columns: taken from the first records, and which values fit them.
 */
import type { Column, ColumnType, ExpectedColumn } from "../Table.ts"
import type { Cell, Cells } from "./cells.ts"

/** What a column of a type holds. */
export type ColumnValue = string | number | bigint | boolean

/**
 * The columns of some rows: those expected, as long as the rows fit their types, then the others in the order their
 * fields first appear. Of these all strings make `text`, all booleans `boolean`, all numbers `number`: not `integer`,
 * because the first records cannot tell that no fraction follows. Everything else is `json`, which no later value can fail
 * to fit.
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

/** The value of a cell that is not `null` for a column of a type; undefined when it does not fit. */
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

/** The type itself where the cell fits it, or else one that holds the cell, too. */
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
  // A double of this size that was written as JSON need not have the digits of its exact value.
  return JSON.stringify(value) === text || BigInt(value) === BigInt(text) ? value : undefined
}
