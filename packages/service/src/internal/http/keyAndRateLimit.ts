/**
 * The two middlewares of every endpoint. The first checks the key and its limits (`gate`), the second the values and the
 * parameters of the request (`layerRequestCheck`).
 */
import { Access, ProblemDetails } from "@chemstream/api"
import { MonotonicClock } from "@chemstream/batch"
import { Duration, Effect, Layer, Redacted, type Schema, type Scope } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { identify, type Source } from "../../ApiKeys.ts"
import { Client } from "../../Store.ts"
import { ClientQuota, shareOf } from "../server/clientQuota.ts"
import { markIdentified } from "../server/refusedConnections.ts"
import { busy } from "../server/requestLimits.ts"
import { whenSent } from "../server/whenSent.ts"
import { refuse } from "./refuse.ts"
import { describe, quote } from "./requestIssue.ts"

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

/** Makes the gate. */
export const gate = ({ keys, maxConcurrent, maxConcurrentPerKey, rate }: Limits): Effect.Effect<Gate> =>
  Effect.map(RateLimiter.RateLimiter, (limiter): Gate => {
    const current = "current" in keys ? keys.current : Effect.succeed(keys)
    const inFlight = new ClientQuota(maxConcurrent, maxConcurrent)
    let currentKeys: ReadonlyArray<Redacted.Redacted<string>> = []
    let identityOf = identify(currentKeys)
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

const layerSchemaCheck: Layer.Layer<Access.RequestCheck> = HttpApiMiddleware.layerSchemaErrorTransform(
  Access.RequestCheck,
  (error) => {
    // A response that violates the contract is a defect of the service.
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error.cause)
    if (error.kind !== "Params")
      return Effect.fail(new ProblemDetails.BadRequest({ detail: describe(error) }))
    return Effect.flatMap(HttpRouter.RouteContext, ({ params }) =>
      Object.values(params).includes("")
        ? Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            Effect.die(
              new HttpServerError.HttpServerError({
                reason: new HttpServerError.RouteNotFound({ request })
              })
            )
          )
        : Effect.fail(new ProblemDetails.BadRequest({ detail: describe(error) }))
    )
  }
)

/**
 * Checks the values and the query parameters of a request against the contract. A path with an empty value is
 * unknown.
 */
export const layerRequestCheck: Layer.Layer<Access.RequestCheck> = Layer.effect(
  Access.RequestCheck,
  Effect.map(
    Access.RequestCheck,
    (check): Access.RequestCheck["Service"] =>
      (handler, options) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { params } = yield* HttpRouter.RouteContext
          const refusal = unknownParameters(request.url, options.endpoint) ?? oddNumber(request.url, params)
          return yield* refusal === undefined ? check(handler, options) : Effect.fail(refusal)
        })
  )
).pipe(Layer.provide(layerSchemaCheck))

const unknownParameters = (
  url: string,
  { query }: { readonly query?: Schema.Top | undefined }
): ProblemDetails.BadRequest | undefined => {
  const start = url.indexOf("?")
  if (start === -1) return undefined
  const allowed =
    query?.ast._tag === "Objects" ? query.ast.propertySignatures.map(({ name }) => String(name)) : []
  const sentNames = new Set(new URLSearchParams(url.slice(start + 1)).keys())
  const unknown = [...sentNames].filter((name) => !allowed.includes(name))
  if (unknown.length === 0) return undefined
  const names = unknown
    .slice(0, maxNamed)
    .map((name) => quote(name))
    .join(", ")
  const known = allowed.length === 0 ? "it takes none" : `it takes ${allowed.join(", ")}`
  return new ProblemDetails.BadRequest({
    detail: `Unknown query parameter${unknown.length === 1 ? "" : "s"} of this path: ${names}; ${known}`
  })
}

/** The whole numbers of paths and queries. */
const numbers = ["aeid", "m4id", "next"]

// Refuses other spellings of whole numbers, e.g. 1e1, 03 or 3.0. They would be read as 10 and 3.
const oddNumber = (
  url: string,
  params: Readonly<Record<string, string | undefined>>
): ProblemDetails.BadRequest | undefined => {
  const start = url.indexOf("?")
  const query = new URLSearchParams(start === -1 ? "" : url.slice(start + 1))
  for (const name of numbers) {
    const value = params[name] ?? query.get(name)
    if (value === null || value === undefined || /^-?(0|[1-9]\d*)$/.test(value) || !/\d/.test(value)) continue
    const part = params[name] === undefined ? "Query parameter" : "Path value"
    return new ProblemDetails.BadRequest({
      detail: `${part} ${name}: expected a whole number in digits, got ${quote(value)}`
    })
  }
  return undefined
}

// The largest number of unknown parameters that a refusal names. A URL may have thousands.
const maxNamed = 5

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
