/**
 * Turns records into the bytes of a table. The columns come from the options or the first records; a writer of one
 * format writes the rows.
 */
import type { Array as Arr } from "effect"
import { atLeastOne } from "../../internal/bounds.ts"
import type { Feeder } from "../../streams/internal/feeder.ts"
import { type Column, type ExpectedColumn, SAMPLE_RECORDS, TableError } from "../Table.ts"
import { type Cell, type Cells, type Fault, quote } from "./cells.ts"
import { inferColumns } from "./columns.ts"

/** Writes the rows of a table in one format. Adds bytes to `out`. */
export interface TableWriter {
  /**
   * Writes a row, with one cell for each column. Undefined: the field is absent or `null`. A refused row adds
   * nothing.
   */
  readonly row: (cells: ReadonlyArray<Cell | undefined>, out: Array<Uint8Array>) => Fault | undefined
  /** Called after the rows of a chunk. */
  readonly pause: (out: Array<Uint8Array>) => void
  /** Called after the last row. */
  readonly close: (out: Array<Uint8Array>) => void
}

/** The columns of a table. */
export interface ColumnOptions {
  /** Default: the fields of the first records. */
  readonly columns?: ReadonlyArray<Column> | undefined
  readonly sampleRecords?: number | undefined
  /** The columns that come first. */
  readonly expected?: ReadonlyArray<ExpectedColumn> | undefined
}

export interface Tabulation<A> extends ColumnOptions {
  readonly cells: (record: A) => Cells | Fault
  /** Whether the format needs columns even for an empty table. If not, an empty table is an empty file. */
  readonly needsColumns: boolean
  readonly open: (columns: ReadonlyArray<Column>) => TableWriter
}

type Push<A> = Feeder<Arr.NonEmptyReadonlyArray<A>, Uint8Array, TableError>

/** Throws a `RangeError` if an option is invalid. */
export const checkColumns = ({ columns, expected, sampleRecords }: ColumnOptions): void => {
  atLeastOne("sampleRecords", sampleRecords ?? SAMPLE_RECORDS)
  if (columns?.length === 0) throw new RangeError("columns must name at least one column")
  for (const [option, list] of Object.entries({ columns, expected })) {
    const names = (list ?? []).map(({ name }) => name)
    const duplicate = names.find((name, index) => names.indexOf(name) !== index)
    if (duplicate !== undefined) throw new RangeError(`${option} names ${quote(duplicate)} twice`)
  }
}

/** Makes the feeder for `feed`. Check the options before. */
export const tabulate = <A>(table: Tabulation<A>): Push<A> => new Table(table)

class Table<A> implements Push<A> {
  private readonly table: Tabulation<A>
  private readonly sampleRecords: number
  private readonly sample: Array<Cells> = []
  private columns: ReadonlyArray<Column> = []
  private names: ReadonlySet<string> = new Set()
  private writer: TableWriter | undefined
  private recordsRead = 0
  private recordsWritten = 0

  constructor(table: Tabulation<A>) {
    this.table = table
    this.sampleRecords = table.sampleRecords ?? SAMPLE_RECORDS
  }

  push(records: ReadonlyArray<A>, out: Array<Uint8Array>): TableError | undefined {
    if (this.table.columns !== undefined) this.open(this.table.columns)
    for (const record of records) {
      const cells = this.table.cells(record)
      // Earlier records are written before the error.
      if ("reason" in cells) return this.finishSample(out) ?? this.pause(out, refuse(cells, this.recordsRead))
      this.recordsRead++
      if (this.writer === undefined) this.sample.push(cells)
      const error =
        this.writer !== undefined
          ? this.write(cells, out)
          : this.sample.length >= this.sampleRecords
            ? this.finishSample(out)
            : undefined
      if (error !== undefined) return this.pause(out, error)
    }
    return this.pause(out, undefined)
  }

  end(out: Array<Uint8Array>): TableError | undefined {
    const error = this.table.columns === undefined ? this.finishSample(out) : this.open(this.table.columns)
    if (error !== undefined) return this.pause(out, error)
    this.writer?.close(out)
    return this.writer === undefined && this.table.needsColumns ? refuse(noColumns, 0) : undefined
  }

  private open(columns: ReadonlyArray<Column>): undefined {
    if (this.writer !== undefined) return
    this.columns = columns
    this.names = new Set(columns.map(({ name }) => name))
    this.writer = this.table.open(columns)
  }

  private finishSample(out: Array<Uint8Array>): TableError | undefined {
    if (this.writer !== undefined) return undefined
    const { expected = [] } = this.table
    // Without records, the columns are the expected ones, if any.
    if (this.sample.length + expected.length === 0) return undefined
    const columns = inferColumns(this.sample, expected)
    if (columns.length === 0) return refuse(noColumns, 0)
    this.open(columns)
    for (const cells of this.sample.splice(0)) {
      const error = this.write(cells, out)
      if (error !== undefined) return error
    }
    return undefined
  }

  private write(cells: Cells, out: Array<Uint8Array>): TableError | undefined {
    let matches = 0
    const row = this.columns.map(({ name }) => {
      const cell = cells.get(name)
      if (cell !== undefined) matches++
      return cell?.kind === "null" ? undefined : cell
    })
    const hasUnknownField = this.table.columns === undefined && matches < cells.size
    const fault = hasUnknownField ? this.unknownField(cells) : this.writer?.row(row, out)
    if (fault !== undefined) return refuse(fault, this.recordsWritten)
    this.recordsWritten++
    return undefined
  }

  private unknownField(cells: Cells): Fault {
    const field = [...cells.keys()].find((name) => !this.names.has(name)) ?? ""
    const sample =
      this.recordsWritten === 1
        ? "first record"
        : `first ${Math.min(this.recordsWritten, this.sampleRecords)} records`
    return {
      reason: "unknown-field",
      field,
      detail: `it has a field ${quote(field)} that the ${sample} lacked. Name the columns with the option columns, or raise sampleRecords`
    }
  }

  private pause(out: Array<Uint8Array>, error: TableError | undefined): TableError | undefined {
    this.writer?.pause(out)
    return error
  }
}

const noColumns: Fault = {
  reason: "no-columns",
  detail: "no record has a field, so there are no columns. Name them with the option columns"
}

const refuse = ({ reason, field, detail, cause }: Fault, index: number): TableError => {
  const subject = reason === "no-columns" ? "The table" : `Record ${index}`
  return new TableError({ reason, index, field, message: `${subject} cannot be written: ${detail}.`, cause })
}
