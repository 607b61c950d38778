/** Makes records from the rows of a table: names the cells, and finds rows with more or fewer cells than columns. */
import { CsvError, cellCountFault, cutFault, refuseHeader, refuseRow } from "./csvError.ts"
import type { Row, RowFault } from "./csvRows.ts"

/** A record and the first line of its row, from 1. */
export interface NumberedRow {
  readonly line: number
  readonly record: Readonly<Record<string, string>>
}

/** A row with more or fewer cells than columns, with a faulty quote, or that is blank: its cells, its first line, and a message. */
export interface RaggedRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
  readonly reason: "blank" | "cell-count" | RowFault["reason"]
  readonly fault: string
}

/** Makes records from the rows of one stream. */
export class CsvRecords<A> {
  /** Undefined: the header has not come. */
  private columns: ReadonlyArray<string> | undefined
  /** Whether no column is called `__proto__`. */
  private hasPlainNames = true
  /** Whether the options name the columns, and there is no header. */
  private readonly hasNames: boolean
  private readonly afterLine: number
  private readonly toValue: (record: Readonly<Record<string, string>>, line: number) => A
  private readonly onRaggedRow: (row: RaggedRow) => A | CsvError

  constructor(
    columns: ReadonlyArray<string> | undefined,
    toValue: (record: Readonly<Record<string, string>>, line: number) => A,
    onRaggedRow: (row: RaggedRow) => A | CsvError,
    afterLine: number
  ) {
    this.afterLine = afterLine
    this.hasNames = columns !== undefined && afterLine === 0
    this.toValue = toValue
    this.onRaggedRow = onRaggedRow
    if (columns !== undefined) this.name(columns)
  }

  push(rows: ReadonlyArray<Row>, out: Array<A>): CsvError | undefined {
    for (const { cells, fault: cut, line } of rows) {
      if (line <= this.afterLine) continue
      if (cut !== undefined) {
        if (this.columns === undefined) return refuseRow(cut, 0)
        const value = this.onRaggedRow({ line, cells, reason: cut.reason, fault: cutFault(cut) })
        if (value instanceof CsvError) return value
        out.push(value)
      } else if (cells.length === 0) {
        if (this.columns === undefined) continue
        // `Csv.decode` would refuse the row, but skips blank rows.
        const value = this.onRaggedRow({ line, cells, reason: "blank", fault: "the row is blank" })
        if (!(value instanceof CsvError)) out.push(value)
      } else if (this.columns === undefined) {
        const duplicate = duplicateIn(cells)
        if (duplicate !== undefined) return refuseHeader(duplicate, line)
        this.name(cells)
      } else if (cells.length !== this.columns.length) {
        const source = this.hasNames ? "list of columns" : "header"
        const fault = cellCountFault(cells.length, this.columns.length, source)
        const value = this.onRaggedRow({ line, cells, reason: "cell-count", fault })
        if (value instanceof CsvError) return value
        out.push(value)
      } else out.push(this.toValue(this.record(this.columns, cells), line))
    }
    return undefined
  }

  private name(columns: ReadonlyArray<string>): void {
    this.columns = columns
    // Assigning `__proto__` would set the prototype.
    this.hasPlainNames = !columns.includes("__proto__")
  }

  private record(
    columns: ReadonlyArray<string>,
    cells: ReadonlyArray<string>
  ): Readonly<Record<string, string>> {
    if (!this.hasPlainNames) return Object.fromEntries(columns.map((name, i) => [name, cells[i] as string]))
    const record: Record<string, string> = {}
    for (let i = 0; i < columns.length; i++) record[columns[i] as string] = cells[i] as string
    return record
  }
}

/** Returns the first name that occurs twice. */
export const duplicateIn = (names: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}
