/**
 * Reads the records of a file that `openSource.ts` knows, or the saved records of a run. Each run of the stream reads the file anew.
 */
import { Ndjson, type RawRecord, type Table } from "@chemstream/ndjson"
import { Effect, type Scope, Stream } from "effect"
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
 * Opens a file, - for standard input. A row with a fault is left out, and fails the records if no row is without one. `typeOf` returns the type of a column of a database that
 * declares none.
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
        ? { isTable: false, canReread: source.again !== undefined, records: recordsOf(source.bytes, file) }
        : {
            isTable: true,
            canReread: source.again !== undefined,
            columns: source.columns,
            sheet: source.sheet,
            declared: source.declared,
            ...withoutFaults(source.rows, file)
          }
  )

/** Leaves out rows with a fault. */
const withoutFaults = (
  rows: OpenedTable.Table["rows"],
  file: string
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
    count === 0 ? undefined : `${counted(count, "row")} of ${file} left out, the first because ${first}`
  return { records, leftOut }
}

/** Reads the records of an NDJSON file. `name` is its name in messages. */
export const lines = (file: string, name: string): Records =>
  recordsOf(SourceBytes.fileBytes(file, name), name)

const recordsOf = (bytes: SourceBytes.Bytes, name: string): Records =>
  bytes.pipe(
    Ndjson.decodeRaw({ maxLineBytes: Number.MAX_SAFE_INTEGER }),
    Stream.mapError((error) =>
      error._tag === "CommandFailure" ? error : usageFailure(`cannot read ${name}: ${error.message}`)
    )
  )
