/**
 * Records to Apache Arrow IPC, batch by batch, as functions on `Stream`. Written by the package `apache-arrow`, which is
 * optional and loaded on first use.
 *
 * Flat columns only, each of which may be null (`Table`): a field that holds an array or an object becomes a text column
 * with its JSON. Not compressed: compress the whole, or write Parquet. Reads no Arrow: use `tableFromIPC` of that package.
 */
import type { DataType, RecordBatchWriter } from "apache-arrow"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { atLeastOne } from "../internal/bounds.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed } from "../streams/internal/feeder.ts"
import { type Cells, cellsOf, cellsOfRaw, type Fault } from "../tables/internal/cells.ts"
import { checkColumns, type TableWriter, tabulate } from "../tables/internal/tabulate.ts"
import type { Column, ExpectedColumn, TableError } from "../tables/Table.ts"
import { ColumnBatch } from "./internal/columnBatch.ts"
import { optional } from "./internal/optional.ts"
import type { MissingPackage } from "./MissingPackage.ts"

/** The default of `batchRecords`. */
export const BATCH_RECORDS: number = 20_000

/** How records become an Arrow table. */
export interface EncodeOptions {
  /**
   * The fields to write, in order, and their types; other fields are left out. Unless given: the fields of the first
   * records, as for `Parquet`.
   */
  readonly columns?: ReadonlyArray<Column> | undefined
  /** From how many records the columns are taken where they are not given; these are held back. Default 1000. */
  readonly sampleRecords?: number | undefined
  /** Where `columns` are not given: columns that come first, whether or not a record has them (`ExpectedColumn`). */
  readonly expected?: ReadonlyArray<ExpectedColumn> | undefined
  /** Records in a batch: what is held in memory. Default 20,000; a batch also ends after 32 Mi characters of text. */
  readonly batchRecords?: number | undefined
  /** `file` (`.arrow`, what most readers open) unless given, or `stream` (`.arrows`, readable while it is written). */
  readonly layout?: "file" | "stream" | undefined
}

/**
 * The records as Arrow IPC. Fails with `no-columns` when there are neither records nor `columns`.
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

/** As `encode`, of raw records: `json` columns hold the text as it was, `integer` columns all digits. */
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
  const batchRecords = atLeastOne("batchRecords", options?.batchRecords ?? BATCH_RECORDS)
  const layout = options?.layout ?? "file"
  const { columns, expected, sampleRecords } = options ?? {}
  checkColumns({ columns, expected, sampleRecords })
  return (self) =>
    Effect.map(loadLibrary, (library) =>
      self.pipe(
        Stream.chunks,
        feed(() =>
          tabulate<A>({
            columns,
            expected,
            sampleRecords,
            cells,
            needsColumns: true,
            open: (found) => arrowWriter(library, found, batchRecords, layout)
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
): TableWriter => {
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
  // The library queues what it writes for a reader that waits; here it is taken after each batch.
  class Queue extends arrow.AsyncByteQueue {
    override write(bytes: Uint8Array): void {
      // Small integers come as typed arrays of another kind.
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
    row: (cells, out) => {
      const fault = batch.add(cells)
      if (fault === undefined && batch.full) {
        writeBatch()
        flush(out)
      }
      return fault
    },
    pause: flush,
    close: (out) => {
      writeBatch()
      writer.finish()
      flush(out)
    }
  }
}
