/** Frees what a request occupies, e.g. its place among those in flight, when its response is sent or cannot be sent. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Scope } from "effect"
import type { HttpServerRequest } from "effect/http"

/**
 * Runs `release` when the system has accepted the whole response, or the connection is closed.
 *
 * Without a connection, it runs when the scope of the request closes.
 */
export const whenSent = (
  request: HttpServerRequest.HttpServerRequest,
  scope: Scope.Scope,
  release: () => void
): Effect.Effect<void> => {
  if (!isNode(request)) return Scope.addFinalizer(scope, Effect.sync(release))
  const response = NodeHttpServerRequest.toServerResponse(request)
  return Effect.sync(() => (response.destroyed ? release() : response.once("close", release)))
}

const isNode = ({ source }: HttpServerRequest.HttpServerRequest): boolean => "httpVersion" in source
