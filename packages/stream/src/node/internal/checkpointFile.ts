/**
 * The checkpoint's own file: what it holds, when it is refused, and how it is replaced.
 */
import { Data, Effect, type FileSystem, type Path, type PlatformError, Schema } from "effect"

const formatVersion = 1

/** What differs between a run and the one that a checkpoint is of. */
export interface Difference {
  readonly name: string
  readonly now: Identity[string] | undefined
  readonly before: Identity[string] | undefined
}

/** Why a checkpoint is refused. */
export type Refusal =
  /** The options are not those of the run that the checkpoint is of. */
  | { readonly _tag: "OtherOptions"; readonly differences: ReadonlyArray<Difference> }
  /** The file is no checkpoint, or one under the temporary name of an output that no run has left. It is never replaced. */
  | { readonly _tag: "Foreign"; readonly file: string }
  /** The checkpoint cannot be read, or has another format. */
  | { readonly _tag: "Unreadable"; readonly file: string }
  /** An output is shorter than the checkpoint says; `size` is undefined where it is missing. */
  | {
      readonly _tag: "CutShort"
      readonly file: string
      readonly size: number | undefined
      readonly length: number
    }

/** The checkpoint cannot be continued by this run: `refusal` says why, and nothing was changed. */
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
    /** Whether all is written, and only the names are missing. */
    complete: Schema.Boolean,
    spans: Schema.Array(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
    digest: Schema.String,
    /** The length of each output, in bytes. */
    lengths: Schema.Record(Schema.String, Schema.Int),
    counts: Counts,
    /** Milliseconds that all runs took until then. */
    elapsed: Schema.optionalKey(Schema.Finite)
  })
)

export type State = typeof State.Type

/** The identity of a run: the options that change its output. */
export type Identity = Readonly<Record<string, string | number | boolean | null>>

/** What a run says of the checkpoint that it reads; `file` is what messages call it. */
export interface Expected<Output extends string> {
  readonly file: string
  readonly outputs: { readonly [Name in Output]: string }
  readonly identity: Identity
}

/** The state that the text of a checkpoint holds. */
export const decode = (text: string, options: Expected<string>): Effect.Effect<State, CheckpointRefused> =>
  Effect.gen(function* () {
    const state = yield* Effect.mapError(Schema.decodeUnknownEffect(State)(text), () =>
      refused(options.file, { _tag: "Unreadable", file: options.file })
    )
    const changed = differing(options.identity, state.identity)
    const outputs = Object.keys(options.outputs).filter((name) => state.lengths[name] === undefined)
    const differences =
      changed.length > 0
        ? changed
        : outputs.map((name) => ({ name: `the output ${name}`, now: true, before: undefined }))
    return differences.length === 0
      ? state
      : yield* refused(options.file, { _tag: "OtherOptions", differences })
  })

/** The text of a state. */
export const encode = (state: Omit<State, "version">): Effect.Effect<string> =>
  Effect.orDie(Schema.encodeEffect(State)({ version: formatVersion, ...state }))

/** How every checkpoint begins, of whatever version. A file that begins otherwise is somebody else's. */
const beginning = /^\{"version":\d+,"identity":\{/

/** The text of a checkpoint, which may be damaged; undefined where there is no file. */
export const read = (
  fs: FileSystem.FileSystem,
  file: string
): Effect.Effect<string | undefined, CheckpointRefused | PlatformError.PlatformError> =>
  Effect.gen(function* () {
    if (!(yield* fs.exists(file))) return undefined
    const text = yield* fs.readFileString(file)
    return beginning.test(text) ? text : yield* refused(file, { _tag: "Foreign", file })
  })

/** The options that differ between two runs. */
const differing = (now: Identity, then: State["identity"]): ReadonlyArray<Difference> =>
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
        : `${refusal.file} exists, and no checkpoint says that a run has left it. Rename or remove it`
    case "OtherOptions": {
      const told = (value: unknown): string => JSON.stringify(value) ?? "not set"
      const all = refusal.differences.map(
        ({ name, now, before }) => `${name} is ${told(now)} now, and was ${told(before)}`
      )
      return `the checkpoint ${file} cannot be continued: ${all.join("; ")}. Run as then, or start over with resume: false`
    }
    case "Unreadable":
      return `the checkpoint ${file} is damaged, or of another version. Start over with resume: false`
    case "CutShort":
      return `the checkpoint ${file} cannot be continued: ${refusal.file} ${refusal.size === undefined ? "is missing" : `has ${refusal.size} bytes, and had ${refusal.length}`}. Start over with resume: false`
  }
}

/** Replaces the checkpoint as a whole: after a crash there is the old one or the new one. */
export const replace = (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  file: string,
  text: string
): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.gen(function* () {
    const next = `${file}.new`
    yield* Effect.scoped(
      Effect.flatMap(fs.open(next, { flag: "w" }), (opened) =>
        Effect.andThen(opened.writeAll(new TextEncoder().encode(text)), opened.sync)
      )
    ).pipe(Effect.onError(() => Effect.ignore(fs.remove(next, { force: true }))))
    yield* fs.rename(next, file)
    yield* syncFolder(fs, path.dirname(file))
  })

/** A rename is on the disk once its folder is. Where a system cannot flush a folder, it does so by itself. */
export const syncFolder = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<void> =>
  Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), (opened) => opened.sync)))
