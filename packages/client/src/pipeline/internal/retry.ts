/**
 * Attempts of a call until one succeeds or the policy gives up. Each is reported to the availability of the call, which
 * waits for a service that is silent instead of making further attempts.
 */

import { Availability, MonotonicClock } from "@chemstream/batch"
import { Duration, Effect, Pull, Random, Schedule } from "effect"
import { type ChemError, retryAfter, signal as signalOf } from "../../errors/ChemError.ts"
import { CallObserver } from "../CallObserver.ts"
import { nextDelay, type Retries, type State } from "../RetryPolicy.ts"

/**
 * An attempt by its number, from 1. It runs `begin` when it is about to be sent, which is when time starts to count, and
 * `answered` when the response has arrived.
 */
export type Attempt<A> = (
  number: number,
  begin: Effect.Effect<void>,
  answered: Effect.Effect<void>
) => Effect.Effect<A, ChemError>

/** The wait before the next attempt in milliseconds, or `undefined` when there is none. */
type Next = (error: ChemError, state: State) => Effect.Effect<number | undefined>

/** Runs attempts as often as the policy has it. */
export const retry = <A>(policy: Retries, attempt: Attempt<A>): Effect.Effect<A, ChemError> =>
  Effect.flatMap(Availability.Current, (current) => {
    let started: number | undefined
    let next: Next | undefined
    const begin = Effect.map(MonotonicClock.currentMillis, (now) => {
      started ??= now
    })
    const answered = Effect.map(MonotonicClock.currentMillis, (now) =>
      current?.availability.report("answered", undefined, now)
    )
    const tryFrom = (number: number): Effect.Effect<A, ChemError> =>
      Effect.catch(attempt(number, begin, answered), (error) =>
        Effect.gen(function* () {
          const now = yield* MonotonicClock.currentMillis
          const signal = signalOf(error)
          current?.availability.report(signal, error, now)
          if (current?.mode === "probe") return yield* Effect.fail(error)
          const random = yield* Random.next
          next ??= yield* nextOf(policy)
          const delay = yield* next(error, { attempt: number, elapsed: now - (started ?? now), random })
          if (delay === undefined) return yield* Effect.fail(error)
          const isInVain =
            current?.mode === "first" &&
            // The time that a service asks for is its own.
            retryAfter(error) === undefined &&
            current.availability.isSilent(signal, now + delay)
          if (isInVain) return yield* Effect.fail(error)
          ;(yield* CallObserver).onRetry(error, delay)
          yield* Effect.sleep(Math.max(0, delay))
          return yield* tryFrom(number + 1)
        })
      )
    return tryFrom(1)
  })

/** The delays of one call. A schedule has a state, so each call has its own. */
const nextOf = (policy: Retries): Effect.Effect<Next> => {
  if (!Schedule.isSchedule(policy)) {
    const decide = typeof policy === "function" ? policy : nextDelay.bind(undefined, policy)
    return Effect.succeed((error, state) => {
      const delay = decide(error, state)
      // NaN is no time: it ends the call.
      return Effect.succeed(delay === undefined || Number.isNaN(delay) ? undefined : Duration.toMillis(delay))
    })
  }
  return Effect.map(
    Schedule.toStep(policy),
    (step): Next =>
      (error, { elapsed }) => {
        if (!error.retryable) return Effect.succeed(undefined)
        const stepped = Effect.map(step(elapsed, error), ([, delay]): number | undefined =>
          Math.max(retryAfter(error) ?? 0, Duration.toMillis(delay))
        )
        return Pull.catchDone(stepped, () => Effect.succeed(undefined))
      }
  )
}
