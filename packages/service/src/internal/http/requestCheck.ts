/**
 * The second middleware of every endpoint: checks the values of the path and the parameters of a request against the contract.
 *
 * `keyAndRateLimit.ts` checks the key before, and `requestIssue.ts` describes what is wrong.
 */
import { Access, ProblemDetails } from "@chemstream/api"
import { Effect, Layer, type Schema } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { describe, quote } from "./requestIssue.ts"

const layerSchemaCheck: Layer.Layer<Access.RequestCheck> = HttpApiMiddleware.layerSchemaErrorTransform(
  Access.RequestCheck,
  (error) => {
    // A response that violates the contract is a defect of the service.
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error.cause)
    if (error.kind !== "Params")
      return Effect.fail(new ProblemDetails.BadRequest({ detail: describe(error) }))
    // A path with an empty value is unknown: 404.
    return Effect.flatMap(HttpRouter.RouteContext, ({ params }) =>
      Object.values(params).includes("")
        ? Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            Effect.die(
              new HttpServerError.HttpServerError({
                reason: new HttpServerError.RouteNotFound({ request })
              })
            )
          )
        : Effect.fail(new ProblemDetails.BadRequest({ detail: describe(error) }))
    )
  }
)

/**
 * Checks the values and the query parameters of a request against the contract. A path with an empty value is
 * unknown.
 */
export const layerRequestCheck: Layer.Layer<Access.RequestCheck> = Layer.effect(
  Access.RequestCheck,
  Effect.map(
    Access.RequestCheck,
    (check): Access.RequestCheck["Service"] =>
      (handler, options) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { params } = yield* HttpRouter.RouteContext
          const refusal = unknownParameters(request.url, options.endpoint) ?? oddNumber(request.url, params)
          return yield* refusal === undefined ? check(handler, options) : Effect.fail(refusal)
        })
  )
).pipe(Layer.provide(layerSchemaCheck))

const unknownParameters = (
  url: string,
  { query }: { readonly query?: Schema.Top | undefined }
): ProblemDetails.BadRequest | undefined => {
  const start = url.indexOf("?")
  if (start === -1) return undefined
  const allowed =
    query?.ast._tag === "Objects" ? query.ast.propertySignatures.map(({ name }) => String(name)) : []
  const sentNames = new Set(new URLSearchParams(url.slice(start + 1)).keys())
  const unknown = [...sentNames].filter((name) => !allowed.includes(name))
  if (unknown.length === 0) return undefined
  const names = unknown
    .slice(0, maxNamed)
    .map((name) => quote(name))
    .join(", ")
  const known = allowed.length === 0 ? "it takes none" : `it takes ${allowed.join(", ")}`
  return new ProblemDetails.BadRequest({
    detail: `Unknown query parameter${unknown.length === 1 ? "" : "s"} of this path: ${names}; ${known}`
  })
}

/** The whole numbers of paths and queries. */
const numbers = ["aeid", "m4id", "next"]

// Refuses other spellings of whole numbers, e.g. 1e1, 03 or 3.0. They would be read as 10 and 3.
const oddNumber = (
  url: string,
  params: Readonly<Record<string, string | undefined>>
): ProblemDetails.BadRequest | undefined => {
  const start = url.indexOf("?")
  const query = new URLSearchParams(start === -1 ? "" : url.slice(start + 1))
  for (const name of numbers) {
    const value = params[name] ?? query.get(name)
    if (value === null || value === undefined || /^-?(0|[1-9]\d*)$/.test(value) || !/\d/.test(value)) continue
    const part = params[name] === undefined ? "Query parameter" : "Path value"
    return new ProblemDetails.BadRequest({
      detail: `${part} ${name}: expected a whole number in digits, got ${quote(value)}`
    })
  }
  return undefined
}

// The largest number of unknown parameters that a refusal names. A URL may have thousands.
const maxNamed = 5
