/**
 * Lets one run at a time write a file: two would write over each other's records.
 *
 * The lock is one of the operating system on an empty file `NAME.lock`. It is taken through SQLite, because Node has no call
 * for it, and ends with the process, whatever ends that. A killed process leaves the empty file; the next run removes it.
 */
import { closeSync, openSync, rmSync, statSync } from "node:fs"
import { Data, Effect, type Scope } from "effect"

/** The result code of SQLite for a lock that another connection holds. */
const busy = 5

/** The file cannot be locked: `isHeld` tells whether another run holds the lock. */
export class LockFailure extends Data.TaggedError("LockFailure")<{
  readonly file: string
  readonly isHeld: boolean
  readonly message: string
  readonly cause: unknown
}> {}

/**
 * Holds the lock of a file until the scope closes. Fails at once when another run holds it. Succeeds with whether a killed
 * run has left the lock.
 */
export const hold = (file: string): Effect.Effect<boolean, LockFailure, Scope.Scope> => {
  const lock = `${file}.lock`
  return Effect.map(
    Effect.acquireRelease(
      Effect.tryPromise({ try: () => take(lock), catch: (cause) => failureOf(file, cause) }),
      ({ database }) =>
        Effect.sync(() => {
          // Before it is closed: afterwards it may be another run's.
          rmSync(lock, { force: true })
          database.close()
        })
    ),
    ({ isLeft }) => isLeft
  )
}

/** A lock that is held. */
interface Held {
  readonly database: { readonly close: () => void }
  /** Whether its file was there before. */
  readonly isLeft: boolean
}

const take = async (lock: string): Promise<Held> => {
  const isLeft = identityOf(lock) !== undefined
  // On demand: it takes a moment to load.
  const { DatabaseSync } = await import("node:sqlite")
  for (;;) {
    const before = identityOf(lock)
    const database = new DatabaseSync(lock, { timeout: 0 })
    try {
      database.exec("BEGIN EXCLUSIVE")
    } catch (cause) {
      database.close()
      throw cause
    }
    // A run that ended meanwhile has removed the file that is locked here; another one may hold a new file of that name.
    if (before !== undefined && before === identityOf(lock)) return { database, isLeft }
    database.close()
  }
}

const identityOf = (lock: string): string | undefined => {
  const about = statSync(lock, { bigint: true, throwIfNoEntry: false })
  return about && `${about.dev}:${about.ino}`
}

const failureOf = (file: string, thrown: unknown): LockFailure => {
  const isHeld = (thrown as { readonly errcode?: number }).errcode === busy
  const cause = isHeld ? thrown : (reasonOf(`${file}.lock`) ?? thrown)
  const message = isHeld
    ? `another run is writing ${file}: wait until it has ended, or stop it`
    : `cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`
  return new LockFailure({ file, isHeld, message, cause })
}

/** Why a lock cannot be opened, in the words of the system: SQLite says only that it cannot. */
const reasonOf = (lock: string): unknown => {
  try {
    closeSync(openSync(lock, "a"))
    return undefined
  } catch (cause) {
    return cause
  }
}
