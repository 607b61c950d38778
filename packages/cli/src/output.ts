/**
 * Where bytes go: standard output, or a file that appears under its name only when it is complete.
 *
 * A file is written beside its place under a temporary name, flushed to disk and renamed at the end; when the
 * command fails or is interrupted the temporary file is removed and an older file of that name stays as it was.
 */
import { open as openFile, rename, rm } from "node:fs/promises"
import { Data, Effect, Exit, type Scope } from "effect"
import { type CommandFailure, failed } from "./CommandFailure.ts"

/** The reader of standard output has gone (`| head`): no failure, there is nobody left to write for. */
export class ReaderGone extends Data.TaggedError("ReaderGone") {}

export interface Output {
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, CommandFailure | ReaderGone>
}

/** The output of a command; a file when a name is given. Complete when the scope closes with success. */
export const open = (file: string | undefined): Effect.Effect<Output, CommandFailure, Scope.Scope> =>
  file === undefined || file === "-" ? Effect.sync(standardOutput) : atomicFile(file)

const standardOutput = (): Output => {
  // Errors reach the write's callback; without a listener Node would also throw them.
  process.stdout.on("error", () => {})
  return {
    write: (bytes) =>
      Effect.callback<void, CommandFailure | ReaderGone>((resume) => {
        process.stdout.write(bytes, (error) => {
          if (error == null) resume(Effect.void)
          else if ((error as NodeJS.ErrnoException).code === "EPIPE") resume(Effect.fail(new ReaderGone()))
          else resume(Effect.fail(unwritable("standard output", error)))
        })
      })
  }
}

const atomicFile = (file: string): Effect.Effect<Output, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const temporary = `${file}.part-${process.pid}`
    const attempt = <A>(action: () => Promise<A>): Effect.Effect<A, CommandFailure> =>
      Effect.tryPromise({ try: action, catch: (cause) => unwritable(file, cause) })
    const handle = yield* Effect.acquireRelease(
      attempt(() => openFile(temporary, "w")),
      (handle, exit) =>
        Effect.orDie(
          attempt(async () => {
            try {
              if (Exit.isSuccess(exit)) await handle.sync()
            } finally {
              await handle.close()
            }
            await (Exit.isSuccess(exit) ? rename(temporary, file) : rm(temporary, { force: true }))
          })
        )
    )
    return { write: (bytes) => Effect.asVoid(attempt(() => handle.writeFile(bytes))) }
  })

const unwritable = (file: string, cause: unknown): CommandFailure =>
  failed(`cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
