/**
 * Puts the steps of a call together, outermost first: observation, the wait for an unavailable service, cache,
 * retries, the limits of the caller and of the client, the attempt.
 *
 * A request counts as in flight until its body has arrived. While the body is read, the next request can be sent.
 */

import { Availability, RequestGate } from "@chemstream/batch"
import { Effect, type Scope } from "effect"
import * as ChemError from "../../errors/ChemError.ts"
import type { Limits } from "../Limits.ts"
import type { ResponseCache } from "../ResponseCache.ts"
import type { Retries } from "../RetryPolicy.ts"
import { type Settings as AttemptSettings, attempt } from "./attempt.ts"
import * as responseCache from "./cache.ts"
import type { Call, CallResponse, Run } from "./call.ts"
import * as limiter from "./limiter.ts"
import { observe } from "./observation.ts"
import { retry } from "./retry.ts"

export interface Settings extends AttemptSettings {
  readonly retry: Retries
  readonly limits: Limits
  /** The dialect of requests. It is part of the key of the cache. */
  readonly dialect: string
  /** Undefined: no cache. */
  readonly cache: ResponseCache | undefined
  /** The availability of calls outside a run. */
  readonly availability: Availability.Options
}

export const make = (settings: Settings): Effect.Effect<Run, never, Scope.Scope> =>
  Effect.gen(function* () {
    const key = `chemstream:${settings.address}`
    const limit = yield* limiter.make(settings.limits, key)
    const availability = Availability.make(settings.availability)

    const send = <A>(call: Call<A>): Effect.Effect<CallResponse<A>, ChemError.ChemError> =>
      retry(settings.retry, (number, onSent, onResponse) => {
        const request = Effect.andThen(onSent, Effect.tap(attempt(settings, call, number), onResponse))
        return Effect.flatMap(RequestGate.RequestGate, (callerGate) =>
          Effect.flatten(callerGate(limit(request)))
        )
      })

    const callWithoutCache: Run = (call) => Effect.map(send(call), ({ value }) => value)
    const callWithCache =
      settings.cache === undefined
        ? callWithoutCache
        : responseCache.make(`${settings.dialect} ${settings.address}`, settings.cache, send)

    const callWhenAvailable = <A>(call: Call<A>): Effect.Effect<A, ChemError.ChemError> =>
      Effect.flatMap(Availability.Current, (run) => {
        if (run === undefined) {
          const options = { signal: ChemError.signal, probe: () => callWhenAvailable(call) }
          return Effect.catchTag(
            availability.call(callWhenAvailable(call), options),
            "ServiceUnavailable",
            (error) =>
              Effect.fail(
                error instanceof ChemError.ServiceUnavailable ? error : unavailableError(call, error)
              )
          )
        }
        run.isReported = true
        // A cached response says nothing about the service.
        return run.mode === "probe" ? callWithoutCache(call) : callWithCache(call)
      })

    return (call) => observe(call, callWhenAvailable(call))
  })

const unavailableError = (
  { endpoint }: Call<unknown>,
  { message }: Availability.ServiceUnavailable
): ChemError.ServiceUnavailable => new ChemError.ServiceUnavailable({ endpoint, attempts: 0, message })
