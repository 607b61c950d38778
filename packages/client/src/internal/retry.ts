/**
 * Attempts of a call until one succeeds or the policy gives up. Each is reported to the availability of the call, which
 * waits for a service that is silent instead of making further attempts.
 */

import { Availability, MonotonicClock } from "@chemstream/batch"
import { Effect, Random } from "effect"
import { CallObserver } from "../CallObserver.ts"
import { type ChemError, retryAfter, signal as signalOf } from "../ChemError.ts"
import { type Decide, nextDelay, type RetryPolicy } from "../RetryPolicy.ts"

/**
 * An attempt by its number, from 1. It runs `begin` when it is about to be sent, which is when time starts to count, and
 * `answered` when the response has arrived.
 */
export type Attempt<A> = (
  number: number,
  begin: Effect.Effect<void>,
  answered: Effect.Effect<void>
) => Effect.Effect<A, ChemError>

/** Runs attempts as often as the policy has it. */
export const retry = <A>(policy: RetryPolicy | Decide, attempt: Attempt<A>): Effect.Effect<A, ChemError> => {
  const decide: Decide =
    typeof policy === "function" ? policy : (error, state) => nextDelay(policy, error, state)
  return Effect.flatMap(Availability.Current, (current) => {
    let started: number | undefined
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
          const delay = decide(error, { attempt: number, elapsed: now - (started ?? now), random })
          if (delay === undefined || Number.isNaN(delay)) return yield* Effect.fail(error)
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
}
