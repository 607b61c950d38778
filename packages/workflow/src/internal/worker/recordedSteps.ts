/**
 * Steps of a workflow that outlast the database: where the engine could not record a step, because the database did not
 * answer, the step is taken again until it could.
 */
import { Cause, Effect, Predicate, Schedule } from "effect"
import { SqlError } from "effect/sql"

/** Waits between attempts: longer and longer, two seconds at most. */
const waits = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/** Takes a step until the engine has recorded it. */
export const untilRecorded = <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  step.pipe(
    Effect.sandbox,
    Effect.retry({ schedule: waits, while: isUnrecorded }),
    Effect.catch(Effect.failCause)
  )

/** Whether the engine could not record something: it has no errors in its types, and a workflow dies with its storage's. */
export const isUnrecorded = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isDieReason(reason) &&
      (Predicate.isTagged(reason.defect, "PersistenceError") || SqlError.isSqlError(reason.defect))
  )
