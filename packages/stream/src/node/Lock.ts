/**
 * Lets one run at a time write a file, because two would overwrite each other's records.
 *
 * The lock is a lock of the operating system on the empty file `NAME.lock`, and ends with its process. SQLite
 * takes it, because Node has no call for locks. A killed process leaves the empty file, which the next run
 * removes.
 */
import { closeSync, openSync, rmSync, statSync } from "node:fs"
import { Data, Effect, type Scope } from "effect"

/** The result code of SQLite for a lock of another connection. */
const busy = 5

/** The file cannot be locked. `isLocked`: another run holds the lock. */
export class LockFailure extends Data.TaggedError("LockFailure")<{
  readonly file: string
  readonly isLocked: boolean
  readonly message: string
  readonly cause: unknown
}> {}

/** A lock that this process holds until it releases it. */
export interface Held {
  /** Whether a killed run left its lock file, and perhaps other files. */
  readonly isStale: boolean
  /** Call it when those files are replaced. Otherwise the stale lock file stays, so that the next run recognizes them, too. */
  readonly replaced: () => void
}

/** Holds the lock of a file until the scope closes. Fails at once if another run holds it. */
export const hold = (file: string): Effect.Effect<Held, LockFailure, Scope.Scope> =>
  Effect.suspend(() => {
    const lock = `${file}.lock`
    // Whether the lock file stays when the lock is released.
    let stays = false
    return Effect.acquireRelease(
      Effect.tryPromise({ try: () => take(lock), catch: (cause) => failureOf(file, cause) }),
      ({ database }) =>
        Effect.sync(() => {
          // Removed before the lock is released: afterwards another run may hold the file.
          if (!stays) rmSync(lock, { force: true })
          database.close()
        })
    ).pipe(
      Effect.map(({ existed }) => {
        stays = existed
        return {
          isStale: existed,
          replaced: () => {
            stays = false
          }
        }
      })
    )
  })

interface FileLock {
  readonly database: { readonly close: () => void }
  /** Whether the lock file existed before. */
  readonly existed: boolean
}

const take = async (lock: string): Promise<FileLock> => {
  const existed = identityOf(lock) !== undefined
  // Loaded on demand, because loading takes time.
  const { DatabaseSync } = await import("node:sqlite")
  for (;;) {
    const before = identityOf(lock)
    const database = new DatabaseSync(lock, { timeout: 0 })
    try {
      // The journal stays in memory: a killed process would leave its file.
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    } catch (cause) {
      database.close()
      throw cause
    }
    // Another run may have removed this file meanwhile, and a third may hold a new one of that name.
    if (before !== undefined && before === identityOf(lock)) return { database, existed }
    database.close()
  }
}

const identityOf = (lock: string): string | undefined => {
  const about = statSync(lock, { bigint: true, throwIfNoEntry: false })
  return about && `${about.dev}:${about.ino}`
}

const failureOf = (file: string, thrown: unknown): LockFailure => {
  const isLocked = (thrown as { readonly errcode?: number }).errcode === busy
  const cause = isLocked ? thrown : (systemError(`${file}.lock`) ?? thrown)
  const message = isLocked
    ? `another run is writing ${file}: wait until it has ended, or stop it`
    : `cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`
  return new LockFailure({ file, isLocked, message, cause })
}

/** Returns the error of the system. SQLite only says that it cannot open the file. */
const systemError = (lock: string): unknown => {
  try {
    closeSync(openSync(lock, "a"))
    return undefined
  } catch (cause) {
    return cause
  }
}
