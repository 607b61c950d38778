/**
 * Opens, appends, truncates and publishes the outputs of a saved run, which grow under temporary names.
 */
import { Effect, type FileSystem, Option, type Path, type PlatformError, type Scope } from "effect"
import { type CheckpointRefused, type Expected, refused, type State, syncFolder } from "./checkpointFile.ts"

const partOf = (output: string): string => `${output}.part`

/** The open outputs of a run. */
export interface Outputs<Output extends string> {
  readonly sync: Effect.Effect<void, PlatformError.PlatformError>
  /** Appends to all outputs, or to none. */
  readonly append: (
    bytes: { readonly [Name in Output]?: Uint8Array }
  ) => Effect.Effect<void, PlatformError.PlatformError>
  readonly lengths: () => { readonly [name: string]: number }
}

/** Refuses an output if another file has its temporary name. */
export const refuseForeign = (
  fs: FileSystem.FileSystem,
  checkpoint: string,
  output: string
): Effect.Effect<void, CheckpointRefused | PlatformError.PlatformError> =>
  Effect.flatMap(fs.exists(partOf(output)), (isThere) =>
    isThere ? refused(checkpoint, { _tag: "Foreign", file: partOf(output) }) : Effect.void
  )

/** Opens the outputs: empty, or truncated to the lengths in the checkpoint. */
export const open = <Output extends string>(
  fs: FileSystem.FileSystem,
  options: Expected<Output>,
  earlier: State | undefined
): Effect.Effect<Outputs<Output>, CheckpointRefused | PlatformError.PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    const files = new Map<Output, FileSystem.File>()
    const lengths = new Map<Output, number>()
    for (const name of Object.keys(options.outputs) as Array<Output>) {
      const length = earlier?.lengths[name] ?? 0
      const part = partOf(options.outputs[name])
      files.set(
        name,
        earlier === undefined
          ? yield* fs.open(part, { flag: "w" })
          : yield* reopen(fs, options.file, part, length)
      )
      lengths.set(name, length)
    }
    const truncateAll = Effect.forEach(files, ([name, opened]) => truncate(opened, lengths.get(name) ?? 0))
    return {
      sync: Effect.forEach(files.values(), (opened) => opened.sync, { discard: true }),
      append: Effect.fnUntraced(function* (bytes) {
        const written = Effect.forEach(files, ([name, opened]) => {
          const part = bytes[name]
          return part === undefined || part.length === 0 ? Effect.void : opened.writeAll(part)
        })
        // On a full disk, this makes room for the checkpoint.
        yield* Effect.onError(written, () => Effect.ignore(truncateAll))
        for (const [name, length] of lengths) lengths.set(name, length + (bytes[name]?.length ?? 0))
      }),
      lengths: () => Object.fromEntries(lengths)
    }
  })

/** Opens an output of an earlier run, truncated to the length in the checkpoint. */
const reopen = (
  fs: FileSystem.FileSystem,
  checkpoint: string,
  part: string,
  length: number
): Effect.Effect<FileSystem.File, CheckpointRefused | PlatformError.PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    if (!(yield* fs.exists(part)))
      return yield* refused(checkpoint, { _tag: "ShortOutput", file: part, size: undefined, length })
    const opened = yield* fs.open(part, { flag: "r+" })
    const size = Number((yield* opened.stat).size)
    if (size < length) return yield* refused(checkpoint, { _tag: "ShortOutput", file: part, size, length })
    yield* truncate(opened, length)
    return opened
  })

const truncate = (
  opened: FileSystem.File,
  length: number
): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.andThen(opened.truncate(length), opened.seek(BigInt(length), "start"))

/** Removes the outputs under their temporary names. */
export const remove = (fs: FileSystem.FileSystem, options: Expected<string>): Effect.Effect<void> =>
  Effect.forEach(
    Object.values(options.outputs),
    (output) => Effect.ignore(fs.remove(partOf(output), { force: true })),
    { discard: true }
  )

/** Renames the outputs to their final names, if they do not have them yet. */
export const publish = (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  options: Expected<string>
): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.gen(function* () {
    for (const output of Object.values(options.outputs)) {
      if (yield* fs.exists(partOf(output))) {
        // The replaced file may have stricter permissions than a new one.
        const replaced = yield* Effect.option(fs.stat(output))
        if (Option.isSome(replaced)) yield* fs.chmod(partOf(output), replaced.value.mode & 0o777)
        yield* fs.rename(partOf(output), output)
      }
      yield* syncFolder(fs, path.dirname(output))
    }
  })
