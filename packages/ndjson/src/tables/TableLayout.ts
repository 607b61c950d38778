/**
 * Finds how a table is laid out from its first rows: the separator, the row of the header, and the names of the columns. Then decodes its
 * rows.
 *
 * `Csv` cuts a text into cells. Rows of other sources, e.g. of a sheet, use `headerOf`, `columnNames` and `record` alone.
 */
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { check, fromText, type RawRecord, toText } from "../raw/RawRecord.ts"
import * as Csv from "./Csv.ts"
import { type Row as CsvRow, Rows } from "./internal/csvRows.ts"

/** The number of characters of a text that decide its layout. */
export const LAYOUT_SAMPLE: number = 64 * 1024

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
}

/** The wishes of the user. */
export interface Options {
  /** The columns that the header must have. */
  readonly keys?: ReadonlyArray<string> | undefined
  /** Whether a row is wanted as the header of a table without keys. Default: none is. */
  readonly isWanted?: ((cells: ReadonlyArray<string>) => boolean) | undefined
  /**
   * The line of the header. Default: the first row with the keys, in any case if none has them, or without keys the first row that is
   * wanted; or else the first row that looks like a header.
   */
  readonly header?: number | undefined
  /** The separators to try, in order of preference. Default: comma, semicolon, tab, pipe. */
  readonly separators?: ReadonlyArray<string> | undefined
  /** Whether quotes enclose cells. Default: true. */
  readonly quotes?: boolean | undefined
}

/** The cells of a row, and its line. */
export interface SourceRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
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
}

/** A possible header. */
export interface Header {
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** Whether it has all keys, or without keys, whether it is wanted. */
  readonly hasKeys: boolean
}

const separators: ReadonlyArray<string> = [",", ";", "\t", "|"]

/** The share of the widest row that a header must fill. */
const headerShare = 2 / 3

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
  const text = start.replace(/^\ufeff/, "")
  const named = /^sep=(.)[\r\n]/i.exec(text)?.[1]
  const tried = (named === undefined ? (options.separators ?? separators) : [named]).flatMap((separator) => {
    const rows = rowsOf(text, isWhole, separator, quotes).filter(
      ({ line }) => named === undefined || line > 1
    )
    const header = headerOf(rows, options)
    return header === undefined ? [] : [{ header, rows, separator, ...fitOf(header, rows) }]
  })
  const best = tried.reduce<(typeof tried)[number] | undefined>((one, other) => {
    if (one === undefined) return other
    if (one.header.hasKeys !== other.header.hasKeys) return one.header.hasKeys ? one : other
    if (one.width !== other.width) return other.width > one.width ? other : one
    if (one.equal !== other.equal) return other.equal > one.equal ? other : one
    return other.header.line < one.header.line ? other : one
  }, undefined)
  if (best === undefined) return undefined
  const { header, rows, separator } = best
  const given = withRowNames(
    header.cells,
    rows.filter(({ line }) => line > header.line)
  )
  return { separator, quotes, header: header.line, given, columns: columnNames(given) }
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

/** R may write no name for the column of row names: the header is then one cell shorter than every row, and these names differ. */
const withRowNames = (
  cells: ReadonlyArray<string>,
  below: ReadonlyArray<SourceRow>
): ReadonlyArray<string> =>
  cells.length > 1 &&
  below.length > 1 &&
  below.every((row) => row.cells.length === cells.length + 1) &&
  new Set(below.map((row) => row.cells[0])).size === below.length
    ? ["", ...cells]
    : cells

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

/**
 * Returns the header among the first rows: the row of `header`; or the first row with the keys, or that is wanted; or else the first row
 * that is about as wide as the widest, starts at the left, and is mostly text. Undefined: there are no rows.
 */
export const headerOf = (
  rows: ReadonlyArray<SourceRow>,
  { header, isWanted = () => false, keys = [] }: Pick<Options, "header" | "isWanted" | "keys">
): Header | undefined => {
  const hasKeys = ({ cells }: SourceRow) =>
    keys.length === 0 ? isWanted(cells) : keys.every((key) => indexOf(cells, key) !== -1)
  const hasKeysInAnyCase = ({ cells }: SourceRow) => {
    const names = cells.map((cell) => cell.trim().toLowerCase())
    return keys.length > 0 && keys.every((key) => names.includes(key.trim().toLowerCase()))
  }
  const widest = Math.max(0, ...rows.map(({ cells }) => filled(cells)))
  const found =
    header !== undefined
      ? rows.find(({ line }) => line === header)
      : (rows.find(hasKeys) ??
        rows.find(hasKeysInAnyCase) ??
        rows.find(({ cells }) => looksLikeHeader(cells, widest)) ??
        rows[0])
  return found && { line: found.line, cells: found.cells, hasKeys: hasKeys(found) }
}

const filled = (cells: ReadonlyArray<string>): number => cells.filter((cell) => cell.trim() !== "").length

const looksLikeHeader = (cells: ReadonlyArray<string>, widest: number): boolean => {
  const texts = cells.filter((cell) => cell.trim() !== "")
  return (
    texts.length >= widest * headerShare &&
    cells.slice(0, 2).some((cell) => cell.trim() !== "") &&
    texts.filter((cell) => Number.isFinite(Number(cell.replace(",", ".")))).length * 2 < texts.length
  )
}

/** Returns the position of a column. Its name counts as it stands, or else without the white space around it. */
const indexOf = (cells: ReadonlyArray<string>, name: string): number => {
  const at = cells.indexOf(name)
  return at === -1 ? cells.findIndex((cell) => cell.trim() === name.trim() && cell.trim() !== "") : at
}

/** Returns the column that a user calls `name`: by its own name, or else by the one in the header. */
export const columnOf = (
  { columns, given = columns }: Pick<Layout, "columns" | "given">,
  name: string
): string | undefined => (columns.includes(name) ? name : columns[indexOf(given, name)])

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
  const taken = new Set(reserved.map((name) => name.toLowerCase()))
  const given = new Set(cells.map((cell) => cell.toLowerCase()))
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
  { columns, header, quotes, separator }: Layout
): Stream.Stream<Row, E | Csv.CsvError, R> => {
  const toRecord = recordOf(columns)
  return bytes.pipe(
    Csv.decodeRows({ separator, quotes, columns, afterLine: header }),
    Stream.map((row): Row => {
      if ("record" in row)
        return { line: row.line, record: toRecord(columns.map((name) => row.record[name] ?? "")) }
      const { cells, fault, line, reason } = row
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

/** Makes the row of a line that should be a JSON object. Another text is its fault. */
export const rowOf = (line: number, record: RawRecord): Row =>
  toText(record).trimStart().startsWith("{") && Result.isSuccess(check(record))
    ? { line, record }
    : { line, record: fromText("{}"), fault: "the line is not a JSON object" }

/** Returns a function from cells to a record with these columns. A cell that is not there is empty text. */
export const recordOf = (columns: ReadonlyArray<string>): ((cells: ReadonlyArray<unknown>) => RawRecord) => {
  const names = columns.map((name) => JSON.stringify(name))
  return (cells) =>
    fromText(
      `{${names.map((name, at) => `${name}:${JSON.stringify(cells[at] === undefined ? "" : cells[at])}`).join(",")}}`
    )
}
