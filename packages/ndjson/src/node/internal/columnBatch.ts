/** Collects rows of a table by column, for the row groups of Parquet and the record batches of Arrow. */
import type { ColumnValue } from "../../tables/internal/columnTypes.ts"
import type { Column } from "../../tables/Table.ts"

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

  /** Adds a row. */
  add(row: ReadonlyArray<ColumnValue | undefined>): void {
    for (const [i, value = null] of row.entries()) {
      this.values[i]?.push(value)
      if (typeof value === "string") this.characters += value.length
    }
    this.rows++
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
