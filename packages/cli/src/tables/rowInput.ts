/**
 * Rows of a table whose columns all come out again: CSV, TSV, a sheet of a workbook, or NDJSON; and values without a table.
 *
 * Every row with a cell is a row of the run, whatever its key holds. What a row asks for is made of its key columns by the
 * command. Values of lines and arguments are read by `input.ts`.
 */
import { stat } from "node:fs/promises"
import { type Csv, Format, Ndjson, RawRecord } from "@chemstream/ndjson"
import { TableRows } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { type CommandFailure, reasonOf, usage } from "../CommandFailure.ts"
import * as Input from "../input.ts"
import { didYouMean } from "../nearest.ts"
import * as TableInput from "../tableInput.ts"
import * as Workbook from "./workbook.ts"

/** What a command reads. */
export interface Given {
  readonly values: ReadonlyArray<string>
  /** Default: standard input. */
  readonly input: string | undefined
  /** The columns that identify a row, in order of preference. Default: the input is no table. */
  readonly keys: ReadonlyArray<string>
  /** The sheet of a workbook, by name or number from 1. Default: the first. */
  readonly sheet: string | undefined
}

/** What is read. */
export interface RowInput extends Input.Input {
  /** The names of the columns. Undefined where the input is no table, and where rows are objects. */
  readonly columns: ReadonlyArray<string> | undefined
  /** Whether rows come with columns that are written again. */
  readonly isTable: boolean
}

/** Opens the input of a command. `textOf` makes of the key cells of a row the text that is asked for. */
export const open = (
  given: Given,
  textOf: (cells: ReadonlyArray<string>) => string
): Effect.Effect<RowInput, CommandFailure> => {
  const { input, keys, values } = given
  if (values.length > 0 || keys.length === 0) {
    if (keys.length > 0)
      return Effect.fail(usage("--key names columns of a table, and arguments have none: give --input FILE"))
    return Effect.map(Input.open(values, input, { given: undefined, own: [] }), (opened) => ({
      ...opened,
      columns: undefined,
      isTable: false
    }))
  }
  return input === undefined || input === "-"
    ? Effect.succeed(table(objects(Input.standardInput), undefined, keys, textOf))
    : openFile({ ...given, input }, textOf)
}

const openFile = (
  { input, keys, sheet }: Given & { readonly input: string },
  textOf: (cells: ReadonlyArray<string>) => string
): Effect.Effect<RowInput, CommandFailure> =>
  Effect.gen(function* () {
    const about = yield* Effect.tryPromise({
      try: () => stat(input),
      catch: (cause) => usage(`cannot read ${input}: ${reasonOf(cause)}`)
    })
    if (about.isDirectory()) return yield* usage(`cannot read ${input}: it is a folder`)
    if (Workbook.isWorkbook(input)) {
      const { columns, rows } = yield* Workbook.read(input, sheet)
      const refusal = lacking(keys, columns)
      if (refusal !== undefined) return yield* refusal
      const records = rows.map(({ cells, line }) => TableRows.ofCells(columns, cells, line))
      return {
        ...table(Stream.fromIterable(records), columns, keys, textOf),
        total: Effect.succeed(rows.length)
      }
    }
    if (sheet !== undefined) return yield* usage(`--sheet is for workbooks (.xlsx), and ${input} is none`)
    const { kind } = Format.ofPath(input)
    const bytes = Input.fileBytes(input)
    if (kind !== "csv" && kind !== "tsv") return table(objects(bytes), undefined, keys, textOf)
    const layout = yield* layoutOf(bytes, kind)
    const refusal = lacking(keys, layout.columns)
    if (refusal !== undefined) return yield* refusal
    const rows = Stream.mapError(TableRows.decode(bytes, layout), unreadable)
    return table(rows, layout.columns, keys, textOf)
  })

/** The names of the columns of a table, and what separates its cells. */
const layoutOf = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  kind: "csv" | "tsv"
): Effect.Effect<TableRows.Layout, CommandFailure> =>
  Effect.gen(function* () {
    const separator = TableRows.separatorOf(yield* TableInput.firstLines(bytes), kind)
    const columns = yield* Effect.mapError(TableRows.columnsOf(bytes, separator), unreadable)
    return { columns, separator }
  })

const unreadable = (error: Csv.CsvError | CommandFailure): CommandFailure =>
  error._tag === "CsvError" ? usage(`cannot read the input: ${error.message}`) : error

/** Rows of NDJSON. A line that is no object has its fault. */
const objects = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>
): Stream.Stream<TableRows.Row, CommandFailure> =>
  bytes.pipe(
    Ndjson.decodeNumbered(),
    Stream.mapError((error) =>
      error._tag === "NdjsonError" ? usage(`cannot read the input: ${error.message}`) : error
    ),
    Stream.map(({ line, record }) => {
      const isObject =
        RawRecord.toText(record).trimStart().startsWith("{") && Result.isSuccess(RawRecord.check(record))
      return isObject
        ? { line, record }
        : { line, record: RawRecord.fromText("{}"), fault: "the line is no JSON object" }
    })
  )

const table = (
  rows: Stream.Stream<TableRows.Row, CommandFailure>,
  columns: ReadonlyArray<string> | undefined,
  keys: ReadonlyArray<string>,
  textOf: (cells: ReadonlyArray<string>) => string
): RowInput => ({
  columns,
  isTable: true,
  identifiers: Stream.map(rows, (row) => TableRows.identifier(row, keys, textOf))
})

const lacking = (keys: ReadonlyArray<string>, columns: ReadonlyArray<string>): CommandFailure | undefined => {
  const missing = keys.filter((key) => !columns.includes(key))
  if (missing.length === 0) return undefined
  const words = missing.map((name) => `${JSON.stringify(name)}${didYouMean(name, columns)}`).join(", ")
  return usage(
    `the table has no column ${words}; it has ${columns.map((name) => JSON.stringify(name)).join(", ")}`
  )
}
