/**
 * The outputs of a saved run while they grow under temporary names: opened, appended to, cut back, published.
 */
import { Effect, type FileSystem, Option, type Path, type PlatformError, type Scope } from "effect"
import { type CheckpointRefused, type Expected, refused, type State, syncFolder } from "./checkpointFile.ts"

const partOf = (output: string): string => `${output}.part`

/** The outputs of a run, open to be appended to. */
export interface Outputs<Output extends string> {
  readonly sync: Effect.Effect<void, PlatformError.PlatformError>
  /** Appends to each output, or to none of them. */
  readonly append: (
    bytes: { readonly [Name in Output]?: Uint8Array }
  ) => Effect.Effect<void, PlatformError.PlatformError>
  readonly lengths: () => { readonly [name: string]: number }
}

/** Refuses an output whose temporary name is that of a file which no run has left. */
export const refuseForeign = (
  fs: FileSystem.FileSystem,
  checkpoint: string,
  output: string
): Effect.Effect<void, CheckpointRefused | PlatformError.PlatformError> =>
  Effect.flatMap(fs.exists(partOf(output)), (isThere) =>
    isThere ? refused(checkpoint, { _tag: "Foreign", file: partOf(output) }) : Effect.void
  )

/** Opens the outputs: empty, or cut back to the lengths that the checkpoint knows. */
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
    const cutBack = Effect.forEach(files, ([name, opened]) => cut(opened, lengths.get(name) ?? 0))
    return {
      sync: Effect.forEach(files.values(), (opened) => opened.sync, { discard: true }),
      append: Effect.fnUntraced(function* (bytes) {
        const written = Effect.forEach(files, ([name, opened]) => {
          const part = bytes[name]
          return part === undefined || part.length === 0 ? Effect.void : opened.writeAll(part)
        })
        // On a full disk this makes room for the checkpoint, too.
        yield* Effect.onError(written, () => Effect.ignore(cutBack))
        for (const [name, length] of lengths) lengths.set(name, length + (bytes[name]?.length ?? 0))
      }),
      lengths: () => Object.fromEntries(lengths)
    }
  })

/** Opens an output that an earlier run left, cut back to a length that it must have. */
const reopen = (
  fs: FileSystem.FileSystem,
  checkpoint: string,
  part: string,
  length: number
): Effect.Effect<FileSystem.File, CheckpointRefused | PlatformError.PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    if (!(yield* fs.exists(part)))
      return yield* refused(checkpoint, { _tag: "CutShort", file: part, size: undefined, length })
    const opened = yield* fs.open(part, { flag: "r+" })
    const size = Number((yield* opened.stat).size)
    if (size < length) return yield* refused(checkpoint, { _tag: "CutShort", file: part, size, length })
    yield* cut(opened, length)
    return opened
  })

const cut = (opened: FileSystem.File, length: number): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.andThen(opened.truncate(length), opened.seek(BigInt(length), "start"))

/** Removes the outputs that have not got their names. */
export const remove = (fs: FileSystem.FileSystem, options: Expected<string>): Effect.Effect<void> =>
  Effect.forEach(
    Object.values(options.outputs),
    (output) => Effect.ignore(fs.remove(partOf(output), { force: true })),
    { discard: true }
  )

/** Gives the outputs their names, those that do not have them yet. */
export const publish = (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  options: Expected<string>
): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.gen(function* () {
    for (const output of Object.values(options.outputs)) {
      if (yield* fs.exists(partOf(output))) {
        // The file that is replaced may be open to fewer than a new one.
        const replaced = yield* Effect.option(fs.stat(output))
        if (Option.isSome(replaced)) yield* fs.chmod(partOf(output), replaced.value.mode & 0o777)
        yield* fs.rename(partOf(output), output)
      }
      yield* syncFolder(fs, path.dirname(output))
    }
  })
