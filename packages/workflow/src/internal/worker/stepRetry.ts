/**
 * Repeats the steps of a workflow until the engine has recorded them, because the database may not respond. Recognises the
 * defect by which the engine reports that (`recordingFailure`).
 */
import { Cause, Effect, Predicate, Schedule } from "effect"
import { SqlError } from "effect/sql"

/** The intervals between attempts: growing, up to two seconds. */
const retrySchedule = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/** Runs a step until the engine has recorded it. */
export const retryUntilRecorded = <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  step.pipe(
    Effect.sandbox,
    Effect.retry({ schedule: retrySchedule, while: (cause) => recordingFailure(cause) !== undefined }),
    Effect.catch(Effect.failCause)
  )

/**
 * Returns the error of a storage that did not record a step. The engine has no typed error for that: the workflow dies
 * with the storage's error.
 */
export const recordingFailure = (cause: Cause.Cause<unknown>): SqlError.SqlError | undefined => {
  for (const reason of cause.reasons) {
    if (!Cause.isDieReason(reason)) continue
    const { defect } = reason
    if (SqlError.isSqlError(defect)) return defect
    if (!Predicate.isTagged(defect, "PersistenceError")) continue
    const { cause: error } = defect as { readonly cause?: unknown }
    return SqlError.isSqlError(error)
      ? error
      : new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: error, message: String(error) }) })
  }
  return undefined
}
