/**
 * What a call goes through, outermost first: what watches it, the cache, retries, its turn among the requests of its caller
 * and of the client, the circuit breaker, the attempt itself.
 *
 * A turn ends with the answer's body. Reading it takes none: meanwhile another request can be under way.
 *
 * The one place where the parts are put together.
 */
import { Effect, type Scope } from "effect"
import type { ChemError } from "../ChemError.ts"
import type { CircuitBreaker } from "../CircuitBreaker.ts"
import type { Limits } from "../Limits.ts"
import type { ResponseCache } from "../ResponseCache.ts"
import type { Decide, RetryPolicy } from "../RetryPolicy.ts"
import { Turn } from "../Turn.ts"
import { type Settings as AttemptSettings, attempt } from "./attempt.ts"
import * as breaker from "./breaker.ts"
import * as cached from "./cached.ts"
import type { Answer, Call, Run } from "./call.ts"
import * as limiter from "./limiter.ts"
import { observed } from "./observed.ts"
import { retry } from "./retry.ts"

export interface Settings extends AttemptSettings {
  readonly retry: RetryPolicy | Decide
  readonly limits: Limits
  /** No cache when undefined. */
  readonly cache: ResponseCache | undefined
  /** No circuit breaker when undefined. */
  readonly circuitBreaker: CircuitBreaker | undefined
}

export const make = (settings: Settings): Effect.Effect<Run, never, Scope.Scope> =>
  Effect.gen(function* () {
    const key = `chemstream:${settings.address}`
    const turn = yield* limiter.make(settings.limits, key)
    const circuit =
      settings.circuitBreaker === undefined ? breaker.none : yield* breaker.make(settings.circuitBreaker, key)

    const send = <A>(call: Call<A>): Effect.Effect<Answer<A>, ChemError> =>
      retry(settings.retry, (number, begin) => {
        const sent = Effect.andThen(begin, circuit(call.endpoint, attempt(settings, call, number)))
        return Effect.flatMap(Turn, (ofCaller) => Effect.flatten(ofCaller(turn(sent))))
      })

    const answer: Run =
      settings.cache === undefined
        ? (call) => Effect.map(send(call), ({ value }) => value)
        : cached.make(settings.address, settings.cache, send)

    return (call) => observed(call, answer(call))
  })
