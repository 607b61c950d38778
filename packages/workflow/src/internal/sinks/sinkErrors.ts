/** Turns failures of disks and databases into errors of a sink, and says whether a retry can help. */
import { Effect, PlatformError } from "effect"
import { SqlError } from "effect/sql"
import { SinkError } from "../../Sink.ts"
import { errorText, isPermanent } from "../database/sqlErrorText.ts"

/**
 * The primary codes of SQLite after which a statement may succeed: busy, locked, out of memory, interrupted, a failed
 * read or write, full, a lock protocol, another schema.
 */
const transientSqlite: ReadonlySet<number> = new Set([5, 6, 7, 9, 10, 13, 15, 17])

/** The codes of a disk that is full, busy or not reached. All others, e.g. of a path that is no folder, stay. */
const transientSystem =
  /^E(AGAIN|BUSY|DQUOT|HOSTDOWN|INTR|IO|MFILE|NFILE|NOBUFS|NOLCK|NOMEM|NOSPC|NOTCONN|STALE|TIMEDOUT)$/

/** Whether a retry can help. */
export const isTransient = (error: unknown): boolean => {
  if (PlatformError.isPlatformError(error)) return transientSystem.test(systemCause(error)?.code ?? "")
  if (!SqlError.isSqlError(error)) return false
  const { cause } = error.reason
  return typeof cause === "object" && cause !== null && "errcode" in cause
    ? transientSqlite.has(Number(cause.errcode) & 0xff)
    : !isPermanent(error)
}

/** Returns the error of the operating system. */
const systemCause = (error: PlatformError.PlatformError): NodeJS.ErrnoException | undefined =>
  error.reason.cause instanceof Error ? error.reason.cause : undefined

/** Turns every failure into a `SinkError` of this sink. */
export const toSinkError =
  (sink: string) =>
  <A, E extends { readonly _tag: string; readonly message: string }, R>(
    operation: SinkError["operation"],
    effect: Effect.Effect<A, E | SinkError, R>
  ): Effect.Effect<A, SinkError, R> =>
    Effect.mapError(effect, (cause) =>
      cause instanceof SinkError
        ? cause
        : new SinkError({
            sink,
            operation,
            retryable: isTransient(cause),
            message: `cannot ${operation} ${sink}: ${reasonOf(cause)}`,
            cause
          })
    )

/** Describes the reason for people. */
const reasonOf = (error: { readonly message: string }): string => {
  const text =
    (PlatformError.isPlatformError(error) ? systemCause(error)?.message : undefined) ?? errorText(error)
  return /ENOSPC|EDQUOT|disk is full|No space left/i.test(text)
    ? "the disk is full. Free some space; the harvest then continues by itself"
    : text
}

/** Makes the error of a harvest with missing chunks. */
export const incompleteSink = (sink: string, absent: ReadonlyArray<number>, chunks: number): SinkError => {
  const first = absent.slice(0, 10).join(", ")
  return new SinkError({
    sink,
    operation: "complete",
    retryable: false,
    message: `${absent.length} of ${chunks} chunks are not in ${sink}: ${first}${absent.length > 10 ? ", …" : ""}`
  })
}

/** Makes the error of a sink that cannot be used as it is. */
export const unusableSink = (sink: string, message: string): SinkError =>
  new SinkError({ sink, operation: "open", retryable: false, message })

/** Makes the error of a sink with another harvest. */
export const occupiedSink = (sink: string, harvest: string, advice: string): SinkError =>
  unusableSink(sink, `${sink} holds ${harvest}: ${advice}`)
