/**
 * Answers to requests that are not let through to an endpoint, as problems with the headers that belong to them.
 */
import { Effect } from "effect"
import { HttpServerRespondable, HttpServerResponse } from "effect/http"

/** A problem that says with `retry-after` how many whole seconds to wait, at least one. */
export const refuse = (
  problem: HttpServerRespondable.Respondable,
  seconds?: number
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const response = HttpServerRespondable.toResponse(problem)
  if (seconds === undefined) return response
  return Effect.map(
    response,
    HttpServerResponse.setHeader("retry-after", String(Math.max(1, Math.ceil(seconds))))
  )
}
