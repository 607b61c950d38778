/**
 * Refuses requests before an endpoint sees them: without a host, with a URL that is too long, one too many, and all new
 * ones while the service stops.
 *
 * The size of the body is the request's own limit (`HttpIncomingMessage.MaxBodySize`); the limits of a key are
 * `access`'; header size and timeouts are the server's.
 */
import { ProblemDetails } from "@chemstream/api"
import { Context, Effect, Scope } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { refuse } from "../http/refusals.ts"
import { Draining } from "./draining.ts"
import { whenSent } from "./inFlight.ts"

// How long a refused client is told to wait, in seconds. A stop takes a moment longer than a busy one.
const busySeconds = 1
const drainingSeconds = 5

/** The limits. */
export interface Limits {
  /** The longest URL that is read, in characters, without the host. */
  readonly maxUrlLength: number
  /** What a request counts among; nothing where it is let through whatever the load, e.g. to ask how the service is. */
  readonly poolOf: (request: HttpServerRequest.HttpServerRequest) => Pool | undefined
}

/** Requests of which so many are in flight at once. */
export class Pool {
  inFlight = 0
  readonly most: number

  constructor(most: number) {
    this.most = most
  }
}

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Lets through what is within the limits. */
export const limited =
  (limits: Limits) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest | Scope.Scope> => {
    const tooLong = new ProblemDetails.UriTooLong({
      detail: `The URL is longer than the ${limits.maxUrlLength} characters that are read`
    })
    return Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      if (isWithoutHost(request)) return refuse(withoutHost)
      if (request.url.length > limits.maxUrlLength) return refuse(tooLong)
      const pool = limits.poolOf(request)
      if (pool === undefined) return app
      if (fiber.getRef(Draining).isDraining) return refuse(stopping, drainingSeconds)
      if (pool.inFlight >= pool.most) return refuse(busy, busySeconds)
      pool.inFlight++
      const release = () => {
        pool.inFlight--
      }
      return Effect.andThen(whenSent(request, Context.getUnsafe(fiber.context, Scope.Scope), release), app)
    })
  }

// HTTP/1.1 demands the header (RFC 9112, section 3.2). Node would refuse such a request without a word in the log.
const isWithoutHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["host"] === undefined && "httpVersion" in source && source.httpVersion === "1.1"

const withoutHost = new ProblemDetails.BadRequest({ detail: "The request has no header host" })

const busy = new ProblemDetails.Unavailable({
  detail: "The service answers as many requests as it can at once. Send this one again later"
})

/** The answer to what is new while the service stops. */
export const stopping: ProblemDetails.Unavailable = new ProblemDetails.Unavailable({
  detail: "The service is stopping. Send the request again later"
})
