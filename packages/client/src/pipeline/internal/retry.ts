/**
 * Makes attempts of a call until one succeeds or the policy ends, and reports each to the availability. While the
 * service is unavailable, the availability waits for it, and no further attempts are made.
 */

import { Availability, MonotonicClock } from "@chemstream/batch"
import { Duration, Effect, Pull, Random, Schedule } from "effect"
import { type ChemError, retryAfter, signal as signalOf } from "../../errors/ChemError.ts"
import { CallObserver } from "../CallObserver.ts"
import { nextDelay, type Retries, type State } from "../RetryPolicy.ts"

/**
 * An attempt by its number, from 1. It runs `onSent` when it is sent, which starts the time of the policy, and
 * `onResponse` when the response has arrived.
 */
export type Attempt<A> = (
  number: number,
  onSent: Effect.Effect<void>,
  onResponse: Effect.Effect<void>
) => Effect.Effect<A, ChemError>

/** Returns the wait before the next attempt in milliseconds. Undefined: no attempt. */
type Next = (error: ChemError, state: State) => Effect.Effect<number | undefined>

/** Makes attempts as the policy says. */
export const retry = <A>(policy: Retries, attempt: Attempt<A>): Effect.Effect<A, ChemError> =>
  Effect.flatMap(Availability.Current, (current) => {
    let firstSentAt: number | undefined
    let next: Next | undefined
    const onSent = Effect.map(MonotonicClock.currentMillis, (now) => {
      firstSentAt ??= now
    })
    const onResponse = Effect.map(MonotonicClock.currentMillis, (now) =>
      current?.availability.report("responded", undefined, now)
    )
    const attemptFrom = (number: number): Effect.Effect<A, ChemError> =>
      Effect.catch(attempt(number, onSent, onResponse), (error) =>
        Effect.gen(function* () {
          const now = yield* MonotonicClock.currentMillis
          const signal = signalOf(error)
          current?.availability.report(signal, error, now)
          if (current?.mode === "probe") return yield* Effect.fail(error)
          const random = yield* Random.next
          next ??= yield* makeNext(policy)
          const delay = yield* next(error, { attempt: number, elapsed: now - (firstSentAt ?? now), random })
          if (delay === undefined) return yield* Effect.fail(error)
          const isUseless =
            current?.mode === "first" &&
            // The wait that the service demands does not count as time of the policy.
            retryAfter(error) === undefined &&
            current.availability.isSilent(signal, now + delay)
          if (isUseless) return yield* Effect.fail(error)
          ;(yield* CallObserver).onRetry(error, delay)
          yield* Effect.sleep(Math.max(0, delay))
          return yield* attemptFrom(number + 1)
        })
      )
    return attemptFrom(1)
  })

/** Makes the delays of one call. A schedule has state, so each call needs its own. */
const makeNext = (policy: Retries): Effect.Effect<Next> => {
  if (!Schedule.isSchedule(policy)) {
    const decide = typeof policy === "function" ? policy : nextDelay.bind(undefined, policy)
    return Effect.succeed((error, state) => {
      const delay = decide(error, state)
      // NaN ends the call.
      return Effect.succeed(delay === undefined || Number.isNaN(delay) ? undefined : Duration.toMillis(delay))
    })
  }
  return Effect.map(
    Schedule.toStep(policy),
    (step): Next =>
      (error, { elapsed }) => {
        if (!error.retryable) return Effect.succeed(undefined)
        const delayMillis = Effect.map(step(elapsed, error), ([, delay]): number | undefined =>
          Math.max(retryAfter(error) ?? 0, Duration.toMillis(delay))
        )
        return Pull.catchDone(delayMillis, () => Effect.succeed(undefined))
      }
  )
}
