/**
 * Reads the rows of a table with all their columns: CSV, TSV, a sheet of a workbook, or NDJSON. It also reads values without a table.
 *
 * Every row that is not empty is an item of the run. The command makes the requested text from the key columns.
 * `input.ts` reads the values of lines and arguments.
 */
import { Quote } from "@chemstream/api"
import { Format, Ndjson, RawRecord } from "@chemstream/ndjson"
import { TableRows } from "@chemstream/stream"
import { Effect, Option, Pull, Result, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { didYouMean } from "../help/nearest.ts"
import { ErrorsFile } from "../input/errorsFile.ts"
import * as Input from "../input/input.ts"
import type * as LineValues from "../input/lineValues.ts"
import { unparsable } from "../input/unparsable.ts"
import * as Workbook from "./workbook.ts"

/** The input settings of a command. */
export interface Given {
  readonly values: ReadonlyArray<string>
  /** Default: standard input. */
  readonly input: string | undefined
  /** The columns that identify a row, in order of preference. Default: the input is not a table. */
  readonly keys: ReadonlyArray<string>
  /** The option that names these columns. */
  readonly option: string
  /** The sheet of a workbook, by name or number from 1. Default: the first. */
  readonly sheet: string | undefined
}

/** An opened input. */
export interface RowInput extends Input.Input {
  /** The names of the columns. For objects: those of the first row. Undefined: the input is not a table. */
  readonly columns: ReadonlyArray<string> | undefined
  /** Whether rows may have other columns, because they are objects. */
  readonly isOpen: boolean
  /** Whether rows have columns to write again. */
  readonly isTable: boolean
}

type Bytes = Stream.Stream<Uint8Array, CommandFailure>

type Rows = Input.Input["identifiers"]

/** Opens the input of a command. `textOf` makes the requested text from the key cells of a row. */
export const open = (
  given: Given,
  textOf: (cells: ReadonlyArray<string>) => string
): Effect.Effect<RowInput, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { input = "-", keys, option, sheet, values } = given
    if (values.length > 0 || keys.length === 0) {
      if (keys.length > 0)
        return yield* usageFailure(
          `${option} names columns of a table, and arguments have none: give --input FILE`
        )
      const opened = yield* Input.open(values, given.input, { given: undefined, option, own: [] })
      return { ...opened, columns: undefined, isOpen: false, isTable: false }
    }
    if (input !== "-" && Workbook.isWorkbook(input)) return yield* ofWorkbook(input, sheet, keys, textOf)
    if (sheet !== undefined)
      return yield* usageFailure(`--sheet is for workbooks (.xlsx), and ${input} is not one`)
    const opened = yield* Input.bytesOf(given.input)
    const { bytes, start } = yield* readStart(opened.bytes)
    const window = opened.isFile ? {} : { window: Input.window }
    // Standard input can be read only once, also if it is a file.
    const isCopied = opened.isFile && input !== "-"
    const rowsOf = (
      read: (bytes: Bytes) => Rows
    ): Pick<RowInput, "copy" | "identifiers" | "total" | "window"> => ({
      identifiers: read(bytes),
      ...(isCopied ? Input.countable(read(opened.bytes)) : {}),
      ...window
    })
    if ((yield* ErrorsFile).isRequired) {
      const columns = carriedColumns(start)
      const key: LineValues.Key = { given: undefined, own: [], keep: "all" }
      const failed = (all: Bytes) =>
        Stream.map(Input.fromBytes(all, key), ({ carried, line }) => ({
          line,
          record: RawRecord.isRawRecord(carried) ? carried : RawRecord.fromText("{}")
        }))
      return {
        ...rowsOf((all) => identifiersOf(failed(all), keys, textOf)),
        columns,
        isOpen: true,
        isTable: true
      }
    }
    if (start.startsWith("{")) {
      const columns = objectColumns(start)
      return {
        ...rowsOf((all) => identifiersOf(objects(all), keys, textOf)),
        columns,
        isOpen: true,
        isTable: true
      }
    }
    const kind = kindOf(input, start)
    const separator = TableRows.separatorOf(start, kind)
    const columns = yield* Effect.mapError(
      TableRows.columnsOf(Stream.make(new TextEncoder().encode(start)), separator),
      unparsable
    )
    const refusal = missingColumns(keys, columns)
    if (refusal !== undefined) return yield* refusal
    const rows = (all: Bytes) => Stream.mapError(TableRows.decode(all, { columns, separator }), unparsable)
    return {
      ...rowsOf((all) => identifiersOf(rows(all), keys, textOf)),
      columns,
      isOpen: false,
      isTable: true
    }
  })

const ofWorkbook = (
  input: string,
  sheet: string | undefined,
  keys: ReadonlyArray<string>,
  textOf: (cells: ReadonlyArray<string>) => string
): Effect.Effect<RowInput, CommandFailure> =>
  Effect.gen(function* () {
    const { columns, rows } = yield* Workbook.read(input, sheet)
    const refusal = missingColumns(keys, columns)
    if (refusal !== undefined) return yield* refusal
    const records = rows.map(({ cells, line }) => TableRows.ofCells(columns, cells, line))
    const identifiers = identifiersOf(Stream.fromIterable(records), keys, textOf)
    return { ...Input.countable(identifiers), identifiers, columns, isOpen: false, isTable: true }
  })

/** Whether tabs separate the cells, by the extension or else the header. */
const kindOf = (input: string, start: string): "csv" | "tsv" => {
  const { kind } = Format.ofPath(input)
  if (kind === "csv" || kind === "tsv") return kind
  const [header = ""] = start.split(/[\r\n]/, 1)
  return header.includes("\t") ? "tsv" : "csv"
}

/** The most characters of a first line. */
const longestStart = 1024 * 1024

/** Returns the first line of an input, and all of its bytes. A pipe is read only once. */
const readStart = <E>(
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

/** Whether a text has a complete first line. A line break between quotes is part of a cell. */
const hasLine = (text: string): boolean => {
  const outside = text.trimStart().replace(/"[^"]*("|$)/g, "")
  return /[\r\n]/.test(outside)
}

/** Returns the columns of objects: the fields of the first one. */
const objectColumns = (start: string): ReadonlyArray<string> | undefined => {
  const [line = ""] = start.split(/[\r\n]/, 1)
  return Option.match(jsonObject(line), { onNone: () => undefined, onSome: Object.keys })
}

/** Returns the columns of the rows in an errors file: those of the first one. */
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

/** Reads rows of NDJSON. A line that is not an object is passed on with its fault. */
const objects = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>
): Stream.Stream<TableRows.Row, CommandFailure> =>
  bytes.pipe(
    Ndjson.decodeNumbered(),
    Stream.mapError(unparsable),
    Stream.map(({ line, record }) => {
      const isObject =
        RawRecord.toText(record).trimStart().startsWith("{") && Result.isSuccess(RawRecord.check(record))
      return isObject
        ? { line, record }
        : { line, record: RawRecord.fromText("{}"), fault: "the line is not a JSON object" }
    })
  )

const identifiersOf = (
  rows: Stream.Stream<TableRows.Row, CommandFailure>,
  keys: ReadonlyArray<string>,
  textOf: (cells: ReadonlyArray<string>) => string
): Rows => Stream.map(rows, (row) => TableRows.identifier(row, keys, textOf))

const missingColumns = (
  keys: ReadonlyArray<string>,
  columns: ReadonlyArray<string>
): CommandFailure | undefined => {
  const missing = keys.filter((key) => !columns.includes(key))
  if (missing.length === 0) return undefined
  const words = missing.map((name) => `${Quote.value(name)}${didYouMean(name, columns)}`).join(", ")
  return usageFailure(
    `the table has no column ${words}; it has ${columns.map((name) => Quote.value(name)).join(", ")}`
  )
}
