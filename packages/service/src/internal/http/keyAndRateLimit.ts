/**
 * The first middleware of every endpoint: checks the key of a request, and the limits of the key: its rate, and its requests
 * in flight. `requestCheck.ts` is the second.
 */
import { Access, ProblemDetails } from "@chemstream/api"
import { MonotonicClock } from "@chemstream/batch"
import { Duration, Effect, Layer, Redacted, type Scope } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { identify, type Source } from "../../ApiKeys.ts"
import { Client } from "../../Store.ts"
import { ClientQuota, shareOf } from "../server/clientQuota.ts"
import { markIdentified } from "../server/refusedConnections.ts"
import { busy } from "../server/requestLimits.ts"
import { whenSent } from "../server/whenSent.ts"
import { refuse } from "./refuse.ts"

/** The rate of a key: at most `requests` in a burst, and on average `requests` in each period `per`. */
export interface Rate {
  readonly requests: number
  readonly per: Duration.Input
}

/** The keys and their limits. */
export interface Limits {
  readonly keys: ReadonlyArray<Redacted.Redacted<string>> | Source
  readonly rate: Rate | undefined
  /** The largest number of requests in flight, for all keys. */
  readonly maxConcurrent: number
  /** The largest number of requests in flight of one key. Default: see `defaultPerKey`. */
  readonly maxConcurrentPerKey: number | undefined
}

type Response = HttpServerResponse.HttpServerResponse

/**
 * Runs the handler of a request with its key, or responds that the key is over its limits.
 *
 * Fails for an unknown key, before the body of the request is read. A request takes a place among those in flight only
 * after its key is known.
 */
export type Gate = <E, R>(
  key: string,
  handler: Effect.Effect<Response, E, R>
) => Effect.Effect<
  Response,
  E | ProblemDetails.Unauthorized,
  R | HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** Makes the gate of a service. */
export const makeGate = ({ keys, maxConcurrent, maxConcurrentPerKey, rate }: Limits): Effect.Effect<Gate> =>
  Effect.map(RateLimiter.RateLimiter, (limiter): Gate => {
    const current = "current" in keys ? keys.current : Effect.succeed(keys)
    const inFlight = new ClientQuota(maxConcurrent, maxConcurrent)
    let currentKeys: ReadonlyArray<Redacted.Redacted<string>> = []
    let identityOf = identify(currentKeys)
    /** The largest number of requests in flight of one key, which depends on the number of keys. */
    let limit = 0
    const check = Effect.fnUntraced(function* (key: string) {
      const full = inFlight.enter(key, limit)
      if (full === "client") return yield* refuse(tooManyAtOnce(limit), busySeconds)
      if (full === "all") return yield* refuse(busy, busySeconds)
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* whenSent(request, yield* Effect.scope, () => inFlight.leave(key))
      return rate === undefined ? undefined : yield* consume(limiter, key, rate)
    })
    return Effect.fnUntraced(function* (credential, handler) {
      const newKeys = yield* current
      if (newKeys !== currentKeys) {
        currentKeys = newKeys
        identityOf = identify(newKeys)
        limit = maxConcurrentPerKey ?? defaultPerKey(maxConcurrent, newKeys.length)
      }
      const key = identityOf(credential)
      if (key === undefined) return yield* new ProblemDetails.Unauthorized({ detail: unauthorized })
      markIdentified(yield* HttpServerRequest.HttpServerRequest)
      return (yield* check(key)) ?? (yield* Effect.provideService(handler, Client, key))
    })
  }).pipe(Effect.provide(Layer.provide(RateLimiter.layer, RateLimiter.layerStoreMemory)))

// With several keys, a quarter of all requests. At least 8, which is enough for one client.
const defaultPerKey = (maxConcurrent: number, keys: number): number =>
  keys <= 1 ? maxConcurrent : shareOf(maxConcurrent, 4)

/** Provides the middleware of keys. */
export const layerApiKey = (gate: Gate): Layer.Layer<Access.ApiKey> =>
  Layer.succeed(Access.ApiKey, {
    key: (handler, { credential }) => gate(Redacted.value(credential), handler)
  })

// Takes a token of the key. Returns the response if the key is over its rate.
const consume = (
  limiter: RateLimiter.RateLimiter,
  key: string,
  rate: Rate
): Effect.Effect<HttpServerResponse.HttpServerResponse | undefined> =>
  MonotonicClock.provide(
    limiter.consume({ algorithm: "token-bucket", key, limit: rate.requests, window: rate.per })
  ).pipe(
    Effect.as(undefined),
    Effect.catchTag("RateLimiterError", ({ reason }) =>
      reason._tag === "RateLimitExceeded"
        ? refuse(overRate(rate), Duration.toSeconds(reason.retryAfter))
        : Effect.die(reason)
    )
  )

// The `retry-after` of a key with too many requests in flight, in seconds.
const busySeconds = 1

const tooManyAtOnce = (limit: number): ProblemDetails.TooManyRequests =>
  new ProblemDetails.TooManyRequests({
    detail: `This key has ${limit} requests in flight, its limit. Wait until one finishes`
  })

const unauthorized = `The API key is missing or unknown. Send a valid key in the header ${Access.defaultKeyHeader}`

const overRate = ({ per, requests }: Rate): ProblemDetails.TooManyRequests =>
  new ProblemDetails.TooManyRequests({
    detail: `This key may send ${requests} requests in ${Duration.format(Duration.fromInputUnsafe(per))}. Wait before the next one`
  })
