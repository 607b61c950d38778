/**
 * The two middlewares that the contract declares in front of every endpoint: the key, then the form of the request.
 */
import { Access, Problem } from "@chemstream/api"
import { Effect, Layer, type Redacted } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { matcher } from "../ApiKeys.ts"
import { describe } from "./requestIssue.ts"

/** Refuses a request without one of the keys, before anything else of it is looked at. */
export const layerApiKey = (keys: ReadonlyArray<Redacted.Redacted<string>>): Layer.Layer<Access.ApiKey> => {
  const isKnown = matcher(keys)
  return Layer.succeed(Access.ApiKey, {
    key: (handled, { credential }) =>
      isKnown(credential) ? handled : Effect.fail(new Problem.Unauthorized({ detail: unauthorized }))
  })
}

/** Says what does not fit the contract. A path that ends where a value should stand is no path of the endpoint. */
export const layerRequestCheck: Layer.Layer<Access.RequestCheck> =
  HttpApiMiddleware.layerSchemaErrorTransform(Access.RequestCheck, (error) => {
    // A defect: an answer that does not fit is no fault of the request.
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error.cause)
    if (error.kind !== "Params") return Effect.fail(new Problem.BadRequest({ detail: describe(error) }))
    return Effect.flatMap(HttpRouter.RouteContext, ({ params }) =>
      Object.values(params).includes("")
        ? Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            Effect.die(
              new HttpServerError.HttpServerError({
                reason: new HttpServerError.RouteNotFound({ request })
              })
            )
          )
        : Effect.fail(new Problem.BadRequest({ detail: describe(error) }))
    )
  })

const unauthorized = `A known API key is needed: send it in the header ${Access.defaultKeyHeader}`
