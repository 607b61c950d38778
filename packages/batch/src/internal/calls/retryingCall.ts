/**
 * One call as the core makes it: an effect of whatever the caller's function returns, at the rate that is set, made again
 * as the schedule says and when the service was unavailable.
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
  /** The most calls that begin in a second. */
  readonly rate?: number | undefined
  readonly ledger: Ledger
  /** What a failure says about the service. Default: nothing, and no call waits for it. */
  readonly signal?: ((error: E) => Availability.Signal) | undefined
  /** The availability of the run; that of the run around it when no options are given for this one. */
  readonly availability: Effect.Effect<Availability.Availability>
}

type Call<R, E, Services> = (
  keys: ReadonlyArray<string>
) => Effect.Effect<CallResult<R, E>, E, Services> | Promise<CallResult<R, E>>

/** Makes the calls of one run, which share the rate. */
export const retryingCall = <E>({
  availability,
  classify,
  ledger,
  rate,
  retry,
  signal
}: RetrySettings<E>) => {
  const paced = rate === undefined ? undefined : pace(1000 / rate)
  const asking = <R, Services>(call: Call<R, E, Services>, keys: ReadonlyArray<string>) =>
    paced === undefined ? effectOf(call, keys) : Effect.andThen(paced, effectOf(call, keys))
  const retried = <R, Services>(once: Effect.Effect<CallResult<R, E>, E, Services>): typeof once => {
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
    const attempts = retried(asking(call, keys))
    if (signal === undefined) return attempts
    const probe = (turn: number) => asking(call, keys.slice(turn % keys.length).slice(0, 1))
    return Effect.flatMap(availability, (service) => service.call(attempts, { signal, probe }))
  }
}

/** Whether the same call can succeed later. */
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

/** Waits until so many milliseconds after the last one that waited may go on. */
const pace = (interval: number): Effect.Effect<void> => {
  let next = Number.NEGATIVE_INFINITY
  return Effect.flatMap(MonotonicClock.currentMillis, (now) => {
    const at = Math.max(now, next)
    next = at + interval
    return at > now ? Effect.sleep(at - now) : Effect.void
  })
}
