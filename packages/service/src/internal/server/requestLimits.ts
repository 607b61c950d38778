/**
 * Refuses requests without a host header, with a URL that is too long, over the limits of requests without a key, or
 * while the service stops.
 *
 * Other limits: `HttpIncomingMessage.MaxBodySize` (body), `keyAndRateLimit` (keys), `listener` (connections, headers
 * and times).
 */
import { ProblemDetails } from "@chemstream/api"
import { ByteSize, Context, Effect, Option, type Scope } from "effect"
import {
  HttpIncomingMessage,
  type HttpServerError,
  HttpServerRequest,
  type HttpServerResponse
} from "effect/http"
import { refuse } from "../http/refuse.ts"
import { type ClientQuota, clientOf } from "./clientQuota.ts"
import { Draining } from "./draining.ts"
import { whenSent } from "./whenSent.ts"

// The `retry-after` of refused requests, in seconds. A restart takes longer than a busy moment.
const busySeconds = 1
const drainingSeconds = 5

/** The largest body of a request without a key, in bytes. */
export const maxOpenBodyBytes = 1024

/** The access of a request: its path needs a key, its path is open and its requests share a quota, or it has no limit. */
export type Access = "key" | ClientQuota | "unlimited"

/** The limits of requests. */
export interface Limits {
  /** The longest URL in characters, without the host. */
  readonly maxUrlLength: number
  readonly accessOf: (request: HttpServerRequest.HttpServerRequest) => Access
}

type Response = HttpServerResponse.HttpServerResponse

type App<E, R> = Effect.Effect<Response, E, R>

/** Refuses the requests over the limits of an application. A request with a key takes its place in its gate. */
export const limitRequests =
  (limits: Limits) =>
  <E, R>(
    app: App<E, R>
  ): App<E | HttpServerError.HttpServerError, R | HttpServerRequest.HttpServerRequest | Scope.Scope> => {
    const tooLong = new ProblemDetails.UriTooLong({
      detail: `The URL is longer than the limit of ${limits.maxUrlLength} characters`
    })
    return Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      if (isWithoutHost(request)) return refuse(withoutHost)
      if (request.url.length > limits.maxUrlLength) return refuse(tooLong)
      const access = limits.accessOf(request)
      if (access === "unlimited") return app
      if (fiber.getRef(Draining).isDraining) return refuse(stopping, drainingSeconds)
      return access === "key" ? app : enter(request, access, app)
    })
  }

// A slow body takes no place: it is read before.
const enter = <E, R>(
  request: HttpServerRequest.HttpServerRequest,
  quota: ClientQuota,
  app: App<E, R>
): App<E | HttpServerError.HttpServerError, R | Scope.Scope> =>
  Effect.gen(function* () {
    if (request.method === "POST") {
      const refusal = yield* request.text.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxOpenBodyBytes)),
        Effect.as(undefined),
        Effect.catchIf(isTooLarge, () => refuse(bodyTooLarge))
      )
      if (refusal !== undefined) return refusal
    }
    const client = clientOf(Option.getOrUndefined(request.remoteAddress))
    if (quota.enter(client) !== undefined) return yield* refuse(busy, busySeconds)
    yield* whenSent(request, yield* Effect.scope, () => quota.leave(client))
    return yield* app
  })

const isTooLarge = (error: HttpServerError.HttpServerError): boolean =>
  error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"

const bodyTooLarge = new ProblemDetails.TooLarge({
  detail: `The body is larger than the limit of ${maxOpenBodyBytes} bytes`
})

// HTTP/1.1 requires the header (RFC 9112, section 3.2). Node itself would refuse the request without a log line.
const isWithoutHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["host"] === undefined && "httpVersion" in source && source.httpVersion === "1.1"

const withoutHost = new ProblemDetails.BadRequest({ detail: "The request has no host header" })

/** The response over a limit of all clients. */
export const busy: ProblemDetails.Unavailable = new ProblemDetails.Unavailable({
  detail: "The service is busy. Retry later"
})

/** The response to new requests while the service stops. */
export const stopping: ProblemDetails.Unavailable = new ProblemDetails.Unavailable({
  detail: "The service is stopping. Retry later"
})
