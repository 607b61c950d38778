/**
 * Records to a Parquet file, row group by row group, as functions on `Stream`. Written by the package `hyparquet-writer`,
 * which is optional and loaded on first use.
 *
 * Flat columns only, each of which may be null (`Table`): a field that holds an array or an object becomes a text column
 * with its JSON. Reads no Parquet: use DuckDB, pyarrow or `hyparquet`.
 */
import { zstdCompressSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ParquetWriter } from "hyparquet-writer"
import { atLeastOne } from "../internal/bounds.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed } from "../streams/internal/feeder.ts"
import { type Cells, cellsOf, cellsOfRaw, type Fault } from "../tables/internal/cells.ts"
import { checkColumns, type TableWriter, tabulate } from "../tables/internal/tabulate.ts"
import type { Column, ColumnType, ExpectedColumn, TableError } from "../tables/Table.ts"
import { ColumnBatch } from "./internal/columnBatch.ts"
import { optional } from "./internal/optional.ts"
import type { MissingPackage } from "./MissingPackage.ts"

/** The default of `groupRecords`. */
export const GROUP_RECORDS: number = 20_000

/** How records become a Parquet file. */
export interface EncodeOptions {
  /**
   * The fields to write, in order, and their types; other fields are left out. Unless given: the fields of the first
   * records, in the order they first appear. All strings make a `text` column, all booleans `boolean`, all numbers
   * `number` (`integer` has to be asked for), everything else `json`. A later record with another field, or a value that
   * does not fit, fails: nothing is lost silently.
   */
  readonly columns?: ReadonlyArray<Column> | undefined
  /** From how many records the columns are taken where they are not given; these are held back. Default 1000. */
  readonly sampleRecords?: number | undefined
  /** Where `columns` are not given: columns that come first, whether or not a record has them (`ExpectedColumn`). */
  readonly expected?: ReadonlyArray<ExpectedColumn> | undefined
  /**
   * Records in a row group: what is held in memory, and what readers can skip at once. Default 20,000; a group also ends
   * after 32 Mi characters of text.
   */
  readonly groupRecords?: number | undefined
  /** Of the pages: `snappy` unless given, which every reader takes, or `zstd`, which is smaller. */
  readonly compression?: "snappy" | "zstd" | undefined
}

/**
 * A Parquet file of the records. Fails with `no-columns` when there are neither records nor `columns`.
 *
 * What was emitted before an error is no complete file: the part that readers start with comes last.
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
 * As `encode`, of raw records: `json` columns hold the text of arrays, objects and numbers as it was, `integer` columns
 * all digits.
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
  const groupRecords = atLeastOne("groupRecords", options?.groupRecords ?? GROUP_RECORDS)
  const codec = options?.compression === "zstd" ? "ZSTD" : "SNAPPY"
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
            open: (found) => parquetWriter(library, found, groupRecords, codec)
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
  // Not the JSON type of Parquet: the writer would serialise the text once more.
  json: { type: "BYTE_ARRAY", converted_type: "UTF8" }
}

const parquetWriter = (
  { ByteWriter, ParquetWriter }: Library,
  columns: ReadonlyArray<Column>,
  groupRecords: number,
  codec: "SNAPPY" | "ZSTD"
): TableWriter => {
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
    // The writer counts the bytes of the file elsewhere; this only empties its buffer.
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
    row: (cells, out) => {
      const fault = batch.add(cells)
      if (fault === undefined && batch.full) writeGroup(out)
      return fault
    },
    pause: () => {},
    close: (out) => {
      writeGroup(out)
      file.finish()
      flush(out)
    }
  }
}
