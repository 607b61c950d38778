/**
 * Reads and writes comma-separated values (RFC 4180), or tab-separated ones: functions on `Stream`.
 *
 * A cell is text. Nothing is guessed: a CAS number that looks like a date stays unchanged. Arrays and objects are
 * written as JSON text. `internal/csvRows.ts` cuts text into cells, `internal/utf8Chunks.ts` of the codecs skips a byte-order mark,
 * and `internal/encodeTable.ts` determines the columns and refuses records that do not fit.
 */
import * as Stream from "effect/Stream"
import { Utf8Chunks } from "../codec/internal/utf8Chunks.ts"
import { InvalidOption } from "../InvalidOption.ts"
import { atLeastOne, knownOptions } from "../internal/optionChecks.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed, feedBytes, streamOf } from "../streams/internal/pushParser.ts"
import { CsvError, type CsvReason, refuseBytes, refuseCount, refuseRow } from "./internal/csvError.ts"
import { CsvRecords, duplicateIn, type NumberedRow, type RaggedRow } from "./internal/csvRecords.ts"
import { type Row, Rows } from "./internal/csvRows.ts"
import { csvWriter } from "./internal/csvWriter.ts"
import { checkColumns, tabulate } from "./internal/encodeTable.ts"
import { type Cells, cellsOf, cellsOfRaw, type Fault, quote } from "./internal/recordCells.ts"
import type { Column, Refusals, TableError } from "./Table.ts"

/** The default of `maxRowLength`: 64 Mi characters. */
export const MAX_ROW_LENGTH: number = 64 * 1024 * 1024

export { CsvError, type CsvReason, type NumberedRow, type RaggedRow }

/** The options of reading rows. */
export interface DecodeOptions {
  /** The separator of cells, one character. `"\t"`: tab-separated values. Default: `","`. */
  readonly separator?: string | undefined
  /** The names of the columns, if the first row is a record. */
  readonly columns?: ReadonlyArray<string> | undefined
  /** Skips the rows up to this line, e.g. titles above the header. Default: 0, none. */
  readonly afterLine?: number | undefined
  /** `false`: a quote is an ordinary character, as in tab-separated files without quotes. */
  readonly quotes?: boolean | undefined
  /** Whether `decodeRows` returns blank rows, with the reason `blank`. Default: false. */
  readonly blank?: boolean | undefined
  /** The longest row, in characters. A longer row fails with `row-too-large`. Default: 64 Mi. */
  readonly maxRowLength?: number | undefined
}

/**
 * Reads a record from each row after the header, in the order of the columns. Every value is a string; an empty cell
 * is the empty string. `__proto__` is an ordinary name. Accepts LF, CRLF, CR, a byte-order mark, and a last row
 * without a line break. Skips blank lines. Records before a bad row are emitted before its error.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Csv } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('name,casrn\r\n"Phenol, 4,4\'-isopropylidenedi-",00080-05-7\r\n').pipe(Stream.encodeText)
 * await Effect.runPromise(bytes.pipe(Csv.decode(), Stream.runCollect))
 * // => [{ name: "Phenol, 4,4'-isopropylidenedi-", casrn: "00080-05-7" }]
 * ```
 */
export const decode = (
  options?: DecodeOptions
): (<E, R>(
  self: Stream.Stream<Uint8Array, E, R>
) => Stream.Stream<Readonly<Record<string, string>>, E | CsvError, R>) =>
  decodeWith(options, (record) => record, refuseRagged)

/**
 * As `decode`, with the first line of each row, and with a fault in the place of a row that has more or fewer cells than columns.
 * Use it for tables written by hand. A faulty quote costs one line: the row is its first line, and the next line is read as a row.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Csv } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make("id,note\n1\n2,b\n").pipe(Stream.encodeText)
 * await Effect.runPromise(bytes.pipe(Csv.decodeRows(), Stream.runCollect))
 * // => [
 * //   { line: 2, cells: ["1"], reason: "cell-count", fault: "the row has 1 cell where the header has 2" },
 * //   { line: 3, record: { id: "2", note: "b" } }
 * // ]
 * ```
 */
export const decodeRows = (
  options?: DecodeOptions
): (<E, R>(
  self: Stream.Stream<Uint8Array, E, R>
) => Stream.Stream<NumberedRow | RaggedRow, E | CsvError, R>) =>
  decodeWith<NumberedRow | RaggedRow>(
    options,
    (record, line) => ({ line, record }),
    (row) => row,
    true
  )

const refuseRagged = ({ fault, line }: RaggedRow): CsvError => refuseCount(fault, line)

const decodeWith = <A>(
  options: DecodeOptions | undefined,
  toValue: (record: Readonly<Record<string, string>>, line: number) => A,
  onRaggedRow: (row: RaggedRow) => A | CsvError,
  recovers = false
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<A, E | CsvError, R>) => {
  knownOptions("Csv.decode", options, {
    separator: true,
    columns: true,
    afterLine: true,
    quotes: true,
    blank: true,
    maxRowLength: true
  })
  const separator = checkSeparator(options?.separator)
  const maxRowLength = atLeastOne("maxRowLength", options?.maxRowLength ?? MAX_ROW_LENGTH)
  const columns = options?.columns
  if (columns !== undefined && duplicateIn(columns) !== undefined) {
    throw new InvalidOption("columns", `names ${quote(duplicateIn(columns) ?? "")} twice`)
  }
  return feedBytes<A, CsvError>(() => {
    const chunks = new Utf8Chunks()
    const parser = new Rows(separator, options?.quotes ?? true, maxRowLength, recovers, options?.blank)
    const records = new CsvRecords(columns, toValue, onRaggedRow, options?.afterLine ?? 0)
    return {
      push: (bytes, out) => {
        const rows: Array<Row> = []
        const { broken, text } = chunks.push(bytes)
        const fault = parser.push(text, rows)
        return (
          records.push(rows, out) ??
          (fault === undefined ? undefined : refuseRow(fault, maxRowLength)) ??
          (broken ? refuseBytes(parser.currentLine) : undefined)
        )
      },
      end: (out) => {
        const rows: Array<Row> = []
        if (chunks.end().broken) return refuseBytes(parser.currentLine)
        const fault = parser.end(rows)
        return records.push(rows, out) ?? (fault === undefined ? undefined : refuseRow(fault, maxRowLength))
      }
    }
  })
}

/** The options of writing rows. */
export interface EncodeOptions extends Refusals {
  /**
   * The fields to write, in order. Others are omitted. Default: the fields of the first records, in order of
   * appearance. A later record with another field then fails with `unknown-field`, so nothing is lost silently.
   */
  readonly columns?: ReadonlyArray<string> | undefined
  /** The number of first records that determine the columns. They are held in memory. Default: 1000. */
  readonly sampleRecords?: number | undefined
  /** Without `columns`: the columns that come first, even if no record has them. */
  readonly expected?: ReadonlyArray<string> | undefined
  /** Whether the first row names the columns. Default: true. */
  readonly header?: boolean | undefined
  /** The separator of cells, one character. `"\t"`: tab-separated values. Default: `","`. */
  readonly separator?: string | undefined
  /** Whether the text starts with a byte-order mark, by which spreadsheets recognize UTF-8. Default: false. */
  readonly byteOrderMark?: boolean | undefined
  /** The end of a row. Default: `"\r\n"` (RFC 4180). */
  readonly lineBreak?: "\r\n" | "\n" | undefined
  /**
   * Whether a string that a spreadsheet would read as a formula (`=`, `+`, `-`, `@`, tab or carriage return first)
   * gets an apostrophe before it. Nothing removes the apostrophe again. So set this only for files that people open in
   * a spreadsheet and whose text comes from others. Numbers never change. Default: false.
   */
  readonly escapeFormulas?: boolean | undefined
  /**
   * Whether tabs and line breaks in a cell are written as `\t`, `\r` and `\n`, for `cut` and `awk`. Nothing reverts
   * that. Default: false.
   */
  readonly escapeControls?: boolean | undefined
  /**
   * Whether the empty string is written as an empty cell, like `null` and an absent field. Use it for rows of another
   * table. Default: false; it is written as `""`.
   */
  readonly unquotedEmpty?: boolean | undefined
}

/**
 * Writes a row for each record. A cell with a separator, quote or line break is quoted, and so is the empty string;
 * `null` and an absent field are empty cells. Records before an error are written.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Csv } from "@chemstream/ndjson"
 *
 * const records = Stream.make({ name: "BPA, 4,4'", assays: [2, 3] }, { name: null, mass: 228.1 })
 * await Effect.runPromise(records.pipe(Csv.encode({ lineBreak: "\n" }), Stream.decodeText, Stream.mkString))
 * // => 'name,assays,mass\n"BPA, 4,4\'","[2,3]",\n,,228.1\n'
 * ```
 */
export const encode = (
  options?: EncodeOptions
): (<E, R>(self: Stream.Stream<unknown, E, R>) => Stream.Stream<Uint8Array, E | TableError, R>) =>
  encodeWith(options, cellsOf)

/**
 * As `encode`, for raw records: numbers keep their digits, arrays and objects their text.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Csv, Ndjson } from "@chemstream/ndjson"
 *
 * const lines = Stream.make('{"id":"x","mass":3850.0}\n').pipe(Stream.encodeText)
 * const text = lines.pipe(
 *   Ndjson.decodeRaw(),
 *   Csv.encodeRaw({ columns: ["mass", "id"], separator: "\t", lineBreak: "\n" }),
 *   Stream.decodeText,
 *   Stream.mkString
 * )
 * await Effect.runPromise(text) // => "mass\tid\n3850.0\tx\n"
 * ```
 */
export const encodeRaw = (
  options?: EncodeOptions
): (<E, R>(self: Stream.Stream<RawRecord, E, R>) => Stream.Stream<Uint8Array, E | TableError, R>) =>
  encodeWith(options, cellsOfRaw)

const encodeOptions: Readonly<Record<keyof EncodeOptions, true>> = {
  columns: true,
  sampleRecords: true,
  expected: true,
  header: true,
  separator: true,
  lineBreak: true,
  escapeFormulas: true,
  escapeControls: true,
  unquotedEmpty: true,
  byteOrderMark: true,
  rest: true,
  onRefused: true
}

const encodeWith = <A>(
  options: EncodeOptions | undefined,
  cells: (record: A) => Cells | Fault
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Uint8Array, E | TableError, R>) => {
  knownOptions("Csv.encode", options, encodeOptions)
  const style = {
    separator: checkSeparator(options?.separator),
    lineBreak: options?.lineBreak ?? "\r\n",
    header: options?.header ?? true,
    escapeFormulas: options?.escapeFormulas ?? false,
    escapeControls: options?.escapeControls ?? false,
    unquotedEmpty: options?.unquotedEmpty ?? false,
    byteOrderMark: options?.byteOrderMark ?? false
  }
  const { onRefused, rest, sampleRecords } = options ?? {}
  const columns = options?.columns?.map((name): Column => ({ name, type: "json" }))
  const expected = options?.expected?.map((name) => ({ name }))
  checkColumns({ columns, expected, sampleRecords })
  return (self) =>
    Stream.chunks(streamOf(self)).pipe(
      feed(() =>
        tabulate<A, string>({
          columns,
          expected,
          sampleRecords,
          rest,
          onRefused,
          cells,
          needsColumns: false,
          open: (all) => csvWriter(all, style)
        })
      )
    )
}

const checkSeparator = (separator: string = ","): string => {
  if (separator.length !== 1 || '"\r\n\ufeff'.includes(separator)) {
    throw new InvalidOption("separator", "must be one character and no quote or line break", separator)
  }
  return separator
}
