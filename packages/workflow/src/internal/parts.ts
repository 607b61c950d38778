/**
 * Writes the part of a chunk: a folder of files that has its name when all of it is on the disk, and not before.
 *
 * What may wait for the disk is done on other threads, also the making of files: while one part is flushed the file system
 * lets nobody else begin to change it. Each visit there costs, so a file is written and flushed in one, and parts that
 * are placed meanwhile share the flush of the folder that they are in.
 */
import { randomUUID } from "node:crypto"
import {
  closeSync,
  constants,
  fsync,
  mkdir,
  open,
  openSync,
  renameSync,
  rmSync,
  write as writeBytes
} from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { Effect, PlatformError } from "effect"

/** On Windows a folder cannot be flushed. */
const flushesFolders = process.platform !== "win32"

/** Where a system has it, what is written to a file is on the disk when the call returns. */
const flushed: number | undefined = constants.O_DSYNC

const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (flushed ?? 0)

/**
 * Bytes written at a time, less than two megabytes: of a longer write Linux keeps so many together in one piece of memory.
 * A virtual machine may be given such a piece only when it is used, and the write then took up to ten times as long.
 */
const longestWrite = 2 ** 21 - 2 ** 12

/** Of this process, among all that write into the same folder; and which of its parts it is. */
const writer = randomUUID()
let parts = 0

/**
 * Writes files by their names into a folder of that name, which must not be there. Until it is finished its name is
 * `unfinished` and something else.
 */
export const write = (
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  unfinished: string
): Effect.Effect<void, PlatformError.PlatformError> =>
  attempt("writeFile", folder, () => place(folder, files, `${unfinished}${writer}-${parts++}`))

/** Has the names in a folder on the disk. */
export const flush = (folder: string): Effect.Effect<void, PlatformError.PlatformError> =>
  attempt("sync", folder, () => flushFolder(folder))

const attempt = (
  method: string,
  path: string,
  run: () => Promise<void>
): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      PlatformError.systemError({
        _tag: "Unknown",
        module: "FileSystem",
        method,
        pathOrDescriptor: path,
        description: cause instanceof Error ? cause.message : String(cause),
        cause
      })
  })

const place = async (
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  own: string
): Promise<void> => {
  await makeFolder(own)
  try {
    const ends = await Promise.allSettled(
      Object.entries(files).map(([name, bytes]) => writeFlushed(join(own, name), bytes))
    )
    for (const end of ends) if (end.status === "rejected") throw end.reason
    await flushFolder(own)
    renameSync(own, folder)
  } catch (cause) {
    rmSync(own, { recursive: true, force: true })
    throw cause
  }
  await flushTogether(dirname(folder))
}

const makeFolder = promisify(mkdir)
const makeFile = promisify(open)
const flushFile = promisify(fsync)
const writeSome = promisify(writeBytes)

const writeFlushed = async (name: string, bytes: Uint8Array): Promise<void> => {
  const file = await makeFile(name, flags, 0o666)
  try {
    for (let at = 0; at < bytes.length; ) {
      const length = Math.min(longestWrite, bytes.length - at)
      at += (await writeSome(file, bytes, at, length)).bytesWritten
    }
    if (flushed === undefined) await flushFile(file)
  } finally {
    closeSync(file)
  }
}

const flushFolder = async (name: string): Promise<void> => {
  if (!flushesFolders) return
  const folder = openSync(name, "r")
  try {
    await flushFile(folder)
  } finally {
    closeSync(folder)
  }
}

/** The flush of a folder that is under way, and the one that begins after it. */
const flushes = new Map<string, { readonly current: Promise<void>; next: Promise<void> | undefined }>()

/** A flush of the folder that has not begun yet: one that is under way need not see what was done just now. */
const flushTogether = (folder: string): Promise<void> => {
  const under = flushes.get(folder)
  if (under === undefined) return begin(folder)
  under.next ??= under.current.then(
    () => begin(folder),
    () => begin(folder)
  )
  return under.next
}

const begin = (folder: string): Promise<void> => {
  const entry = { current: flushFolder(folder), next: undefined }
  flushes.set(folder, entry)
  const end = (): void => {
    if (flushes.get(folder) === entry && entry.next === undefined) flushes.delete(folder)
  }
  entry.current.then(end, end)
  return entry.current
}
