/**
 * The two middlewares that the contract declares in front of every endpoint: the key and its rate, then the form of the
 * request.
 */
import { Access, Problem } from "@chemstream/api"
import { Duration, Effect, Layer, Redacted } from "effect"
import {
  HttpMethod,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  type HttpServerResponse
} from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { identify, type Source } from "../ApiKeys.ts"
import { atOnce } from "./atOnce.ts"
import { overLimit } from "./batch.ts"
import { deepest, shapeOf } from "./bodyShape.ts"
import * as MonotonicClock from "./monotonicClock.ts"
import { refuse } from "./refusals.ts"
import { describe } from "./requestIssue.ts"

/** How many requests a key may make: so many at once, and then as many in each such time. */
export interface Rate {
  readonly requests: number
  readonly per: Duration.Input
}

/** The gate in front of every endpoint. A key is taken as it came, in the header of a request. */
export interface Gate {
  /**
   * Lets a key through, or gives the answer that refuses it because it is over its rate. Fails for an unknown key, before
   * anything else of a request is looked at.
   */
  readonly pass: (
    key: string
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse | undefined, Problem.Unauthorized>
  /** Whether a key is known, as far as that can be told at once; its rate is not counted. */
  readonly knows: (key: string) => boolean
}

/** The gate of the keys and their rate. */
export const gate = (
  keys: ReadonlyArray<Redacted.Redacted<string>> | Source,
  rate: Rate | undefined
): Effect.Effect<Gate> =>
  Effect.map(RateLimiter.RateLimiter, (limiter): Gate => {
    const current = "current" in keys ? keys.current : Effect.succeed(keys)
    let known: ReadonlyArray<Redacted.Redacted<string>> = []
    let identityOf = identify(known)
    const identityAmong = (now: typeof known, credential: string): string | undefined => {
      if (now !== known) {
        known = now
        identityOf = identify(now)
      }
      return identityOf(credential)
    }
    return {
      pass: (credential) =>
        Effect.flatMap(current, (now) => {
          const key = identityAmong(now, credential)
          if (key === undefined) return Effect.fail(new Problem.Unauthorized({ detail: unauthorized }))
          return rate === undefined ? Effect.undefined : consume(limiter, key, rate)
        }),
      knows: (credential) => {
        const now = atOnce(current)
        return now !== undefined && identityAmong(now, credential) !== undefined
      }
    }
  }).pipe(Effect.provide(Layer.provide(RateLimiter.layer, RateLimiter.layerStoreMemory)))

/** Puts the gate in front of every endpoint. */
export const layerApiKey = (gate: Gate): Layer.Layer<Access.ApiKey> =>
  Layer.succeed(Access.ApiKey, {
    key: (handled, { credential }) =>
      Effect.flatMap(gate.pass(Redacted.value(credential)), (refusal) =>
        refusal === undefined ? handled : Effect.succeed(refusal)
      )
  })

const layerSchemaCheck: Layer.Layer<Access.RequestCheck> = HttpApiMiddleware.layerSchemaErrorTransform(
  Access.RequestCheck,
  (error) => {
    // A defect: an answer that does not fit is no fault of the request.
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error.cause)
    if (error.kind !== "Params") return Effect.fail(new Problem.BadRequest({ detail: describe(error) }))
    return Effect.flatMap(HttpRouter.RouteContext, ({ params }) =>
      Object.values(params).includes("")
        ? Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            Effect.die(
              new HttpServerError.HttpServerError({
                reason: new HttpServerError.RouteNotFound({ request })
              })
            )
          )
        : Effect.fail(new Problem.BadRequest({ detail: describe(error) }))
    )
  }
)

/**
 * Says what does not fit the contract. A path that ends where a value should stand is no path of the endpoint. A body
 * that is nested too deep, or longer than the endpoint's limit, is refused before it is parsed.
 */
export const layerRequestCheck: Layer.Layer<Access.RequestCheck> = Layer.effect(
  Access.RequestCheck,
  Effect.map(Access.RequestCheck, (check): Access.RequestCheck["Service"] =>
    Effect.fnUntraced(function* (handled, options) {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (HttpMethod.hasBody(request.method)) {
        const shape = shapeOf(new Uint8Array(yield* Effect.orDie(request.arrayBuffer)))
        if (shape.tooDeep) return yield* tooDeep
        const refusal = overLimit(options.endpoint, shape.longest)
        if (refusal !== undefined) return yield* HttpServerRespondable.toResponse(refusal)
      }
      return yield* check(handled, options)
    })
  )
).pipe(Layer.provide(layerSchemaCheck))

// The refusal when the key is over its rate.
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

const tooDeep = new Problem.BadRequest({
  detail: `Failed to read request: it is nested more than ${deepest} levels deep`
})

const unauthorized = `A known API key is needed: send it in the header ${Access.defaultKeyHeader}`

const overRate = ({ per, requests }: Rate): Problem.TooManyRequests =>
  new Problem.TooManyRequests({
    detail: `This key may make ${requests} requests in ${Duration.format(Duration.fromInputUnsafe(per))}; wait before the next one`
  })
