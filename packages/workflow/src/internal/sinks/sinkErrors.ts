/** Turns failures of disks and databases into errors of a sink. */
import { Effect } from "effect"
import { SinkError } from "../../Sink.ts"
import { errorText } from "../database/sqlErrorText.ts"

/** Turns every failure into a `SinkError` of this sink. `isRetryable` decides whether a retry can help. */
export const toSinkError =
  <Failure extends { readonly _tag: string; readonly message: string }>(
    sink: string,
    isRetryable: (error: Failure) => boolean
  ) =>
  <A, E extends Failure, R>(
    operation: SinkError["operation"],
    effect: Effect.Effect<A, E | SinkError, R>
  ): Effect.Effect<A, SinkError, R> =>
    Effect.mapError(effect, (cause) =>
      cause instanceof SinkError
        ? cause
        : new SinkError({
            sink,
            operation,
            retryable: isRetryable(cause),
            message: `cannot ${operation} ${sink}: ${reasonOf(cause)}`,
            cause
          })
    )

/** Describes the reason for people. */
const reasonOf = (error: { readonly message: string }): string =>
  /ENOSPC|EDQUOT|disk is full|No space left/i.test(`${error.message} ${textOf(error)}`)
    ? "the disk is full. Free some space; the harvest then continues by itself"
    : errorText(error)

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
