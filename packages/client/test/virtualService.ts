/**
 * A service without a network, for tests in virtual time: it notes when it was asked, and answers as a test says. Its
 * answers take no time but what the test lets them take on the test clock.
 */
import { Clock, Effect, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"

export interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A request: how many came before it, and when it came, in milliseconds on the test clock. */
export interface Request {
  readonly index: number
  readonly at: number
  readonly url: string
}

export interface VirtualService {
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  /** When each request came. */
  readonly times: ReadonlyArray<number>
  readonly urls: ReadonlyArray<string>
  /** The most requests it had at a time since `times` was last read this way. */
  readonly takePeak: () => number
}

/** The answer to a batch, and the one to a single call. */
export const ok: Reply = { status: 200, body: "[]" }
export const record: Reply = { status: 200, body: '{"dtxsid":"DTXSID7020182"}' }

/** The answer that a connection is refused. */
export const unreachable = "unreachable"

export const make = (
  answer: (request: Request) => Effect.Effect<Reply | typeof unreachable>
): VirtualService => {
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
      const reply = yield* answer({ index, at, url: url.pathname })
      if (reply === unreachable) {
        const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
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
      // Not through a promise, which the test clock would not wait for.
      return Object.create(response, { arrayBuffer: { value: Effect.succeed(body.buffer) } })
    }).pipe(Effect.ensuring(Effect.sync(() => present--)))
  )
  return {
    layer: Layer.succeed(HttpClient.HttpClient, client),
    times,
    urls,
    takePeak: () => {
      const taken = peak
      peak = present
      return taken
    }
  }
}

/** Answers with these in turn, the last one for all further requests. */
export const scripted = (...replies: ReadonlyArray<Reply | typeof unreachable>): VirtualService =>
  make(({ index }) => Effect.succeed(replies[Math.min(index, replies.length - 1)] ?? ok))
