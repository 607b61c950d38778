/**
 * The interface of stores: where a run writes its records and problems, and what it keeps when it stops early; with what all stores share.
 *
 * `openStore.ts` chooses the store. A value is settled when its outcome is written, so a run that continues does not request it.
 */
import type { RawRecord, Table } from "@chemstream/ndjson"
import type { BatchCalls, Ledger, Outcome } from "@chemstream/stream"
import type { Checkpoint } from "@chemstream/stream/node"
import type { TableTarget } from "@chemstream/workflow"
import { Effect, type Scope, type Stream } from "effect"
import { CommandFailure } from "../CommandFailure.ts"
import type { SheetLayout } from "../input/openedTable.ts"
import * as OutputFiles from "./outputFiles.ts"
import type * as TableFile from "./tableFile.ts"

/** The files of a run, by the options that name them. */
export interface Files {
  /** The records. Default: standard output. */
  readonly output: string | undefined
  /** The identifiers without a record, and the records that belong to no identifier. */
  readonly errors: string | undefined
  /** The counts. */
  readonly jsonSummary: string | undefined
  /** The position of the run. Default: a file beside `output`. */
  readonly checkpoint: string | undefined
  /** Whether to continue from the checkpoint. `false` starts over. */
  readonly resume: boolean
  /** The format of the records. Default: that of the file's extension, else NDJSON. */
  readonly format: TableFile.Kind | undefined
  /** The selected fields, in order. Default: all. */
  readonly fields: ReadonlyArray<string> | undefined
  /** The columns of a table, with the types of the contract: those of `fields`, or all. */
  readonly columns: ReadonlyArray<Table.ExpectedColumn>
  /** The fields that identify a record, by the contract. Default: none. */
  readonly primaryKey?: ReadonlyArray<string> | undefined
  /** Whether each line of the input has its own records, also a duplicate. Default: false, each identifier has them once. */
  readonly perLine?: boolean | undefined
  /** What a complete run into a table does with records that the service no longer has. Default: keep. */
  readonly stale?: TableTarget.Stale | undefined
  /** Whether nothing is said about the run. Default: false. */
  readonly quiet?: boolean | undefined
  /** Whether an empty text is an empty cell in CSV and TSV. Default: false. */
  readonly unquotedEmpty?: boolean | undefined
  /** Whether CSV and TSV are for a spreadsheet: with a byte-order mark, and with formulas escaped. Default: false. */
  readonly forSpreadsheet?: boolean | undefined
  /** Whether text that is too long for a cell of a workbook is cut. Default: false. */
  readonly cutCells?: boolean | undefined
  /** The sheet of the input, whose name and types of cells a workbook keeps. */
  readonly inputSheet?: SheetLayout | undefined
  /** The columns with texts of the input, which a file with types may have as numbers. Default: none. */
  readonly texts?: ReadonlySet<string> | undefined
}

/** The results of a batch, ready to write. */
export interface Part {
  readonly batch: BatchCalls.SettledBatch<unknown, unknown>
  readonly records: ReadonlyArray<RawRecord.RawRecord>
  /** The number of records of each outcome, in order. Default: the number of found records. */
  readonly counts?: ReadonlyArray<number>
  /** The lines of the errors file. */
  readonly problems: Uint8Array
}

/** Returns the outcomes of a part with their records, which are in the same order. */
export const outcomesOf = ({
  batch,
  counts,
  records
}: Part): ReadonlyArray<{
  readonly outcome: Outcome.Outcome<unknown, unknown>
  readonly records: ReadonlyArray<RawRecord.RawRecord>
}> => {
  let at = 0
  return (batch.outcomes as ReadonlyArray<Outcome.Outcome<unknown, unknown>>).map((outcome, index) => {
    const count = counts?.[index] ?? (outcome._tag === "Found" ? outcome.records.length : 0)
    const own = records.slice(at, at + count)
    at += count
    return { outcome, records: own }
  })
}

/** The open store of a run. */
export interface Store {
  readonly ledger: Ledger.Ledger
  /** The duration of the earlier parts of this run, in milliseconds. */
  readonly earlier: number
  /** The resume point: the settled parts of the input. */
  readonly resumePoint: Checkpoint.Checkpoint<string>["resumePoint"]
  /** Whether the earlier run had reached the end of its input. */
  readonly isComplete: boolean
  /** The responses that are not in the output yet. Undefined: the run keeps none. */
  readonly responses?: Responses | undefined
  /** Whether a run that stops early keeps results. */
  readonly hasFiles: boolean
  /** Writes all parts of a run. */
  readonly write: <E, R>(
    parts: Stream.Stream<Part, E, R>
  ) => Effect.Effect<void, E | CommandFailure | OutputFiles.ReaderGone, R>
  /** Keeps the results so far. Returns a sentence with the files and how to continue. Undefined if there are no results. */
  readonly keep: Effect.Effect<string | undefined, CommandFailure>
  /** Gives the outputs their final names. Returns whether all values are in them. */
  readonly complete: Effect.Effect<boolean, CommandFailure>
}

/** Keeps the responses of a stopped run that are not in its output yet, as texts without line breaks (`run/unwrittenResponses.ts`). */
export interface Responses {
  /** The name of their place in messages. */
  readonly name: string
  /** Reads those of the earlier run. Empty: it has kept none. */
  readonly read: Effect.Effect<ReadonlyArray<string>, unknown>
  readonly replace: (texts: ReadonlyArray<string>) => Effect.Effect<void, CommandFailure>
}

/** The beginning of each text, by which a file of them is recognised. */
export const responseBeginning = '{"received":'

/** Adds to the error of a position that could not be saved what is kept nevertheless. */
export const unsavedFailure =
  ({ isSaved }: Pick<Checkpoint.Checkpoint<string>, "isSaved">) =>
  ({ exitCode, message }: CommandFailure): CommandFailure =>
    new CommandFailure({
      exitCode,
      message: `${message}; ${
        isSaved()
          ? "the position saved before is still valid, and the same command continues there"
          : "no position was saved before, so nothing is kept, and the same command starts over"
      }`
    })

/** The settings that must be equal to continue a run. */
export type Identity = Checkpoint.Options<string>["identity"]

/** Says how to continue a run whose results are kept. */
export const continueText = (resume: boolean): string =>
  resume
    ? "Run the same command to continue, or add --no-resume to start over"
    : "Run the command without --no-resume to continue"

/** Opens the output of the errors if it is no regular file, e.g. a pipe: it then gets the problems of each part at once. */
export const directErrors = (
  files: Pick<Files, "errors">,
  errors: unknown
): Effect.Effect<
  (part: Part) => Effect.Effect<void, CommandFailure | OutputFiles.ReaderGone>,
  CommandFailure,
  Scope.Scope
> =>
  Effect.gen(function* () {
    if (errors !== undefined || files.errors === undefined) return () => Effect.void
    const { outputs } = yield* OutputFiles.openFiles({ errors: files.errors })
    return ({ problems }: Part) =>
      problems.length === 0 ? Effect.void : (outputs.errors?.write(problems) ?? Effect.void)
  })
