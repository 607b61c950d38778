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
}

/** A request that has arrived: as much of it as is observed. */
export interface Arrived {
  readonly method: string
  readonly url: string
  /** The id that came with it, if any. */
  readonly id: string | undefined
  readonly match: Match | undefined
  readonly remote: () => string | null
  readonly at: Moment
}

/** A moment, by a clock: in milliseconds since 1970, and in nanoseconds that only go forward. */
export interface Moment {
  readonly millis: number
  readonly nanos: bigint
}

/** The moment that it is. */
export const now = (clock: Clock.Clock): Moment => ({
  millis: clock.currentTimeMillisUnsafe(),
  nanos: clock.monotonicTimeNanosUnsafe()
})

/** Counts a request; gives its id, and what is to be called with its answer. */
export type Observe = (arrived: Arrived) => {
  readonly id: string
  readonly answered: (answer: { readonly status: number; readonly bytes: number | null }, at: Moment) => void
}

/** Observes into metrics and log. */
export const observer =
  ({ accessLog, metrics }: Options): Observe =>
  ({ at, id: received, match, method, remote, url }) => {
    const id = requestId(received)
    const route = match?.path ?? null
    metrics.arrived()
    return {
      id,
      answered: ({ bytes, status }, end) => {
        const milliseconds = Number(end.nanos - at.nanos) / 1e6
        metrics.answered({ method, route, status, seconds: milliseconds / 1000 })
        accessLog?.(
          format({
            time: at.millis,
            requestId: id,
            method,
            path: pathOf({ url }),
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
  (observed: Observe, find: Paths["find"]) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.withFiber((fiber) => {
      const received = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const clock = fiber.getRef(Clock.Clock)
      const { method, url } = received
      const match = find(received)
      const { answered, id } = observed({
        method,
        url,
        id: received.headers[header],
        match,
        remote: () => Option.getOrNull(received.remoteAddress),
        at: now(clock)
      })
      HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_, response) => {
        const { body, status } = response
        const bytes = method === "HEAD" || body._tag === "Empty" ? 0 : (body.contentLength ?? null)
        answered({ status, bytes }, now(clock))
        return Effect.succeed(HttpServerResponse.setHeader(response, header, id))
      })
      return Effect.provideService(app, Seen, { id, match })
    })
