/**
 * Makes attempts of a call until one succeeds or the policy ends. `RetryPolicy.ts` has the delays; `errors/internal/retryAfter.ts` reads
 * the header `Retry-After`, which is then in the error.
 *
 * In a run, the run splits batches and repeats requests (`Availability.Current`). Its calls make a single attempt, or
 * the attempts that a key has left.
 */

import { Availability, InvalidOption, Metrics, MonotonicClock, Options } from "@chemstream/batch"
import { Duration, Effect, Pull, Random, Schedule } from "effect"
import { type ChemError, retryAfter, signal, unavailable, verdict } from "../../errors/ChemError.ts"
import { CallObserver } from "../CallObserver.ts"
import { type Complete, nextDelay, type State } from "../RetryPolicy.ts"

/** An attempt by its number, from 1. It runs `onSent` when it is sent, which starts the time of the policy. */
export type Attempt<A> = (number: number, onSent: Effect.Effect<void>) => Effect.Effect<A, ChemError>

/** Returns the wait before the next attempt in milliseconds. Undefined: no attempt. */
type Next = (error: ChemError, state: State) => Effect.Effect<number | undefined>

/** Makes attempts as the policy says. */
export const retry = <A>(
  policy: Complete,
  current: Availability.Current | undefined,
  attempt: Attempt<A>
): Effect.Effect<A, ChemError> =>
  Effect.suspend(() => {
    let firstSentAt: number | undefined
    let next: Next | undefined
    const onSent = Effect.map(MonotonicClock.currentMillis, (now) => {
      firstSentAt ??= now
    })
    const attemptFrom = (number: number): Effect.Effect<A, ChemError> =>
      Effect.catch(attempt(number, onSent), (error) =>
        Effect.gen(function* () {
          const isAboutService = current?.availability.judges(signal(error), current.limits) === true
          // The run waits for the service, and then repeats the request.
          const isOfRun = isAboutService && current?.limits.isPatient !== false
          // A call that waited for the service in vain has used its time. A wrong address ends a run at once.
          const isOver =
            error._tag === "ServiceUnavailable" ||
            (current?.limits.isPatient === true &&
              verdict(error, current.availability.hasResponded()) === "stop")
          if (current?.mode === "probe" || isOver) return yield* Effect.fail(error)
          const now = yield* MonotonicClock.currentMillis
          const random = yield* Random.next
          next ??= yield* makeNext(policy)
          const delay = yield* next(error, { attempt: number, elapsed: now - (firstSentAt ?? now), random })
          // A call of a run that may make one attempt tells the run when the next one would be.
          if (current !== undefined && (isOfRun || (current.failures === undefined && !isAboutService))) {
            current.retryDelay = delay
            return yield* Effect.fail(error)
          }
          if (delay === undefined) return yield* Effect.fail(error)
          ;(yield* CallObserver).onRetry(error, delay)
          const sleep = Effect.sleep(Math.max(0, delay))
          const wait = retryAfter(error) === undefined ? sleep : Metrics.whileWaiting("throttled", sleep)
          yield* Effect.mapError(Availability.unlessStopped(wait), (stopped) =>
            unavailable(error.endpoint, stopped)
          )
          return yield* attemptFrom(number + 1)
        })
      )
    return attemptFrom((current?.failures ?? 0) + 1)
  })

/** Makes the delays of one call. A schedule has state, so each call needs its own. */
const makeNext = (policy: Complete): Effect.Effect<Next> => {
  if (!Schedule.isSchedule(policy)) {
    const decide = typeof policy === "function" ? policy : nextDelay.bind(undefined, policy)
    return Effect.succeed((error, state) => {
      const delay = decide(error, state)
      // NaN ends the call.
      if (delay === undefined || Number.isNaN(delay)) return Effect.succeed(undefined)
      const milliseconds = Options.millisecondsOf(delay)
      if (!Number.isNaN(milliseconds)) return Effect.succeed(milliseconds)
      const wanted = 'a function that returns a time, e.g. "5 seconds", or undefined for no further attempt'
      return Effect.die(new InvalidOption.InvalidOption({ option: "retry", value: delay, wanted }))
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
