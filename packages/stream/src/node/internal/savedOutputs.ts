/**
 * Opens, appends, truncates and publishes the outputs of a saved run, which grow under temporary names. `savedLines.ts` compresses what is
 * appended.
 */
import { dirname } from "node:path"
import { WholeFile } from "@chemstream/ndjson/node"
import { Effect, FileSystem, type PlatformError, Scope } from "effect"
import { type CheckpointRefused, type Expected, refused, type State } from "./checkpointFile.ts"

/** Returns the temporary name of an output. */
const partOf = <Output extends string>({ outputs, parts }: Expected<Output>, name: Output): string =>
  parts?.[name] ?? `${outputs[name]}.part`

const namesOf = <Output extends string>({ outputs }: Expected<Output>): ReadonlyArray<Output> =>
  Object.keys(outputs) as Array<Output>

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
export const refuseForeign = <Output extends string>(
  fs: FileSystem.FileSystem,
  options: Expected<Output>,
  name: Output
): Effect.Effect<void, CheckpointRefused | PlatformError.PlatformError> => {
  const file = partOf(options, name)
  return Effect.flatMap(fs.exists(file), (isThere) =>
    isThere ? refused(options.file, { _tag: "Foreign", file }) : Effect.void
  )
}

/** An output of a run. */
interface Opened {
  /** Undefined: an earlier run has published the output, and nothing was added since. */
  file: FileSystem.File | undefined
  length: number
}

/** Opens the outputs: empty, or truncated to the lengths in the checkpoint. */
export const open = <Output extends string>(
  options: Expected<Output>,
  earlier: State | undefined
): Effect.Effect<
  Outputs<Output>,
  CheckpointRefused | PlatformError.PlatformError,
  FileSystem.FileSystem | Scope.Scope
> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const scope = yield* Scope.Scope
    const opened = new Map<Output, Opened>()
    for (const name of namesOf(options)) {
      const part = partOf(options, name)
      if (earlier === undefined) {
        opened.set(name, { file: yield* fs.open(part, { flag: "w" }), length: 0 })
        // Otherwise a crash could lose the file, but not the checkpoint in another folder.
        yield* WholeFile.syncFolder(dirname(part))
        continue
      }
      const length = earlier.lengths[name] ?? 0
      const isPublished = earlier.complete && (yield* isWhole(fs, options.outputs[name], length))
      const file =
        isPublished && !(yield* fs.exists(part)) ? undefined : yield* reopen(fs, options.file, part, length)
      opened.set(name, { file, length })
    }
    /** Takes a published output back, because the input has grown since. */
    const takeBack = (name: Output, output: Opened) =>
      Effect.gen(function* () {
        yield* fs.rename(options.outputs[name], partOf(options, name))
        const file = yield* Scope.provide(
          reopen(fs, options.file, partOf(options, name), output.length),
          scope
        )
        output.file = file
        return file
      }).pipe(Effect.catchTag("CheckpointRefused", (error) => Effect.die(error)))
    const truncateAll = Effect.forEach(opened, ([, { file, length }]) =>
      file === undefined ? Effect.void : truncate(file, length)
    )
    return {
      sync: Effect.forEach(opened, ([, { file }]) => file?.sync ?? Effect.void, { discard: true }),
      append: Effect.fnUntraced(function* (bytes) {
        const written = Effect.forEach(opened, ([name, output]) => {
          const part = bytes[name]
          if (part === undefined || part.length === 0) return Effect.void
          return Effect.flatMap(
            output.file === undefined ? takeBack(name, output) : Effect.succeed(output.file),
            (file) => file.writeAll(part)
          )
        })
        // On a full disk, this makes room for the checkpoint.
        yield* Effect.onError(written, () => Effect.ignore(truncateAll))
        for (const [name, output] of opened) output.length += bytes[name]?.length ?? 0
      }),
      lengths: () => Object.fromEntries(Array.from(opened, ([name, { length }]) => [name, length]))
    }
  })

const isWhole = (
  fs: FileSystem.FileSystem,
  file: string,
  length: number
): Effect.Effect<boolean, PlatformError.PlatformError> =>
  fs.stat(file).pipe(
    Effect.map(({ size, type }) => type === "File" && Number(size) === length),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false))
  )

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
export const remove = <Output extends string>(
  fs: FileSystem.FileSystem,
  options: Expected<Output>
): Effect.Effect<void> =>
  Effect.forEach(
    namesOf(options),
    (name) => Effect.ignore(fs.remove(partOf(options, name), { force: true })),
    { discard: true }
  )

/** Gives the outputs their final names, if they do not have them yet. */
export const publish = <Output extends string>(
  options: Expected<Output>
): Effect.Effect<void, PlatformError.PlatformError, WholeFile.Services> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    for (const name of namesOf(options)) {
      const [part, output] = [partOf(options, name), options.outputs[name]]
      if (part !== output && (yield* fs.exists(part))) yield* WholeFile.place(part, output)
      // The run that renamed it may have crashed before the name was on disk.
      else yield* WholeFile.syncFolder(dirname(output))
    }
  })
