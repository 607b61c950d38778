/**
 * Writes the part of a chunk: a folder of files that has its name when all of it is on the disk, and not before.
 *
 * Files are made, moved and, where they are small, written by the calling thread, and only the disk is waited for elsewhere:
 * such a call takes a fraction of a visit to another thread, and a part takes a dozen of them.
 */
import {
  closeSync,
  fsync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFile,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { Effect, PlatformError } from "effect"

/** So many bytes are not worth a visit to another thread. */
const small = 512 * 1024

/** On Windows a folder cannot be flushed. */
const flushesFolders = process.platform !== "win32"

/**
 * Writes files by their names into a folder of that name, which must not be there. Until it is finished its name is
 * `unfinished` and something else.
 */
export const write = (
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  unfinished: string
): Effect.Effect<void, PlatformError.PlatformError> =>
  Effect.tryPromise({
    try: () => place(folder, files, unfinished),
    catch: (cause) =>
      PlatformError.systemError({
        _tag: "Unknown",
        module: "FileSystem",
        method: "writeFile",
        pathOrDescriptor: folder,
        description: cause instanceof Error ? cause.message : String(cause),
        cause
      })
  })

const place = async (
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  unfinished: string
): Promise<void> => {
  const own = mkdtempSync(unfinished)
  try {
    // Each is made before the first wait, so that all of them are in the folder when that is flushed.
    const written = Object.entries(files).map(([name, bytes]) => writeFlushed(join(own, name), bytes))
    const ends = await Promise.allSettled([...written, flushFolder(own)])
    for (const end of ends) if (end.status === "rejected") throw end.reason
    renameSync(own, folder)
  } catch (cause) {
    rmSync(own, { recursive: true, force: true })
    throw cause
  }
  await flushFolder(dirname(folder))
}

const flush = promisify(fsync)
const writeElsewhere = promisify(writeFile)

const writeFlushed = async (name: string, bytes: Uint8Array): Promise<void> => {
  const file = openSync(name, "w")
  try {
    if (bytes.length <= small) writeFileSync(file, bytes)
    else await writeElsewhere(file, bytes)
    await flush(file)
  } finally {
    closeSync(file)
  }
}

const flushFolder = async (name: string): Promise<void> => {
  if (!flushesFolders) return
  const folder = openSync(name, "r")
  try {
    await flush(folder)
  } finally {
    closeSync(folder)
  }
}
