/**
 * One call as the core makes it: an effect of whatever the caller's function returns, at the rate that is set, made again
 * as the schedule says.
 */
import { Effect, type Schedule } from "effect"
import type { Ledger } from "../Ledger.ts"
import * as MonotonicClock from "../MonotonicClock.ts"
import type { Answer, Verdict } from "./batchCall.ts"

/** How calls are made. */
export interface Calling<E> {
  readonly classify: (error: E) => Verdict
  readonly retry?: Schedule.Schedule<unknown, E> | undefined
  /** The most calls that begin in a second. */
  readonly rate?: number | undefined
  readonly ledger: Ledger
}

type Call<R, E, Services> = () => Effect.Effect<Answer<R, E>, E, Services> | Promise<Answer<R, E>>

/** Makes the calls of one run, which share the rate. */
export const calling = <E>({ classify, ledger, rate, retry }: Calling<E>) => {
  const paced = rate === undefined ? undefined : pace(1000 / rate)
  return <R, Services>(call: Call<R, E, Services>): Effect.Effect<Answer<R, E>, E, Services> => {
    const once = paced === undefined ? effectOf(call) : Effect.andThen(paced, effectOf(call))
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
}

/** Whether the same call can succeed later. */
const canHelp = (verdict: Verdict): boolean => verdict === "isolate" || verdict === "fail"

const effectOf = <R, E, Services>(call: Call<R, E, Services>): Effect.Effect<Answer<R, E>, E, Services> =>
  Effect.suspend(() => {
    const result = call()
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
