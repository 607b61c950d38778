/**
 * A path that a program adds to its service, e.g. pages for people or pictures of structures.
 *
 * It takes the way of every request: limits, log, metrics, compression, validators. The handler gives the response.
 */
import type { Effect, Scope } from "effect"
import type { HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"

/** A path, its method, and the response to a request for it. */
export interface ServiceRoute {
  readonly method: "GET" | "POST"
  /** The path as it is sent, e.g. `/explorer/page.js`: without parameters. */
  readonly path: `/${string}`
  /** Whether a request needs a known key, and counts among the requests of that key. */
  readonly access: "key" | "open"
  /** Responds to a request. A failure is sent as it says itself, e.g. a `ProblemDetails` of the contract. */
  readonly handle: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    HttpServerRespondable.Respondable,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
}
