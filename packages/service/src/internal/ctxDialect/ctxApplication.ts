/**
 * Imitates the public service over a store: an effect that checks the key of a request and runs the handler of its
 * path. In the pipeline of `requestPipeline.ts` it replaces the endpoints of the contract.
 */
import { type Dialect, Operation, type Row, Rows } from "@chemstream/api"
import { Effect, type Scope } from "effect"
import { FindMyWay, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Variants } from "../../Variants.ts"
import { type Endpoint, endpointsOf, forRouter, type Paths, routing } from "../http/endpointPaths.ts"
import type { Gate } from "../http/keyAndRateLimit.ts"
import { isDecodable, pathOf } from "../http/requestPath.ts"
import * as chemicalHandlers from "./ctxChemicalHandlers.ts"
import * as familyHandlers from "./ctxDerivedHandlers.ts"
import * as endpointHandlers from "./ctxEndpointHandlers.ts"
import type { Context, Handler } from "./ctxHandler.ts"
import { gatewayRefusal, refusal, unauthorized } from "./ctxResponses.ts"
import * as searchHandlers from "./ctxSearchHandlers.ts"
import * as ctxSummaryHandlers from "./ctxSummaryHandlers.ts"

type Response = HttpServerResponse.HttpServerResponse

type App<E> = Effect.Effect<Response, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** The options of the imitation. */
export interface Options extends Context {
  readonly rows: ReadonlyArray<Row.Row>
  readonly gate: Gate
  /** Returns the methods of a URL. */
  readonly allowed: Paths["allowed"]
  /** Returns whether `operations` handles a request, e.g. for `/health`. */
  readonly isOperation: (request: HttpServerRequest.HttpServerRequest) => boolean
  readonly operations: App<unknown>
}

/** Returns the endpoints of the contract with the paths of the public service. */
export const endpoints = (
  { aedPath }: Pick<Variants, "aedPath">,
  rows: ReadonlyArray<Row.Row>
): ReadonlyArray<Endpoint> =>
  endpointsOf(rows).flatMap((endpoint) => {
    const path = differenceAt(endpoint)?.forms?.[0].path
    const other = path === undefined ? [] : [{ ...endpoint, path }]
    if (other.length === 0 || aedPath === "none") return [endpoint]
    return aedPath === "slash" ? other : [endpoint, ...other]
  })

/** Returns the difference between the public service and the contract at an endpoint. */
const differenceAt = ({ name }: Pick<Endpoint, "name">): Dialect.Difference | undefined =>
  differences.get(name)

const differences: ReadonlyMap<string, Dialect.Difference> = new Map(
  Rows.operations.map((operation) => [operation.name, Operation.difference(operation, "ctx")])
)

interface HandlerRoute extends Endpoint {
  readonly handle: Handler
}

/** Makes the effect that responds to a request. */
export const make = (options: Options): App<unknown> => {
  const router = FindMyWay.make<HandlerRoute>(routing)
  const handlers = handlersOf(options)
  for (const endpoint of endpoints(options.variants, options.rows)) {
    const handle = handlers[endpoint.name]
    if (handle === undefined) throw new Error(`the public service has no handler of ${endpoint.name}`)
    router.on(endpoint.method, endpoint.path, { ...endpoint, handle })
  }
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (options.isOperation(request)) return yield* options.operations
    const path = pathOf(request)
    if (/%2f/i.test(path) || !isDecodable(path)) return gatewayRefusal
    const query = new URLSearchParams(request.url.slice(path.length))
    const key = request.headers["x-api-key"] ?? query.get("x-api-key") ?? ""
    return yield* Effect.catchTag(options.gate(key, respond(request, query)), "Unauthorized", () =>
      Effect.succeed(unauthorized(key))
    )
  })

  function respond(request: HttpServerRequest.HttpServerRequest, query: URLSearchParams) {
    return Effect.gen(function* () {
      const method = request.method === "HEAD" ? "GET" : request.method
      const found = router.find(method, forRouter(request.url))
      if (found === undefined || Object.values(found.params).includes("")) {
        return notRouted(request, options.allowed(request.url))
      }
      const { handle } = found.handler
      const type = request.headers["content-type"] ?? ""
      if (method === "POST" && !accepts(found.handler, type)) {
        return refusal(415, { detail: `Content-Type '${type}' is not supported.` })
      }
      const body = method === "POST" ? yield* request.text : ""
      return yield* handle({ params: found.params as Readonly<Record<string, string>>, query, body })
    })
  }
}

/** The handlers of endpoints. Those of special endpoints replace them. */
const handlersOf = (context: Options): Readonly<Record<string, Handler>> => {
  const named = (group: string, handlers: Readonly<Record<string, Handler>>) =>
    Object.entries(handlers).map(([name, handle]) => [`${group}.${name}`, handle])
  return Object.fromEntries([
    ...context.rows.flatMap((row) => named(Operation.groupOf(row.name), endpointHandlers.make(context, row))),
    ...named("details", chemicalHandlers.details(context)),
    ...named("search", searchHandlers.handlers(context)),
    ...named("msready", chemicalHandlers.msready(context)),
    ...named("synonyms", chemicalHandlers.synonyms(context)),
    ...named("bioactivity", ctxSummaryHandlers.handlers(context)),
    ...named("fate", familyHandlers.fate(context)),
    ...named("lists", familyHandlers.lists(context)),
    ...named("assays", familyHandlers.assays(context)),
    ...named("properties", familyHandlers.properties(context)),
    ...named("extra", familyHandlers.extra(context))
  ])
}

const accepts = (endpoint: Endpoint, type: string): boolean => {
  const mediaType = type.split(";")[0]?.trim().toLowerCase()
  return (
    mediaType === "application/json" || (mediaType === "text/plain" && differenceAt(endpoint)?.lines === true)
  )
}

const notRouted = (request: HttpServerRequest.HttpServerRequest, methods: ReadonlyArray<string>): Response =>
  methods.length === 0
    ? refusal(404, { detail: `No static resource ${pathOf(request).slice(1)}.` })
    : HttpServerResponse.setHeader(
        refusal(405, { detail: `Method '${request.method}' is not supported.` }),
        "allow",
        methods.join(", ")
      )
