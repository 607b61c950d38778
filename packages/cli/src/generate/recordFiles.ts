/**
 * Writes files of records, with one JSON object on each line. A file is written under a temporary name and renamed
 * when it is complete. If writing fails or is interrupted, it is deleted.
 */
import { mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect, Exit, type Scope } from "effect"
import { type CommandFailure, reasonOf, runFailure } from "../CommandFailure.ts"

const compress = promisify(gzip)

type Records = ReadonlyArray<{ readonly record: Uint8Array }>

/**
 * Opens `<kind>.ndjson`, or `<kind>.ndjson.gz` if `gzipped`, in a folder. Creates the folder if it does not exist.
 * Returns a function that appends records. The file is complete when the scope closes with success.
 */
export const openFile = (
  folder: string,
  kind: string,
  gzipped: boolean
): Effect.Effect<(records: Records) => Effect.Effect<void, CommandFailure>, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const file = join(folder, `${kind}.ndjson${gzipped ? ".gz" : ""}`)
    const temporary = `${file}.part`
    const attempt = <A>(action: () => Promise<A>): Effect.Effect<A, CommandFailure> =>
      Effect.tryPromise({
        try: action,
        catch: (cause) => runFailure(`${file} cannot be written: ${reasonOf(cause)}`)
      })
    const handle = yield* Effect.acquireRelease(
      attempt(async () => {
        await mkdir(folder, { recursive: true })
        return open(temporary, "w")
      }),
      (handle, exit) =>
        Effect.orDie(
          attempt(async () => {
            await handle.close()
            await (Exit.isSuccess(exit) ? rename(temporary, file) : rm(temporary, { force: true }))
          })
        )
    )
    return (records) =>
      attempt(async () => {
        if (records.length === 0) return
        const lines = Buffer.concat(records.flatMap(({ record }) => [record, newline]))
        // Each batch is one gzip member. Concatenated members are one gzip file (RFC 1952, section 2.2).
        await handle.writeFile(gzipped ? await compress(lines) : lines)
      })
  })

const newline = Buffer.from("\n")
