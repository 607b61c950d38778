/** Makes the responses of requests that do not reach an endpoint. */
import { Effect } from "effect"
import { HttpServerRespondable, HttpServerResponse } from "effect/http"

/** Makes the response of a problem. With `seconds`, it has `retry-after`: whole seconds, at least one. */
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
