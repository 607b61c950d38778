/**
 * Writes records as a workbook (.xlsx) with one sheet, in memory. Every value keeps its characters and digits, or is refused.
 */
import { Quote } from "@chemstream/api"
import { RawRecord, type Table, TableRow, type Workbook } from "@chemstream/ndjson"
import { FileFormat } from "@chemstream/ndjson/node"
import { Effect, Result, Stream } from "effect"
import { type CommandFailure, reasonOf, runFailure, usageFailure } from "../CommandFailure.ts"
import type { SheetLayout } from "../input/openedTable.ts"
import { type Losses, refuse } from "../output/lostValues.ts"

/** Returns whether a file is a workbook, by its extension. */
export const isWorkbook = (file: string): boolean => /\.xlsx$/i.test(file)

/** The most characters in a cell. */
export const longestCell = 32_767

/** The most rows of a sheet, including the header. */
const mostRows = 1_048_576

const mostColumns = 16_384

/** Characters that XML cannot have or changes, and text that looks like their notation (ECMA-376, ST_Xstring). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a workbook must not have them
const unsafe = /[\0-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]|_(?=x[0-9A-F]{4}_)/gi

const notation = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`

const escaped = (text: string): string =>
  // The library keeps texts as the names of an object, which has these names already.
  text in Object.prototype ? `${notation(text)}${text.slice(1)}` : text.replace(unsafe, notation)

/**
 * Whether a sheet may refuse a record: only a long one can have text that is too long for a cell, and of the rows beyond the last one, only
 * the first is named.
 */
export const mayBeRefused = (record: RawRecord.RawRecord, index: number): boolean =>
  record.end - record.start > longestCell || index + 1 === mostRows

/** Fails if a sheet cannot have this many rows below its header. */
export const checkRows = (rows: number): Effect.Effect<void, CommandFailure> =>
  rows < mostRows
    ? Effect.void
    : usageFailure(
        `a sheet of a workbook has ${(mostRows - 1).toLocaleString("en-US")} rows below its header, and the input has ${rows.toLocaleString("en-US")} values. Write CSV or Parquet instead`
      )

/** A cell of `write-excel-file`. */
type SheetCell = {
  readonly type: StringConstructor | NumberConstructor | BooleanConstructor | DateConstructor | "Formula"
} & Record<string, unknown>

/** How values that are too long are treated, and their count. */
export interface Options {
  readonly cutCells: boolean | undefined
  readonly losses: Losses
  /** The sheet of the input. Default: one without a name, whose cells are text. */
  readonly sheet?: SheetLayout | undefined
}

/**
 * Encodes records that can be read twice. Text stays text, so that no CAS number becomes a date. So do numbers that a spreadsheet would
 * round: whole numbers of more than 15 digits, which it does not show, and numbers that no double holds.
 */
export const encode = <E>(
  records: Stream.Stream<RawRecord.RawRecord, E>,
  expected: ReadonlyArray<Table.ExpectedColumn>,
  options: Options
): Stream.Stream<Uint8Array, E | CommandFailure> =>
  Stream.fromEffect(
    Effect.gen(function* () {
      // `rest`: the name of the last column, which has the fields without a column of their own.
      const { columns, rest } = yield* FileFormat.inferColumns(records, expected, true)
      const names = columns.map(({ name }) => name)
      const header = rest === undefined ? names : [...names, rest]
      if (header.length > mostColumns)
        return yield* runFailure(
          `a sheet of a workbook has ${count(mostColumns)} columns, and these records have ${count(header.length)} fields. Select some with --fields A,B,C`
        )
      const rows: Array<ReadonlyArray<SheetCell | null>> = []
      const toRow = rowMaker(names, rest, options)
      yield* Stream.runForEach(records, (record) =>
        Effect.sync(() => {
          if (rows.length + 1 < mostRows) rows.push(toRow(record, rows.length))
          else
            refuse(
              options.losses,
              rows.length,
              record,
              `a sheet of a workbook has ${count(mostRows - 1)} rows below its header`
            )
        })
      )
      if (options.losses.refused > 0) return new Uint8Array()
      const titles = header.map((value) => ({
        type: String,
        value: escaped(value),
        fontWeight: "bold" as const
      }))
      return yield* Effect.tryPromise({
        try: async () => {
          const { default: write } = await import("write-excel-file/node")
          const sheet = { sheet: options.sheet?.name ?? "Sheet1", data: [titles, ...rows] }
          return (await write([sheet] as never, { features: [errorCells] } as never).toBuffer()) as Uint8Array
        },
        catch: (cause) => runFailure(`cannot write the workbook: ${reasonOf(cause)}`)
      })
    })
  )

/** Writes the cell of an error: the library knows formulas, but no errors. */
const errorCells = {
  files: {
    transform: {
      "xl/worksheets/sheet{id}.xml": {
        transform: (content: string): string =>
          content.replace(/<c ([^>]*)><f>([^<]*)<\/f><\/c>/g, '<c $1 t="e"><v>$2</v></c>')
      }
    }
  }
}

/** Makes the cell of a text that was a date or an error in the input. */
const typedCell = (text: string, type: Workbook.CellType): SheetCell => {
  if (type === "error") return { type: "Formula", value: text }
  const format = text.startsWith("1899-12-")
    ? "hh:mm:ss"
    : text.includes("T")
      ? "yyyy-mm-dd hh:mm:ss"
      : "yyyy-mm-dd"
  const value = new Date(`${text.includes("T") ? text : `${text}T00:00:00`}Z`)
  // Excel counts a 29 February 1900, which the library puts in front of the days before it.
  if (/^1900-0[12]/.test(text)) value.setUTCDate(value.getUTCDate() - 1)
  return { type: Date, value, format }
}

/** Returns a function from a record and its index to the cells of its row. */
const rowMaker = (names: ReadonlyArray<string>, rest: string | undefined, options: Options) => {
  const toRow = TableRow.make(names.map((name) => ({ name, type: "json" })))
  return (record: RawRecord.RawRecord, index: number): ReadonlyArray<SheetCell | null> => {
    const row = toRow(record)
    if (Result.isFailure(row)) {
      // A record that is not an object has no fields.
      return [
        ...names.map(() => null),
        textCell(RawRecord.toText(record), rest ?? "", options, record, index)
      ]
    }
    const { rest: others, values } = row.success
    const left = others === null ? [] : [others.slice(1, -1)]
    const cells = values.map((value, at): SheetCell | null => {
      if (typeof value !== "string") return null
      const name = names[at] ?? ""
      if (value === "true" || value === "false") return { type: Boolean, value: value === "true" }
      if (!value.startsWith('"'))
        return isExact(value)
          ? { type: Number, value: Number(value) }
          : textCell(value, name, options, record, index)
      const text: string = JSON.parse(value)
      const type = options.sheet?.typed.get(name)?.get(text)
      if (type !== undefined) return typedCell(text, type)
      if (text.isWellFormed()) return textCell(text, name, options, record, index)
      left.push(`${JSON.stringify(name)}:${value}`)
      return null
    })
    if (rest === undefined) return cells
    return [
      ...cells,
      left.length === 0 ? null : textCell(`{${left.join(",")}}`, rest, options, record, index)
    ]
  }
}

/** Makes a cell of text. Text that is too long is cut, or refused. */
const textCell = (
  text: string,
  name: string,
  options: Options,
  record: RawRecord.RawRecord,
  index: number
): SheetCell | null => {
  if (text.length <= longestCell) return { type: String, value: escaped(text), format: "@" }
  if (options.cutCells === true) {
    options.losses.cut++
    return { type: String, value: escaped(text.slice(0, longestCell).toWellFormed()), format: "@" }
  }
  const reason = `its field ${Quote.value(name)} has ${count(text.length)} characters, and a cell of a workbook holds ${count(longestCell)}; --cut-cells cuts them`
  refuse(options.losses, index, record, reason)
  return null
}

const count = (value: number): string => value.toLocaleString("en-US")

/** The smallest normal double. Spreadsheets have no smaller number but 0. */
const smallest = 2 ** -1022

/** Whether a spreadsheet keeps all digits of a number. */
const isExact = (text: string): boolean => {
  const number = Number(text)
  const digits = /^-?(\d+)(?:\.(\d+))?(?:e[+-]?\d+)?$/i.exec(text)
  if (digits === null || !(Math.abs(number) < 1e308)) return false
  const significant = `${digits[1]}${digits[2] ?? ""}`.replace(/^0+/, "").replace(/0+$/, "")
  if (significant === "") return !text.startsWith("-")
  // The file keeps the double of a fraction, e.g. of a formula's value, with all of its digits.
  const isKept = significant.length <= 15 || (digits[2] !== undefined && String(number) === text)
  return isKept && Math.abs(number) >= smallest
}
