/**
 * Refuses requests without a host header, with a URL that is too long, over the limit of concurrent requests, or
 * while the service stops.
 *
 * Other limits: `HttpIncomingMessage.MaxBodySize` (body), `keyAndRateLimit` (keys), `nodeServer` (headers and times).
 */
import { ProblemDetails } from "@chemstream/api"
import { Context, Effect, Scope } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { refuse } from "../http/refusals.ts"
import { Draining } from "./draining.ts"
import { whenSent } from "./inFlight.ts"

// The `retry-after` of refused requests, in seconds. A restart takes longer than a busy moment.
const busySeconds = 1
const drainingSeconds = 5

/** The limits of requests. */
export interface Limits {
  /** The longest URL in characters, without the host. */
  readonly maxUrlLength: number
  /** Returns the pool of a request. Undefined for requests without a limit, e.g. health checks. */
  readonly poolOf: (request: HttpServerRequest.HttpServerRequest) => Pool | undefined
}

/** Requests that share a limit of requests in flight. */
export class Pool {
  inFlight = 0
  readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }
}

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Refuses the requests over the limits of an application. */
export const limitRequests =
  (limits: Limits) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest | Scope.Scope> => {
    const tooLong = new ProblemDetails.UriTooLong({
      detail: `The URL is longer than the limit of ${limits.maxUrlLength} characters`
    })
    return Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      if (isWithoutHost(request)) return refuse(withoutHost)
      if (request.url.length > limits.maxUrlLength) return refuse(tooLong)
      const pool = limits.poolOf(request)
      if (pool === undefined) return app
      if (fiber.getRef(Draining).isDraining) return refuse(stopping, drainingSeconds)
      if (pool.inFlight >= pool.limit) return refuse(busy, busySeconds)
      pool.inFlight++
      const release = () => {
        pool.inFlight--
      }
      return Effect.andThen(whenSent(request, Context.getUnsafe(fiber.context, Scope.Scope), release), app)
    })
  }

// HTTP/1.1 requires the header (RFC 9112, section 3.2). Node itself would refuse the request without a log line.
const isWithoutHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["host"] === undefined && "httpVersion" in source && source.httpVersion === "1.1"

const withoutHost = new ProblemDetails.BadRequest({ detail: "The request has no host header" })

const busy = new ProblemDetails.Unavailable({
  detail: "The service is busy. Retry later"
})

/** The response to new requests while the service stops. */
export const stopping: ProblemDetails.Unavailable = new ProblemDetails.Unavailable({
  detail: "The service is stopping. Retry later"
})
