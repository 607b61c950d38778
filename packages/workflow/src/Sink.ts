/**
 * Defines a sink: the port that stores the outcomes of a harvest, chunk by chunk.
 *
 * `Sinks` opens the adapters: a folder, tables or a mirror. `Harvest` divides identifiers into chunks, and workers
 * write them.
 *
 * A chunk is written whole or not at all, and the first writer wins. A second write changes nothing and returns the
 * stored counts. So every identifier has exactly one outcome, even if a worker dies, or returns after another worker
 * got its shards.
 */
import { Options } from "@chemstream/client"
import type { RawRecord, Table } from "@chemstream/ndjson"
import { type Identifiers, Outcome, type Problem } from "@chemstream/stream"
import { Data, type Effect, Result, Schema } from "effect"

/**
 * A sink could not be opened, read or written. `retryable` says whether a retry can help, e.g. after a restart of a
 * database.
 */
export class SinkError extends Data.TaggedError("SinkError")<{
  /** The folder, file or table. */
  readonly sink: string
  readonly operation: "open" | "read" | "write" | "complete"
  readonly retryable: boolean
  readonly message: string
  readonly cause?: unknown
}> {}

const Columns = Schema.optional(
  Schema.Array(
    Schema.Struct({
      name: Schema.String,
      type: Schema.Literals(["text", "integer", "number", "boolean", "json"])
    })
  )
)

/**
 * The specification of a sink, stored with a harvest and read by workers on other machines. It contains no secret.
 */
export const Spec = Schema.Union([
  /**
   * A folder that every worker can open under this path. Each chunk is a part, e.g. `parts/00000000/records.ndjson`.
   * At the end, the records of all parts are joined into `file`, in the format of its name (`records.ndjson`,
   * `records.ndjson.zst`, `records.parquet` …), and the other outcomes into `problems.ndjson`. Without `file`, the
   * parts stay. `columns` are the columns of a table, with their types. Default: the columns of the requested records.
   */
  Schema.TaggedStruct("Folder", {
    folder: Schema.String,
    file: Schema.optional(Schema.String),
    columns: Columns
  }),
  /**
   * Tables in a SQLite file of this machine or in a Postgres. `target` is `FILE.sqlite#table` or
   * `postgres://…#schema.table` (`TableTarget`), and is stored without its password. `columns` are the columns of the
   * records. Default: the columns of the requested records. Other fields go to the column `other_fields`.
   *
   * With `database: "own"`, `target` is `#table` or `#schema.table` in the Postgres of harvests, under whatever address
   * it is opened. A target in that Postgres is stored in this form, so that it stays valid in a restored database.
   */
  Schema.TaggedStruct("Table", {
    database: Schema.optional(Schema.Literal("own")),
    target: Schema.String,
    columns: Columns
  }),
  /**
   * A mirror in the database of harvests (`Refresh`). `report` is the NDJSON file of the differences, under a path
   * that every worker can write.
   */
  Schema.TaggedStruct("Mirror", { mirror: Schema.String, report: Schema.optional(Schema.String) })
])

/** The specification of a sink. */
export type Spec = typeof Spec.Type

const decodeSpec = Schema.decodeUnknownResult(Spec, { onExcessProperty: "error" })

const specText = 'a sink, e.g. { _tag: "Folder", folder: "out" }'

/** The kind of a specification, for declarations of options (`Options`). */
export const kind: Options.Kind<Spec> = Options.kind(specText, (value) =>
  Result.match(decodeSpec(value), {
    onSuccess: () => true,
    onFailure: ({ message }) => `${specText}: ${message.replace(/\s+/g, " ")}`
  })
)

/**
 * Identifies the harvest that a sink stores. A sink refuses another harvest, and the same harvest with another
 * source.
 */
export interface Identity {
  /** The columns of its records, for the view of a mirror. Default: none. */
  readonly columns?: ReadonlyArray<Table.Column> | undefined
  /** The name of the harvest. */
  readonly harvest: string
  /** A key that no other harvest has, even one with the same name. Default: name and source. */
  readonly id?: string | undefined
  /** A digest of its source, and of everything that determines its chunks. */
  readonly source: string
}

/** The part of a failure that a sink stores. */
export type Failure = Problem.Failure

/** The outcomes of one chunk. */
export interface Chunk {
  /** Its index in the harvest, from 0. */
  readonly index: number
  /** At most one outcome per identifier, and surplus records. Records are stored byte for byte. */
  readonly outcomes: ReadonlyArray<Outcome.Outcome<RawRecord.RawRecord, Failure>>
  /** Identifiers of the chunk that are duplicates. */
  readonly duplicates: number
}

/** The counts of a chunk or of a harvest: `read = found + missing + failed + invalid + duplicates`. */
export const Tally = Schema.Struct({
  /** Identifiers of the source. */
  read: Schema.Natural,
  /** Identifiers with at least one record. */
  found: Schema.Natural,
  /** Identifiers that the service does not know. */
  missing: Schema.Natural,
  /** Identifiers without a usable response. */
  failed: Schema.Natural,
  /** Texts that are not identifiers. */
  invalid: Schema.Natural,
  /** Identifiers that the source had before, which are not requested again. */
  duplicates: Schema.Natural,
  /** Records found. */
  records: Schema.Natural,
  /** Records that belong to no identifier (`Outcome.Surplus`). */
  surplus: Schema.Natural,
  /** Found identifiers for which the service has more records than it sent. */
  truncated: Schema.Natural
})

/** The counts of a chunk or of a harvest. */
export type Tally = typeof Tally.Type

/** A sink that is open for one harvest. Several processes can have it open at once. */
export interface Sink {
  /**
   * Returns the counts of a chunk, or undefined if it is not stored. Another worker may store it later; `write` then
   * returns its counts.
   */
  readonly storedTally: (index: number) => Effect.Effect<Tally | undefined, SinkError>
  /**
   * Stores a chunk, and returns its counts. If another worker has stored it, nothing changes, and the counts are
   * those of the stored chunk.
   */
  readonly write: (chunk: Chunk) => Effect.Effect<Tally, SinkError>
  /**
   * Completes the harvest after its chunks, 0 to `chunks - 1`, are stored. Returns the sum of their counts. Fails if
   * chunks are missing, and names them. Can be repeated.
   */
  readonly complete: (chunks: number) => Effect.Effect<Tally, SinkError>
  /**
   * A random mark of the folder or table. Workers compare it, to detect a path that leads to different places.
   * Undefined for a mirror, which is in the database of harvests.
   */
  readonly claim: string | undefined
  /**
   * Returns the chunks from 0 to `chunks - 1` that are not stored. They can be written again. `onProgress` receives the
   * number of verified chunks from time to time.
   */
  readonly missingChunks: (
    chunks: number,
    onProgress?: (verified: number) => Effect.Effect<void>
  ) => Effect.Effect<ReadonlyArray<number>, SinkError>
  /** Returns the failed identifiers of a chunk. */
  readonly failedIdentifiers: (
    index: number
  ) => Effect.Effect<ReadonlyArray<Identifiers.Identifier>, SinkError>
  /**
   * Replaces failures of a stored chunk with new outcomes of the same identifiers. Returns the counts of the
   * chunk.
   */
  readonly amend: (chunk: Chunk) => Effect.Effect<Tally, SinkError>
}

const chunkKind = /* @__PURE__ */ Options.objectWith("a chunk of outcomes", {
  outcomes: /* @__PURE__ */ Options.list(Outcome.kind),
  duplicates: Options.amount
})

/** Returns the counts of a new chunk. */
export const tallyOf = (chunk: Chunk): Tally => {
  const counts = { found: 0, missing: 0, failed: 0, invalid: 0, surplus: 0 }
  let records = 0
  let truncated = 0
  for (const outcome of Options.argument("chunk", chunkKind, chunk).outcomes) {
    counts[outcome._tag.toLowerCase() as keyof typeof counts]++
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

/** Returns the counts of a stored chunk after the outcomes of `chunk` have replaced `replaced` of its failures. */
export const amendTally = (before: Tally, replaced: number, chunk: Chunk): Tally => {
  const sum = addTallies(before, tallyOf(chunk))
  return {
    ...sum,
    read: before.read,
    duplicates: before.duplicates,
    failed: sum.failed - Options.argument("replaced", Options.amount, replaced)
  }
}

/** The counts of a tally in the order of a report. */
export const countNames = Object.keys(Tally.fields) as ReadonlyArray<keyof Tally>

const eachCount = (of: (name: keyof Tally) => number): Tally =>
  Object.fromEntries(countNames.map((name) => [name, of(name)])) as Tally

/** Adds counts. */
export const addTallies = (a: Tally, b: Tally): Tally => {
  for (const tally of [a, b]) Options.argument("tally", tallyKind, tally)
  return eachCount((name) => a[name] + b[name])
}

const tallyKind = /* @__PURE__ */ Options.kind("a tally", Schema.is(Tally))

/** The counts of an empty chunk. */
export const emptyTally: Tally = eachCount(() => 0)
