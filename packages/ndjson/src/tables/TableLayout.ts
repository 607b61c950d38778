/**
 * Finds how a table is laid out from its first rows: the separator, the row of the header, and the names of the columns. Decodes its rows
 * with that layout.
 *
 * `Csv` cuts a text into cells; `internal/tableHeader.ts` finds the header. Rows of other sources, e.g. of a sheet, use `headerOf`,
 * `columnNames` and `recordOf` alone.
 */
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { argument } from "../internal/argumentChecks.ts"
import { CR, LF } from "../internal/jsonBytes.ts"
import { check, fromText, type RawRecord, toText } from "../raw/RawRecord.ts"
import * as Csv from "./Csv.ts"
import { type Row as CsvRow, Rows } from "./internal/csvRows.ts"
import {
  filled,
  type Header,
  type HeaderOptions,
  headerOf,
  indexOf,
  plain,
  type SourceRow
} from "./internal/tableHeader.ts"

export { type Header, headerOf, type SourceRow } from "./internal/tableHeader.ts"

/** The number of characters of a text that decide its layout, if they have two lines (`sampleLength`). */
export const LAYOUT_SAMPLE: number = 64 * 1024

/** The length of a sample of longer lines: a header of 100,000 columns. */
const longestSample = 4 * 1024 * 1024

/**
 * Returns the number of characters of a text that decide its layout: at least the header and the row below it. A text that ends before is
 * too short, unless it is the whole one.
 *
 * @example
 * ```ts
 * import { TableLayout } from "@chemstream/ndjson"
 *
 * TableLayout.sampleLength("a,b\n1,2\n") // => 65536
 * TableLayout.sampleLength(`${"a".repeat(70_000)}\n1\n`) // => 70003
 * ```
 */
export const sampleLength = (text: string): number => {
  const lineBreaks = /[\r\n]+/g
  argument("text", "a text", text)
  return lineBreaks.test(text) && lineBreaks.test(text)
    ? Math.max(LAYOUT_SAMPLE, lineBreaks.lastIndex)
    : longestSample
}

/** The layout of a table in a text. */
export interface Layout {
  readonly separator: string
  /** Whether quotes enclose cells. */
  readonly quotes: boolean
  /** The line of the header. */
  readonly header: number
  /** The names in the header, as they are written. Default: those of the columns. */
  readonly given?: ReadonlyArray<string> | undefined
  /** The names of the columns, each different from the others (`columnNames`). */
  readonly columns: ReadonlyArray<string>
  /** Whether the first column has the row names of R, for which the header has no name. Default: false. */
  readonly hasRowNames?: true
}

/** The wishes of the user. */
export interface Options extends HeaderOptions {
  /** The separators to try, in order of preference. Default: comma, semicolon, tab, pipe. */
  readonly separators?: ReadonlyArray<string> | undefined
  /** Whether quotes enclose cells. Default: true. */
  readonly quotes?: boolean | undefined
}

/** A row below the header: its line, its columns as an object, and a fault if it does not match the header. */
export interface Row {
  readonly line: number
  readonly record: RawRecord
  readonly fault?: string | undefined
  /** The kind of the fault. */
  readonly reason?: Csv.CsvReason | undefined
  /** The text of a row with a fault. */
  readonly text?: string | undefined
  /** Whether the row is blank. Its record has no columns. Default: false. */
  readonly isBlank?: true
}

const separators: ReadonlyArray<string> = [",", ";", "\t", "|"]

/**
 * Finds the layout of a text from its start. `isWhole`: the start is the whole text. A first line `sep=;` names the separator. Undefined:
 * the text has no complete row.
 *
 * @example
 * ```ts
 * import { TableLayout } from "@chemstream/ndjson"
 *
 * const text = "Results of May\n\nname;casrn;\nBenzene;71-43-2;\n"
 * TableLayout.ofText(text, true)
 * // => { separator: ";", quotes: true, header: 3, given: ["name", "casrn", ""], columns: ["name", "casrn", "column_3"] }
 * ```
 */
export const ofText = (start: string, isWhole: boolean, options: Options = {}): Layout | undefined => {
  const { quotes = true } = options
  const text = argument("start", "a text", start).replace(/^\ufeff/, "")
  const named = /^sep=(.)[\r\n]/i.exec(text)?.[1]
  const tried = (named === undefined ? (options.separators ?? separators) : [named]).flatMap((separator) => {
    const rows = rowsOf(text, isWhole, separator, quotes).filter(
      ({ line }) => named === undefined || line > 1
    )
    const header = headerOf(rows, options)
    return header === undefined ? [] : [{ header, rows, separator, ...fitOf(header, rows) }]
  })
  // The separator with the keys in the header, or else with the widest header, the most rows of its width, or the earliest header.
  const best = tried.reduce<(typeof tried)[number] | undefined>((one, other) => {
    if (one === undefined) return other
    if (one.header.hasKeys !== other.header.hasKeys) return one.header.hasKeys ? one : other
    if (one.width !== other.width) return other.width > one.width ? other : one
    if (one.equal !== other.equal) return other.equal > one.equal ? other : one
    return other.header.line < one.header.line ? other : one
  }, undefined)
  if (best === undefined) return undefined
  const { header, rows, separator } = best
  const below = rows.filter(({ line }) => line > header.line)
  const { isValue = () => false, isWanted = () => false, keys = [] } = options
  const first = header.cells.slice(0, 1)
  // The cells of a wanted first column may be values, and then are no row names of R.
  const isFirstKey = keys.length === 0 ? isWanted(first) : keys.some((key) => indexOf(first, key) === 0)
  const hasRowNames =
    areRowNames(header.cells, below) &&
    !(isFirstKey && below.every(({ cells: [cell = ""] }) => isValue(cell)))
  const given = hasRowNames ? ["", ...header.cells] : header.cells
  const layout = { separator, quotes, header: header.line, given, columns: columnNames(given) }
  return hasRowNames ? { ...layout, hasRowNames } : layout
}

/**
 * How well a separator fits: the filled columns of the header, if most of the next rows have about as many cells, and the number of rows
 * that have exactly as many.
 */
const fitOf = (
  { cells, line }: Header,
  rows: ReadonlyArray<SourceRow>
): { readonly width: number; readonly equal: number } => {
  const below = rows.filter((row) => row.line > line).map((row) => Math.abs(row.cells.length - cells.length))
  const fitting = below.filter((difference) => difference <= 1).length
  return {
    width: fitting * 2 >= below.length ? filled(cells) : 1,
    equal: below.filter((difference) => difference === 0).length
  }
}

/**
 * Returns whether the first cells are row names, for which R may write no name: the header is then one cell shorter than every row, and
 * these names differ. A separator inside a value also makes a row longer, but a space after it shows that it is one.
 */
const areRowNames = (cells: ReadonlyArray<string>, below: ReadonlyArray<SourceRow>): boolean =>
  cells.length > 1 &&
  below.length > 1 &&
  below.every(
    (row) => row.cells.length === cells.length + 1 && !row.cells.some((cell) => /^ +\S/.test(cell))
  ) &&
  new Set(below.map((row) => row.cells[0])).size === below.length

const rowsOf = (
  text: string,
  isWhole: boolean,
  separator: string,
  quotes: boolean
): ReadonlyArray<SourceRow> => {
  const rows: Array<CsvRow> = []
  const parser = new Rows(separator, quotes, Csv.MAX_ROW_LENGTH, true)
  parser.push(text, rows)
  if (isWhole) parser.end(rows)
  return rows
}

/** Returns the columns whose names in the header equal that of a column, if there are several. Empty: its name is its own. */
export const equalNames = (
  layout: Pick<Layout, "columns" | "given">,
  column: string
): ReadonlyArray<string> => {
  const { columns, given = columns } = argument("layout", "a layout", layout)
  const name = plain(given[columns.indexOf(column)] ?? "")
  const equal = columns.filter((_, at) => name !== "" && plain(given[at] ?? "") === name)
  return equal.length > 1 ? equal : []
}

/** Returns the column that a user calls `name`: by its own name, or else by the one in the header. */
export const columnOf = (layout: Pick<Layout, "columns" | "given">, name: string): string | undefined => {
  const { columns, given = columns } = argument("layout", "a layout", layout)
  return columns.includes(name) ? name : columns[indexOf(given, argument("name", "a text", name))]
}

/**
 * Names columns, each different from the others, whatever the case: an empty name becomes `column_3`, a second `mz` becomes `mz_2`.
 * `reserved` names are taken.
 *
 * @example
 * ```ts
 * import { TableLayout } from "@chemstream/ndjson"
 *
 * TableLayout.columnNames(["", "mz", "MZ", "mz"]) // => ["column_1", "mz", "MZ_2", "mz_3"]
 * ```
 */
export const columnNames = (
  cells: ReadonlyArray<string>,
  reserved: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const taken = new Set(argument("reserved", "a list of texts", reserved).map((name) => name.toLowerCase()))
  const given = new Set(argument("cells", "a list of texts", cells).map((cell) => cell.toLowerCase()))
  const isFree = (name: string): boolean => !taken.has(name.toLowerCase())
  const free = (name: string): string => {
    if (isFree(name)) return name
    for (let number = 2; ; number++) {
      const other = `${name}_${number}`
      if (isFree(other) && !given.has(other.toLowerCase())) return other
    }
  }
  return cells.map((cell, at) => {
    const isEmpty = cell.trim() === ""
    const name = free(
      isEmpty && given.has(`column_${at + 1}`) ? `column_${at + 1}_` : isEmpty ? `column_${at + 1}` : cell
    )
    taken.add(name.toLowerCase())
    return name
  })
}

/**
 * Decodes the rows below the header. A row that does not match it has a fault. In a table of one column, a separator is a part of the
 * cell.
 *
 * @example
 * ```ts
 * import { TableLayout } from "@chemstream/ndjson"
 * import { Effect, Stream } from "effect"
 *
 * const layout = { separator: ",", quotes: true, header: 1, columns: ["name", "casrn"] }
 * const bytes = Stream.make('name,casrn\nBisphenol A,80-05-7\n5" tube,\n').pipe(Stream.encodeText)
 * const rows = TableLayout.decode(bytes, layout).pipe(Stream.map(({ fault, line }) => [line, fault ?? null]))
 * await Effect.runPromise(Stream.runCollect(rows)) // => [[2, null], [3, "cell 1 of the row has a quote inside"]]
 * ```
 */
export const decode = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  layout: Layout
): Stream.Stream<Row, E | Csv.CsvError, R> => {
  const { columns, header, quotes, separator } = argument("layout", "a layout", layout)
  const toRecord = recordOf(columns)
  return bytes.pipe(
    Csv.decodeRows({ separator, quotes, columns, afterLine: header, blank: true }),
    Stream.map((row): Row => {
      if ("record" in row)
        return { line: row.line, record: toRecord(columns.map((name) => row.record[name] ?? "")) }
      const { cells, fault, line, reason } = row
      if (reason === "blank" || (cells.length === 1 && cells[0]?.trim() === ""))
        return { line, record: fromText("{}"), isBlank: true }
      const surplus = cells.slice(columns.length)
      if (reason === "cell-count" && surplus.length > 0) {
        if (columns.length === 1) return { line, record: toRecord([cells.join(separator)]) }
        if (surplus.every((cell) => cell === ""))
          return { line, record: toRecord(cells.slice(0, columns.length)) }
      }
      return {
        line,
        record: toRecord(withinLast(cells, columns.length, separator)),
        fault,
        reason,
        text: cells.join(separator)
      }
    })
  )
}

/** Joins the cells beyond the columns with the last one. */
const withinLast = (cells: ReadonlyArray<string>, count: number, separator: string): ReadonlyArray<string> =>
  cells.length > count ? [...cells.slice(0, count - 1), cells.slice(count - 1).join(separator)] : cells

/** Returns the bytes of a list with lines that end with LF. Those of old Macs end with CR alone, as the start of the text shows. */
export const withLineFeeds = <E, R>(
  start: string,
  bytes: Stream.Stream<Uint8Array, E, R>
): Stream.Stream<Uint8Array, E, R> =>
  /\r[^\n]/.test(start) && !start.includes("\n")
    ? Stream.map(bytes, (chunk) => chunk.map((byte) => (byte === CR ? LF : byte)))
    : bytes

/** Makes the row of a line that should be a JSON object. Another text is its fault. */
export const rowOf = (line: number, record: RawRecord): Row =>
  toText(record).trimStart().startsWith("{") && Result.isSuccess(check(record))
    ? { line, record }
    : { line, record: fromText("{}"), fault: "the line is not a JSON object" }

/** Returns a function from cells to a record with these columns. A cell that is not there is empty text. */
export const recordOf = (columns: ReadonlyArray<string>): ((cells: ReadonlyArray<unknown>) => RawRecord) => {
  const names = argument("columns", "a list of texts", columns).map((name) => JSON.stringify(name))
  return (cells) =>
    fromText(
      `{${names.map((name, at) => `${name}:${JSON.stringify(cells[at] === undefined ? "" : cells[at])}`).join(",")}}`
    )
}
