/**
 * Attempts of a call until one succeeds or the policy gives up.
 */
import { Clock, Effect, Random } from "effect"
import { CallObserver } from "../CallObserver.ts"
import type { ChemError } from "../ChemError.ts"
import { nextDelay, type RetryPolicy } from "../RetryPolicy.ts"

/** Runs `attempt` with the number of the attempt, from 1, as often as the policy has it. */
export const retry = <A>(
  policy: RetryPolicy,
  attempt: (number: number) => Effect.Effect<A, ChemError>
): Effect.Effect<A, ChemError> =>
  Effect.flatMap(Clock.currentTimeMillis, (started) => attemptFrom(policy, attempt, started, 1))

const attemptFrom = <A>(
  policy: RetryPolicy,
  attempt: (number: number) => Effect.Effect<A, ChemError>,
  started: number,
  number: number
): Effect.Effect<A, ChemError> =>
  Effect.catch(attempt(number), (error) =>
    Effect.gen(function* () {
      const elapsed = (yield* Clock.currentTimeMillis) - started
      const random = yield* Random.next
      const delay = nextDelay(policy, error, { attempt: number, elapsed, random })
      if (delay === undefined) return yield* Effect.fail(error)
      const observer = yield* CallObserver
      observer.onRetry(error, delay)
      yield* Effect.sleep(delay)
      return yield* attemptFrom(policy, attempt, started, number + 1)
    })
  )
