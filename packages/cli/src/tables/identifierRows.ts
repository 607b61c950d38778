/**
 * Reads the rows of a table with all their columns, or of JSON objects. It also reads values without a table.
 *
 * Every row that is not empty is an item of the run. The command makes the requested text from the key columns.
 * `openSource.ts` finds the table; `openInput.ts` reads the values of lines and arguments.
 */
import { Ndjson, RawRecord, TableLayout } from "@chemstream/ndjson"
import { TableRows } from "@chemstream/stream"
import { Effect, Result, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { ErrorsFile } from "../input/errorsFile.ts"
import type * as OpenedTable from "../input/openedTable.ts"
import * as OpenInput from "../input/openInput.ts"
import * as OpenSource from "../input/openSource.ts"
import { unparsable } from "../input/parseFailure.ts"
import type * as SourceBytes from "../input/sourceBytes.ts"

/** The input settings of a command. */
export interface Given {
  readonly values: ReadonlyArray<string>
  /** Default: standard input. */
  readonly input: string | undefined
  /** The columns that identify a row, in order of preference. Default: the input is not a table. */
  readonly keys: ReadonlyArray<string>
  /** The columns to use without `keys`, in any case. Then lines without columns are values. Default: none. */
  readonly own?: ReadonlyArray<string>
  /** The option that names these columns. */
  readonly option: string
  readonly table: OpenedTable.TableOptions
  /** The separator of several identifiers in a value. Default: none. */
  readonly split?: string | undefined
}

/** An opened input. */
export interface IdentifierRows extends OpenInput.Input {
  /** The names of the columns. For objects: those of the first row. Undefined: the input is not a table. */
  readonly columns: ReadonlyArray<string> | undefined
  /** The names in the header of a table. Default: the columns. */
  readonly given?: ReadonlyArray<string> | undefined
  /** Whether rows may have other columns, because they are objects. */
  readonly isOpen: boolean
  /** Whether rows have columns to write again. */
  readonly isTable: boolean
  /** The sheet of a workbook. */
  readonly sheet?: OpenedTable.SheetLayout | undefined
  /** Whether its cells are texts, because its format has no types. Default: false. */
  readonly hasTexts?: boolean | undefined
}

/** Opens the input of a command. `textOf` makes the requested text from the key cells of a row. */
export const open = (
  given: Given,
  textOf: (cells: ReadonlyArray<string>) => string
): Effect.Effect<IdentifierRows, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { keys, option, own = [], split, table, values } = given
    if (values.length > 0 || (keys.length === 0 && own.length === 0)) {
      if (keys.length > 0)
        return yield* usageFailure(
          `${option} names columns of a table, and arguments have none: give --input FILE`
        )
      const opened = yield* OpenInput.open(
        values,
        given.input,
        { given: undefined, option, own: [], split },
        table
      )
      return { ...opened, columns: undefined, isOpen: false, isTable: false }
    }
    const source = yield* OpenSource.open(given.input, {
      keys,
      own,
      option,
      table,
      mayBeList: own.length > 0
    })
    const { again, isFile } = source
    const isErrorsFile = (yield* ErrorsFile).isRequired
    // Without `keys`, a text that is neither a table nor objects has a value in each line.
    const isList = keys.length === 0 && source._tag === "Lines" && !source.start.startsWith("{")
    const identifiersOf = (one: OpenSource.Lines | OpenedTable.Table): OpenInput.Input["identifiers"] => {
      const rows = one._tag === "Table" ? one.rows : isErrorsFile ? failedRows(one.bytes) : objects(one.bytes)
      if (isList)
        return OpenInput.fromBytes((one as OpenSource.Lines).bytes, { given: undefined, option, own })
      const columns = one._tag === "Table" ? one.keys : keys.length === 0 ? own : keys
      return Stream.map(rows, (row) => TableRows.identifier(row, columns, textOf))
    }
    return {
      identifiers: identifiersOf(source),
      ...(again === undefined ? {} : OpenInput.countable(identifiersOf(again))),
      ...(isFile ? {} : { window: OpenInput.window }),
      ...(source._tag === "Table"
        ? {
            columns: source.columns,
            given: source.given,
            ...(source.tally === undefined ? {} : { tally: source.tally }),
            sheet: source.sheet,
            hasTexts: source.sheet === undefined && source.declared === undefined,
            isOpen: false
          }
        : {
            columns: isList ? undefined : objectColumns(source.start, isErrorsFile),
            isOpen: !isList
          }),
      isTable: !isList
    }
  })

/** Reads the rows that the lines of an errors file carry. */
const failedRows = (bytes: SourceBytes.Bytes): Stream.Stream<TableLayout.Row, CommandFailure> =>
  OpenInput.fromBytes(bytes, { given: undefined, own: [], keep: "all" }).pipe(
    Stream.map(({ carried, line }) => ({
      line,
      record: RawRecord.isRawRecord(carried) ? carried : RawRecord.fromText("{}")
    }))
  )

/** Returns the columns of objects: the fields of the first one, or of the row that a line of an errors file carries. */
const objectColumns = (start: string, isErrorsFile: boolean): ReadonlyArray<string> | undefined => {
  const [line = ""] = start.split(/[\r\n]/, 1)
  const first = Result.getOrUndefined(Result.try((): unknown => JSON.parse(line)))
  const object = isErrorsFile && isObject(first) ? first["carried"] : first
  return isObject(object) ? Object.keys(object) : undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Reads rows of NDJSON. A line that is not an object is passed on with its fault. */
const objects = (bytes: SourceBytes.Bytes): Stream.Stream<TableLayout.Row, CommandFailure> =>
  bytes.pipe(
    Ndjson.decodeNumbered(),
    Stream.mapError(unparsable),
    Stream.map(({ line, record }) => TableLayout.rowOf(line, record))
  )
