/**
 * Reads the records of a file that `openSource.ts` knows, or the saved records of a run. Each run of the stream reads the file anew.
 */
import { Quote } from "@chemstream/api"
import { Ndjson, RawRecord, type Table } from "@chemstream/ndjson"
import { Effect, Result, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import type * as OpenedTable from "../input/openedTable.ts"
import * as OpenSource from "../input/openSource.ts"
import * as SourceBytes from "../input/sourceBytes.ts"
import { counted } from "../terminal/quantities.ts"

type Records = Stream.Stream<RawRecord.RawRecord, CommandFailure>

/** The records of a file. */
export interface OpenedRecords {
  readonly records: Records
  /** Whether it is a table, whose cells have no types but those of `declared` and `sheet`. */
  readonly isTable: boolean
  /** The columns, if their source declares types. */
  readonly declared?: ReadonlyArray<Table.ExpectedColumn> | undefined
  /** Whether the records can be read again: standard input cannot. */
  readonly canReread: boolean
  /** The columns of a table. Default: the records have fields of their own. */
  readonly columns?: ReadonlyArray<string> | undefined
  /** The sheet of a workbook. */
  readonly sheet?: OpenedTable.SheetLayout | undefined
  /** Says how many rows were left out because of a fault, when the records have been read. Undefined: none was. */
  readonly leftOut?: () => string | undefined
}

/**
 * Opens a file, - for standard input. A row or line with a fault is left out, and fails the records if none is without one. `typeOf`
 * returns the type of a column of a database that declares none.
 */
export const open = (
  file: string,
  table: OpenedTable.TableOptions,
  typeOf?: OpenedTable.ReadOptions["typeOf"]
): Effect.Effect<OpenedRecords, CommandFailure, Scope.Scope> =>
  Effect.map(
    OpenSource.open(file, { keys: [], own: [], option: "--key", table, isWhole: true, typeOf }),
    (source): OpenedRecords =>
      source._tag === "Lines"
        ? {
            isTable: false,
            canReread: source.again !== undefined,
            ...withoutFaults(checkedLines(source.bytes, file), file, "line")
          }
        : {
            isTable: true,
            canReread: source.again !== undefined,
            columns: source.columns,
            sheet: source.sheet,
            declared: source.declared,
            ...withoutFaults(source.rows, file, "row")
          }
  )

/** Reads lines of JSON. A line that is not valid JSON has a fault. */
const checkedLines = (bytes: SourceBytes.Bytes, file: string): OpenedTable.Table["rows"] =>
  bytes.pipe(
    Ndjson.decodeNumbered({ maxLineBytes: Number.MAX_SAFE_INTEGER }),
    Stream.mapError(unreadable(file)),
    Stream.map(({ line, record }) =>
      Result.match(RawRecord.check(record), {
        onSuccess: () => ({ line, record }),
        onFailure: ({ offset }) => ({
          line,
          record,
          fault: `${Quote.value(RawRecord.toText(record))} is not valid JSON, wrong at byte ${offset + 1}`
        })
      })
    )
  )

/** Leaves out rows or lines with a fault. */
const withoutFaults = (
  rows: OpenedTable.Table["rows"],
  file: string,
  noun: "line" | "row"
): Required<Pick<OpenedRecords, "leftOut" | "records">> => {
  let count = 0
  let first = ""
  const records = Stream.suspend(() => {
    count = 0
    let isEmpty = true
    return rows.pipe(
      Stream.filter(({ fault, line }) => {
        if (fault === undefined) isEmpty = false
        else if (count++ === 0) first = `in line ${line} ${fault}`
        return fault === undefined
      }),
      Stream.map(({ record }) => record),
      Stream.onEnd(
        Effect.suspend(() =>
          isEmpty && count > 0 ? usageFailure(`cannot read ${file}: ${first}`) : Effect.void
        )
      )
    )
  })
  const leftOut = () =>
    count === 0 ? undefined : `${counted(count, noun)} of ${file} left out, the first because ${first}`
  return { records, leftOut }
}

/** Reads the records that this program has saved in a file. `name` is its name in messages. */
export const lines = (file: string, name: string): Records =>
  SourceBytes.fileBytes(file, name).pipe(
    Ndjson.decodeRaw({ maxLineBytes: Number.MAX_SAFE_INTEGER }),
    Stream.mapError(unreadable(name))
  )

const unreadable =
  (name: string) =>
  (error: CommandFailure | Ndjson.NdjsonError): CommandFailure =>
    error._tag === "CommandFailure" ? error : usageFailure(`cannot read ${name}: ${error.message}`)
