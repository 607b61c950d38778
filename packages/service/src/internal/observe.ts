/**
 * Watches every request from its arrival to its answer: gives it an id, counts it, and writes its line of the access
 * log. What it sees is the answer as it is sent, compressed or not, whatever has made it.
 */
import { Clock, Context, Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { format, type Write } from "../AccessLog.ts"
import type { Match, Paths } from "./methods.ts"
import type { Metrics } from "./metrics.ts"
import { pathOf } from "./pathOf.ts"
import { header, requestId } from "./requestId.ts"

/** Where the observations go. */
export interface Options {
  readonly metrics: Metrics
  readonly accessLog: Write | undefined
  readonly find: Paths["find"]
}

/** What is known of a request when it arrives: the id it is known by, and its endpoint, if it has one. */
export interface Seen {
  readonly id: string
  readonly match: Match | undefined
}

/** Provided to what answers a request. */
export const Seen: Context.Reference<Seen> = Context.Reference<Seen>("@chemstream/service/Seen", {
  defaultValue: () => ({ id: "", match: undefined })
})

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Observes each request of an application, to which it tells what it has `Seen`. */
export const observe =
  ({ accessLog, find, metrics }: Options) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.withFiber((fiber) => {
      const received = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const clock = fiber.getRef(Clock.Clock)
      const id = requestId(received.headers[header])
      const match = find(received)
      const route = match?.path ?? null
      const time = clock.currentTimeMillisUnsafe()
      const started = clock.currentTimeNanosUnsafe()
      metrics.arrived()
      HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_, response) => {
        const milliseconds = Number(clock.currentTimeNanosUnsafe() - started) / 1e6
        const { method } = received
        const { status } = response
        metrics.answered({ method, route, status, seconds: milliseconds / 1000 })
        accessLog?.(
          format({
            time,
            requestId: id,
            method,
            path: pathOf(received),
            route,
            status,
            bytes:
              method === "HEAD" || response.body._tag === "Empty" ? 0 : (response.body.contentLength ?? null),
            milliseconds,
            remote: Option.getOrNull(received.remoteAddress)
          })
        )
        return Effect.succeed(HttpServerResponse.setHeader(response, header, id))
      })
      return Effect.provideService(app, Seen, { id, match })
    })
