/**
 * Writes records as a Parquet file, row group by row group: functions on `Stream`. The optional package
 * `hyparquet-writer` is loaded on first use.
 *
 * All columns are flat and may be null (`Table`): arrays and objects become text columns with JSON. To read Parquet,
 * use DuckDB, pyarrow or `hyparquet`.
 */
import { zstdCompressSync } from "node:zlib"
import type { RawRecord } from "../raw/RawRecord.ts"
import { cellsOf, cellsOfRaw } from "../tables/internal/recordCells.ts"
import type { Column, ColumnOptions, ColumnType, Refusals } from "../tables/Table.ts"
import { type BatchWriter, type ColumnFormat, type Encoder, encoder } from "./internal/columnarFile.ts"
import { optional } from "./internal/optionalPackage.ts"

/** The records of one row group, if `groupRecords` is not given: 20,000. */
export const GROUP_RECORDS: number = 20_000

/** The options of a Parquet file. */
export interface EncodeOptions extends ColumnOptions, Refusals {
  /**
   * The number of records in a row group, which is held in memory and which readers can skip. A group also ends after
   * 32 Mi characters of text. Default: 20,000.
   */
  readonly groupRecords?: number | undefined
  /** The compression of pages: `snappy` for every reader, or `zstd`, which is smaller. Default: `snappy`. */
  readonly compression?: "snappy" | "zstd" | undefined
}

/**
 * Writes records as a Parquet file. Fails with `no-columns` if there are neither records nor `columns`.
 *
 * The bytes before an error are no readable file, because the index comes last.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Parquet } from "@chemstream/ndjson/node"
 *
 * const records = Stream.make({ id: "a", mass: 228.1, assays: [1, 2] }, { id: "b", mass: null })
 * const chunks = await Effect.runPromise(records.pipe(Parquet.encode(), Stream.runCollect))
 * const file = Buffer.concat(chunks)
 * file.toString("latin1", 0, 4) // => "PAR1"
 * file.toString("latin1", file.length - 4) // => "PAR1"
 * ```
 */
export const encode: Encoder<EncodeOptions, unknown> = (options) => encoder(format, cellsOf)(options)

/**
 * As `encode`, for raw records: `json` columns keep the text of arrays, objects and numbers, `integer` columns all
 * digits.
 */
export const encodeRaw: Encoder<EncodeOptions, RawRecord> = (options) => encoder(format, cellsOfRaw)(options)

type Library = typeof import("hyparquet-writer")
type SchemaElement = InstanceType<Library["ParquetWriter"]>["schema"][number]

const elements: Record<ColumnType, Pick<SchemaElement, "type" | "converted_type">> = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  // Not the JSON type of Parquet, because the writer would serialise the text again.
  json: { type: "BYTE_ARRAY", converted_type: "UTF8" }
}

const parquetWriter = (
  { ByteWriter, ParquetWriter }: Library,
  columns: ReadonlyArray<Column>,
  { compression }: EncodeOptions,
  rowGroupSize: number
): BatchWriter => {
  const bytes = new ByteWriter()
  const schema: Array<SchemaElement> = [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type }) => ({
      ...elements[type],
      name,
      repetition_type: "OPTIONAL" as const
    }))
  ]
  const compressors = { ZSTD: (input: Uint8Array): Uint8Array => zstdCompressSync(input) }
  const codec = compression === "zstd" ? "ZSTD" : "SNAPPY"
  const file = new ParquetWriter({ writer: bytes, schema, codec, compressors, createdBy: "chemstream" })
  const flush = (out: Array<Uint8Array>): void => {
    out.push(bytes.getBytes().slice())
    // The writer counts the bytes elsewhere. This only empties its buffer.
    bytes.index = 0
  }
  return {
    batch: (values, out) => {
      const columnData = columns.map(({ name }, i) => ({ name, data: values[i] ?? [] }))
      file.write({ columnData, rowGroupSize })
      flush(out)
    },
    close: (out) => {
      file.finish()
      flush(out)
    }
  }
}

const format: ColumnFormat<EncodeOptions, Library> = {
  name: "Parquet",
  size: ["groupRecords", GROUP_RECORDS],
  own: { groupRecords: true, compression: true },
  load: optional("hyparquet-writer", "Writing Parquet", () => import("hyparquet-writer")),
  open: parquetWriter
}
