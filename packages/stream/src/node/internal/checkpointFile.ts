/**
 * Reads and writes the file of a checkpoint, and decides when it is refused.
 */
import { WholeFile } from "@chemstream/ndjson/node"
import { Data, Effect, type FileSystem, type PlatformError, Schema } from "effect"

const formatVersion = 1

/** A difference between the options of a run and those of its checkpoint. */
export interface Difference {
  readonly name: string
  readonly now: Identity[string] | undefined
  readonly before: Identity[string] | undefined
}

/** Why a checkpoint is refused. */
export type Refusal =
  /** The run has other options than the checkpoint. */
  | { readonly _tag: "OtherOptions"; readonly differences: ReadonlyArray<Difference> }
  /**
   * The file is not a checkpoint, or has the temporary name of an output although no run left it. It is never
   * replaced.
   */
  | { readonly _tag: "Foreign"; readonly file: string }
  /** The checkpoint is damaged, or has another format. */
  | { readonly _tag: "Unreadable"; readonly file: string }
  /** An output is shorter than the checkpoint says. `size` is undefined if the file is missing. */
  | {
      readonly _tag: "ShortOutput"
      readonly file: string
      readonly size: number | undefined
      readonly length: number
    }

/** This run cannot resume the checkpoint. Nothing was changed. */
export class CheckpointRefused extends Data.TaggedError("CheckpointRefused")<{
  readonly file: string
  readonly refusal: Refusal
  readonly message: string
}> {}

const Counts = Schema.Record(Schema.String, Schema.Finite)

const State = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(formatVersion),
    identity: Schema.Record(
      Schema.String,
      Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
    ),
    /** Whether all is written, and the outputs only need their names. */
    complete: Schema.Boolean,
    /** The settled items of the input, and their digest (`ResumePoint`). */
    spans: Schema.Array(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
    digest: Schema.String,
    /** The length of each output, in bytes. */
    lengths: Schema.Record(Schema.String, Schema.Int),
    /** The counts of the ledger, by name. */
    counts: Counts,
    /** The duration of all runs so far, in milliseconds. */
    elapsed: Schema.optionalKey(Schema.Finite),
    /** The text of the caller. */
    note: Schema.optionalKey(Schema.String)
  })
)

export type State = typeof State.Type

/** The identity of a run: the options that change its output. */
export type Identity = Readonly<Record<string, string | number | boolean | null>>

/** The checkpoint that a run expects. `file` is its name in messages. */
export interface Expected<Output extends string> {
  readonly file: string
  readonly outputs: { readonly [Name in Output]: string }
  /** The names of outputs while they are written. Default: their names with `.part`. */
  readonly parts?: { readonly [Name in Output]?: string } | undefined
  readonly identity: Identity
}

/** Decodes the state of a checkpoint. */
export const decode = (text: string, options: Expected<string>): Effect.Effect<State, CheckpointRefused> =>
  Effect.gen(function* () {
    const state = yield* Effect.mapError(Schema.decodeUnknownEffect(State)(text), () =>
      refused(options.file, { _tag: "Unreadable", file: options.file })
    )
    const changed = differencesOf(options.identity, state.identity)
    const outputs = Object.keys(options.outputs).filter((name) => state.lengths[name] === undefined)
    const differences =
      changed.length > 0
        ? changed
        : outputs.map((name) => ({ name: `the output ${name}`, now: true, before: undefined }))
    return differences.length === 0
      ? state
      : yield* refused(options.file, { _tag: "OtherOptions", differences })
  })

/** Encodes a state. */
export const encode = (state: Omit<State, "version">): Effect.Effect<string> =>
  Effect.orDie(Schema.encodeEffect(State)({ version: formatVersion, ...state }))

/** The beginning of every checkpoint, of any version. Other files are never replaced. */
const beginning = /^\{"version":\d+,"identity":\{/

/** Reads the text of a checkpoint, which may be damaged. Undefined: there is no file. */
export const read = (
  fs: FileSystem.FileSystem,
  file: string
): Effect.Effect<string | undefined, CheckpointRefused | PlatformError.PlatformError> =>
  Effect.gen(function* () {
    if (!(yield* fs.exists(file))) return undefined
    const text = yield* fs.readFileString(file)
    return beginning.test(text) ? text : yield* refused(file, { _tag: "Foreign", file })
  })

/** Returns the options that differ between two runs. */
const differencesOf = (now: Identity, then: State["identity"]): ReadonlyArray<Difference> =>
  [...new Set([...Object.keys(now), ...Object.keys(then)])]
    .filter((name) => now[name] !== then[name])
    .map((name) => ({ name, now: now[name], before: then[name] }))

export const refused = (file: string, refusal: Refusal): CheckpointRefused =>
  new CheckpointRefused({ file, refusal, message: messageOf(file, refusal) })

const messageOf = (file: string, refusal: Refusal): string => {
  switch (refusal._tag) {
    case "Foreign":
      return refusal.file === file
        ? `${file} is not a checkpoint. Choose another file, or remove it by hand`
        : `${refusal.file} exists, and no checkpoint belongs to it. Rename or remove it`
    case "OtherOptions": {
      const format = (value: unknown): string => JSON.stringify(value) ?? "not set"
      const all = refusal.differences.map(
        ({ name, now, before }) => `${name} is ${format(now)} now, and was ${format(before)}`
      )
      return `the checkpoint ${file} cannot be continued: ${all.join("; ")}. Use the same options, or start over with resume: false`
    }
    case "Unreadable":
      return `the checkpoint ${file} is damaged, or of another version. Start over with resume: false`
    case "ShortOutput":
      return `the checkpoint ${file} cannot be continued: ${refusal.file} ${refusal.size === undefined ? "is missing" : `has ${refusal.size} bytes, and had ${refusal.length}`}. Start over with resume: false`
  }
}

/** Replaces the checkpoint: after a crash, the file is the old or the new one. The lock of the run ensures a single writer. */
export const replace = (
  file: string,
  text: string
): Effect.Effect<void, PlatformError.PlatformError, WholeFile.Services> =>
  WholeFile.write(file, new TextEncoder().encode(text), { temporary: `${file}.new` })
