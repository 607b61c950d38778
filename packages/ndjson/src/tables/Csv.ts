/**
 * Records to and from comma-separated values (RFC 4180), and with another separator tab-separated ones, as functions
 * on `Stream`.
 *
 * A cell is text: nothing is guessed on the way in, and a CAS number or an identifier that looks like a date or a
 * number stays what it is. On the way out a field that holds an array or an object is its JSON text. What the columns
 * are, and which records have no place in them, is `Table`'s.
 */
import * as Stream from "effect/Stream"
import { Utf8Chunks } from "../codec/internal/utf8Chunks.ts"
import { atLeastOne } from "../internal/bounds.ts"
import type { RawRecord } from "../raw/RawRecord.ts"
import { feed } from "../streams/internal/feeder.ts"
import { type Cells, cellsOf, cellsOfRaw, type Fault, quote } from "./internal/cells.ts"
import {
  CsvError,
  type CsvReason,
  otherCount,
  refuseBytes,
  refuseCount,
  refuseHeader,
  refuseRow
} from "./internal/csvError.ts"
import { type Row, Rows } from "./internal/csvRows.ts"
import { csvWriter } from "./internal/csvWriter.ts"
import { checkColumns, tabulate } from "./internal/tabulate.ts"
import type { Column, TableError } from "./Table.ts"

/** The default of `maxRowLength`: 64 Mi characters. */
export const MAX_ROW_LENGTH: number = 64 * 1024 * 1024

export { CsvError, type CsvReason }

/** How rows are read. */
export interface DecodeOptions {
  /** One character between cells: `","` unless given, `"\t"` for tab-separated values. */
  readonly separator?: string | undefined
  /** The names of the columns, where the first row is not a header but a record. */
  readonly columns?: ReadonlyArray<string> | undefined
  /** `false` where a quote is a character like any other, as in tab-separated files that never quote. */
  readonly quotes?: boolean | undefined
  /** The longest row in characters; a longer one fails with `row-too-large`. Default 64 Mi. */
  readonly maxRowLength?: number | undefined
}

/**
 * A record for each row after the header, by column, in the order of the columns. Every value is a string, of an empty
 * cell the empty one; `__proto__` is a name like any other. Takes LF, CRLF and CR, a byte-order mark, a last row
 * without a line break; leaves out blank lines. Records before a bad row are emitted before its error.
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

/** A record and the line that its row starts on, from 1. */
export interface NumberedRow {
  readonly line: number
  readonly record: Readonly<Record<string, string>>
}

/**
 * As `decode`, each record with the line that its row starts on: for what has to name the line later.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Csv } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('id,note\n1,"two\nlines"\n\n2,\n').pipe(Stream.encodeText)
 * const lines = bytes.pipe(Csv.decodeNumbered(), Stream.map(({ line }) => line), Stream.runCollect)
 * await Effect.runPromise(lines) // => [2, 5]
 * ```
 */
export const decodeNumbered = (
  options?: DecodeOptions
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<NumberedRow, E | CsvError, R>) =>
  decodeWith(options, (record, line) => ({ line, record }), refuseRagged)

/** A row that has more or fewer cells than there are columns: its cells, the line that it starts on, and that in words. */
export interface RaggedRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
  readonly fault: string
}

/**
 * As `decodeNumbered`, but a row that has more or fewer cells than there are columns comes out in its place, and the rows
 * after it follow: for what has to get through a table that somebody wrote by hand.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Csv } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make("id,note\n1\n2,b\n").pipe(Stream.encodeText)
 * await Effect.runPromise(bytes.pipe(Csv.decodeRows(), Stream.runCollect))
 * // => [
 * //   { line: 2, cells: ["1"], fault: "the row has 1 cell where the header has 2" },
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
    (row) => row
  )

const refuseRagged = ({ fault, line }: RaggedRow): CsvError => refuseCount(fault, line)

const decodeWith = <A>(
  options: DecodeOptions | undefined,
  toValue: (record: Readonly<Record<string, string>>, line: number) => A,
  ofRagged: (row: RaggedRow) => A | CsvError
): (<E, R>(self: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<A, E | CsvError, R>) => {
  const separator = checkSeparator(options?.separator)
  const maxRowLength = atLeastOne("maxRowLength", options?.maxRowLength ?? MAX_ROW_LENGTH)
  const given = options?.columns
  if (given !== undefined && duplicateIn(given) !== undefined) {
    throw new RangeError(`columns names ${quote(duplicateIn(given) ?? "")} twice`)
  }
  return feed<Uint8Array, A, CsvError>(() => {
    const chunks = new Utf8Chunks()
    const rows = new Rows(separator, options?.quotes ?? true, maxRowLength)
    const records = new Records(given, toValue, ofRagged)
    return {
      push: (bytes, out) => {
        const found: Array<Row> = []
        const { broken, text } = chunks.push(bytes)
        const fault = rows.push(text, found)
        return (
          records.push(found, out) ??
          (fault === undefined ? undefined : refuseRow(fault, maxRowLength)) ??
          (broken ? refuseBytes(rows.currentLine) : undefined)
        )
      },
      end: (out) => {
        const found: Array<Row> = []
        if (chunks.end().broken) return refuseBytes(rows.currentLine)
        const fault = rows.end(found)
        return records.push(found, out) ?? (fault === undefined ? undefined : refuseRow(fault, maxRowLength))
      }
    }
  })
}

/** How rows are written. */
export interface EncodeOptions {
  /**
   * The fields to write, in order; others are left out. Unless given: the fields of the first records, in the order they
   * first appear, and a later record with another field fails with `unknown-field`, because nothing is lost silently.
   */
  readonly columns?: ReadonlyArray<string> | undefined
  /** From how many records the columns are taken where they are not given; these are held back. Default 1000. */
  readonly sampleRecords?: number | undefined
  /** Where `columns` are not given: columns that come first, whether or not a record has them. */
  readonly expected?: ReadonlyArray<string> | undefined
  /** Whether the first row names the columns. Default `true`. */
  readonly header?: boolean | undefined
  /** One character between cells: `","` unless given, `"\t"` for tab-separated values. */
  readonly separator?: string | undefined
  /** What ends a row: `"\r\n"` unless given, as RFC 4180 has it. */
  readonly lineBreak?: "\r\n" | "\n" | undefined
  /**
   * Whether a string that a spreadsheet would take for a formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage
   * return) gets an apostrophe before it. Default `false`: names such as `(-)-Nicotine` have to come back as they went, so
   * set this only for files that people open in a spreadsheet and whose text others can write. Nothing takes the
   * apostrophe away again. Numbers are never changed.
   */
  readonly escapeFormulas?: boolean | undefined
  /**
   * Whether tabs and line breaks in a cell are written as `\t`, `\r` and `\n`, so that `cut` and `awk` see one row a line and
   * one cell between two tabs. Nothing turns them back. Default: false.
   */
  readonly escapeControls?: boolean | undefined
  /**
   * Whether the empty string is written as an empty cell, like `null` and an absent field: for rows of another table, whose
   * empty cells stay as they were. Default: false, it is written as `""`.
   */
  readonly bareEmpty?: boolean | undefined
}

/**
 * A row for each record. A cell is quoted where it has to be: a separator, quote or line break in it, and the empty string,
 * which so differs from an absent field and from `null`, both an empty cell. Records before an error are written.
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
 * As `encode`, of raw records: numbers keep their digits, arrays and objects their text.
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

const encodeWith = <A>(
  options: EncodeOptions | undefined,
  cells: (record: A) => Cells | Fault
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Uint8Array, E | TableError, R>) => {
  const style = {
    separator: checkSeparator(options?.separator),
    lineBreak: options?.lineBreak ?? "\r\n",
    header: options?.header ?? true,
    escapeFormulas: options?.escapeFormulas ?? false,
    escapeControls: options?.escapeControls ?? false,
    bareEmpty: options?.bareEmpty ?? false
  }
  const { sampleRecords } = options ?? {}
  const columns = options?.columns?.map((name): Column => ({ name, type: "json" }))
  const expected = options?.expected?.map((name) => ({ name }))
  checkColumns({ columns, expected, sampleRecords })
  return (self) =>
    self.pipe(
      Stream.chunks,
      feed(() =>
        tabulate<A>({
          columns,
          expected,
          sampleRecords,
          cells,
          needsColumns: false,
          open: (found) => csvWriter(found, style)
        })
      )
    )
}

/** Gives rows the names of their cells. */
class Records<A> {
  private columns: ReadonlyArray<string> | undefined
  private plain = true
  private readonly given: boolean
  private readonly toValue: (record: Readonly<Record<string, string>>, line: number) => A
  private readonly ofRagged: (row: RaggedRow) => A | CsvError

  constructor(
    columns: ReadonlyArray<string> | undefined,
    toValue: (record: Readonly<Record<string, string>>, line: number) => A,
    ofRagged: (row: RaggedRow) => A | CsvError
  ) {
    this.given = columns !== undefined
    this.toValue = toValue
    this.ofRagged = ofRagged
    if (columns !== undefined) this.name(columns)
  }

  push(rows: ReadonlyArray<Row>, out: Array<A>): CsvError | undefined {
    for (const { cells, line } of rows) {
      if (this.columns === undefined) {
        const twice = duplicateIn(cells)
        if (twice !== undefined) return refuseHeader(twice, line)
        this.name(cells)
      } else if (cells.length !== this.columns.length) {
        const source = this.given ? "list of columns" : "header"
        const fault = otherCount(cells.length, this.columns.length, source)
        const value = this.ofRagged({ line, cells, fault })
        if (value instanceof CsvError) return value
        out.push(value)
      } else out.push(this.toValue(this.record(this.columns, cells), line))
    }
    return undefined
  }

  private name(columns: ReadonlyArray<string>): void {
    this.columns = columns
    // Assigning this name would set the prototype.
    this.plain = !columns.includes("__proto__")
  }

  private record(
    columns: ReadonlyArray<string>,
    cells: ReadonlyArray<string>
  ): Readonly<Record<string, string>> {
    if (!this.plain) return Object.fromEntries(columns.map((name, i) => [name, cells[i] as string]))
    const record: Record<string, string> = {}
    for (let i = 0; i < columns.length; i++) record[columns[i] as string] = cells[i] as string
    return record
  }
}

const checkSeparator = (separator: string = ","): string => {
  if (separator.length !== 1 || '"\r\n\ufeff'.includes(separator)) {
    throw new RangeError(
      `separator must be one character and no quote or line break, got ${quote(separator)}`
    )
  }
  return separator
}

const duplicateIn = (names: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}
