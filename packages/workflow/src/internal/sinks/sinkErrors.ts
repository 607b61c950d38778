/**
 * Failures of what is under a sink, as what they are for a harvest.
 */
import { Effect } from "effect"
import { SinkError } from "../../Sink.ts"

const doing = { open: "opened", read: "read", write: "written", complete: "completed" } as const

/** Turns every failure into a `SinkError` of the sink named; `isRetryable` says of which trying again can help. */
export const refusing =
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
            message: `${sink} could not be ${doing[operation]}: ${reasonOf(cause)}`,
            cause
          })
    )

/** What the system says of it, in words. */
const reasonOf = (error: { readonly message: string }): string =>
  /ENOSPC|EDQUOT|disk is full|No space left/i.test(`${error.message} ${textOf(error)}`)
    ? "the disk is full. Free some space; the harvest then goes on by itself"
    : error.message

/** What a failure was caused by, down to the first cause. */
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

/** The chunks of a harvest that has so many. */
export const indexesTo = (chunks: number): ReadonlyArray<number> =>
  Array.from({ length: chunks }, (_, index) => index)

/** What a harvest is told that is not at its end. */
export const incomplete = (sink: string, absent: ReadonlyArray<number>, chunks: number): SinkError => {
  const some = absent.slice(0, 10).join(", ")
  return new SinkError({
    sink,
    operation: "complete",
    retryable: false,
    message: `${absent.length} of ${chunks} chunks are not in ${sink}: ${some}${absent.length > 10 ? ", …" : ""}`
  })
}

/** What is said where a sink holds another harvest. */
export const occupied = (sink: string, harvest: string, advice: string): SinkError =>
  new SinkError({
    sink,
    operation: "open",
    retryable: false,
    message: `${sink} holds ${harvest}: ${advice}`
  })
