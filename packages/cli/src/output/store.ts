/**
 * Where a run leaves its lines, and what is kept of them when it stops early. `openStore` chooses between the two there are.
 */
import type { Format, RawRecord, Table } from "@chemstream/ndjson"
import type { BatchCalls, Ledger } from "@chemstream/stream"
import type { Checkpoint } from "@chemstream/stream/node"
import type { Effect, Stream } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import type * as Output from "./output.ts"

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
  /** Whether to continue the run that left a checkpoint; `false` starts over. */
  readonly resume: boolean
  /** How the records are written. Default: as the name of their file says, else NDJSON. */
  readonly format: Format.Kind | "xlsx" | undefined
  /** The fields that the records have been cut down to, in their order. Default: all. */
  readonly fields: ReadonlyArray<string> | undefined
  /** The columns of a table, of the types that the contract has them in: those of `fields`, or all. */
  readonly columns: ReadonlyArray<Table.ExpectedColumn>
  /** The fields that tell a record from every other, where the contract says so. Default: none. */
  readonly primaryKey?: ReadonlyArray<string> | undefined
  /** Whether each line of the input has records of its own, also one that repeats another. Default: false. */
  readonly perLine?: boolean | undefined
  /** Whether an empty text is an empty cell in CSV and TSV, as in the table that the records come from. Default: false. */
  readonly bareEmpty?: boolean | undefined
}

/** The results of a batch, as they are written. */
export interface Part {
  readonly batch: BatchCalls.SettledBatch<unknown, unknown>
  readonly records: ReadonlyArray<RawRecord.RawRecord>
  /** How many of the records each outcome of the batch has, in their order. Default: those that it found. */
  readonly counts?: ReadonlyArray<number>
  /** The lines of the errors file. */
  readonly problems: Uint8Array
}

export interface Store {
  readonly ledger: Ledger.Ledger
  /** The milliseconds that earlier runs took, which this one continues. */
  readonly earlier: number
  /** The parts of the input that an earlier run has settled. */
  readonly resumePoint: Checkpoint.Checkpoint<string>["resumePoint"]
  /** Whether an earlier run had come to its end: only `complete` remains. */
  readonly isComplete: boolean
  /** Whether the same command can continue the run. */
  readonly isContinuable: boolean
  /** Whether anything outlives a run that stops early. */
  readonly hasFiles: boolean
  /** Writes a run to its end, part after part. */
  readonly write: <E, R>(
    parts: Stream.Stream<Part, E, R>
  ) => Effect.Effect<void, E | CommandFailure | Output.ReaderGone, R>
  /** Keeps what the run has so far. Gives a sentence that says where it is and how to go on; undefined if there is nothing. */
  readonly keep: Effect.Effect<string | undefined, CommandFailure>
  /** Makes the outputs appear under their names. */
  readonly complete: Effect.Effect<void, CommandFailure>
  /** Writes the counts to their file. */
  readonly writeSummary: (bytes: Uint8Array) => Effect.Effect<void, CommandFailure>
}

/** What makes two runs the same. */
export type Identity = Checkpoint.Options<string>["identity"]
