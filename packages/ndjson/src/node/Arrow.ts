/**
 * Writes records as Apache Arrow IPC, batch by batch: functions on `Stream`. The optional package `apache-arrow` is
 * loaded on first use.
 *
 * All columns are flat and may be null (`Table`): arrays and objects become text columns with JSON. The output is not
 * compressed. To read Arrow, use `tableFromIPC` of that package.
 */
import type { DataType, RecordBatchWriter } from "apache-arrow"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { atLeastOne } from "../internal/bounds.ts"
import { knownOptions } from "../internal/knownOptions.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed } from "../streams/internal/feeder.ts"
import { type Cells, cellsOf, cellsOfRaw, type Fault } from "../tables/internal/cells.ts"
import type { ColumnValue } from "../tables/internal/columns.ts"
import { checkColumns, type TableWriter, tabulate } from "../tables/internal/tabulate.ts"
import type { Column, ExpectedColumn, Refusals, TableError } from "../tables/Table.ts"
import { ColumnBatch, columnValue } from "./internal/columnBatch.ts"
import { optional } from "./internal/optional.ts"
import type { MissingPackage } from "./MissingPackage.ts"

/** The default of `batchRecords`. */
export const BATCH_RECORDS: number = 20_000

/** The options of an Arrow table. */
export interface EncodeOptions extends Refusals {
  /**
   * The fields to write, in order, with their types. Other fields are omitted. Default: the fields of the first
   * records, as for `Parquet`.
   */
  readonly columns?: ReadonlyArray<Column> | undefined
  /** The number of first records that determine the columns. They are held in memory. Default: 1000. */
  readonly sampleRecords?: number | undefined
  /** Without `columns`: the columns that come first, even if no record has them (`ExpectedColumn`). */
  readonly expected?: ReadonlyArray<ExpectedColumn> | undefined
  /**
   * The number of records in a batch, which is held in memory. A batch also ends after 32 Mi characters of text.
   * Default: 20,000.
   */
  readonly batchRecords?: number | undefined
  /** `file` (`.arrow`, for most readers), or `stream` (`.arrows`, readable while it is written). Default: `file`. */
  readonly layout?: "file" | "stream" | undefined
}

/**
 * Writes records as Arrow IPC. Fails with `no-columns` if there are neither records nor `columns`.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Arrow } from "@chemstream/ndjson/node"
 *
 * const records = Stream.make({ id: "a", mass: 228.1 }, { id: "b", mass: null })
 * const chunks = await Effect.runPromise(records.pipe(Arrow.encode(), Stream.runCollect))
 * Buffer.concat(chunks).toString("latin1", 0, 6) // => "ARROW1"
 * ```
 */
export const encode = (
  options?: EncodeOptions
): (<E, R>(
  self: Stream.Stream<unknown, E, R>
) => Stream.Stream<Uint8Array, E | TableError | MissingPackage, R>) => encodeWith(options, cellsOf)

/** As `encode`, for raw records: `json` columns keep the text, `integer` columns all digits. */
export const encodeRaw = (
  options?: EncodeOptions
): (<E, R>(
  self: Stream.Stream<RawRecord, E, R>
) => Stream.Stream<Uint8Array, E | TableError | MissingPackage, R>) => encodeWith(options, cellsOfRaw)

const encodeWith = <A>(
  options: EncodeOptions | undefined,
  cells: (record: A) => Cells | Fault
): (<E, R>(
  self: Stream.Stream<A, E, R>
) => Stream.Stream<Uint8Array, E | TableError | MissingPackage, R>) => {
  knownOptions("Arrow.encode", options, {
    columns: true,
    sampleRecords: true,
    expected: true,
    rest: true,
    onRefused: true,
    batchRecords: true,
    layout: true
  })
  const batchRecords = atLeastOne("batchRecords", options?.batchRecords ?? BATCH_RECORDS)
  const layout = options?.layout ?? "file"
  const { columns, expected, onRefused, rest, sampleRecords } = options ?? {}
  checkColumns({ columns, expected, sampleRecords })
  return (self) =>
    Effect.map(loadLibrary, (library) =>
      self.pipe(
        Stream.chunks,
        feed(() =>
          tabulate<A, ColumnValue>({
            columns,
            expected,
            sampleRecords,
            rest,
            onRefused,
            cells,
            needsColumns: true,
            open: (columns) => arrowWriter(library, columns, batchRecords, layout)
          })
        )
      )
    ).pipe(Stream.unwrap)
}

type Library = typeof import("apache-arrow")

const loadLibrary = optional("apache-arrow", "Writing Arrow", () => import("apache-arrow"))

const arrowWriter = (
  arrow: Library,
  columns: ReadonlyArray<Column>,
  batchRecords: number,
  layout: "file" | "stream"
): TableWriter<ColumnValue> => {
  const types = {
    text: new arrow.Utf8(),
    integer: new arrow.Int64(),
    number: new arrow.Float64(),
    boolean: new arrow.Bool(),
    json: new arrow.Utf8()
  }
  const schema = new arrow.Schema(columns.map(({ name, type }) => new arrow.Field(name, types[type], true)))
  const batch = new ColumnBatch(columns, batchRecords)

  const written: Array<Uint8Array> = []
  // The library queues its output, which is taken after each batch.
  class Queue extends arrow.AsyncByteQueue {
    override write(bytes: Uint8Array): void {
      // Small integers have another kind of typed array.
      if (bytes.byteLength > 0) written.push(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    }
  }
  const writer: RecordBatchWriter =
    layout === "file" ? new arrow.RecordBatchFileWriter() : new arrow.RecordBatchStreamWriter()
  writer.reset(new Queue(), schema)

  const flush = (out: Array<Uint8Array>): void => {
    if (written.length > 0) out.push(Buffer.concat(written.splice(0)))
  }
  const writeBatch = (): void => {
    const values = batch.take()
    if (values === undefined) return
    const children = columns.map(({ type }, i) => {
      const builder = arrow.makeBuilder<DataType>({ type: types[type], nullValues: [null] })
      for (const value of values[i] ?? []) builder.append(value)
      return builder.finish().flush()
    })
    const length = values[0]?.length ?? 0
    const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length, nullCount: 0, children })
    writer.write(new arrow.RecordBatch(schema, struct))
  }
  return {
    value: columnValue,
    row: (values, out) => {
      batch.add(values)
      if (batch.full) {
        writeBatch()
        flush(out)
      }
    },
    pause: flush,
    close: (out) => {
      writeBatch()
      writer.finish()
      flush(out)
    }
  }
}
