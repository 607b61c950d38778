/**
 * Attempts of a call until one succeeds or the policy gives up.
 *
 * Waiting for an open circuit is no attempt: the call was not sent. What a call ends with is its own last failure,
 * and `CircuitOpen` only where it never was sent.
 */
import { Effect, Random } from "effect"
import { CallObserver } from "../CallObserver.ts"
import type { ChemError } from "../ChemError.ts"
import { currentMillis } from "../MonotonicClock.ts"
import { type Decide, nextDelay, type RetryPolicy } from "../RetryPolicy.ts"

/** An attempt by its number, from 1; it runs `begin` when it is about to be sent, which is when time starts to count. */
export type Attempt<A> = (number: number, begin: Effect.Effect<void>) => Effect.Effect<A, ChemError>

/** Runs attempts as often as the policy has it. */
export const retry = <A>(policy: RetryPolicy | Decide, attempt: Attempt<A>): Effect.Effect<A, ChemError> => {
  const decide: Decide =
    typeof policy === "function" ? policy : (error, state) => nextDelay(policy, error, state)
  return Effect.suspend(() => {
    let started: number | undefined
    const begin = Effect.map(currentMillis, (now) => {
      started ??= now
    })
    const tryFrom = (number: number, last: ChemError | undefined): Effect.Effect<A, ChemError> =>
      Effect.catch(attempt(number, begin), (error) =>
        Effect.gen(function* () {
          const isSent = error._tag !== "CircuitOpen"
          const failure = isSent ? error : (last ?? error)
          yield* begin
          const elapsed = (yield* currentMillis) - (started ?? 0)
          const random = yield* Random.next
          const delay = decide(error, { attempt: isSent ? number : number - 1, elapsed, random })
          if (delay === undefined || Number.isNaN(delay)) return yield* Effect.fail(failure)
          if (isSent) (yield* CallObserver).onRetry(error, delay)
          yield* Effect.sleep(Math.max(0, delay))
          return yield* tryFrom(isSent ? number + 1 : number, isSent ? error : last)
        })
      )
    return tryFrom(1, undefined)
  })
}
