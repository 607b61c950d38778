/**
 * Writes the files of a folder sink atomically: into a temporary folder, flushed, and then renamed. `folderSink.ts`
 * and `folderParts.ts` define the files.
 */
import { WholeFile } from "@chemstream/ndjson/node"
import { Effect, FileSystem, Option, Path, type PlatformError, Schema, Stream } from "effect"

/** The prefix of temporary folders. It begins with a dot, so that patterns like `parts/*` do not match them. */
export const temporaryPrefix = ".writing-"

type Failure = PlatformError.PlatformError

/** A folder and the ways to write files into it. */
export interface Files {
  readonly fs: FileSystem.FileSystem
  readonly path: Path.Path
  readonly folder: string
  /** Returns the path of a name in the folder. */
  readonly pathOf: (...names: ReadonlyArray<string>) => string
  /** Returns the decoded file, or undefined if it does not exist. */
  readonly read: <A>(
    file: string,
    schema: Schema.ConstraintDecoder<A>
  ) => Effect.Effect<A | undefined, Failure | Schema.SchemaError>
  /** Creates a temporary folder, and removes it after `use`. Several callers can do so at the same time. */
  readonly inTemporaryFolder: <A, E>(
    use: (own: string) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | Failure>
  /** Writes a file, flushes it, and returns its length. */
  readonly write: <E>(file: string, bytes: Stream.Stream<Uint8Array, E>) => Effect.Effect<number, E | Failure>
  /** Flushes the names in a folder. */
  readonly flush: (folder: string) => Effect.Effect<void, Failure>
  /** Moves finished files of a folder into this one. */
  readonly moveIn: (own: string, names: ReadonlyArray<string>) => Effect.Effect<void, Failure>
  /** Whether a folder has files of these lengths. */
  readonly hasFiles: (
    folder: string,
    lengths: Readonly<Record<string, number>>
  ) => Effect.Effect<boolean, Failure>
}

/** Makes the access to the files of a folder. */
export const make = (folder: string): Effect.Effect<Files, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const here = <A, E>(effect: Effect.Effect<A, E, FileSystem.FileSystem | Path.Path>) =>
      effect.pipe(Effect.provideService(FileSystem.FileSystem, fs), Effect.provideService(Path.Path, path))
    return {
      fs,
      path,
      folder,
      flush: (name) => here(WholeFile.syncFolder(name)),
      pathOf: (...names) => path.join(folder, ...names),
      read: (file, schema) =>
        fs.readFileString(file).pipe(
          Effect.flatMap((text) => Schema.decodeUnknownEffect(schema)(text)),
          Effect.asSome,
          Effect.catchReason("PlatformError", "NotFound", () => Effect.succeedNone),
          Effect.map(Option.getOrUndefined)
        ),
      inTemporaryFolder: (use) =>
        Effect.acquireUseRelease(
          fs.makeTempDirectory({ directory: folder, prefix: temporaryPrefix }),
          use,
          (own) =>
            // If this fails, the end of the harvest removes the folder.
            Effect.ignore(fs.remove(own, { recursive: true }))
        ),
      write: (file, bytes) =>
        Effect.scoped(
          Effect.gen(function* () {
            const handle = yield* fs.open(file, { flag: "w" })
            let length = 0
            yield* Stream.runForEach(bytes, (some) => {
              length += some.length
              return handle.writeAll(some)
            })
            yield* handle.sync
            return length
          })
        ),
      moveIn: (own, names) =>
        Effect.forEach(
          names,
          (name) => here(WholeFile.place(path.join(own, name), path.join(folder, name))),
          { discard: true }
        ),
      hasFiles: (inside, lengths) =>
        Effect.map(
          Effect.forEach(Object.entries(lengths), ([name, length]) =>
            fs.stat(path.join(inside, name)).pipe(
              Effect.map(({ size }) => Number(size) === length),
              Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false))
            )
          ),
          (all) => all.every(Boolean)
        )
    }
  })
