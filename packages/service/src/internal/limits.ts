/**
 * What is refused before an endpoint sees it: a URL that is too long, a request too many, and everything new while the
 * service stops.
 *
 * The size of the body is the request's own limit (`HttpIncomingMessage.MaxBodySize`); the rate of a key is `access`'
 * business; header size and time-outs are the server's.
 */
import { Problem } from "@chemstream/api"
import { Context, Effect, Scope } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Draining } from "./draining.ts"
import { refuse } from "./refusals.ts"

// How long a refused client is told to wait, in seconds. A stop takes a moment longer than a busy one.
const busySeconds = 1
const drainingSeconds = 5

/** The limits. */
export interface Limits {
  /** The longest URL that is read, in characters, without the host. */
  readonly maxUrlLength: number
  /** How many requests are answered at once. */
  readonly maxConcurrent: number
  /** Whether a request is let through whatever the load, e.g. one that asks how the service is. */
  readonly exempt: (request: HttpServerRequest.HttpServerRequest) => boolean
}

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Lets through what is within the limits. */
export const limited =
  (limits: Limits) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest | Scope.Scope> => {
    let answering = 0
    const release = Effect.sync(() => {
      answering--
    })
    const tooLong = new Problem.UriTooLong({
      detail: `The URL is longer than the ${limits.maxUrlLength} characters that are read`
    })
    return Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      if (request.url.length > limits.maxUrlLength) return refuse(tooLong)
      if (limits.exempt(request)) return app
      if (fiber.getRef(Draining).isDraining) return refuse(stopping, drainingSeconds)
      if (answering >= limits.maxConcurrent) return refuse(busy, busySeconds)
      answering++
      // To the end of the request's scope: an answer may be a stream, which is sent after it is returned.
      return Effect.andThen(Scope.addFinalizer(Context.getUnsafe(fiber.context, Scope.Scope), release), app)
    })
  }

const busy = new Problem.Unavailable({
  detail: "The service answers as many requests as it can at once. Send this one again later"
})

/** The answer to what is new while the service stops. */
export const stopping: Problem.Unavailable = new Problem.Unavailable({
  detail: "The service is stopping. Send the request again later"
})
