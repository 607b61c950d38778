/**
 * A service without a network, for tests with a test clock. It records the time of each request.
 *
 * A response takes no time, unless the test makes it sleep.
 */
import { Clock, Effect, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"

export interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A request: the number of requests before it, and its time in milliseconds on the test clock. */
export interface Request {
  readonly index: number
  readonly at: number
  readonly url: string
}

export interface VirtualService {
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  /** The time of each request. */
  readonly times: ReadonlyArray<number>
  readonly urls: ReadonlyArray<string>
  /** Returns the largest number of requests in flight since its last call. */
  readonly takePeak: () => number
}

/** The responses to a batch and to a single call. */
export const ok: Reply = { status: 200, body: "[]" }
export const record: Reply = { status: 200, body: '{"dtxsid":"DTXSID7020182"}' }

/** A connection that fails with this code of Node. */
export interface Broken {
  readonly code: string
}

/** Refuses the connection. */
export const unreachable: Broken = { code: "ECONNREFUSED" }

export const make = (respond: (request: Request) => Effect.Effect<Reply | Broken>): VirtualService => {
  const times: Array<number> = []
  const urls: Array<string> = []
  let present = 0
  let peak = 0
  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const index = times.push(at) - 1
      urls.push(url.pathname)
      peak = Math.max(peak, ++present)
      const reply = yield* respond({ index, at, url: url.pathname })
      if ("code" in reply) {
        const cause = Object.assign(new Error("broken"), reply)
        return yield* new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, cause })
        })
      }
      const body = new TextEncoder().encode(reply.body ?? "")
      const response = HttpClientResponse.fromWeb(
        request,
        new Response(null, {
          status: reply.status,
          headers: { ...reply.headers, "content-length": `${body.length}` }
        })
      )
      // The test clock would not wait for a promise.
      return Object.create(response, { arrayBuffer: { value: Effect.succeed(body.buffer) } })
    }).pipe(Effect.ensuring(Effect.sync(() => present--)))
  )
  return {
    layer: Layer.succeed(HttpClient.HttpClient, client),
    times,
    urls,
    takePeak: () => {
      const last = peak
      peak = present
      return last
    }
  }
}

/** Makes a service that gives each request the next reply, and repeats the last one. */
export const scripted = (...replies: ReadonlyArray<Reply | Broken>): VirtualService =>
  make(({ index }) => Effect.succeed(replies[Math.min(index, replies.length - 1)] ?? ok))
