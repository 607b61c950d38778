/** Turns failures of disks and databases into errors of a sink, and says whether a retry can help. */
import { Effect, PlatformError } from "effect"
import { SqlError } from "effect/sql"
import { SinkError } from "../../Sink.ts"
import { codeOf, errorText, isRefusedRow } from "../database/sqlErrorText.ts"

/** Failures that a retry cannot fix, because statements and permissions stay the same. */
const permanentReasons: ReadonlySet<SqlError.SqlErrorReason["_tag"]> = new Set([
  "AuthenticationError",
  "AuthorizationError",
  "SqlSyntaxError",
  "ConstraintError",
  "UniqueViolation"
])

/** Codes of Postgres that stay: the database does not exist, or is damaged. */
const permanentCodes: ReadonlySet<string | undefined> = new Set(["3D000", "XX001", "XX002"])

/**
 * The primary codes of SQLite after which a statement may succeed: busy, locked, out of memory, interrupted, a failed
 * read or write, full, a lock protocol, another schema.
 */
const transientSqlite: ReadonlySet<number> = new Set([5, 6, 7, 9, 10, 13, 15, 17])

/** The codes of a disk that is full, busy or not reached. All others, e.g. of a path that is no folder, stay. */
const transientSystem: ReadonlySet<string | undefined> = new Set(
  "EAGAIN EBUSY EDQUOT EHOSTDOWN EINTR EIO EMFILE ENFILE ENOBUFS ENOLCK ENOMEM ENOSPC ENOTCONN ESTALE ETIMEDOUT".split(
    " "
  )
)

/**
 * Whether a retry can help. The errors of Postgres count as transient unless they are known to stay, because a database
 * that stops, starts or is full has many codes.
 */
export const isTransient = (error: unknown): boolean => {
  if (PlatformError.isPlatformError(error)) return transientSystem.has(systemCause(error)?.code)
  if (!SqlError.isSqlError(error)) return false
  const { cause } = error.reason
  if (typeof cause === "object" && cause !== null && "errcode" in cause)
    return transientSqlite.has(Number(cause.errcode) & 0xff)
  return !(
    permanentReasons.has(error.reason._tag) ||
    permanentCodes.has(codeOf(error)) ||
    isRefusedRow(error)
  )
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
const reasonOf = (error: { readonly message: string }): string =>
  /ENOSPC|EDQUOT|disk is full|No space left/i.test(`${error.message} ${textOf(error)}`)
    ? "the disk is full. Free some space; the harvest then continues by itself"
    : ((PlatformError.isPlatformError(error) ? systemCause(error)?.message : undefined) ?? errorText(error))

/** Returns the messages of all causes of a failure. */
const textOf = (error: object): string => {
  const { cause, reason } = error as { readonly cause?: unknown; readonly reason?: unknown }
  return [reason, cause]
    .map((inner) =>
      typeof inner === "object" && inner !== null
        ? `${"message" in inner ? String(inner.message) : ""} ${textOf(inner)}`
        : ""
    )
    .join(" ")
}

/** Returns the indexes 0 to `chunks - 1`. */
export const chunkIndexes = (chunks: number): ReadonlyArray<number> =>
  Array.from({ length: chunks }, (_, index) => index)

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
