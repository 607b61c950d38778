/** Collects rows of a table by column, up to a number of rows or characters. */

import { type Cell, type Fault, loneSurrogate, quote } from "../../tables/internal/cells.ts"
import { type ColumnValue, fit } from "../../tables/internal/columns.ts"
import type { Column, ColumnType } from "../../tables/Table.ts"

// Long texts fill memory before many rows do.
const MAX_CHARACTERS = 32 * 1024 * 1024

/** The values of one column, `null` where a row has none. */
export type Values = Array<ColumnValue | null>

/** Collects one batch after another. */
export class ColumnBatch {
  private readonly columns: ReadonlyArray<Column>
  private readonly maxRows: number
  private values: Array<Values>
  private rows = 0
  private characters = 0

  constructor(columns: ReadonlyArray<Column>, maxRows: number) {
    this.columns = columns
    this.maxRows = maxRows
    this.values = columns.map(() => [])
  }

  /** Adds a row, or nothing if a cell does not fit its column. */
  add(cells: ReadonlyArray<Cell | undefined>): Fault | undefined {
    const row: Values = []
    for (const [i, { name, type }] of this.columns.entries()) {
      const cell = cells[i]
      const value = cell === undefined ? null : fit(cell, type)
      if (value === undefined) return typeMismatch(name, type, cell?.text ?? "")
      if (typeof value === "string" && !value.isWellFormed()) return loneSurrogate(name)
      row.push(value)
    }
    for (const [i, value] of row.entries()) {
      this.values[i]?.push(value)
      if (typeof value === "string") this.characters += value.length
    }
    this.rows++
    return undefined
  }

  get full(): boolean {
    return this.rows >= this.maxRows || this.characters >= MAX_CHARACTERS
  }

  /** Returns the collected values of each column, and starts the next batch. Undefined: there are none. */
  take(): ReadonlyArray<Values> | undefined {
    if (this.rows === 0) return undefined
    const { values } = this
    this.values = this.columns.map(() => [])
    this.rows = 0
    this.characters = 0
    return values
  }
}

const LONGEST_QUOTE = 40

const typeMismatch = (name: string, type: ColumnType, text: string): Fault => {
  const shown = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text
  return {
    reason: "type-mismatch",
    field: name,
    detail: `the value of ${quote(name)}, ${shown}, does not fit its column of type ${type}. Name the columns with the option columns, this one as json or another type that fits`
  }
}
