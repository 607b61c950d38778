/**
 * Steps of a workflow that outlast the database: where the engine could not record a step, because the database did not
 * answer, the step is taken again until it could.
 */
import { Cause, Effect, Predicate, Schedule } from "effect"

/** Waits between attempts: longer and longer, two seconds at most. */
const waits = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/** Takes a step until the engine has recorded it. */
export const steadily = <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  step.pipe(
    Effect.sandbox,
    Effect.retry({ schedule: waits, while: isUnrecorded }),
    Effect.catch(Effect.failCause)
  )

// The engine has no errors of its own in the types: what its storage fails with, a workflow dies with.
const isUnrecorded = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) => Cause.isDieReason(reason) && Predicate.isTagged(reason.defect, "PersistenceError")
  )
