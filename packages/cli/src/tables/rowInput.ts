/**
 * Rows of a table whose columns all come out again: CSV, TSV, a sheet of a workbook, or NDJSON; and values without a table.
 *
 * Every row with a cell is a row of the run, whatever its key holds. What a row asks for is made of its key columns by the
 * command. Values of lines and arguments are read by `input.ts`.
 */
import { type Csv, Format, Ndjson, RawRecord } from "@chemstream/ndjson"
import { TableRows } from "@chemstream/stream"
import { Effect, Option, Pull, Result, type Scope, Stream } from "effect"
import { type CommandFailure, usage } from "../CommandFailure.ts"
import { didYouMean } from "../help/nearest.ts"
import { ErrorsFile } from "../input/errorsFile.ts"
import * as Input from "../input/input.ts"
import type * as LineValues from "../input/lineValues.ts"
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
  /** The names of the columns: of rows that are objects, those of the first. Undefined where the input is no table. */
  readonly columns: ReadonlyArray<string> | undefined
  /** Whether rows may have other columns: they are objects. */
  readonly isOpen: boolean
  /** Whether rows come with columns that are written again. */
  readonly isTable: boolean
}

/** Opens the input of a command. `textOf` makes of the key cells of a row the text that is requested. */
export const open = (
  given: Given,
  textOf: (cells: ReadonlyArray<string>) => string
): Effect.Effect<RowInput, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { input = "-", keys, sheet, values } = given
    if (values.length > 0 || keys.length === 0) {
      if (keys.length > 0)
        return yield* usage("--key names columns of a table, and arguments have none: give --input FILE")
      const opened = yield* Input.open(values, given.input, { given: undefined, own: [] })
      return { ...opened, columns: undefined, isOpen: false, isTable: false }
    }
    if (input !== "-" && Workbook.isWorkbook(input)) return yield* ofWorkbook(input, sheet, keys, textOf)
    if (sheet !== undefined) return yield* usage(`--sheet is for workbooks (.xlsx), and ${input} is none`)
    const opened = yield* Input.bytesOf(given.input)
    const { bytes, start } = yield* begun(opened.bytes)
    const window = opened.isFile ? {} : { window: Input.window }
    if ((yield* ErrorsFile).isRequired) {
      const columns = carriedColumns(start)
      const key: LineValues.Key = { given: undefined, own: [], keep: "all" }
      return { identifiers: Input.fromBytes(bytes, key), columns, isOpen: true, isTable: true, ...window }
    }
    if (start.startsWith("{")) {
      const columns = objectColumns(start)
      return { ...table(objects(bytes), columns, keys, textOf), isOpen: true, ...window }
    }
    const kind = kindOf(input, start)
    const separator = TableRows.separatorOf(start, kind)
    const columns = yield* Effect.mapError(
      TableRows.columnsOf(Stream.make(new TextEncoder().encode(start)), separator),
      unreadable
    )
    const refusal = lacking(keys, columns)
    if (refusal !== undefined) return yield* refusal
    const rows = Stream.mapError(TableRows.decode(bytes, { columns, separator }), unreadable)
    return { ...table(rows, columns, keys, textOf), ...window }
  })

const ofWorkbook = (
  input: string,
  sheet: string | undefined,
  keys: ReadonlyArray<string>,
  textOf: (cells: ReadonlyArray<string>) => string
): Effect.Effect<RowInput, CommandFailure> =>
  Effect.gen(function* () {
    const { columns, rows } = yield* Workbook.read(input, sheet)
    const refusal = lacking(keys, columns)
    if (refusal !== undefined) return yield* refusal
    const records = rows.map(({ cells, line }) => TableRows.ofCells(columns, cells, line))
    return {
      ...table(Stream.fromIterable(records), columns, keys, textOf),
      total: Effect.succeed(rows.length)
    }
  })

/** Whether cells are separated by tabs: what the name of a file does not say, its header does. */
const kindOf = (input: string, start: string): "csv" | "tsv" => {
  const { kind } = Format.ofPath(input)
  if (kind === "csv" || kind === "tsv") return kind
  const [header = ""] = start.split(/[\r\n]/, 1)
  return header.includes("\t") ? "tsv" : "csv"
}

/** The most characters of a first line. */
const longestStart = 1024 * 1024

/** The text of an input up to the end of its first line, and all of its bytes. A pipe is read only once. */
const begun = <E>(
  whole: Stream.Stream<Uint8Array, E>
): Effect.Effect<{ readonly bytes: Stream.Stream<Uint8Array, E>; readonly start: string }, E, Scope.Scope> =>
  Effect.gen(function* () {
    const pull = yield* Stream.toPull(whole)
    const chunks: Array<Uint8Array> = []
    const decoder = new TextDecoder()
    let start = ""
    while (!hasLine(start) && start.length < longestStart) {
      const more = yield* Pull.catchDone(pull, () => Effect.succeed([]))
      if (more.length === 0) break
      chunks.push(...more)
      for (const bytes of more) start += decoder.decode(bytes, { stream: true })
    }
    return {
      bytes: Stream.concat(Stream.fromIterable(chunks), Stream.fromPull(Effect.succeed(pull))),
      start: start.trimStart()
    }
  })

/** Whether a text holds a whole first line; a line break between quotes is part of a cell. */
const hasLine = (text: string): boolean => {
  const outside = text.trimStart().replace(/"[^"]*("|$)/g, "")
  return /[\r\n]/.test(outside)
}

/** The columns of rows that are objects: the fields of the first. */
const objectColumns = (start: string): ReadonlyArray<string> | undefined => {
  const [line = ""] = start.split(/[\r\n]/, 1)
  return Option.match(jsonObject(line), { onNone: () => undefined, onSome: Object.keys })
}

/** The columns of the rows that lines of an errors file carry: those of the first. */
const carriedColumns = (start: string): ReadonlyArray<string> | undefined => {
  const [line = ""] = start.split(/[\r\n]/, 1)
  const carried = Option.getOrUndefined(jsonObject(line))?.["carried"]
  return typeof carried === "object" && carried !== null ? Object.keys(carried) : undefined
}

const jsonObject = (text: string): Option.Option<Readonly<Record<string, unknown>>> =>
  Option.filter(
    Option.liftThrowable((line: string): unknown => JSON.parse(line))(text),
    (value): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null
  )

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
  isOpen: false,
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
