/**
 * Writes the NDJSON file and the errors file of a run that can be resumed, each compressed as its name says.
 *
 * A compressed file is a sequence of members, each a complete gzip member or zstd frame. Small ones are inefficient, so batches of a
 * compressed file are collected up to 1 MiB or for a second. `openCheckpoint.ts` saves and resumes the run.
 */
import { basename } from "node:path"
import { type InvalidOption, MonotonicClock, Options } from "@chemstream/batch"
import { Format, Ndjson, type RawRecord } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { Effect, type FileSystem, type Path, type PlatformError, type Scope, Stream } from "effect"
import type { SettledBatch } from "../../runs/BatchCalls.ts"
import type * as Lock from "../Lock.ts"
import type { CheckpointRefused, Identity } from "./checkpointFile.ts"
import { type Checkpoint, defaultEvery, type SaveOptions as Interval, settingsSet } from "./checkpointRun.ts"
import { file } from "./openCheckpoint.ts"
import * as Files from "./runFileChecks.ts"

/** The size of a member before compression, in bytes, unless a second passes first. */
const memberBytes = 1024 * 1024

const nothing = new Uint8Array()

/** How a run is saved. */
export interface SaveOptions extends Interval {
  /** The file of the outcomes other than `Found`, one a line. Default: none. */
  readonly errors?: string | undefined
  /** The checkpoint's own file. Default: `OUTPUT.checkpoint`. */
  readonly checkpoint?: string | undefined
}

/** The files of a run. */
export interface FileOptions extends SaveOptions {
  /** The name of the output while it grows. Default: `OUTPUT.part`. */
  readonly part?: string | undefined
  /** Returns a text of yours that each save stores, e.g. about records that are already written. Default: none. */
  readonly note?: (() => string) | undefined
}

/** The files of a run, with its output and identity. */
export interface LinesOptions extends FileOptions {
  /** The file of the records, one a line. It is compressed if the name ends with `.gz` or `.zst`. */
  readonly output: string
  readonly identity: Identity
}

const { every, note, resume, ...fields } = settingsSet.fields

/** The declaration of the options. */
export const linesSet = Options.set<LinesOptions>()({
  every,
  note,
  resume,
  identity: fields.identity,
  output: Options.required(Options.text),
  part: Options.text,
  errors: Options.text,
  checkpoint: Options.text
})

/** The lines of a batch to write. */
export interface BatchLines {
  readonly batch: SettledBatch<unknown, unknown>
  readonly records: ReadonlyArray<RawRecord.RawRecord>
  /** Lines of the errors file. */
  readonly problems: Uint8Array
}

/** The files of a run that can be resumed. */
export interface Lines
  extends Pick<
    Checkpoint<never>,
    | "complete"
    | "earlierMillis"
    | "finish"
    | "isComplete"
    | "isSaved"
    | "ledger"
    | "note"
    | "save"
    | "resumePoint"
  > {
  /**
   * Writes the batches of the run in order. If the stream fails, the batches before the failure are written.
   */
  readonly write: <E, R>(
    batches: Stream.Stream<BatchLines, E, R>
  ) => Effect.Effect<void, E | PlatformError.PlatformError, R>
}

type OpenLines = Effect.Effect<
  Lines,
  CheckpointRefused | InvalidOption.InvalidOption | Lock.LockFailure | PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
>

/** Opens the files of a new run, or of an earlier run to resume. Fails as `file` does. */
export const lines = (options: LinesOptions): OpenLines =>
  Effect.andThen(Options.check(linesSet, options), () => {
    const { errors, output } = options
    const { checkpoint = `${output}.checkpoint`, part = `${output}.part` } = options
    // The temporary names belong to their options. An output may be at its temporary name already.
    const parts = { ...(part === output ? {} : { part }), "part of errors": errors && `${errors}.part` }
    return Effect.andThen(Files.check({ output, errors, checkpoint, ...parts }), open(options))
  })

const open = ({ checkpoint, errors, identity, output, part, ...options }: LinesOptions): OpenLines =>
  Effect.map(
    file<"records" | "problems">({
      ...options,
      file: checkpoint ?? `${output}.checkpoint`,
      outputs: (errors === undefined ? { records: output } : { records: output, problems: errors }) as {
        readonly records: string
        readonly problems: string
      },
      parts: part === undefined ? undefined : { records: part },
      // Only the name, so that the folder of a run can be moved.
      identity: { ...identity, errors: errors === undefined ? null : basename(errors) }
    }),
    (run) => {
      const { isCompressed, record, recordNothing } = recording(run, output, errors)
      let isEnded = run.isComplete
      const last = Effect.suspend(() => {
        if (isEnded) return Effect.void
        isEnded = true
        return recordNothing
      })
      return {
        ...run,
        write: (batches) =>
          Effect.suspend(() => {
            const { add, flush } = collect(isCompressed ? memberBytes : 0, record)
            return Effect.onExit(Stream.runForEach(batches, add), () => flush)
          }),
        finish: Effect.andThen(last, run.finish),
        complete: Effect.andThen(last, run.complete)
      }
    }
  )

/** Records batches, compressed as the names of the outputs say. */
const recording = (run: Checkpoint<"records" | "problems">, output: string, errors: string | undefined) => {
  const compressions = {
    records: Format.ofPath(output).compression,
    problems: errors === undefined ? undefined : Format.ofPath(errors).compression
  }
  const write = (batch: BatchLines["batch"], records: Uint8Array, problems: Uint8Array) =>
    run.record(batch, errors === undefined ? { records } : { records, problems })
  return {
    isCompressed: compressions.records !== undefined || compressions.problems !== undefined,
    record: Effect.fnUntraced(function* ({ batch, problems, records }: BatchGroup) {
      yield* write(
        batch,
        yield* compress(compressions.records, records),
        yield* compress(compressions.problems, problems)
      )
    }),
    /** Writes an empty member to an empty file, because an empty file is not a valid compressed file. */
    recordNothing: Effect.gen(function* () {
      const { failed, invalid, missing, records: found, surplus } = run.ledger
      const hasProblems = failed + invalid + missing + surplus > 0
      const records = found > 0 ? nothing : yield* Compression.member(compressions.records, nothing)
      const problems = hasProblems ? nothing : yield* Compression.member(compressions.problems, nothing)
      if (records.length + problems.length > 0) {
        yield* write({ outcomes: [], spans: [], digest: "" }, records, problems)
      }
    })
  }
}

/** The lines of several batches. */
interface BatchGroup {
  readonly batch: BatchLines["batch"]
  readonly records: Uint8Array
  readonly problems: Uint8Array
}

type Written = Effect.Effect<void, PlatformError.PlatformError>

/** Collects batches until they have `most` bytes or a second has passed, and records them together. */
const collect = (most: number, record: (group: BatchGroup) => Written) => {
  let waiting: Array<{ readonly batchLines: BatchLines; readonly records: Uint8Array }> = []
  let size = 0
  let since = 0
  const flush: Written = Effect.suspend(() => {
    const collected = waiting
    if (collected.length === 0) return Effect.void
    waiting = []
    size = 0
    const batches = collected.map(({ batchLines }) => batchLines.batch)
    const end = ({ spans }: BatchLines["batch"]) => spans.at(-1)?.to ?? 0
    return record({
      batch: {
        outcomes: batches.flatMap(({ outcomes }) => outcomes),
        spans: batches.flatMap(({ spans }) => spans),
        suspicious: batches.reduce((sum, { suspicious = 0 }) => sum + suspicious, 0),
        // The digest up to the last position of all batches.
        digest: batches.reduce((last, batch) => (end(batch) > end(last) ? batch : last)).digest
      },
      records: concat(collected.map(({ records }) => records)),
      problems: concat(collected.map(({ batchLines }) => batchLines.problems))
    })
  })
  const add = (batchLines: BatchLines): Written =>
    Effect.flatMap(MonotonicClock.currentMillis, (now) => {
      if (waiting.length === 0) since = now
      const records = Ndjson.lines(batchLines.records)
      waiting.push({ batchLines, records })
      size += records.length + batchLines.problems.length
      return size >= most || now - since >= defaultEvery ? flush : Effect.void
    })
  return { add, flush }
}

const concat = (arrays: ReadonlyArray<Uint8Array>): Uint8Array =>
  arrays.length === 1 ? (arrays[0] as Uint8Array) : Buffer.concat(arrays)

/** Compresses lines as a separate member, so that a resumed run can append further members. */
const compress = (
  compression: Format.Compression | undefined,
  bytes: Uint8Array
): Effect.Effect<Uint8Array> =>
  bytes.length === 0 ? Effect.succeed(bytes) : Compression.member(compression, bytes)
