/**
 * Reads the sheets of a workbook (.xlsx) in memory, and the tables in them. The optional packages `read-excel-file` and `fflate` are
 * loaded on first use. `workbookWriter.ts` of the command writes workbooks.
 *
 * Numbers and booleans stay what they are, but an integer that no double holds is text with its digits. A date becomes its ISO date, and
 * an error its text; `typed` tells them from text. `internal/workbookXml.ts` adds to the file what the library needs.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { argument } from "../internal/argumentChecks.ts"
import { errorMark, repack } from "./internal/workbookXml.ts"
import * as TableLayout from "./TableLayout.ts"

/**
 * A file is not a workbook that can be read. `message` is the reason. Without `cause`, the format is known, and `message` says
 * what to do.
 */
export class WorkbookError extends Data.TaggedError("WorkbookError")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** A row of a sheet: its number, its cells as text, and their values for a record. */
export interface SheetRow extends TableLayout.SourceRow {
  readonly values: ReadonlyArray<string | number | boolean | null>
}

/** The type of a cell whose value is text in a record. */
export type CellType = "date" | "error"

/** A sheet with its rows that are not empty. */
export interface Sheet {
  readonly name: string
  readonly rows: ReadonlyArray<SheetRow>
  /** The types of cells, by the position of the column and then by the text. Other texts are text. */
  readonly typed: ReadonlyMap<number, ReadonlyMap<string, CellType>>
}

/** The number of first bytes that tell a workbook from other zip files. */
const headBytes = 512

/** Returns whether bytes start like a workbook. */
export const is = (bytes: Uint8Array): boolean => {
  const head = String.fromCharCode(...argument("bytes", "a Uint8Array", bytes).subarray(0, headBytes))
  return (
    head.startsWith("PK\u0003\u0004") &&
    /\[Content_Types\]\.xml|_rels\/|xl\/|docProps\//.test(head) &&
    !head.includes("opendocument")
  )
}

/**
 * Reads all sheets.
 *
 * @example
 * ```ts
 * import { readFileSync } from "node:fs"
 * import { Workbook } from "@chemstream/ndjson"
 * import { Effect } from "effect"
 *
 * const sheets = (file: string) =>
 *   Effect.map(Workbook.read(readFileSync(file)), (all) => all.map(({ name, rows }) => [name, rows.length]))
 * ```
 */
export const read = (bytes: Uint8Array): Effect.Effect<ReadonlyArray<Sheet>, WorkbookError> =>
  Effect.tryPromise({
    try: async () => {
      const other = otherFormat(bytes)
      if (other !== undefined) throw new WorkbookError({ message: other, cause: undefined })
      const { default: readSheets } = await import("read-excel-file/universal")
      const sheets = await readSheets(await repack(bytes), { trim: false, parseNumber })
      return sheets.map(({ data, sheet }) => sheetOf(sheet, data))
    },
    catch: (cause) =>
      cause instanceof WorkbookError
        ? cause
        : new WorkbookError({ message: cause instanceof Error ? cause.message : String(cause), cause })
  })

/** Returns the number of a cell, or its text if it is an integer that a double would round, or no number of a double. */
const parseNumber = (text: string): number | string => {
  const number = Number(text)
  const isRounded = /^-?\d{16,}$/.test(text) && String(number) !== text
  return isRounded || !Number.isFinite(number) ? text : number
}

/** Says what to do with a workbook of another format: one with a password, which is encrypted, an old or a binary one. */
const otherFormat = (bytes: Uint8Array): string | undefined => {
  const start = String.fromCharCode(...bytes.subarray(0, 4))
  if (start === "\u00d0\u00cf\u0011\u00e0")
    return new TextDecoder("utf-16le").decode(bytes).includes("EncryptedPackage")
      ? "it is a workbook with a password. Open it, remove the password, and save it as .xlsx"
      : "it is an old Excel workbook (.xls). Open it, and save it as .xlsx"
  return start === "PK\u0003\u0004" && new TextDecoder("latin1").decode(bytes).includes("xl/workbook.bin")
    ? "it is a binary workbook (.xlsb). Open it, and save it as .xlsx"
    : undefined
}

/** Returns the rows below the header as records with these columns. An empty cell is null. */
export const rowsBelow = (
  sheet: Sheet,
  header: number,
  columns: ReadonlyArray<string>
): ReadonlyArray<TableLayout.Row> => {
  const toRecord = TableLayout.recordOf(columns)
  return argument("sheet", "a sheet", sheet).rows.flatMap(({ line, values }) =>
    line > header ? [{ line, record: toRecord(columns.map((_, at) => values[at] ?? null)) }] : []
  )
}

const sheetOf = (name: string, data: ReadonlyArray<ReadonlyArray<unknown>>): Sheet => {
  const texts = new Map<number, Set<string>>()
  for (const row of data) {
    for (const [at, cell] of row.entries()) {
      if (typeof cell === "string") added(texts, at, () => new Set()).add(cell)
    }
  }
  const typed = new Map<number, Map<string, CellType>>()
  const contentOf = (cell: unknown, at: number): string | number | boolean | null => {
    if (cell === null || cell === undefined) return null
    if (typeof cell === "number" || typeof cell === "boolean") return cell
    if (cell instanceof Date && !Number.isNaN(cell.getTime())) {
      const date = dateText(cell)
      // A text cell of the column can have the same characters.
      const own = texts.get(at)?.has(date) === true && date.length === dateLength ? `${date}T00:00:00` : date
      added(typed, at, () => new Map()).set(own, "date")
      return own
    }
    // A number that is formatted as a date, and is beyond the calendar.
    const text = cell instanceof Date ? `${errorMark}#NUM!` : String(cell)
    if (!text.startsWith(errorMark)) return text
    const error = text.slice(errorMark.length)
    if (texts.get(at)?.has(error) !== true) added(typed, at, () => new Map()).set(error, "error")
    return error
  }
  const rows = data.map((row, index): SheetRow => {
    const values = row.map(contentOf)
    return { line: index + 1, values, cells: values.map((value) => String(value ?? "")) }
  })
  return { name, rows: rows.filter(({ cells }) => cells.some((cell) => cell !== "")), typed }
}

/** Returns the value of a key, after it has added one if there was none. */
const added = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key) ?? make()
  map.set(key, known)
  return known
}

const dateLength = "1980-05-07".length

/** Returns a day for the dates that the library has a day early: Excel counts a 29 February 1900, and the days before it from 1. */
const dayBeforeMarch1900 = (date: Date): number =>
  date >= new Date("1899-12-31") && date < new Date("1900-02-28") ? 86_400_000 : 0

/**
 * Returns the ISO date, with the time if there is one. A sheet has no time zone. Its fractions of a day are not exact to the
 * millisecond.
 */
const dateText = (date: Date): string =>
  new Date(Math.round((date.getTime() + dayBeforeMarch1900(date)) / 1000) * 1000)
    .toISOString()
    .replace(/\.000Z$/, "")
    .replace(/T00:00:00$/, "")
