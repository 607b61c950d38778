/**
 * A step on an open database, and why it failed: is another process writing, is the disk full?
 *
 * Opening a file is `database`'s.
 */
import { Effect } from "effect"
import { StoreError } from "../../../Store.ts"

// Error codes of SQLite (sqlite.org/rescode.html), without their extension byte.
const busy = 5
const full = 13
const cannotOpen = 14
const readOnly = 8
const notADatabase = 26

/** Runs a step on the database and tells apart why it failed. */
export const attempt = <A>(file: string, step: () => A): Effect.Effect<A, StoreError> =>
  Effect.try({ try: step, catch: (cause) => toStoreError(file, cause) })

/** Whether something failed because the file or its folder may not be written to. */
export const isReadOnly = (cause: unknown): boolean => [cannotOpen, readOnly].includes(codeOf(cause))

const codeOf = (cause: unknown): number =>
  typeof cause === "object" && cause !== null && "errcode" in cause ? Number(cause.errcode) & 255 : 0

/** Tells apart why something of the database failed. */
export const toStoreError = (file: string, cause: unknown): StoreError => {
  if (cause instanceof StoreError) return cause
  const code = codeOf(cause)
  const text = cause instanceof Error ? cause.message : String(cause)
  switch (code) {
    case notADatabase:
      return new StoreError({
        database: file,
        reason: "not-a-database",
        message: `${file} is not a database. Name another file.`,
        cause
      })
    case busy:
      return new StoreError({
        database: file,
        reason: "busy",
        message: `Another process is writing to the database ${file}. Try again when it has finished.`,
        cause
      })
    case cannotOpen:
    case readOnly:
      return new StoreError({
        database: file,
        reason: "failed",
        message: `The database ${file} cannot be opened (${text}). Check that its folder exists and may be written to.`,
        cause
      })
    case full:
      return new StoreError({
        database: file,
        reason: "failed",
        message: `The disk of the database ${file} is full. Nothing was changed.`,
        cause
      })
    default:
      return new StoreError({
        database: file,
        reason: "failed",
        message: `The database ${file} failed: ${text}`,
        cause
      })
  }
}
