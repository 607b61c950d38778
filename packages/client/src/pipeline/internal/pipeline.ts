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
import * as cached from "./cache.ts"
import type { Answer, Call, Run } from "./call.ts"
import * as limiter from "./limiter.ts"
import { observed } from "./observation.ts"
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
    const turn = yield* limiter.make(settings.limits, key)
    const own = Availability.make(settings.availability)

    const send = <A>(call: Call<A>): Effect.Effect<Answer<A>, ChemError.ChemError> =>
      retry(settings.retry, (number, begin, answered) => {
        const sent = Effect.andThen(begin, Effect.tap(attempt(settings, call, number), answered))
        return Effect.flatMap(RequestGate.RequestGate, (ofCaller) => Effect.flatten(ofCaller(turn(sent))))
      })

    const ask: Run = (call) => Effect.map(send(call), ({ value }) => value)
    const answer =
      settings.cache === undefined
        ? ask
        : cached.make(`${settings.dialect} ${settings.address}`, settings.cache, send)

    const available = <A>(call: Call<A>): Effect.Effect<A, ChemError.ChemError> =>
      Effect.flatMap(Availability.Current, (run) => {
        if (run === undefined) {
          const asked = { signal: ChemError.signal, probe: () => available(call) }
          return Effect.catchTag(own.call(available(call), asked), "ServiceUnavailable", (error) =>
            Effect.fail(error instanceof ChemError.ServiceUnavailable ? error : unavailable(call, error))
          )
        }
        run.isReported = true
        // A cached response says nothing about the service.
        return run.mode === "probe" ? ask(call) : answer(call)
      })

    return (call) => observed(call, available(call))
  })

const unavailable = (
  { endpoint }: Call<unknown>,
  { message }: Availability.ServiceUnavailable
): ChemError.ServiceUnavailable => new ChemError.ServiceUnavailable({ endpoint, attempts: 0, message })
