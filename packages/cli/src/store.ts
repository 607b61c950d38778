/**
 * Where a run leaves its lines: in outputs that are there when it is complete, or in ones that a checkpoint saves, which
 * a later run continues.
 */
import { extname } from "node:path"
import { Format, Ndjson, type RawRecord, type Table } from "@chemstream/ndjson"
import { FileFormat, type MissingPackage } from "@chemstream/ndjson/node"
import { type BatchCalls, Checkpoint, Ledger } from "@chemstream/stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, type PlatformError, type Scope, Stream } from "effect"
import { type CommandFailure, failed, reasonOf, usage } from "./CommandFailure.ts"
import * as Compression from "./compression.ts"
import * as Lock from "./lock.ts"
import * as Output from "./output.ts"

/** The files of a run, by the options that name them. */
export interface Files {
  /** The records; standard output when undefined. */
  readonly output: string | undefined
  /** What has no record. */
  readonly errors: string | undefined
  /** The counts. */
  readonly jsonSummary: string | undefined
  /** How far the run is. */
  readonly checkpoint: string | undefined
  /** How the records are written down; as the name of their file says when undefined, else as NDJSON. */
  readonly format: Format.Kind | undefined
  /** The fields that the records have been cut down to, in their order; all when undefined. */
  readonly fields: ReadonlyArray<string> | undefined
  /** The columns of a table, of the types that the contract has them in: those of `fields`, or all. */
  readonly columns: ReadonlyArray<Table.ExpectedColumn>
}

/** What came of a batch, as it is written. */
export interface Part {
  readonly batch: BatchCalls.SettledBatch<unknown, unknown>
  readonly records: ReadonlyArray<RawRecord.RawRecord>
  /** The lines of what has no record. */
  readonly problems: Uint8Array
}

export interface Store {
  readonly ledger: Ledger.Ledger
  /** The milliseconds that earlier runs took, which this one continues. */
  readonly earlier: number
  /** What an earlier run has settled. */
  readonly settlement: BatchCalls.Settlement | undefined
  /** Whether an earlier run had come to its end: only `complete` remains. */
  readonly isComplete: boolean
  /** The file that the run is saved in, if it is. */
  readonly checkpoint: string | undefined
  /** Writes a run to its end, part after part. */
  readonly write: <E, R>(
    parts: Stream.Stream<Part, E, R>
  ) => Effect.Effect<void, E | CommandFailure | Output.ReaderGone, R>
  /** Saves the run, now. */
  readonly save: Effect.Effect<void, CommandFailure>
  /** Makes the outputs appear under their names. */
  readonly complete: Effect.Effect<void, CommandFailure>
  /** Writes the counts to their file. */
  readonly writeSummary: (bytes: Uint8Array) => Effect.Effect<void, CommandFailure>
}

/** What makes two runs the same. */
export type Identity = Checkpoint.Options<string>["identity"]

/** Opens the files of a run. */
export const open = (files: Files, identity: Identity): Effect.Effect<Store, CommandFailure, Scope.Scope> =>
  Effect.suspend(() => {
    const kind = files.format ?? Format.ofPath(files.output ?? "").kind ?? "ndjson"
    const ending = files.format === undefined ? unknownEnding(files.output ?? "") : undefined
    if (ending !== undefined) {
      return Effect.fail(
        usage(
          `cannot tell from ${ending} how to write ${files.output}: known are ${endings.join(", ")}, each also with .gz or .zst after it; or say --format`
        )
      )
    }
    return files.checkpoint === undefined
      ? direct(files, kind)
      : saved(files, kind, files.checkpoint, identity)
  })

/** The endings of names that say how records are written. */
const endings = [".ndjson", ".jsonl", ".json", ".csv", ".tsv", ".tab", ".parquet", ".arrow"]

/** The ending of a name that has one, but none that is known; NDJSON needs none. */
const unknownEnding = (name: string): string | undefined => {
  const { compression, kind } = Format.ofPath(name)
  const ending = extname(compression === undefined ? name : name.slice(0, -extname(name).length))
  return kind === undefined && ending !== "" ? ending : undefined
}

/** The formats that are no text. */
const binary: ReadonlySet<Format.Kind> = new Set(["parquet", "arrow"])

const direct = (files: Files, kind: Format.Kind): Effect.Effect<Store, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (files.output === undefined && binary.has(kind) && process.stdout.isTTY) {
      return yield* usage(`${kind} is nothing for a terminal: give --output FILE`)
    }
    const { commit, outputs } = yield* Output.openFiles({
      output: files.output,
      errors: files.errors,
      "json-summary": files.jsonSummary
    })
    const records = outputs.output ?? Output.standard()
    return {
      ledger: Ledger.make(),
      earlier: 0,
      settlement: undefined,
      isComplete: false,
      checkpoint: undefined,
      write: (parts) =>
        parts.pipe(
          Stream.tap((part) => writeTo(outputs.errors, part.problems)),
          Stream.map((part) => part.records),
          kind === "ndjson" ? Stream.map(Ndjson.lines) : encode(kind, files),
          Stream.runForEach((bytes) => writeTo(records, bytes))
        ),
      save: Effect.void,
      complete: commit("output", "errors"),
      writeSummary: summaryTo(outputs["json-summary"], commit("json-summary"))
    }
  })

/** The records as the bytes of a file, not compressed. */
const encode =
  (kind: Format.Kind, { columns: expected, fields }: Pick<Files, "columns" | "fields">) =>
  <E, R>(
    parts: Stream.Stream<ReadonlyArray<RawRecord.RawRecord>, E, R>
  ): Stream.Stream<Uint8Array, E | CommandFailure, R> => {
    // Rows of text need nothing but the names; the types, where they matter, are tried on the first records.
    const columns = binary.has(kind) ? undefined : fields?.map((name) => ({ name, type: "text" as const }))
    const known: Stream.Stream<RawRecord.RawRecord, { readonly _tag: "Before"; readonly error: E }, R> =
      Stream.mapError(Stream.flattenIterable(parts), (error) => ({ _tag: "Before", error }))
    return known.pipe(
      FileFormat.encodeRaw({ kind, compression: undefined }, { columns, expected }),
      Stream.mapError((error) => (error._tag === "Before" ? error.error : unencodable(kind, error)))
    )
  }

const unencodable = (
  kind: Format.Kind,
  error: Table.TableError | MissingPackage.MissingPackage
): CommandFailure => {
  if (error._tag === "MissingPackage") return usage(error.message)
  const record = `record ${error.index + 1}`
  switch (error.reason) {
    case "no-columns":
      return failed(`cannot write ${kind}: no record has a field, and without fields there are no columns`)
    case "unknown-field":
      return failed(
        `cannot write ${record} as ${kind}: it has a field ${JSON.stringify(error.field)} that those before it did not have, so there is no column for it; name the columns with --any-fields --fields A,B,C`
      )
    case "misfit":
      return failed(
        `cannot write ${record} as ${kind}: its field ${JSON.stringify(error.field)} is of another kind than in those before it; leave it out with --fields A,B,C, or write NDJSON`
      )
    default:
      return failed(`cannot write ${record} as ${kind}: ${error.message}`)
  }
}

const saved = (
  files: Files,
  kind: Format.Kind,
  checkpoint: string,
  identity: Identity
): Effect.Effect<Store, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (files.output === undefined) {
      return yield* usage(
        "--checkpoint needs --output FILE: what went to standard output cannot be continued"
      )
    }
    if (kind !== "ndjson") {
      return yield* usage(
        `--checkpoint needs NDJSON: a file of ${kind} cannot be continued; name the output .ndjson, and convert it when it is complete`
      )
    }
    const { errors, output = files.output } = yield* Output.targets(
      { output: files.output, errors: files.errors, checkpoint, "json-summary": files.jsonSummary },
      "json-summary"
    )
    yield* Lock.hold(checkpoint)
    const run = yield* Checkpoint.file<string>({
      file: checkpoint,
      outputs: { records: output, ...(errors === undefined ? {} : { problems: errors }) },
      identity: { ...identity, errors: errors !== undefined }
    }).pipe(
      Effect.catchTags({
        CheckpointRefused: (error) => Effect.fail(usage(error.message)),
        PlatformError: unsaved(checkpoint)
      })
    )
    const packed = {
      records: Format.ofPath(output).compression,
      problems: Format.ofPath(errors ?? "").compression
    }
    const writePart = ({ batch, ...part }: Part): Effect.Effect<void, CommandFailure> =>
      Effect.gen(function* () {
        const records = yield* pack(packed.records, Ndjson.lines(part.records))
        const problems = errors === undefined ? nothing : yield* pack(packed.problems, part.problems)
        yield* Effect.catchTag(run.record(batch, { records, problems }), "PlatformError", unsaved(output))
      })
    // Nothing at all is no compressed file: one of nothing has a member, too.
    const writeEmpty = Effect.gen(function* () {
      const { failed, invalid, missing, records } = run.ledger
      const empty = {
        records: records === 0 ? yield* Compression.member(packed.records, nothing) : nothing,
        problems:
          failed + invalid + missing === 0 ? yield* Compression.member(packed.problems, nothing) : nothing
      }
      if (empty.records.length + empty.problems.length === 0) return
      const batch = { outcomes: [], spans: [], digest: "" }
      yield* Effect.catchTag(run.record(batch, empty), "PlatformError", unsaved(output))
    })
    return {
      ledger: run.ledger,
      earlier: run.earlier,
      settlement: run.settlement,
      isComplete: run.isComplete,
      checkpoint,
      write: Stream.runForEach(writePart),
      save: Effect.catchTag(run.save, "PlatformError", unsaved(checkpoint)),
      complete: Effect.andThen(
        run.isComplete ? Effect.void : writeEmpty,
        Effect.catchTag(run.complete, "PlatformError", unsaved(output))
      ),
      // Opened no sooner: a run that is killed leaves what it continues with, and nothing else.
      writeSummary: (bytes: Uint8Array) =>
        Effect.scoped(
          Effect.flatMap(Output.openFiles({ "json-summary": files.jsonSummary }), ({ commit, outputs }) =>
            summaryTo(outputs["json-summary"], commit("json-summary"))(bytes)
          )
        )
    }
  }).pipe(Effect.provide(NodeServices.layer))

const nothing = new Uint8Array()

/** The lines of a batch as they are written: each batch compressed on its own, so that a run can go on after it. */
const pack = (compression: Format.Compression | undefined, bytes: Uint8Array): Effect.Effect<Uint8Array> =>
  bytes.length === 0 ? Effect.succeed(bytes) : Compression.member(compression, bytes)

const unsaved =
  (file: string) =>
  (error: PlatformError.PlatformError): Effect.Effect<never, CommandFailure> =>
    Effect.fail(failed(`cannot write ${file}: ${reasonOf(error.reason.cause ?? error)}`))

const summaryTo =
  (output: Output.Output | undefined, commit: Effect.Effect<void, CommandFailure>): Store["writeSummary"] =>
  (bytes) =>
    // A reader that has gone wants no counts either.
    Effect.andThen(
      Effect.catchTag(writeTo(output, bytes), "ReaderGone", () => Effect.void),
      commit
    )

const writeTo = (
  output: Output.Output | undefined,
  bytes: Uint8Array
): Effect.Effect<void, CommandFailure | Output.ReaderGone> =>
  output === undefined || bytes.length === 0 ? Effect.void : output.write(bytes)
