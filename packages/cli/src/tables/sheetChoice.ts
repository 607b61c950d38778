/**
 * Chooses the sheet and the header of a workbook: the only sheet with the needed columns, or that of the user.
 */
import { Quote } from "@chemstream/api"
import { TableLayout, Workbook } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { hasOwn, needed, ownOf, question } from "../input/keyColumns.ts"
import { LineTally } from "../input/lineTally.ts"
import { namesOf, placeText, type ReadOptions, say, type Table } from "../input/openedTable.ts"
import * as RowDetection from "../input/rowDetection.ts"
import * as SourceBytes from "../input/sourceBytes.ts"

/** Makes the table of a workbook. */
export const make = (
  file: string,
  bytes: SourceBytes.Bytes,
  options: ReadOptions
): Effect.Effect<Table, CommandFailure> =>
  Effect.gen(function* () {
    const sheets = yield* Effect.mapError(
      Workbook.read(yield* SourceBytes.all(bytes)),
      ({ cause, message }) =>
        usageFailure(
          cause === undefined
            ? `cannot read ${file}: ${message}`
            : `cannot read ${file}: it is not a workbook (${message}). Save it as .xlsx again, or name it .csv if it is text`
        )
    )
    const { columns, header, keys, sheet } = yield* choose(file, sheets, options)
    const { option } = options
    const place = { header: header.line, sheet: sheet.name }
    const layout = { columns, given: header.cells }
    const shown = ` (${placeText(place)})`
    const needs = yield* needed(layout, keys, `${option} takes one of`, shown)
    if (keys.length === 0 && options.isWhole !== true)
      return yield* usageFailure(question(file, columns, options, shown))
    say(file, placeText({ ...place, columns }), options, layout, needs)
    const rows = Workbook.rowsBelow(sheet, header.line, columns)
    const tally = new LineTally()
    tally.blank = Math.max(0, (rows.at(-1)?.line ?? header.line) - header.line - rows.length)
    return {
      _tag: "Table",
      ...layout,
      keys: needs,
      sheet: {
        name: sheet.name,
        typed: new Map([...sheet.typed].map(([at, types]) => [columns[at] ?? "", types]))
      },
      tally,
      rows: Stream.fromIterable(rows)
    }
  })

/** A sheet with its possible header. */
interface Candidate {
  readonly columns: ReadonlyArray<string>
  readonly header: TableLayout.Header
  readonly keys: ReadonlyArray<string>
  /** Whether it has the needed columns. */
  readonly isFitting: boolean
  readonly sheet: Workbook.Sheet
}

const candidatesOf = (
  sheets: ReadonlyArray<Workbook.Sheet>,
  options: ReadOptions
): ReadonlyArray<Candidate> =>
  sheets.flatMap((sheet) => {
    const { keys, own, table } = options
    const headerOptions = {
      keys,
      header: table.headerRow,
      isValue: RowDetection.isExact,
      isWanted: hasOwn(own)
    }
    const header = TableLayout.headerOf(sheet.rows, headerOptions)
    if (header === undefined) return []
    const columns = TableLayout.columnNames(header.cells)
    const ownColumn = keys.length > 0 ? undefined : ownOf(columns, own)
    const isFitting = header.hasKeys || (keys.length === 0 && own.length === 0)
    return [{ columns, isFitting, header, keys: ownColumn === undefined ? keys : [ownColumn], sheet }]
  })

/** Returns the sheet of `--sheet`, else the only one with the needed columns, else the first. Fails if several have them. */
const choose = (
  file: string,
  sheets: ReadonlyArray<Workbook.Sheet>,
  options: ReadOptions
): Effect.Effect<Candidate, CommandFailure> => {
  const wanted = options.table.sheet
  const names = sheets.map(({ name }) => name)
  const candidates = candidatesOf(sheets, options)
  if (wanted !== undefined) {
    const at = names.includes(wanted) ? names.indexOf(wanted) : Number(wanted) - 1
    const found = candidates.find(({ sheet }) => sheet === sheets[at])
    if (found !== undefined) return Effect.succeed(found)
    return usageFailure(
      sheets[at] === undefined
        ? `${file} has no sheet ${Quote.value(wanted)}; it has ${namesOf(names)}`
        : `the sheet ${Quote.value(sheets[at].name)} of ${file} is empty`
    )
  }
  const fitting = candidates.filter(({ isFitting }) => isFitting)
  const [first = candidates[0], other] = fitting
  if (first === undefined) return usageFailure(`${file} is empty`)
  return other === undefined
    ? Effect.succeed(first)
    : usageFailure(
        `${file} has several sheets that can be read: choose one of ${namesOf(fitting.map(({ sheet }) => sheet.name))} with --sheet`
      )
}
