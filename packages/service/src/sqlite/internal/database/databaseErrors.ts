/**
 * Runs steps on an open database, and classifies their errors.
 *
 * `openDatabase.ts` opens files.
 */
import { Effect } from "effect"
import { StoreError } from "../../../Store.ts"

// Error codes of SQLite (sqlite.org/rescode.html), without the extension byte.
const busy = 5
const full = 13
const cannotOpen = 14
const readOnly = 8
const notADatabase = 26

/** Runs a step on the database, and classifies its error. */
export const attempt = <A>(file: string, step: () => A): Effect.Effect<A, StoreError> =>
  Effect.try({ try: step, catch: (cause) => toStoreError(file, cause) })

/** Returns whether an error means that the file or its folder is read-only. */
export const isReadOnly = (cause: unknown): boolean => [cannotOpen, readOnly].includes(codeOf(cause))

const codeOf = (cause: unknown): number =>
  typeof cause === "object" && cause !== null && "errcode" in cause ? Number(cause.errcode) & 255 : 0

/** Classifies an error of the database. */
export const toStoreError = (file: string, cause: unknown): StoreError => {
  if (cause instanceof StoreError) return cause
  const [reason, message] = reasonOf(file, cause)
  return new StoreError({ database: file, reason, message, cause })
}

const reasonOf = (file: string, cause: unknown): readonly [StoreError["reason"], message: string] => {
  const text = cause instanceof Error ? cause.message : String(cause)
  switch (codeOf(cause)) {
    case notADatabase:
      return ["not-a-database", `${file} is not a database. Name another file.`]
    case busy:
      return ["busy", `Another process is writing to the database ${file}. Retry when it has finished.`]
    case cannotOpen:
    case readOnly:
      return [
        "failed",
        `The database ${file} cannot be opened (${text}). Check that its folder exists and is writable.`
      ]
    case full:
      return ["failed", `The disk of the database ${file} is full. Nothing was changed.`]
    default:
      return ["failed", `The database ${file} failed: ${text}`]
  }
}
