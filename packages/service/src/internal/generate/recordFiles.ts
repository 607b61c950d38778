/**
 * Files of records, one JSON object a line, each of which appears under its name only when it is complete: written
 * beside its place, renamed at the end, removed when the writing fails or is interrupted.
 */
import { mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Data, Effect, Exit, type Scope } from "effect"

const compress = promisify(gzip)

/** A file or folder that cannot be written. */
export class UnwritableFile extends Data.TaggedError("UnwritableFile")<{
  readonly file: string
  readonly message: string
  readonly cause: unknown
}> {}

/** Writes records to a file; succeeds with the bytes written. */
export type WriteRecords = (
  records: ReadonlyArray<{ readonly record: Uint8Array }>
) => Effect.Effect<number, UnwritableFile>

/**
 * Opens a file for the records of one kind, `<kind>.ndjson` or, `gzipped`, `<kind>.ndjson.gz`, in a folder, which is
 * made where there is none. The file is complete when the scope closes with success.
 */
export const openFile = (
  folder: string,
  kind: string,
  gzipped: boolean
): Effect.Effect<WriteRecords, UnwritableFile, Scope.Scope> =>
  Effect.gen(function* () {
    const file = join(folder, `${kind}.ndjson${gzipped ? ".gz" : ""}`)
    const temporary = `${file}.part`
    const attempt = <A>(action: () => Promise<A>): Effect.Effect<A, UnwritableFile> =>
      Effect.tryPromise({
        try: action,
        catch: (cause) => {
          const why = cause instanceof Error ? cause.message : String(cause)
          return new UnwritableFile({ file, cause, message: `${file} cannot be written: ${why}` })
        }
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
        if (records.length === 0) return 0
        const lines = linesOf(records)
        // Every batch is a gzip member of its own; together they are one gzip file (RFC 1952, section 2.2).
        const bytes = gzipped ? await compress(lines) : lines
        await handle.writeFile(bytes)
        return bytes.length
      })
  })

const linesOf = (records: ReadonlyArray<{ readonly record: Uint8Array }>): Uint8Array => {
  let size = 0
  for (const { record } of records) size += record.length + 1
  const lines = new Uint8Array(size)
  let end = 0
  for (const { record } of records) {
    lines.set(record, end)
    end += record.length
    lines[end++] = 0x0a
  }
  return lines
}
