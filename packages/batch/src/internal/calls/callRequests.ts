/**
 * Makes the requests of a run out of the caller's function `call`: at most `rate` a second, with its retries. Checks what it returns.
 */
import { Effect, Schedule } from "effect"
import { InvalidOption } from "../../InvalidOption.ts"
import type * as Ledger from "../../Ledger.ts"
import * as Options from "../../Options.ts"
import * as Pace from "../../Pace.ts"
import type { Attempts, Call, Calls } from "../runSettings.ts"
import type { CallResult } from "./callResult.ts"

/** Returns a function that requests keys: it calls the caller's function when the rate allows it, and retries as the settings say. */
export const requester = <E, Foreign>(
  { classify, rate, retry: given }: Calls<E, Foreign>,
  ledger: Ledger.Ledger
) => {
  const retry = given === undefined || Schedule.isSchedule(given) ? given : retries(given)
  const awaitRate = rate === undefined ? Effect.void : Pace.spacing(rate)
  return <R, Services>(
    call: Call<R, E, Services>,
    keys: ReadonlyArray<string>
  ): Effect.Effect<CallResult<R, E>, E, Services> => {
    const once = Effect.andThen(awaitRate, effectOf(call, keys))
    if (retry === undefined) return once
    return Effect.suspend(() => {
      let attempts = 0
      const counted = Effect.suspend(() => {
        if (attempts++ > 0) ledger.retries++
        return once
      })
      // After the other verdicts, the same request would fail again.
      const canHelp = (error: E): boolean => ["isolate", "fail"].includes(classify?.(error) ?? "isolate")
      return Effect.retry(counted, { schedule: retry, while: canHelp })
    })
  }
}

/** Calls the caller's function, which may return a promise or throw. */
const effectOf = <R, E, Services>(
  call: Call<R, E, Services>,
  keys: ReadonlyArray<string>
): Effect.Effect<CallResult<R, E>, E, Services> =>
  Effect.suspend(() => {
    const aborter = new AbortController()
    try {
      const result = call(keys, { signal: aborter.signal })
      if (Effect.isEffect(result)) return Effect.tap(result, checkResponse)
      return Effect.tryPromise({ try: async () => result, catch: (error) => error as E }).pipe(
        Effect.onInterrupt(() => Effect.sync(() => aborter.abort())),
        Effect.tap(checkResponse)
      )
    } catch (error) {
      return Effect.fail(error as E)
    }
  })

/** Waits that double from half a second to a minute, with jitter, between a number of attempts. */
const retries = (given: number | Attempts): Schedule.Schedule<unknown> => {
  const { attempts = 1 } = typeof given === "number" ? { attempts: given } : given
  return Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("1 minute")]).pipe(
    Schedule.jittered,
    Schedule.upTo({ times: attempts - 1 })
  )
}

/** Dies if a call returns something else than a response. */
const checkResponse = (response: CallResult<unknown, unknown>): Effect.Effect<void> => {
  const {
    bytes = 0,
    errors,
    records,
    suggestions,
    surplus = [],
    truncated
  } = Object(response) as typeof response
  const isResponse =
    [records, surplus].every(recordsKind.matches) &&
    [errors, suggestions, truncated].every((map) => map === undefined || map instanceof Map) &&
    Options.amount.matches(bytes)
  if (isResponse) return Effect.void
  const wanted =
    "a function that returns { records }, a list of { key, record }, with maps of errors, suggestions and truncated"
  return Effect.die(new InvalidOption({ option: "call", value: response, wanted }))
}

const recordsKind = /* @__PURE__ */ Options.list(/* @__PURE__ */ Options.object())
