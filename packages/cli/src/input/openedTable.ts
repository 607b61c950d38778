/**
 * A table that was opened as the input of a command: its columns and rows, what the command needs of it, and the messages about it.
 *
 * `openSource.ts` opens the table of a text, and `sheetChoice.ts` that of a workbook. `keyColumns.ts` chooses the columns of the values.
 */
import { Quote } from "@chemstream/api"
import { TableLayout, type Table as Tables, type Workbook } from "@chemstream/ndjson"
import type { Stream } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import * as Messages from "../terminal/messages.ts"
import type { LineTally } from "./lineTally.ts"

/** How a source is read: the columns that a command needs, and what the user says about the table. */
export interface ReadOptions {
  /** The columns that are needed. Without any, the columns of `own`. */
  readonly keys: ReadonlyArray<string>
  /** The columns of the endpoint, in any case. */
  readonly own: ReadonlyArray<string>
  /** The option that names the columns. */
  readonly option: string
  readonly table: TableOptions
  /** Whether a table needs no column, because all are converted. Default: false. */
  readonly isWhole?: boolean | undefined
  /** Whether each line may be a value. Default: false, a row of a table. */
  readonly mayBeList?: boolean | undefined
  /** The separator of several identifiers in a value. Default: none. */
  readonly split?: string | undefined
  /** Returns the type of a column of a database that declares none. */
  readonly typeOf?: ((name: string) => Tables.ColumnType | undefined) | undefined
}

/** What the user says about the table: `--sheet`, `--header-row`, `--quotes`. */
export interface TableOptions {
  /** The sheet of a workbook, by name or number from 1. Default: the one with the columns. */
  readonly sheet?: string | undefined
  /** The row of the header. Default: found. */
  readonly headerRow?: number | undefined
  /** Whether quotes enclose cells. Default: true. */
  readonly quotes?: boolean | undefined
  /** Whether to say nothing about the table. Default: false. */
  readonly quiet?: boolean | undefined
}

/** The sheet of a table: its name, and the types of cells by column and text. */
export interface SheetLayout {
  readonly name: string
  readonly typed: ReadonlyMap<string, ReadonlyMap<string, Workbook.CellType>>
}

/** An opened table. */
export interface Table {
  readonly _tag: "Table"
  /** The names of the columns, each once: a repeated one has a number behind it. */
  readonly columns: ReadonlyArray<string>
  /** The names as the header has them. Default: `columns`. */
  readonly given?: ReadonlyArray<string> | undefined
  /** The columns with their types, for a source that declares them. */
  readonly declared?: ReadonlyArray<Tables.ExpectedColumn> | undefined
  /** The names of the needed columns, in their order. */
  readonly keys: ReadonlyArray<string>
  readonly rows: Stream.Stream<TableLayout.Row, CommandFailure>
  /** Counts the blank rows while the rows are read. Default: the source has none. */
  readonly tally?: LineTally | undefined
  /** The sheet that was read, with the types of cells that are text in a record. Undefined: the table is not in a workbook. */
  readonly sheet?: SheetLayout | undefined
}

/** Quotes names of columns or sheets, with commas between them. */
export const namesOf = (columns: ReadonlyArray<string>): string =>
  columns.map((name) => Quote.value(name.trim())).join(", ")

/** The place of a table in its file, for messages. Empty: the header is the first row, and commas separate its cells. */
export const placeOf = ({ header, separator }: TableLayout.Layout): string =>
  header === 1 && separator === "," ? "" : ` (${placeText({ header, separator })})`

/** The most columns in a line about a table. */
const mostShown = 8

/** Renders where a table is: its sheet, its header, its columns, its separator. */
export const placeText = ({
  columns,
  header,
  separator,
  sheet
}: {
  readonly columns?: ReadonlyArray<string>
  readonly header?: number
  readonly separator?: string
  readonly sheet?: string
}): string => {
  const rest = (columns?.length ?? 0) - mostShown
  return [
    ...(sheet === undefined ? [] : [`sheet ${Quote.value(sheet)}`]),
    ...(header === undefined
      ? []
      : [
          `header in row ${header}${columns === undefined || header === 1 ? "" : " (the rows above it are left out)"}`
        ]),
    ...(columns === undefined
      ? []
      : [`columns ${namesOf(columns.slice(0, mostShown))}${rest > 0 ? ` and ${rest} more` : ""}`]),
    ...(separator === undefined ? [] : [`separator ${separator === "\t" ? "tab" : separator}`])
  ].join(", ")
}

/** Says which table was read, and which of several columns with one name, unless the run is quiet. */
export const say = (
  name: string,
  place: string,
  { option, table }: ReadOptions,
  layout: Pick<TableLayout.Layout, "columns" | "given" | "hasRowNames"> = { columns: [] },
  keys: ReadonlyArray<string> = []
): void => {
  if (table.quiet === true) return
  const rowNames = layout.hasRowNames
    ? [`; the header has one name less than each row, so the first cells are row names (column_1)`]
    : []
  const twins = keys.flatMap((key) => {
    const equal = TableLayout.equalNames(layout, key)
    return equal.length === 0
      ? []
      : [`; ${equal.length} columns have this name: ${namesOf(equal)}; ${option} reads ${Quote.value(key)}`]
  })
  Messages.say(`${name}: ${[place, ...rowNames, ...twins].join("")}\n`)
}
