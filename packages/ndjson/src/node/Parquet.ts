/**
 * Writes records as a Parquet file, row group by row group: functions on `Stream`. The optional package
 * `hyparquet-writer` is loaded on first use.
 *
 * All columns are flat and may be null (`Table`): arrays and objects become text columns with JSON. To read Parquet,
 * use DuckDB, pyarrow or `hyparquet`.
 */
import { zstdCompressSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ParquetWriter } from "hyparquet-writer"
import { atLeastOne } from "../internal/bounds.ts"
import { knownOptions } from "../internal/knownOptions.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed } from "../streams/internal/feeder.ts"
import { type Cells, cellsOf, cellsOfRaw, type Fault } from "../tables/internal/cells.ts"
import type { ColumnValue } from "../tables/internal/columns.ts"
import { checkColumns, type TableWriter, tabulate } from "../tables/internal/tabulate.ts"
import type { Column, ColumnType, ExpectedColumn, Refusals, TableError } from "../tables/Table.ts"
import { ColumnBatch, columnValue } from "./internal/columnBatch.ts"
import { optional } from "./internal/optional.ts"
import type { MissingPackage } from "./MissingPackage.ts"

/** The default of `groupRecords`. */
export const GROUP_RECORDS: number = 20_000

/** The options of a Parquet file. */
export interface EncodeOptions extends Refusals {
  /**
   * The fields to write, in order, with their types. Other fields are omitted. Default: the fields of the first
   * records, in order of appearance. Strings make a `text` column, booleans `boolean`, numbers `number` (`integer`
   * must be given), other values `json`. A later record with another field or type fails, so nothing is lost
   * silently.
   */
  readonly columns?: ReadonlyArray<Column> | undefined
  /** The number of first records that determine the columns. They are held in memory. Default: 1000. */
  readonly sampleRecords?: number | undefined
  /** Without `columns`: the columns that come first, even if no record has them (`ExpectedColumn`). */
  readonly expected?: ReadonlyArray<ExpectedColumn> | undefined
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
export const encode = (
  options?: EncodeOptions
): (<E, R>(
  self: Stream.Stream<unknown, E, R>
) => Stream.Stream<Uint8Array, E | TableError | MissingPackage, R>) => encodeWith(options, cellsOf)

/**
 * As `encode`, for raw records: `json` columns keep the text of arrays, objects and numbers, `integer` columns all
 * digits.
 */
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
  knownOptions("Parquet.encode", options, {
    columns: true,
    sampleRecords: true,
    expected: true,
    rest: true,
    onRefused: true,
    groupRecords: true,
    compression: true
  })
  const groupRecords = atLeastOne("groupRecords", options?.groupRecords ?? GROUP_RECORDS)
  const codec = options?.compression === "zstd" ? "ZSTD" : "SNAPPY"
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
            open: (columns) => parquetWriter(library, columns, groupRecords, codec)
          })
        )
      )
    ).pipe(Stream.unwrap)
}

type Library = typeof import("hyparquet-writer")
type SchemaElement = ParquetWriter["schema"][number]

const loadLibrary = optional("hyparquet-writer", "Writing Parquet", () => import("hyparquet-writer"))

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
  groupRecords: number,
  codec: "SNAPPY" | "ZSTD"
): TableWriter<ColumnValue> => {
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
  const file = new ParquetWriter({ writer: bytes, schema, codec, compressors, createdBy: "chemstream" })
  const batch = new ColumnBatch(columns, groupRecords)

  const flush = (out: Array<Uint8Array>): void => {
    out.push(bytes.getBytes().slice())
    // The writer counts the bytes elsewhere. This only empties its buffer.
    bytes.index = 0
  }
  const writeGroup = (out: Array<Uint8Array>): void => {
    const values = batch.take()
    if (values === undefined) return
    const columnData = columns.map(({ name }, i) => ({ name, data: values[i] ?? [] }))
    file.write({ columnData, rowGroupSize: groupRecords })
    flush(out)
  }
  return {
    value: columnValue,
    row: (values, out) => {
      batch.add(values)
      if (batch.full) writeGroup(out)
    },
    pause: () => {},
    close: (out) => {
      writeGroup(out)
      file.finish()
      flush(out)
    }
  }
}
