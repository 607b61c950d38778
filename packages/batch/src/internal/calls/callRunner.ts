/**
 * Makes one call: converts the result of the caller's function to an effect, limits the rate, retries, and waits
 * for an unavailable service.
 */
import { Effect, type Schedule } from "effect"
import type * as Availability from "../../Availability.ts"
import type { Ledger } from "../../Ledger.ts"
import * as MonotonicClock from "../../MonotonicClock.ts"
import type { CallResult, Verdict } from "./batchCall.ts"

/** How calls are made. */
export interface RetrySettings<E> {
  readonly classify: (error: E) => Verdict
  readonly retry?: Schedule.Schedule<unknown, E> | undefined
  /** The largest number of calls that start per second. */
  readonly rate?: number | undefined
  readonly ledger: Ledger
  /** Returns what an error says about the service. Default: nothing, so no call waits. */
  readonly signal?: ((error: E) => Availability.Signal) | undefined
  /** The availability of this run, or of the surrounding run if this run has no options of its own. */
  readonly availability: Effect.Effect<Availability.Availability>
}

type Call<R, E, Services> = (
  keys: ReadonlyArray<string>
) => Effect.Effect<CallResult<R, E>, E, Services> | Promise<CallResult<R, E>>

/** Makes the function that runs the calls of one run. These calls share the rate. */
export const callRunner = <E>({ availability, classify, ledger, rate, retry, signal }: RetrySettings<E>) => {
  const waitForRate = rate === undefined ? undefined : spacing(1000 / rate)
  const request = <R, Services>(call: Call<R, E, Services>, keys: ReadonlyArray<string>) =>
    waitForRate === undefined ? effectOf(call, keys) : Effect.andThen(waitForRate, effectOf(call, keys))
  const withRetries = <R, Services>(once: Effect.Effect<CallResult<R, E>, E, Services>): typeof once => {
    if (retry === undefined) return once
    return Effect.suspend(() => {
      let attempts = 0
      const attempt = Effect.suspend(() => {
        if (attempts++ > 0) ledger.retries++
        return once
      })
      return Effect.retry(attempt, { schedule: retry, while: (error) => canHelp(classify(error)) })
    })
  }
  return <R, Services>(
    call: Call<R, E, Services>,
    keys: ReadonlyArray<string>
  ): Effect.Effect<CallResult<R, E>, E | Availability.ServiceUnavailable, Services> => {
    const attempts = withRetries(request(call, keys))
    if (signal === undefined) return attempts
    const probe = (index: number) => request(call, keys.slice(index % keys.length).slice(0, 1))
    return Effect.flatMap(availability, (service) => service.call(attempts, { signal, probe }))
  }
}

/** Whether a retry can succeed. */
const canHelp = (verdict: Verdict): boolean => verdict === "isolate" || verdict === "fail"

const effectOf = <R, E, Services>(
  call: Call<R, E, Services>,
  keys: ReadonlyArray<string>
): Effect.Effect<CallResult<R, E>, E, Services> =>
  Effect.suspend(() => {
    const result = call(keys)
    return Effect.isEffect(result)
      ? result
      : Effect.tryPromise({ try: () => result, catch: (error) => error as E })
  })

/** Lets its callers continue at least `interval` milliseconds apart. */
const spacing = (interval: number): Effect.Effect<void> => {
  let next = Number.NEGATIVE_INFINITY
  return Effect.flatMap(MonotonicClock.currentMillis, (now) => {
    const at = Math.max(now, next)
    next = at + interval
    return at > now ? Effect.sleep(at - now) : Effect.void
  })
}
