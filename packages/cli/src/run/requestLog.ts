/**
 * What is seen of requests: `--verbose` tells of each on standard error, and `--dry-run` prints each and sends none. The key is
 * in a header, of which neither says anything.
 */
import { Effect } from "effect"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"
import * as Bar from "../terminal/bar.ts"
import * as Messages from "../terminal/messages.ts"

/** The body of a request as text; empty where it has none. */
const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

/** The same client, which says of each response its status, the time to its headers and which attempt it was. */
export const verbose = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  // A request that failed is sent again as it was.
  const failures = new Map<string, number>()
  return HttpClient.transform(client, (effect, request) =>
    Effect.suspend(() => {
      const started = performance.now()
      const body = bodyOf(request)
      const line = `${request.method} ${urlOf(request)}`
      const key = `${line} ${body}`
      const attempt = (failures.get(key) ?? 0) + 1
      const tell = (outcome: string, isFailure: boolean): void => {
        if (isFailure) failures.set(key, attempt)
        else failures.delete(key)
        const size = body === "" ? "" : ` (${body.length} bytes)`
        const time = `${Math.round(performance.now() - started)} ms`
        Bar.say(`chemstream: ${line}${size}: ${outcome} in ${time}, attempt ${attempt}\n`)
      }
      return effect.pipe(
        Effect.tap(({ status }) => Effect.sync(() => tell(String(status), status === 429 || status >= 500))),
        Effect.tapError(({ reason }) => Effect.sync(() => tell(reason._tag, true)))
      )
    })
  )
}

/** The status with which a request that is not sent is refused: nothing tries again, or in another way. */
const notSent = 422

/** A client that prints each request, with its body in the next line, and sends none. */
export const dry: HttpClient.HttpClient = HttpClient.make((request) =>
  Effect.sync(() => {
    const body = bodyOf(request)
    Messages.printValue(`${request.method} ${urlOf(request)}\n${body === "" ? "" : `${body}\n`}`)
    return HttpClientResponse.fromWeb(request, new Response("{}", { status: notSent }))
  })
)

const urlOf = (request: HttpClientRequest.HttpClientRequest): string => {
  const query = request.urlParams.params.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
  )
  return query.length === 0 ? request.url : `${request.url}?${query.join("&")}`
}
