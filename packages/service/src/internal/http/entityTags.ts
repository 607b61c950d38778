/**
 * Adds strong validators (RFC 9110, section 8.8.3) to responses to GET, and responds 304 if the client already has
 * the content.
 *
 * The tag is a digest of the response, so it changes with the record and with its projection. Compression makes the
 * tag weak, because the bytes differ.
 */
import { hash } from "node:crypto"
import { Effect } from "effect"
import { Etag, HttpServerRequest, HttpServerResponse } from "effect/http"

// The largest response with a tag, in bytes. A digest of a longer list would delay other requests by milliseconds.
const largestTagged = 1024 * 1024

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * Adds an `etag` to responses to GET and HEAD, and responds 304 if the client has the content. `isTagged` selects
 * requests.
 */
export const conditional =
  (isTagged: (request: HttpServerRequest.HttpServerRequest) => boolean) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      (request.method === "GET" || request.method === "HEAD") && isTagged(request)
        ? Effect.map(app, (response) => revalidate(request.headers["if-none-match"], response))
        : app
    )

// Returns the response with its tag, or 304 if the client has that tag.
const revalidate = (
  known: string | undefined,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const headers = validator(response)
  if (headers === undefined) return response
  return known !== undefined && matches(known, headers.etag)
    ? HttpServerResponse.empty({ status: 304, headers: { ...headers, vary: "Accept-Encoding" } })
    : HttpServerResponse.setHeaders(response, headers)
}

/** The headers that let a client revalidate a response. */
export type Validator = {
  readonly etag: string
  readonly "cache-control": string
}

/** Returns the validator of a response. Undefined for errors, streams and large responses. */
export const validator = ({ body, status }: HttpServerResponse.HttpServerResponse): Validator | undefined =>
  status !== 200 || body._tag !== "Uint8Array" || body.contentLength > largestTagged
    ? undefined
    : {
        etag: Etag.toString({ _tag: "Strong", value: hash("sha256", body.text ?? body.body, "base64url") }),
        // The response depends on a key, so shared caches must not keep it.
        "cache-control": "private, no-cache"
      }

/** Compares a tag with the tags of `if-none-match`, by the weak comparison of RFC 9110, section 13.1.2. */
export const matches = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === "*" ||
  (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, "") === etag)
