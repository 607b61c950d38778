/**
 * Lets one run at a time use a checkpoint: two would write over each other's output.
 *
 * The lock is one of the operating system on a file beside the checkpoint, taken through SQLite, because Node has no
 * call for it: it ends with the process, whatever ends that. What is left of it is an empty file, or none.
 */
import { rmSync } from "node:fs"
import { Effect, type Scope } from "effect"
import { type CommandFailure, failed, reasonOf, usage } from "./CommandFailure.ts"

const BUSY = 5

/** Holds the lock until the scope ends. Fails at once where another run holds it. */
export const hold = (checkpoint: string): Effect.Effect<void, CommandFailure, Scope.Scope> => {
  const file = `${checkpoint}.lock`
  return Effect.asVoid(
    Effect.acquireRelease(
      Effect.tryPromise({
        try: async () => {
          // On demand: only a run with a checkpoint needs it.
          const { DatabaseSync } = await import("node:sqlite")
          const database = new DatabaseSync(file, { timeout: 0 })
          try {
            database.exec("BEGIN EXCLUSIVE")
          } catch (cause) {
            database.close()
            throw cause
          }
          return database
        },
        catch: (cause) =>
          (cause as { readonly errcode?: number }).errcode === BUSY
            ? usage(`another run is using the checkpoint ${checkpoint}: wait until it has ended, or stop it`)
            : failed(`cannot lock ${file}: ${reasonOf(cause)}`)
      }),
      (database) =>
        Effect.sync(() => {
          // Before it is closed: afterwards it may be another run's.
          rmSync(file, { force: true })
          database.close()
        })
    )
  )
}
