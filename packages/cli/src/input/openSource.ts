/**
 * Opens the source of a run: lines of values or objects, or a table. The first bytes say the format: text, a workbook. For a table in a
 * text, `TableLayout` finds the separator and the header.
 *
 * `openInput.ts` and `identifierRows.ts` make identifiers of it.
 */
import { Format, TableLayout, TypedTable, Workbook } from "@chemstream/ndjson"
import { Effect, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as ErrorCatalogue from "../help/errors/errorCatalogue.ts"
import * as SheetChoice from "../tables/sheetChoice.ts"
import * as WorkbookWriter from "../tables/workbookWriter.ts"
import * as Messages from "../terminal/messages.ts"
import { shellWord } from "../terminal/shellWord.ts"
import { withoutPassword } from "../terminal/withoutPassword.ts"
import * as Encoding from "./encoding.ts"
import { ErrorsFile } from "./errorsFile.ts"
import { hasOwn, keysOf, needed, ownOf, question } from "./keyColumns.ts"
import { LineTally } from "./lineTally.ts"
import { namesOf, placeText, type ReadOptions, say, type Table } from "./openedTable.ts"
import { unparsable } from "./parseFailure.ts"
import * as RowDetection from "./rowDetection.ts"
import * as SourceBytes from "./sourceBytes.ts"
import * as TypedSource from "./typedSource.ts"

/** Lines of values or objects. */
export interface Lines {
  readonly _tag: "Lines"
  /** The start of the text. */
  readonly start: string
  readonly bytes: SourceBytes.Bytes
}

/** An opened source. */
export type Source = (Lines | Table) & {
  /** The source, to read it before the run. Undefined: it can be read only once. */
  readonly again: (Lines | Table) | undefined
  /** Whether it is a regular file, which has all its rows at once. */
  readonly isFile: boolean
}

/**
 * Opens a file. Default: standard input. It is, in this order: a table of a database, a workbook, a file with typed columns, lines of JSON,
 * a table in a text, or else lines of values.
 */
export const open = (file = "-", options: ReadOptions): Effect.Effect<Source, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const name = file === "-" ? Encoding.standardInputName : withoutPassword(file)
    const database = yield* TypedSource.ofDatabase(file, options.typeOf)
    if (database !== undefined) return yield* ofRecords(name, database, options)
    const stats = yield* file === "-" ? SourceBytes.statStandardInput : SourceBytes.statFile(file)
    // A closed standard input is empty. Only a file with a name can be read twice.
    const isFile = stats === undefined || stats.isFile()
    const canReread = isFile && file !== "-"
    const raw = file === "-" ? SourceBytes.standardInput : SourceBytes.fileBytes(file)
    // The first chunk tells a workbook, Parquet or Arrow. Text needs more: `start` is as much as decides how it is read.
    const first = yield* SourceBytes.peek(raw, () => true)
    if (Workbook.is(first.chunks[0] ?? new Uint8Array()) || WorkbookWriter.isWorkbook(file)) {
      const table = yield* SheetChoice.make(name, first.bytes, options)
      return { ...table, again: table, isFile: true }
    }
    const records = yield* TypedSource.ofFile(name, first.chunks[0], first.bytes)
    if (records !== undefined) return yield* ofRecords(name, records, options)
    if (options.table.sheet !== undefined)
      return yield* usageFailure(`--sheet is for workbooks (.xlsx), and ${name} is not one`)
    const check = SourceBytes.requireText(name, first.chunks[0])
    // An unreadable input fails before the first request.
    if (canReread) yield* Stream.runDrain(check(raw))
    const isErrorsFile = (yield* ErrorsFile).isRequired
    const { bytes, isWhole, text } = yield* SourceBytes.peek(
      check(first.bytes),
      (start) => !isFile && (isErrorsFile || isEnough(start, options))
    )
    const opened = <A extends Lines | Table>(read: (all: SourceBytes.Bytes) => A) =>
      canReread
        ? { ...read(check(raw)), again: read(check(raw)), isFile }
        : { ...read(bytes), again: undefined, isFile }
    const start = text.trimStart()
    const lines = opened(
      (all): Lines => ({ _tag: "Lines", start, bytes: TableLayout.withLineFeeds(text, all) })
    )
    if (isErrorsFile || start.startsWith("{")) return lines
    const layout = TableLayout.ofText(text, isWhole, layoutOptions(file, options))
    if (layout === undefined) return lines
    const spaced =
      layout.columns.length === 1 && RowDetection.areSpaced(text) ? spacedAdvice(name, file) : undefined
    const keys = yield* keysOf(name, file, layout, options).pipe(
      Effect.mapError((failure) => {
        const isHeadless = options.keys.length > 0 && layout.columns.some(RowDetection.isExact)
        const reason = spaced ?? (isHeadless ? headlessAdvice(name, layout) : undefined)
        return reason === undefined ? failure : usageFailure(reason)
      })
    )
    if (spaced !== undefined) Messages.say(`chemstream: warning: ${spaced}\n`)
    if (keys === undefined) return lines
    say(name, placeText(layout), options, layout, keys)
    return opened((all): Table => {
      const tally = new LineTally()
      const rows = Stream.mapError(TableLayout.decode(all, layout), unparsable).pipe(
        Stream.filter((row) => {
          if (row.isBlank === true) tally.blank++
          return row.isBlank !== true
        }),
        Stream.map(withAdvice)
      )
      return { _tag: "Table", columns: layout.columns, given: layout.given, keys, tally, rows }
    })
  })

/** Says what to do with a table whose first row has values. */
const headlessAdvice = (name: string, { columns, header }: TableLayout.Layout): string =>
  `${name} has no header: row ${header} has values, ${namesOf(columns)}. Put a row with the names of the columns above it, and name the column of the values with --key. If each line is one value, name the file .txt`

/** Says what to do with a table whose columns are aligned with spaces, e.g. of a console or of a spectrum. */
const spacedAdvice = (name: string, file: string): string =>
  `${name} looks like a table with spaces between its columns, which is read as one column, because values have spaces too. Write it with commas or tabs: in R write.csv(x, "FILE.csv"), else sed -E 's/^ +//; s/ {2,}/\\t/g' ${file === "-" ? "" : `${shellWord(file)} `}| chemstream …`

/** Adds to a fault what to do about it. */
const withAdvice = (row: TableLayout.Row): TableLayout.Row => {
  const { fault, reason } = row
  return fault === undefined || reason === undefined
    ? row
    : { ...row, fault: ErrorCatalogue.explain({ _tag: "CsvError", reason, problem: fault }) }
}

/** Makes the table of records. */
const ofRecords = (
  name: string,
  { columns: opened, rows: objects }: TypedSource.Records,
  options: ReadOptions
): Effect.Effect<Source, CommandFailure> =>
  Effect.gen(function* () {
    const given = opened.map((column) => column.name)
    const { columns, rows } = TypedTable.decode(given, objects)
    const own = ownOf(columns, options.own)
    const wanted = options.keys.length > 0 ? options.keys : own === undefined ? [] : [own]
    if (wanted.length === 0 && options.isWhole !== true)
      return yield* usageFailure(question(name, columns, options, ""))
    const keys = yield* needed({ columns, given }, wanted, `${options.option} takes one of`)
    // A conversion takes all columns, and guesses nothing of this table.
    if (options.isWhole !== true) say(name, placeText({ columns }), options, { columns, given }, keys)
    const table: Table = {
      _tag: "Table",
      columns,
      given,
      keys,
      declared: columns.map((column, at) => ({ ...opened[at], name: column })),
      rows
    }
    return { ...table, again: table, isFile: true }
  })

const layoutOptions = (file: string, { keys, own, table }: ReadOptions): TableLayout.Options => ({
  keys,
  isWanted: hasOwn(own),
  isValue: RowDetection.isExact,
  header: table.headerRow,
  quotes: table.quotes,
  separators: Format.ofPath(file).kind === "tsv" ? ["\t", ",", ";", "|"] : undefined
})

/** Whether the start of a pipe decides how it is read, so that its first values need not wait for more. */
const isEnough = (start: string, options: ReadOptions): boolean => {
  const text = start.trimStart()
  const { isWhole, keys, own, table } = options
  if (!/[\r\n]/.test(text)) return false
  if (text.startsWith("{")) return true
  const needsColumn = keys.length > 0 || table.headerRow !== undefined || isWhole === true
  // Any text may be a value, e.g. a name.
  if (!needsColumn && !own.some(RowDetection.isExactKind)) return true
  const layout = TableLayout.ofText(start, false, layoutOptions("-", options))
  if (layout === undefined) return false
  if (table.headerRow !== undefined) return layout.header === table.headerRow
  if (needsColumn)
    return isWhole !== true && keys.every((key) => TableLayout.columnOf(layout, key) !== undefined)
  return ownOf(layout.columns, own) !== undefined || text.split(/[\t\r\n,;|]+/).some(RowDetection.isExact)
}
