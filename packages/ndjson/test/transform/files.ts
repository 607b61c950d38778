/**
 * A file system in a temporary folder that counts the operations of a sort, and whose disk can be full.
 */
import { type FileHandle, mkdtemp, open, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Cause, Effect, FileSystem, PlatformError, type Scope, Sink, Stream } from "effect"

export interface Files {
  readonly fileSystem: FileSystem.FileSystem
  /** The number of files written, files removed one by one, and files open at the same time. */
  readonly counts: { written: number; removed: number; open: number; mostOpen: number }
  /** The files that remain in the folder. */
  readonly left: () => Promise<ReadonlyArray<string>>
}

export interface FilesOptions {
  /** The most bytes that a read returns, as on a slow disk. */
  readonly readBytes?: number
  /** The number of bytes after which the disk is full. */
  readonly capacity?: number
  /** The number of bytes missing at the end of every file. */
  readonly lost?: number
}

/** Runs a program with a new file system, and deletes its folder. */
export const withFiles = async <A>(options: FilesOptions, run: (files: Files) => Promise<A>): Promise<A> => {
  const root = await mkdtemp(join(tmpdir(), "ndjson-sort-test-"))
  try {
    return await run(makeFiles(root, options))
  } finally {
    await rm(root, { recursive: true })
  }
}

const makeFiles = (root: string, { readBytes, capacity, lost = 0 }: FilesOptions): Files => {
  const counts = { written: 0, removed: 0, open: 0, mostOpen: 0 }
  let free = capacity ?? Number.POSITIVE_INFINITY

  const opened = (
    path: string,
    flag: string
  ): Effect.Effect<FileHandle, PlatformError.PlatformError, Scope.Scope> =>
    Effect.acquireRelease(
      attempt("open", async () => {
        const handle = await open(path, flag)
        counts.open++
        counts.mostOpen = Math.max(counts.mostOpen, counts.open)
        return handle
      }),
      (handle) =>
        Effect.promise(async () => {
          counts.open--
          await handle.close()
        })
    )

  const writeTo = (handle: FileHandle) => (bytes: Uint8Array) =>
    attempt("write", async () => {
      free -= bytes.length
      if (free < 0) throw new Error("no space left on device")
      await handle.writeFile(bytes)
    })

  const fileSystem = FileSystem.makeNoop({
    makeTempDirectoryScoped: (made) =>
      Effect.acquireRelease(
        attempt("makeTempDirectoryScoped", () => mkdtemp(join(made?.directory ?? root, made?.prefix ?? ""))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true }))
      ),
    remove: (path) => {
      counts.removed++
      return attempt("remove", () => rm(path))
    },
    sink: (path, sink) => {
      counts.written++
      return Sink.unwrap(
        Effect.map(opened(path, sink?.flag ?? "w"), (handle) => Sink.forEach(writeTo(handle)))
      )
    },
    stream: (path, stream) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const handle = yield* opened(path, "r")
          const { size } = yield* attempt("stat", () => handle.stat())
          const most = Math.min(readBytes ?? Number.POSITIVE_INFINITY, stream?.chunkSize ?? 65_536)
          let at = 0
          const pull = Effect.gen(function* () {
            const length = Math.min(most, size - lost - at)
            if (length <= 0) return yield* Cause.done()
            const bytes = new Uint8Array(length)
            const { bytesRead } = yield* attempt("read", () => handle.read(bytes, 0, length, at))
            at += bytesRead
            return [bytes.subarray(0, bytesRead)] as const
          })
          return Stream.fromPull(Effect.succeed(pull))
        })
      )
  })
  return { fileSystem, counts, left: () => readdir(root) }
}

const attempt = <A>(method: string, run: () => Promise<A>): Effect.Effect<A, PlatformError.PlatformError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      PlatformError.systemError({
        _tag: "Unknown",
        module: "FileSystem",
        method,
        description: cause instanceof Error ? cause.message : String(cause),
        cause
      })
  })
