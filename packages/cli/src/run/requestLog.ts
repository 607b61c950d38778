/**
 * Prints requests: `--verbose` logs each one on standard error, and `--dry-run` prints each one and sends none. Headers are not printed,
 * because one has the key.
 */
import { Effect } from "effect"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"
import * as Messages from "../terminal/messages.ts"
import * as ProgressBar from "../terminal/progressBar.ts"

/** Returns the body of a request as text. Empty if it has none. */
const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

/** Logs the status, the time to the headers and the attempt of each response. */
export const verbose = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  // A retry sends the same request object.
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
        ProgressBar.say(`chemstream: ${line}${size}: ${outcome} in ${time}, attempt ${attempt}\n`)
      }
      return effect.pipe(
        Effect.tap(({ status }) => Effect.sync(() => tell(String(status), status === 429 || status >= 500))),
        Effect.tapError(({ reason }) => Effect.sync(() => tell(reason._tag, true)))
      )
    })
  )
}

/** The status in place of the response to an unsent request. The client reports it as a failure and does not retry. */
const notSent = 422

/** Prints each request, with its body in the next line, and sends none. */
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
