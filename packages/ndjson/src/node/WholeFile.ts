/**
 * Writes files whole: under a temporary name, flushed to disk, and then renamed. After a crash at any moment, the name has
 * the old content or the new one.
 *
 * A killed process leaves its temporary file. The next writer of the same file on the same machine removes it.
 */
import { createHash, randomBytes } from "node:crypto"
import { readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { Effect, Exit, FileSystem, Option, Path, type PlatformError, Scope } from "effect"
import { argument } from "../internal/argumentChecks.ts"

/** The options of a file. */
export interface Options {
  /** The permissions of the file. Default: those of the replaced file, or else those of a new file. */
  readonly mode?: number | undefined
  /**
   * The temporary name. Give one only if a lock ensures a single writer. Default: a new name beside the file, which begins
   * with `FILE.part-`.
   */
  readonly temporary?: string | undefined
}

/** A file that is being written. */
export interface WholeFile {
  /** Appends bytes, or nothing if the write fails: a full disk may cut a write short. */
  readonly append: (bytes: Uint8Array) => Effect.Effect<void, PlatformError.PlatformError>
  /** Flushes the content to disk, and closes the file. */
  readonly flush: Effect.Effect<void, PlatformError.PlatformError>
  /** Gives the content its name, or another one, and flushes it first. */
  readonly publish: (name?: string) => Effect.Effect<void, PlatformError.PlatformError>
}

/** The services of the file system. */
export type Services = FileSystem.FileSystem | Path.Path

/**
 * Opens a file until the scope closes. Without `publish`, its content is removed then, and the file keeps its old content.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { WholeFile } from "@chemstream/ndjson/node"
 *
 * const program = Effect.gen(function* () {
 *   const file = yield* WholeFile.open("hits.ndjson")
 *   yield* file.append(new TextEncoder().encode('{"id":"DTXSID7020182"}\n'))
 *   yield* file.publish()
 * }).pipe(Effect.scoped)
 * ```
 */
export const open = (
  file: string,
  { mode, temporary }: Options = {}
): Effect.Effect<WholeFile, PlatformError.PlatformError, Services | Scope.Scope> =>
  Effect.gen(function* () {
    argument("file", "a text", file)
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const growing =
      temporary ?? `${file}.part-${processNamespace()}-${process.pid}-${randomBytes(6).toString("hex")}`
    if (temporary === undefined) yield* removeAbandoned(fs, path, file)
    const own = yield* Scope.fork(yield* Scope.Scope)
    let isPublished = false
    yield* Scope.addFinalizer(
      own,
      Effect.suspend(() => (isPublished ? Effect.void : Effect.ignore(fs.remove(growing, { force: true }))))
    )
    const opening = yield* Scope.fork(own)
    // Opened for appending, so that a write after a truncation starts at the end of the file.
    const handle = yield* Scope.provide(
      fs.open(growing, { flag: temporary === undefined ? "ax" : "a", mode }),
      opening
    )
    if (temporary !== undefined) yield* handle.truncate(0)
    let length = 0
    let isOpen = true
    const flush = Effect.suspend(() => {
      if (!isOpen) return Effect.void
      return Effect.andThen(handle.sync, () => {
        isOpen = false
        return Scope.close(opening, Exit.void)
      })
    })
    return {
      append: (bytes) =>
        handle.writeAll(bytes).pipe(
          Effect.tap(() => {
            length += bytes.length
            return Effect.void
          }),
          Effect.onError(() => Effect.ignore(handle.truncate(length)))
        ),
      flush,
      publish: (name = file) =>
        Effect.andThen(
          flush,
          mode === undefined ? place(growing, name) : renameTo(fs, path, growing, name)
        ).pipe(
          Effect.provideService(FileSystem.FileSystem, fs),
          Effect.provideService(Path.Path, path),
          Effect.tap(() => {
            isPublished = true
            return Effect.void
          }),
          Effect.uninterruptible
        )
    } satisfies WholeFile
  })

/** Writes a file whole. */
export const write = (
  file: string,
  bytes: Uint8Array,
  options?: Options
): Effect.Effect<void, PlatformError.PlatformError, Services> =>
  Effect.scoped(
    Effect.flatMap(open(file, options), ({ append, publish }) =>
      Effect.andThen(append(argument("bytes", "a Uint8Array", bytes)), publish())
    )
  )

/** Gives a flushed file its name, with the permissions of the file that it replaces. */
export const place = (
  temporary: string,
  file: string
): Effect.Effect<void, PlatformError.PlatformError, Services> =>
  Effect.gen(function* () {
    for (const path of [temporary, file]) argument("path", "a text", path)
    const fs = yield* FileSystem.FileSystem
    // The replaced file may have stricter permissions than a new one.
    const replaced = yield* Effect.option(fs.stat(file))
    if (Option.isSome(replaced)) yield* fs.chmod(temporary, replaced.value.mode & 0o777)
    yield* renameTo(fs, yield* Path.Path, temporary, file)
  })

const renameTo = (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  temporary: string,
  file: string
): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.andThen(fs.rename(temporary, file), syncFolderIn(fs, path.dirname(file)))

/** Flushes the names in a folder, so that a rename in it survives a crash. */
export const syncFolder = (
  folder: string
): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => syncFolderIn(fs, argument("folder", "a text", folder)))

const syncFolderIn = (
  fs: FileSystem.FileSystem,
  folder: string
): Effect.Effect<void, PlatformError.PlatformError> =>
  process.platform === "win32"
    ? Effect.void
    : Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), ({ sync }) => sync)).pipe(
        Effect.catchIf(cannotFlush, () => Effect.void)
      )

/** Whether the file system flushes folders by itself and offers no call for it. */
const cannotFlush = ({ reason }: PlatformError.PlatformError): boolean =>
  ["EINVAL", "ENOTSUP", "ENOSYS", "EISDIR"].includes(
    String((reason.cause as { readonly code?: unknown } | undefined)?.code)
  )

/**
 * The namespace of process ids. It distinguishes the files of a dead process from those of a process in another container, or on another
 * machine with the same disk.
 */
const processNamespace = (): string => {
  let space = ""
  try {
    space = readlinkSync("/proc/self/ns/pid")
  } catch {
    // Not available on this system.
  }
  return createHash("sha256").update(`${hostname()} ${space}`).digest("hex").slice(0, 8)
}

/** Removes the temporary files of dead processes. */
const removeAbandoned = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  file: string
) {
  const beginning = `${path.basename(file)}.part-${processNamespace()}-`
  for (const name of yield* fs.readDirectory(path.dirname(file))) {
    const pid = name.startsWith(beginning)
      ? /^(\d+)-[0-9a-f]{12}$/.exec(name.slice(beginning.length))?.[1]
      : undefined
    if (pid !== undefined && !isRunning(Number(pid)))
      yield* fs.remove(path.join(path.dirname(file), name), { force: true })
  }
})

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // A process of another user is alive, too.
    return (cause as NodeJS.ErrnoException).code !== "ESRCH"
  }
}
