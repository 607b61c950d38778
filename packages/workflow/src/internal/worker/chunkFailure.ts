/** The errors of an attempt at a chunk, and whether a retry can help. */
import { Availability, type ChemError } from "@chemstream/client"
import type { Enrich } from "@chemstream/stream"
import { Data, Predicate } from "effect"
import { SqlError } from "effect/sql"
import type * as Sink from "../../Sink.ts"
import type { ServiceMismatch } from "../harvest/harvestErrors.ts"
import type * as harvestRow from "../harvest/harvestRow.ts"

/** The database has no chunk of this index: it was deleted. */
export class LostChunk extends Data.TaggedError("LostChunk")<{ readonly message: string }> {}

/** A lookup of the program failed with an error that stops the run. */
export class OwnLookupFailed extends Data.TaggedError("OwnLookupFailed")<{
  readonly message: string
  readonly cause: unknown
}> {
  /** Whether its service is unavailable, as its `signal` says. */
  get retryable(): boolean {
    return this.cause instanceof Availability.ServiceUnavailable
  }
}

/** A defect of the program. It pauses the harvest. */
export class ChunkDefect extends Data.TaggedError("ChunkDefect")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** The errors of an attempt. */
export type Failure =
  | ChemError.ChemError
  | Enrich.Incomplete
  | Sink.SinkError
  | SqlError.SqlError
  | LostChunk
  | ServiceMismatch
  | OwnLookupFailed
  | HarvestEnded
  | ChunkDefect

/** The harvest has ended meanwhile. Its chunk ends without a report. */
export class HarvestEnded {
  readonly _tag = "Ended"
  readonly retryable = true
  readonly message = "it has ended"
}

/** Whether a database or a disk is unavailable. */
export const isStorageFailure = (error: Failure): boolean =>
  error._tag === "SqlError" || error._tag === "SinkError"

/** Returns the time until which the service asks to wait, in milliseconds since 1970. Undefined: it does not ask. */
export const pauseEnd = (error: Failure): number | undefined => {
  const cause = error._tag === "OwnLookupFailed" ? error.cause : error
  return Predicate.isTagged(cause, "ServiceUnavailable")
    ? (cause as Availability.ServiceUnavailable).until
    : undefined
}

/** Whether a retry can help. */
export const isRetryable = (error: Failure): boolean => {
  if (SqlError.isSqlError(error)) return true
  // A page ends a run only as the first response of all: the address is wrong.
  if (error._tag === "MalformedResponse" && error.page !== undefined) return false
  return "retryable" in error && error.retryable === true
}

/**
 * Returns the failure that pauses a harvest, as it is stored. If several lookups failed, it is the first permanent
 * failure.
 */
export const failureOf = (error: Failure): harvestRow.Failure => {
  const permanent =
    error._tag === "Incomplete" ? Object.values(error.errors).find((part) => !isRetryable(part)) : error
  const cause = permanent ?? error
  const status = "status" in cause ? cause.status : undefined
  return { tag: cause._tag, ...(status === undefined ? {} : { status }) }
}
