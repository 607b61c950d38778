/**
 * Writes records as Apache Arrow IPC, batch by batch: functions on `Stream`. The optional package `apache-arrow` is
 * loaded on first use.
 *
 * All columns are flat and may be null (`Table`): arrays and objects become text columns with JSON. The output is not
 * compressed. To read Arrow, use `tableFromIPC` of that package.
 */
import type { DataType, RecordBatchWriter } from "apache-arrow"
import type { RawRecord } from "../raw/RawRecord.ts"
import { cellsOf, cellsOfRaw } from "../tables/internal/recordCells.ts"
import type { Column, ColumnOptions, Refusals } from "../tables/Table.ts"
import { type BatchWriter, type ColumnFormat, type Encoder, encoder } from "./internal/columnarFile.ts"
import { optional } from "./internal/optionalPackage.ts"

/** The records of one record batch, if `batchRecords` is not given: 20,000. */
export const BATCH_RECORDS: number = 20_000

/** The options of an Arrow table. */
export interface EncodeOptions extends ColumnOptions, Refusals {
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
export const encode: Encoder<EncodeOptions, unknown> = (options) => encoder(format, cellsOf)(options)

/** As `encode`, for raw records: `json` columns keep the text, `integer` columns all digits. */
export const encodeRaw: Encoder<EncodeOptions, RawRecord> = (options) => encoder(format, cellsOfRaw)(options)

type Library = typeof import("apache-arrow")

const arrowWriter = (
  arrow: Library,
  columns: ReadonlyArray<Column>,
  { layout }: EncodeOptions
): BatchWriter => {
  const types = {
    text: new arrow.Utf8(),
    integer: new arrow.Int64(),
    number: new arrow.Float64(),
    boolean: new arrow.Bool(),
    json: new arrow.Utf8()
  }
  const schema = new arrow.Schema(columns.map(({ name, type }) => new arrow.Field(name, types[type], true)))
  const written: Array<Uint8Array> = []
  // The library queues its output, which is taken after each batch.
  class Queue extends arrow.AsyncByteQueue {
    override write(bytes: Uint8Array): void {
      written.push(bytes)
    }
  }
  const writer: RecordBatchWriter =
    layout === "stream" ? new arrow.RecordBatchStreamWriter() : new arrow.RecordBatchFileWriter()
  writer.reset(new Queue(), schema)

  const flush = (out: Array<Uint8Array>): void => {
    out.push(Buffer.concat(written.splice(0)))
  }
  return {
    batch: (values, out) => {
      const children = columns.map(({ type }, i) => {
        const builder = arrow.makeBuilder<DataType>({ type: types[type], nullValues: [null] })
        for (const value of values[i] ?? []) builder.append(value)
        return builder.finish().flush()
      })
      const length = values[0]?.length ?? 0
      const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length, nullCount: 0, children })
      writer.write(new arrow.RecordBatch(schema, struct))
      flush(out)
    },
    close: (out) => {
      writer.finish()
      flush(out)
    }
  }
}

const format: ColumnFormat<EncodeOptions, Library> = {
  name: "Arrow",
  size: ["batchRecords", BATCH_RECORDS],
  own: { batchRecords: true, layout: true },
  load: optional("apache-arrow", "Writing Arrow", () => import("apache-arrow")),
  open: arrowWriter
}
