/** Encodes records as a file with typed columns, batch by batch. `Parquet.ts` and `Arrow.ts` write the batches. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { atLeastOne, knownOptions } from "../../internal/optionChecks.ts"
import { feed, streamOf } from "../../streams/internal/pushParser.ts"
import { type ColumnValue, fit } from "../../tables/internal/columnTypes.ts"
import { checkColumns, type TableWriter, tabulate } from "../../tables/internal/encodeTable.ts"
import { type Cell, type Cells, type Fault, loneSurrogate, quote } from "../../tables/internal/recordCells.ts"
import type { Column, ColumnOptions, ColumnType, Refusals, TableError } from "../../tables/Table.ts"
import type { MissingPackage } from "../MissingPackage.ts"
import { ColumnBatch, type Values } from "./columnBatch.ts"

/** Encodes records of type `A`. */
export type Encoder<O, A> = (
  options?: O
) => <E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Uint8Array, E | TableError | MissingPackage, R>

/** Writes batches of columns. Each function adds bytes to `out`. */
export interface BatchWriter {
  readonly batch: (values: ReadonlyArray<Values>, out: Array<Uint8Array>) => void
  readonly close: (out: Array<Uint8Array>) => void
}

/** A format with typed columns. */
export interface ColumnFormat<O, Library> {
  readonly name: string
  /** The option with the number of records in a batch, and its default. */
  readonly size: readonly [name: keyof O & string, records: number]
  /** The names of the options that only this format has. */
  readonly own: Readonly<Partial<Record<keyof O, true>>>
  readonly load: Effect.Effect<Library, MissingPackage>
  readonly open: (library: Library, columns: ReadonlyArray<Column>, options: O, size: number) => BatchWriter
}

/** Makes the encoder of a format for records of one form. */
export const encoder =
  <O extends ColumnOptions & Refusals, Library, A>(
    format: ColumnFormat<O, Library>,
    cells: (record: A) => Cells | Fault
  ): Encoder<O, A> =>
  (options = {} as O) => {
    const shared = { columns: true, sampleRecords: true, expected: true, rest: true, onRefused: true }
    const names = { ...shared, ...format.own } as Readonly<Record<keyof Required<O>, true>>
    knownOptions(`${format.name}.encode`, options, names)
    const [name, records] = format.size
    const size = atLeastOne(name, (options[name] as number | undefined) ?? records)
    const { columns, expected, onRefused, rest, sampleRecords } = options
    checkColumns({ columns, expected, sampleRecords })
    const open = (library: Library) => (all: ReadonlyArray<Column>) =>
      tableWriter(new ColumnBatch(all, size), format.open(library, all, options, size))
    const table = { columns, expected, sampleRecords, rest, onRefused, cells, needsColumns: true }
    return (self) =>
      Effect.map(format.load, (library) =>
        Stream.chunks(streamOf(self)).pipe(
          feed(() => tabulate<A, ColumnValue>({ ...table, open: open(library) }))
        )
      ).pipe(Stream.unwrap)
  }

const tableWriter = (batch: ColumnBatch, writer: BatchWriter): TableWriter<ColumnValue> => {
  const write = (out: Array<Uint8Array>): void => {
    const values = batch.take()
    if (values !== undefined) writer.batch(values, out)
  }
  return {
    value: columnValue,
    row: (values, out) => {
      batch.add(values)
      if (batch.full) write(out)
    },
    pause: () => {},
    close: (out) => {
      write(out)
      writer.close(out)
    }
  }
}

/** Returns the value of a cell for its column, or why it does not fit. */
const columnValue = (cell: Cell, { name, type }: Column): ColumnValue | Fault => {
  const value = fit(cell, type)
  if (value === undefined) return typeMismatch(name, type, cell.text)
  return typeof value === "string" && !value.isWellFormed() ? loneSurrogate(name) : value
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
