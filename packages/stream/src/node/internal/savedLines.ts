/**
 * The NDJSON file of a run that can be continued, and its file of problems, each compressed as its name says.
 *
 * Batches of a compressed file are gathered up to 1 MiB or a second and compressed as one member, because small members compress
 * badly. What is saved when, and how a run goes on, is `checkpoint.ts`.
 */
import { basename } from "node:path"
import { type InvalidOption, MonotonicClock } from "@chemstream/batch"
import { Format, Ndjson, type RawRecord } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { Effect, type FileSystem, type Path, type PlatformError, type Scope, Stream } from "effect"
import type { SettledBatch } from "../../runs/BatchCalls.ts"
import type * as Lock from "../Lock.ts"
import * as Checkpoint from "./checkpoint.ts"

/** The bytes that are compressed together, unless a second is over before. */
const memberBytes = 1024 * 1024

const nothing = new Uint8Array()

/** The files of a run. */
export interface LinesOptions extends Pick<Checkpoint.Options<never>, "every" | "identity" | "resume"> {
  /** The file of the records, one a line; with `.gz` or `.zst` at the end it is compressed. */
  readonly output: string
  /** The file of the outcomes other than `Found`, one a line. Default: none. */
  readonly errors?: string | undefined
  /** The checkpoint's own file. Default: `OUTPUT.checkpoint`. */
  readonly checkpoint?: string | undefined
}

/** The results of a batch, as they are written. */
export interface Part {
  readonly batch: SettledBatch<unknown, unknown>
  readonly records: ReadonlyArray<RawRecord.RawRecord>
  /** Lines of the file of problems. */
  readonly problems: Uint8Array
}

/** The file of a run that can be continued. */
export interface Lines
  extends Pick<
    Checkpoint.Checkpoint<never>,
    "complete" | "earlier" | "isComplete" | "ledger" | "save" | "resumePoint"
  > {
  /** Writes parts, in the order of the run, to their end. What has come before a failure is written. */
  readonly write: <E, R>(
    parts: Stream.Stream<Part, E, R>
  ) => Effect.Effect<void, E | PlatformError.PlatformError, R>
}

/** Opens the file of a run, or that of an earlier one, which it continues. Fails as `file` does. */
export const lines = ({
  checkpoint,
  errors,
  identity,
  output,
  ...options
}: LinesOptions): Effect.Effect<
  Lines,
  Checkpoint.CheckpointRefused | InvalidOption.InvalidOption | Lock.LockFailure | PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.map(
    Checkpoint.file<"records" | "problems">({
      ...options,
      file: checkpoint ?? `${output}.checkpoint`,
      outputs: (errors === undefined ? { records: output } : { records: output, problems: errors }) as {
        readonly records: string
        readonly problems: string
      },
      // By its name alone: the folder of a run may be moved.
      identity: { ...identity, errors: errors === undefined ? null : basename(errors) }
    }),
    (run) => {
      const { isPacked, record, recordNothing } = recording(run, output, errors)
      return {
        ...run,
        write: (parts) =>
          Effect.suspend(() => {
            const { add, flush } = gather(isPacked ? memberBytes : 0, record)
            return Effect.onExit(Stream.runForEach(parts, add), () => flush)
          }),
        complete: Effect.andThen(run.isComplete ? Effect.void : recordNothing, run.complete)
      }
    }
  )

/** Records batches, compressed as the names of the outputs say. */
const recording = (
  run: Checkpoint.Checkpoint<"records" | "problems">,
  output: string,
  errors: string | undefined
) => {
  const packed = {
    records: Format.ofPath(output).compression,
    problems: errors === undefined ? undefined : Format.ofPath(errors).compression
  }
  const write = (batch: Part["batch"], records: Uint8Array, problems: Uint8Array) =>
    run.record(batch, errors === undefined ? { records } : { records, problems })
  return {
    isPacked: packed.records !== undefined || packed.problems !== undefined,
    record: Effect.fnUntraced(function* ({ batch, problems, records }: Gathered) {
      yield* write(batch, yield* pack(packed.records, records), yield* pack(packed.problems, problems))
    }),
    /** Nothing at all is no compressed file: one of nothing has a member, too. */
    recordNothing: Effect.gen(function* () {
      const { failed, invalid, missing, records: lines, surplus } = run.ledger
      const hasProblems = failed + invalid + missing + surplus > 0
      const records = lines > 0 ? nothing : yield* Compression.member(packed.records, nothing)
      const problems = hasProblems ? nothing : yield* Compression.member(packed.problems, nothing)
      if (records.length + problems.length > 0) {
        yield* write({ outcomes: [], spans: [], digest: "" }, records, problems)
      }
    })
  }
}

/** The results of several batches. */
interface Gathered {
  readonly batch: Part["batch"]
  readonly records: Uint8Array
  readonly problems: Uint8Array
}

type Written = Effect.Effect<void, PlatformError.PlatformError>

/** Records batches together until they have so many bytes, or a second is over. */
const gather = (most: number, record: (parts: Gathered) => Written) => {
  let waiting: Array<{ readonly part: Part; readonly lines: Uint8Array }> = []
  let size = 0
  let since = 0
  const flush: Written = Effect.suspend(() => {
    const parts = waiting
    if (parts.length === 0) return Effect.void
    waiting = []
    size = 0
    const batches = parts.map(({ part }) => part.batch)
    const end = ({ spans }: Part["batch"]) => spans.at(-1)?.to ?? 0
    return record({
      batch: {
        outcomes: batches.flatMap(({ outcomes }) => outcomes),
        spans: batches.flatMap(({ spans }) => spans),
        suspicious: batches.reduce((sum, { suspicious = 0 }) => sum + suspicious, 0),
        // That of the input up to the last position of all of them.
        digest: batches.reduce((last, batch) => (end(batch) > end(last) ? batch : last)).digest
      },
      records: joined(parts.map(({ lines }) => lines)),
      problems: joined(parts.map(({ part }) => part.problems))
    })
  })
  const add = (part: Part): Written =>
    Effect.flatMap(MonotonicClock.currentMillis, (now) => {
      if (waiting.length === 0) since = now
      const lines = Ndjson.lines(part.records)
      waiting.push({ part, lines })
      size += lines.length + part.problems.length
      return size >= most || now - since >= Checkpoint.defaultEvery ? flush : Effect.void
    })
  return { add, flush }
}

const joined = (arrays: ReadonlyArray<Uint8Array>): Uint8Array =>
  arrays.length === 1 ? (arrays[0] as Uint8Array) : Buffer.concat(arrays)

/** The lines as they are written: compressed on their own, so that a run can go on after them. */
const pack = (compression: Format.Compression | undefined, bytes: Uint8Array): Effect.Effect<Uint8Array> =>
  bytes.length === 0 ? Effect.succeed(bytes) : Compression.member(compression, bytes)
