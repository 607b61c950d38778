/**
 * Writes the parts of a folder sink. Each chunk is a folder in `parts`, written under a hidden name, flushed,
 * and renamed. A rename cannot replace an existing folder, so the first writer wins.
 */
import { Ndjson, type RawRecord } from "@chemstream/ndjson"
import { type Identifiers, Problem } from "@chemstream/stream"
import { Effect, Option, type PlatformError, Schema, Stream } from "effect"
import { amendTally, type Chunk, emptyTally, Tally, tallyOf } from "../../Sink.ts"
import type { Files } from "./atomicFiles.ts"

/** The counts of a part, and the length of each of its files in bytes. */
const Counts = Schema.fromJsonString(
  Schema.Struct({ tally: Tally, files: Schema.Record(Schema.String, Schema.Natural) })
)

/** The fields of a problem line that this module reads. */
const ProblemLine = Schema.fromJsonString(
  Schema.Struct({
    id: Schema.NullOr(Schema.String),
    line: Schema.optional(Schema.Natural),
    outcome: Schema.String
  })
)
const decodeProblem = Schema.decodeUnknownOption(ProblemLine)

/** An unreadable line is kept as it is. */
const unreadableLine = { id: null, line: 0, outcome: "" }

type Failure = PlatformError.PlatformError | Schema.SchemaError

/** The parts of a folder. */
export interface Parts {
  /** Returns the folder of a chunk. */
  readonly folderOf: (index: number) => string
  readonly storedTally: (index: number) => Effect.Effect<Tally | undefined, Failure>
  /** Whether each file of the part exists with its length. */
  readonly isWhole: (index: number) => Effect.Effect<boolean, Failure>
  readonly write: (chunk: Chunk) => Effect.Effect<Tally, Failure>
  readonly failedIdentifiers: (index: number) => Effect.Effect<ReadonlyArray<Identifiers.Identifier>, Failure>
  /** Replaces a part. If the process dies meanwhile, the chunk is missing and is fetched again. */
  readonly amend: (chunk: Chunk) => Effect.Effect<Tally, Failure>
}

/** Makes the parts of a folder. */
export const make = (files: Files): Parts => {
  const { inTemporaryFolder, pathOf, fs, hasFiles, path, read } = files
  const folderOf = (index: number): string => pathOf("parts", String(index).padStart(8, "0"))
  const problemsOf = (index: number) => problemsIn(files, folderOf(index))
  const countsOf = (index: number) => read(path.join(folderOf(index), "tally.json"), Counts)

  return {
    folderOf,
    storedTally: (index) => Effect.map(countsOf(index), (counts) => counts?.tally),
    isWhole: (index) =>
      Effect.flatMap(countsOf(index), (counts) =>
        counts === undefined ? Effect.succeed(false) : hasFiles(folderOf(index), counts.files)
      ),
    write: (chunk) => {
      const { problems, records } = split(chunk)
      return placePart(files, folderOf(chunk.index), tallyOf(chunk), {
        records: Ndjson.lines(records),
        problems
      })
    },
    failedIdentifiers: (index) =>
      Effect.map(problemsOf(index), (lines) =>
        lines.flatMap(({ problem: { id, line = 0, outcome } }) =>
          outcome === "failed" && id !== null ? [{ text: id, line }] : []
        )
      ),
    amend: (chunk) =>
      Effect.gen(function* () {
        const part = folderOf(chunk.index)
        const ids = new Set(chunk.outcomes.flatMap((one) => (one._tag === "Surplus" ? [] : [one.id])))
        const before = yield* problemsOf(chunk.index)
        const kept = before.filter(
          ({ problem: { id, outcome } }) => outcome !== "failed" || id === null || !ids.has(id)
        )
        const counts = (yield* countsOf(chunk.index))?.tally ?? emptyTally
        const { problems, records } = split(chunk)
        const contents = {
          records: Buffer.concat([
            yield* fs.readFile(path.join(part, "records.ndjson")),
            Ndjson.lines(records)
          ]),
          problems: [...kept.map(({ line }) => line), ...problems]
        }
        return yield* inTemporaryFolder((own) =>
          Effect.andThen(
            fs.rename(part, path.join(own, "before")),
            placePart(files, part, amendTally(counts, before.length - kept.length, chunk), contents)
          )
        )
      })
  }
}

/** Writes a part under a hidden name, and renames it. */
const placePart = (
  { inTemporaryFolder, pathOf, flush, fs, path, write }: Files,
  folder: string,
  tally: Tally,
  contents: { readonly records: Uint8Array; readonly problems: ReadonlyArray<string> }
) =>
  inTemporaryFolder((own) =>
    Effect.gen(function* () {
      // A temporary folder is readable only by its owner, so its subfolder is renamed instead.
      const part = path.join(own, "part")
      yield* fs.makeDirectory(part)
      const lengths: Record<string, number> = {}
      const put = (name: string, bytes: Uint8Array) =>
        Effect.map(write(path.join(part, name), Stream.make(bytes)), (length) => {
          lengths[name] = length
        })
      yield* put("records.ndjson", contents.records)
      if (contents.problems.length > 0) yield* put("problems.ndjson", encodeLines(contents.problems))
      yield* put("tally.json", encodeLines([Schema.encodeSync(Counts)({ tally, files: { ...lengths } })]))
      yield* flush(part)
      yield* fs.rename(part, folder)
      yield* flush(pathOf("parts"))
      return tally
    })
  )

/** Reads the problems of a part. Without a file there are none. */
const problemsIn = ({ fs, path }: Files, folder: string) =>
  fs.readFileString(path.join(folder, "problems.ndjson")).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("")),
    Effect.map((text) =>
      text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => ({ line, problem: Option.getOrElse(decodeProblem(line), () => unreadableLine) }))
    )
  )

const encoder = new TextEncoder()

const encodeLines = (texts: ReadonlyArray<string>): Uint8Array =>
  encoder.encode(texts.map((text) => `${text}\n`).join(""))

/** Returns the records of a chunk, and one line for each other outcome. */
const split = (
  chunk: Chunk
): { readonly records: ReadonlyArray<RawRecord.RawRecord>; readonly problems: ReadonlyArray<string> } => {
  const records: Array<RawRecord.RawRecord> = []
  const problems: Array<string> = []
  for (const outcome of chunk.outcomes) {
    if (outcome._tag === "Found") for (const record of outcome.records) records.push(record)
    else problems.push(Problem.toLine(outcome))
  }
  return { records, problems }
}
