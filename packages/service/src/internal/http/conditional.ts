/**
 * Strong validators (RFC 9110, section 8.8.3) for what a GET answers, and 304 for a client that has it already.
 *
 * The tag is a digest of the answer's bytes, so it changes with the projection and with the record, and with nothing
 * else. An answer that is compressed on its way keeps it as a weak one: the bytes sent are others.
 */
import { hash } from "node:crypto"
import { Effect } from "effect"
import { Etag, HttpServerRequest, HttpServerResponse } from "effect/http"

// Larger answers are no records but lists; a digest would hold up other requests for milliseconds.
const largestTagged = 1024 * 1024

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Gives the answers of GET and HEAD, where `taggable` says so, an `etag`, and answers 304 where the client has it. */
export const conditional =
  (taggable: (request: HttpServerRequest.HttpServerRequest) => boolean) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      (request.method === "GET" || request.method === "HEAD") && taggable(request)
        ? Effect.map(app, (response) => revalidated(request.headers["if-none-match"], response))
        : app
    )

// The answer with its tag; or that the client has it, if it has one of these.
const revalidated = (
  known: string | undefined,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const headers = validator(response)
  if (headers === undefined) return response
  return known !== undefined && matches(known, headers.etag)
    ? HttpServerResponse.empty({ status: 304, headers: { ...headers, vary: "Accept-Encoding" } })
    : HttpServerResponse.setHeaders(response, headers)
}

/** The headers by which a client asks again for an answer; none where it has no tag. */
export type Validator = {
  readonly etag: string
  readonly "cache-control": string
}

/** The validator of an answer. */
export const validator = ({ body, status }: HttpServerResponse.HttpServerResponse): Validator | undefined =>
  status !== 200 || body._tag !== "Uint8Array" || body.contentLength > largestTagged
    ? undefined
    : {
        etag: Etag.toString({ _tag: "Strong", value: hash("sha256", body.text ?? body.body, "base64url") }),
        // The answer depends on a key, so no shared cache may keep it.
        "cache-control": "private, no-cache"
      }

/** The weak comparison of RFC 9110, section 13.1.2: a list of tags, or `*`. */
export const matches = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === "*" ||
  (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((one) => one.replace(/^W\//, "") === etag)
