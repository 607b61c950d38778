/**
 * The identifiers that came before, for more of them than memory should hold: some in memory, the rest in a file.
 *
 * The file is a temporary SQLite database that only its owner can read. Where the system allows it, its name is gone as
 * soon as it is open, so that nothing remains whatever ends the process; elsewhere it goes with the scope. It is not
 * meant to outlive a run: what a run has settled is kept by `Checkpoint`.
 */
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Data, Effect, type Scope } from "effect"
import * as Seen from "../Seen.ts"

/** How many identifiers are kept in memory when not set: some 30 MB. */
export const defaultMemory = 1_000_000

/** The memory for pages of the file, in KiB: it keeps the pages that are searched most. */
const pageCache = 32 * 1024

/** The file cannot be made or written: `message` says which and why. */
export class DiskSeenFailure extends Data.TaggedError("DiskSeenFailure")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** How much is kept where. */
export interface Options {
  /** The most identifiers in memory, 0 or more; a million when not given. */
  readonly memory?: number | undefined
  /** Where the file is made; the system's folder for temporary files when not given. */
  readonly directory?: string | undefined
}

/**
 * An exact set on disk beyond `memory` identifiers, for a scope.
 *
 * Fails with `DiskSeenFailure` when the file cannot be made. When it cannot be written later, e.g. because the disk is
 * full, the run that uses the set dies with a `DiskSeenFailure`: to go on would be to ask twice.
 *
 * @example
 * ```ts
 * import { DiskSeen } from "@chemstream/stream/node"
 * import { Effect } from "effect"
 *
 * const added = DiskSeen.make({ memory: 1 }).pipe(
 *   Effect.map((seen) => ["a", "b", "a", "b"].map(seen.add)),
 *   Effect.scoped
 * )
 * await Effect.runPromise(added) // => [true, true, false, false]
 * ```
 */
export const make = (options: Options = {}): Effect.Effect<Seen.Seen, DiskSeenFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { directory = tmpdir(), memory = defaultMemory } = options
    if (!(Number.isSafeInteger(memory) && memory >= 0)) {
      const message = `the identifiers to keep in memory must be a whole number of 0 or more, not ${memory}`
      return yield* new DiskSeenFailure({ message })
    }
    const { database } = yield* Effect.acquireRelease(
      Effect.try({ try: () => open(directory), catch: (cause) => failure(directory, cause) }),
      close
    )
    return Seen.upTo(memory, inDatabase(database, directory))
  })

interface Opened {
  readonly database: DatabaseSync
  readonly folder: string
}

const open = (directory: string): Opened => {
  const folder = mkdtempSync(join(directory, "chemstream-seen-"))
  let database: DatabaseSync | undefined
  try {
    const file = join(folder, "seen.sqlite")
    closeSync(openSync(file, "wx", 0o600))
    database = new DatabaseSync(file)
    // Nothing of it is needed after a crash: no waiting for the disk, and one transaction that never ends, whose
    // journal is of the pages there were at its beginning.
    database.exec(`
      PRAGMA journal_mode = MEMORY;
      PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA cache_size = -${pageCache};
      CREATE TABLE seen (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      BEGIN EXCLUSIVE;
    `)
    if (process.platform !== "win32") remove(folder)
    return { database, folder }
  } catch (error) {
    database?.close()
    remove(folder)
    throw error
  }
}

const close = ({ database, folder }: Opened): Effect.Effect<void> =>
  Effect.sync(() => {
    database.close()
    remove(folder)
  })

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

const inDatabase = (database: DatabaseSync, directory: string): Seen.Seen => {
  const insert = database.prepare("INSERT OR IGNORE INTO seen VALUES (?)")
  return {
    add: (id) => {
      try {
        return insert.run(id).changes === 1
      } catch (cause) {
        throw failure(directory, cause)
      }
    }
  }
}

const failure = (directory: string, cause: unknown): DiskSeenFailure => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `the identifiers that came before cannot be kept in ${directory}: ${reason}. Free space there, give another directory, or keep more in memory`
  return new DiskSeenFailure({ message, cause })
}
