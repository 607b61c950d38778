/**
 * Writes records in any format that `Format` knows, compressed or not, e.g. for `--output hits.csv.gz` or
 * `hits.parquet`.
 *
 * It uses the modules of the formats with their defaults. For other settings, use the module of the format. The caller writes the
 * file.
 */
import { Effect, Stream } from "effect"
import { identity } from "effect/Function"
import * as JsonArray from "../codec/JsonArray.ts"
import * as Ndjson from "../codec/Ndjson.ts"
import { argument } from "../internal/argumentChecks.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import * as Csv from "../tables/Csv.ts"
import { type Format, type Kind, tables } from "../tables/Format.ts"
import { inferColumns } from "../tables/internal/inferColumns.ts"
import type { ColumnOptions, Refusals, TableError } from "../tables/Table.ts"
import * as Arrow from "./Arrow.ts"
import * as Compression from "./Compression.ts"
import type { MissingPackage } from "./MissingPackage.ts"
import * as Parquet from "./Parquet.ts"

/** The options of formats with columns. Others ignore them. */
export interface EncodeOptions extends ColumnOptions, Refusals {
  /** Whether CSV and TSV are for a spreadsheet: with a byte-order mark, and with formulas escaped (`Csv`). Default: false. */
  readonly forSpreadsheet?: boolean | undefined
  /** Whether CSV and TSV write the empty string as an empty cell, like `null`. Default: false, as `""`. */
  readonly unquotedEmpty?: boolean | undefined
}

/**
 * Writes records in a format. Without a kind: NDJSON. Tab-separated rows end with LF and escape tabs and line breaks
 * in cells, for `cut` and `awk`. Comma-separated rows end with CRLF (RFC 4180).
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Format, RawRecord } from "@chemstream/ndjson"
 * import { Compression, FileFormat } from "@chemstream/ndjson/node"
 *
 * const records = Stream.make(RawRecord.fromText('{"id":"x","mass":3850.0}'))
 * const file = records.pipe(FileFormat.encodeRaw(Format.ofPath("hits.tsv.gz")))
 * const text = file.pipe(Compression.decompress({ format: "gzip" }), Stream.decodeText, Stream.mkString)
 * await Effect.runPromise(text) // => "id\tmass\nx\t3850.0\n"
 * ```
 */
export const encodeRaw =
  (
    format: Format,
    options?: EncodeOptions
  ): (<E, R>(
    self: Stream.Stream<RawRecord, E, R>
  ) => Stream.Stream<Uint8Array, E | TableError | MissingPackage, R>) =>
  <E, R>(
    self: Stream.Stream<RawRecord, E, R>
  ): Stream.Stream<Uint8Array, E | TableError | MissingPackage, R> =>
    self.pipe(
      encodeKind(argument("format", "an object", format).kind ?? "ndjson", options),
      format.compression === undefined ? identity : Compression.compress(format.compression)
    )

/**
 * Like `encodeRaw`, for records that can be read twice. The first reading finds all fields, so the columns never depend on the first
 * records, and every value has a place: fields without an expected column get one of text, or of JSON text if one has arrays or objects,
 * and values that do not fit their column go to the column `other_fields`. It exists only if a value needs it.
 */
export const encodeTwice =
  (
    format: Format,
    options: Omit<EncodeOptions, "columns" | "rest" | "sampleRecords"> = {}
  ): (<E, R>(
    self: Stream.Stream<RawRecord, E, R>
  ) => Stream.Stream<Uint8Array, E | TableError | MissingPackage, R>) =>
  (self) => {
    const { expected = [], ...others } = options
    if (!tables.has(argument("format", "an object", format).kind)) return encodeRaw(format)(self)
    return Stream.unwrap(
      Effect.map(inferColumns(self, expected, format.kind === "csv" || format.kind === "tsv"), (shape) =>
        encodeRaw(format, { ...others, ...shape })(self)
      )
    )
  }

export { inferColumns, type Shape } from "../tables/internal/inferColumns.ts"

const encodeKind = (
  kind: Kind,
  options: EncodeOptions | undefined
): (<E, R>(
  self: Stream.Stream<RawRecord, E, R>
) => Stream.Stream<Uint8Array, E | TableError | MissingPackage, R>) => {
  const { forSpreadsheet = false, unquotedEmpty, ...table } = options ?? {}
  // CSV and TSV have columns without types.
  const csv = {
    ...table,
    unquotedEmpty,
    escapeFormulas: forSpreadsheet,
    byteOrderMark: forSpreadsheet,
    columns: options?.columns?.map(({ name }) => name),
    expected: options?.expected?.map(({ name }) => name)
  }
  switch (kind) {
    case "ndjson":
      return Ndjson.encodeRaw()
    case "json":
      return JsonArray.encodeRaw()
    case "csv":
      return Csv.encodeRaw(csv)
    case "tsv":
      return Csv.encodeRaw({ ...csv, separator: "\t", lineBreak: "\n", escapeControls: true })
    case "parquet":
      return Parquet.encodeRaw(table)
    case "arrow":
      return Arrow.encodeRaw(table)
  }
}
