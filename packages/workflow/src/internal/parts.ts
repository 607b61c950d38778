/**
 * Writes the part of a chunk: a folder of files that has its name when all of it is on the disk, and not before.
 *
 * Files are made and moved by the calling thread, and only the disk is waited for elsewhere: such a call takes a fraction
 * of a visit to another thread, and a part takes a dozen of them.
 */
import { closeSync, fsync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { Data, Effect } from "effect"

/** A part could not be written. */
export class PartError extends Data.TaggedError("PartError")<{
  readonly message: string
  readonly cause: unknown
}> {}

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
): Effect.Effect<void, PartError> =>
  Effect.tryPromise({
    try: () => place(folder, files, unfinished),
    catch: (cause) =>
      new PartError({ message: cause instanceof Error ? cause.message : String(cause), cause })
  })

const place = async (
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  unfinished: string
): Promise<void> => {
  const own = mkdtempSync(unfinished)
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(own, name), bytes)
    await Promise.all([...Object.keys(files).map((name) => flushed(join(own, name))), flushedFolder(own)])
    renameSync(own, folder)
  } catch (cause) {
    rmSync(own, { recursive: true, force: true })
    throw cause
  }
  await flushedFolder(dirname(folder))
}

const flush = promisify(fsync)

/** Waits until what is in a file is on the disk. */
const flushed = async (name: string): Promise<void> => {
  const file = openSync(name, flushesFolders ? "r" : "r+")
  try {
    await flush(file)
  } finally {
    closeSync(file)
  }
}

const flushedFolder = (name: string): Promise<void> => (flushesFolders ? flushed(name) : Promise.resolve())
