/**
 * Where the outcomes of a harvest are kept, chunk by chunk: the port. What is behind it, part files or tables, is
 * opened by `Sinks`; which identifiers a chunk holds, and who writes it when, is `Harvest`'s.
 *
 * A chunk is written whole or not at all, and the first to write it wins: whoever writes it again changes nothing and
 * is told what is kept. So a worker may die at any moment, or come back after its work was given to another, and
 * every identifier still has exactly one outcome, the one that was counted.
 */
import type { RawRecord } from "@chemstream/ndjson"
import type { Identifiers, Outcome } from "@chemstream/stream"
import { Data, type Effect, Schema } from "effect"

/**
 * A sink could not be opened, read or written. Where `retryable`, trying again can help: a database that restarts, a file that is locked.
 */
export class SinkError extends Data.TaggedError("SinkError")<{
  /** The folder, file or table. */
  readonly sink: string
  readonly operation: "open" | "read" | "write" | "complete"
  readonly retryable: boolean
  readonly message: string
  readonly cause?: unknown
}> {}

/** Which sink, as data that is stored with a harvest and read by workers on other machines. It holds no secret. */
export const Spec = Schema.Union([
  /**
   * A folder that every worker sees under this path. Each chunk is a part, `parts/00000000/records.ndjson` and so on; at the
   * end all parts become `file` in the folder, in the format of its name (`records.ndjson`, `records.ndjson.zst`,
   * `records.parquet` …), and `problems.ndjson`. Without `file` the parts stay.
   */
  Schema.TaggedStruct("Folder", { folder: Schema.String, file: Schema.optional(Schema.String) }),
  /** Tables in a SQLite file of this machine. */
  Schema.TaggedStruct("Sqlite", { file: Schema.String }),
  /** Tables in the Postgres database that the workers share; `schema` is the one in force unless given. */
  Schema.TaggedStruct("Postgres", { schema: Schema.optional(Schema.String) }),
  /**
   * A mirror in the database of the harvests, of which only differences are written: see `Refresh`. `report`: the NDJSON
   * file of the differences, under a path that every worker sees.
   */
  Schema.TaggedStruct("Mirror", { mirror: Schema.String, report: Schema.optional(Schema.String) })
])

/** Which sink. */
export type Spec = typeof Spec.Type

/** The harvest a sink is opened for. A sink holds what is of one source: another source under the same name is refused. */
export interface Identity {
  /** The name of the harvest. */
  readonly harvest: string
  /** What tells it from another harvest of the same name, before or after it. Default: its name and source. */
  readonly id?: string | undefined
  /** A digest of its source, and of all that makes a chunk what it is. */
  readonly source: string
}

/** What a failure is, as far as a sink looks at it. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

/** The outcomes of one chunk. */
export interface Chunk {
  /** Its place in the harvest, from 0. */
  readonly index: number
  /** At most one for an identifier, and surplus records. Records are kept byte for byte. */
  readonly outcomes: ReadonlyArray<Outcome.Outcome<RawRecord.RawRecord, Failure>>
  /** Identifiers of the chunk that had come before. */
  readonly duplicates: number
}

/** Counts of a chunk or of a whole harvest: `read = found + missing + failed + invalid + duplicates`. */
export const Tally = Schema.Struct({
  /** Identifiers of the source. */
  read: Schema.Natural,
  /** Identifiers with at least one record. */
  found: Schema.Natural,
  /** Identifiers the service does not know. */
  missing: Schema.Natural,
  /** Identifiers without a usable answer. */
  failed: Schema.Natural,
  /** Texts that are no identifier. */
  invalid: Schema.Natural,
  /** Identifiers that had come before. */
  duplicates: Schema.Natural,
  /** Records found. */
  records: Schema.Natural,
  /** Records that belong to no identifier (`Outcome.Surplus`). */
  surplus: Schema.Natural,
  /** Identifiers found of which the service has more records than it sent. */
  truncated: Schema.Natural
})

/** Counts of a chunk, or of a whole harvest. */
export type Tally = typeof Tally.Type

/** A sink that is open for one harvest. Several processes may have it open at once. */
export interface Sink {
  /**
   * What is kept of a chunk: one that is kept need not be asked for again. Undefined where it was not written, or by another
   * since this one was opened: then `write` gives what is kept.
   */
  readonly written: (index: number) => Effect.Effect<Tally | undefined, SinkError>
  /** Keeps a chunk, unless it is kept already, and gives the counts of what is kept, which may be what another wrote. */
  readonly write: (chunk: Chunk) => Effect.Effect<Tally, SinkError>
  /**
   * Ends the harvest: all of its chunks, 0 to `chunks - 1`, are kept. Gives the counts of all. Can be done again. Fails, and
   * says which, where a chunk is not there.
   */
  readonly complete: (chunks: number) => Effect.Effect<Tally, SinkError>
  /**
   * What marks the folder or file that was found under the path of the sink, so that a worker notices when the same path
   * leads it elsewhere. Undefined for tables that all workers reach through the database of harvests.
   */
  readonly claim: string | undefined
  /** The chunks, of 0 to `chunks - 1`, that are not kept, or no longer. They can be written again. */
  readonly absent: (chunks: number) => Effect.Effect<ReadonlyArray<number>, SinkError>
  /** The identifiers of a chunk that failed. */
  readonly failed: (index: number) => Effect.Effect<ReadonlyArray<Identifiers.Identifier>, SinkError>
  /** Replaces failures of a chunk that is kept by other outcomes of the same identifiers. Gives the counts of the chunk. */
  readonly amend: (chunk: Chunk) => Effect.Effect<Tally, SinkError>
}

/** The counts of a chunk that is about to be written. */
export const tally = (chunk: Chunk): Tally => {
  const counts = { found: 0, missing: 0, failed: 0, invalid: 0, surplus: 0 }
  let records = 0
  let truncated = 0
  for (const outcome of chunk.outcomes) {
    counts[outcomeName(outcome)]++
    if (outcome._tag !== "Found") continue
    records += outcome.records.length
    if (outcome.truncated !== undefined) truncated++
  }
  return {
    read: chunk.outcomes.length - counts.surplus + chunk.duplicates,
    ...counts,
    duplicates: chunk.duplicates,
    records,
    truncated
  }
}

/** The counts of a chunk of which some failures, `replaced`, became the outcomes of another. */
export const amended = (before: Tally, replaced: number, chunk: Chunk): Tally => {
  const sum = add(before, tally(chunk))
  return { ...sum, read: before.read, duplicates: before.duplicates, failed: sum.failed - replaced }
}

/** The names of the counts. */
export const countNames = Object.keys(Tally.fields) as ReadonlyArray<keyof Tally>

const eachCount = (of: (name: keyof Tally) => number): Tally =>
  Object.fromEntries(countNames.map((name) => [name, of(name)])) as Tally

/** The counts of two parts together. */
export const add = (a: Tally, b: Tally): Tally => eachCount((name) => a[name] + b[name])

/** The counts of nothing. */
export const nothing: Tally = eachCount(() => 0)

const names = {
  Found: "found",
  Missing: "missing",
  Failed: "failed",
  Invalid: "invalid",
  Surplus: "surplus"
} as const

/** What an outcome is called in a sink. */
export const outcomeName = (outcome: {
  readonly _tag: keyof typeof names
}): (typeof names)[keyof typeof names] => names[outcome._tag]
