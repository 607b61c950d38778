/**
 * Turns records into the bytes of a table. The columns come from the options or the first records; a writer of one
 * format writes the rows.
 */
import type { Array as Arr } from "effect"
import { InvalidOption } from "../../InvalidOption.ts"
import { atLeastOne } from "../../internal/optionChecks.ts"
import { isRawRecord, toText } from "../../raw/RawRecord.ts"
import type { Feeder } from "../../streams/internal/pushParser.ts"
import { type Column, type ColumnOptions, type Refusals, SAMPLE_RECORDS, TableError } from "../Table.ts"
import { columnsOfSample } from "./columnTypes.ts"
import { type Cell, type Cells, type Fault, member, quote } from "./recordCells.ts"

/** Writes the rows of a table in one format. Adds bytes to `out`. `V` is the type of its values. */
export interface TableWriter<V> {
  /** Returns the value of a cell that is not `null`, or why it does not fit its column. */
  readonly value: (cell: Cell, column: Column) => V | Fault
  /** Writes a row, with one value for each column. Undefined: the field is absent or `null`. */
  readonly row: (values: ReadonlyArray<V | undefined>, out: Array<Uint8Array>) => void
  /** Called after the rows of a chunk. */
  readonly pause: (out: Array<Uint8Array>) => void
  /** Called after the last row. */
  readonly close: (out: Array<Uint8Array>) => void
}

/** Whether a value does not fit. */
export const isFault = (value: unknown): value is Fault =>
  typeof value === "object" && value !== null && "reason" in value

/** A table, how its records are read, and how its rows are written. */
export interface Tabulation<A, V> extends ColumnOptions, Refusals {
  readonly cells: (record: A) => Cells | Fault
  /** Whether the format needs columns even for an empty table. If not, an empty table is an empty file. */
  readonly needsColumns: boolean
  readonly open: (columns: ReadonlyArray<Column>) => TableWriter<V>
}

type Push<A> = Feeder<Arr.NonEmptyReadonlyArray<A>, Uint8Array, TableError>

/** Throws `InvalidOption` if an option is invalid. */
export const checkColumns = ({ columns, expected, sampleRecords }: ColumnOptions): void => {
  atLeastOne("sampleRecords", sampleRecords ?? SAMPLE_RECORDS)
  if (columns?.length === 0) throw new InvalidOption("columns", "must name at least one column")
  for (const [option, list] of Object.entries({ columns, expected })) {
    const names = (list ?? []).map(({ name }) => name)
    const duplicate = names.find((name, index) => names.indexOf(name) !== index)
    if (duplicate !== undefined) throw new InvalidOption(option, `names ${quote(duplicate)} twice`)
  }
}

/** Makes the feeder for `feed`. Check the options before. */
export const tabulate = <A, V>(table: Tabulation<A, V>): Push<A> => new Table(table)

/** Holds the first records until they determine the columns, then writes each record as a row. */
class Table<A, V> implements Push<A> {
  private readonly table: Tabulation<A, V>
  private readonly sampleRecords: number
  private readonly sample: Array<{ readonly cells: Cells; readonly record: A; readonly index: number }> = []
  private columns: ReadonlyArray<Column> = []
  private names: ReadonlySet<string> = new Set()
  private writer: TableWriter<V> | undefined
  private recordsRead = 0
  private recordsWritten = 0

  constructor(table: Tabulation<A, V>) {
    this.table = table
    this.sampleRecords = table.sampleRecords ?? SAMPLE_RECORDS
  }

  push(records: ReadonlyArray<A>, out: Array<Uint8Array>): TableError | undefined {
    if (this.table.columns !== undefined) this.open(this.table.columns)
    for (const record of records) {
      const index = this.recordsRead++
      const cells = this.table.cells(record)
      // Earlier records are written before the error.
      if (isFault(cells)) {
        const error = this.finishSample(out) ?? this.writeOther(cells, record, index, out)
        if (error !== undefined) return this.pause(out, error)
        continue
      }
      if (this.writer === undefined) this.sample.push({ cells, record, index })
      const error =
        this.writer !== undefined
          ? this.write(cells, record, index, out)
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

  cut(out: Array<Uint8Array>): void {
    this.finishSample(out)
    this.pause(out, undefined)
  }

  private open(columns: ReadonlyArray<Column>): undefined {
    if (this.writer !== undefined) return
    this.columns = columns
    this.names = new Set(columns.map(({ name }) => name))
    const { rest } = this.table
    this.writer = this.table.open(rest === undefined ? columns : [...columns, restColumn(rest)])
  }

  private finishSample(out: Array<Uint8Array>): TableError | undefined {
    if (this.writer !== undefined) return undefined
    const { expected = [] } = this.table
    // Without records, the columns are the expected ones, if any.
    if (this.sample.length + expected.length === 0) return undefined
    const columns = columnsOfSample(
      this.sample.map(({ cells }) => cells),
      expected
    )
    if (columns.length === 0) return refuse(noColumns, 0)
    this.open(columns)
    for (const { cells, record, index } of this.sample.splice(0)) {
      const error = this.write(cells, record, index, out)
      if (error !== undefined) return error
    }
    return undefined
  }

  private write(cells: Cells, record: A, index: number, out: Array<Uint8Array>): TableError | undefined {
    const { writer } = this
    if (writer === undefined) return undefined
    const { rest } = this.table
    // The values without a place: their faults, and their members of the JSON object in the last column.
    const left: Array<Fault> = []
    const members: Array<string> = []
    const leaveOut = (name: string, cell: Cell, fault: Fault): undefined => {
      left.push(fault)
      members.push(member(name, cell))
    }
    let matches = 0
    const row = this.columns.map((column): V | undefined => {
      const cell = cells.get(column.name)
      if (cell === undefined) return undefined
      matches++
      if (cell.kind === "null") return undefined
      const value = writer.value(cell, column)
      return isFault(value) ? leaveOut(column.name, cell, value) : value
    })
    // Given columns are a choice, unless the other fields have a column, too.
    if ((this.table.columns === undefined || rest !== undefined) && matches < cells.size) {
      for (const [name, cell] of cells)
        if (!this.names.has(name)) leaveOut(name, cell, this.unknownField(name))
    }
    if (rest === undefined)
      for (const fault of left) {
        const error = this.report(fault, record, index)
        if (error !== undefined) return error
      }
    this.writeRow(row, left.length === 0 ? undefined : `{${members.join(",")}}`, out)
    return undefined
  }

  /** Writes a row. `rest` is the JSON text for the last column, if the table has one. */
  private writeRow(row: Array<V | undefined>, rest: string | undefined, out: Array<Uint8Array>): void {
    const { writer } = this
    const { rest: name } = this.table
    // Any JSON text fits this column.
    if (name !== undefined)
      row.push(
        rest === undefined ? rest : (writer?.value({ kind: "object", text: rest }, restColumn(name)) as V)
      )
    writer?.row(row, out)
    this.recordsWritten++
  }

  /** Reports a value without a place to `onRefused`, or returns its error. */
  private report(fault: Fault, record: A, index: number): TableError | undefined {
    const { onRefused } = this.table
    const error = refuse(fault, index)
    onRefused?.(error, record)
    return onRefused === undefined ? error : undefined
  }

  /** Writes a record without fields to the last column, or reports it. */
  private writeOther(fault: Fault, record: A, index: number, out: Array<Uint8Array>): TableError | undefined {
    if (this.table.rest === undefined || !isRawRecord(record)) return this.report(fault, record, index)
    if (this.writer === undefined) this.open([])
    this.writeRow(
      this.columns.map(() => undefined),
      toText(record),
      out
    )
    return undefined
  }

  private unknownField(field: string): Fault {
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

const restColumn = (name: string): Column => ({ name, type: "json" })

const noColumns: Fault = {
  reason: "no-columns",
  detail: "no record has a field, so there are no columns. Name them with the option columns"
}

const refuse = ({ reason, field, detail, cause }: Fault, index: number): TableError => {
  const subject = reason === "no-columns" ? "The table" : `Record ${index}`
  return new TableError({ reason, index, field, message: `${subject} cannot be written: ${detail}.`, cause })
}
