/**
 * Observes every request from its arrival to its response: gives it an id, counts it (`requestMetrics.ts`) and writes its
 * line of the access log (`AccessLog.ts`).
 *
 * It sees responses as they are sent, compressed or not, also those of `nodeServer` to malformed requests.
 */
import { Clock, Context, Effect, Option, Scope } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { format, type Write } from "../../AccessLog.ts"
import type { Paths } from "../http/endpointPaths.ts"
import { header, requestId } from "../http/requestId.ts"
import { pathOf } from "../http/requestPath.ts"
import type { Metrics } from "./requestMetrics.ts"
import { whenSent } from "./whenSent.ts"

/** The metrics and the log. */
export interface Options {
  readonly metrics: Metrics
  readonly accessLog: Write | undefined
}

/** The facts of a request at its arrival. */
export interface Arrival {
  /** Undefined if the request could not be read. */
  readonly method?: string
  readonly url?: string
  /** The id in the request's header, if any. */
  readonly id?: string | undefined
  /** The header `traceparent` of the request, if any. */
  readonly traceparent?: string | undefined
  /** The path of its endpoint, if it has one. */
  readonly route?: string | undefined
  readonly remote: () => string | null
  readonly at: Moment
}

/** A point in time: wall clock in milliseconds since 1970, and monotonic clock in nanoseconds. */
export interface Moment {
  readonly millis: number
  readonly nanos: bigint
}

/** Returns the current moment. */
export const now = (clock: Clock.Clock): Moment => ({
  millis: clock.currentTimeMillisUnsafe(),
  nanos: clock.monotonicTimeNanosUnsafe()
})

/** Counts a request. Returns its id, and callbacks for its response and for the end of the response. */
export type Observe = (arrival: Arrival) => {
  readonly id: string
  readonly recordResponse: (
    response: { readonly status: number; readonly bytes: number | null },
    at: Moment
  ) => void
  /** Records that the response has been sent in full, or cannot be sent. */
  readonly recordEnd: () => void
}

export const observer =
  ({ accessLog, metrics }: Options): Observe =>
  ({ at, id: request, method = null, remote, route = null, traceparent = "", url }) => {
    const id = requestId(request)
    metrics.recordArrival()
    return {
      id,
      recordEnd: metrics.recordEnd,
      recordResponse: ({ bytes, status }, end) => {
        const milliseconds = Number(end.nanos - at.nanos) / 1e6
        metrics.recordResponse({ method, route, status, seconds: milliseconds / 1000 })
        accessLog?.(
          format({
            time: at.millis,
            requestId: id,
            traceId: /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1] ?? null,
            method,
            path: url === undefined ? null : pathOf({ url }),
            route,
            status,
            bytes,
            milliseconds,
            remote: remote()
          })
        )
      }
    }
  }

/** The id of the current request. */
export const RequestId: Context.Reference<string> = Context.Reference<string>(
  "@chemstream/service/RequestId",
  {
    defaultValue: () => ""
  }
)

/** A request in the application. `status`: the server itself has responded to it with this status. */
export interface OwnResponse {
  readonly id: string
  status?: number
}

/** The requests in the application, by request of `node:http`. */
export const ownResponses: WeakMap<object, OwnResponse> = new WeakMap()

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Observes each request of an application, and provides its `RequestId`. */
export const observe =
  (observeRequest: Observe, find: Paths["find"]) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest | Scope.Scope> =>
    Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const clock = fiber.getRef(Clock.Clock)
      const { method, url } = request
      const { recordResponse, id, recordEnd } = observeRequest({
        method,
        url,
        id: request.headers[header],
        traceparent: request.headers["traceparent"],
        route: find(request),
        remote: () => Option.getOrNull(request.remoteAddress),
        at: now(clock)
      })
      const ownResponse: OwnResponse = { id }
      ownResponses.set(request.source, ownResponse)
      HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_, response) => {
        const { body } = response
        const status = ownResponse.status ?? response.status
        const bytes = method === "HEAD" || body._tag === "Empty" ? 0 : (body.contentLength ?? null)
        recordResponse({ status, bytes }, now(clock))
        return Effect.succeed(HttpServerResponse.setHeader(response, header, id))
      })
      const registration = whenSent(request, Context.getUnsafe(fiber.context, Scope.Scope), recordEnd)
      return Effect.andThen(registration, Effect.provideService(app, RequestId, id))
    })
