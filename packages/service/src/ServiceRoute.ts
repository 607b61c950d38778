/**
 * A path that a program adds to its service, e.g. for pages or for pictures of structures.
 *
 * Limits, log, metrics, compression and validators apply to it as to every request.
 */
import type { Effect, Scope } from "effect"
import type { HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import type { Store } from "./Store.ts"

/** A path, its method, and the response to a request for it. */
export interface ServiceRoute {
  readonly method: "GET" | "POST"
  /** The path without parameters, e.g. `/explorer/page.js`. */
  readonly path: `/${string}`
  /** With `key`, a request needs a known key and counts towards the limits of that key. */
  readonly access: "key" | "open"
  /** Responds to a request, with the records of the service if it needs them. A failure, e.g. a `ProblemDetails` of the contract, becomes its own response. */
  readonly handle: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    HttpServerRespondable.Respondable,
    HttpServerRequest.HttpServerRequest | Scope.Scope | Store
  >
}
