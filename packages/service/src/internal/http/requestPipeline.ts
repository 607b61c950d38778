/**
 * Makes the service over any store: an effect that takes a request through the pipeline.
 *
 * The stages from the outside in: compression, observation (id, log, metrics), problem documents, limits, validators,
 * router. Endpoints of the contract also pass the key and its limits (`keyAndRateLimit`). `nodeServer` is the HTTP server.
 */
import { type ChemicalApi, type Row, Search } from "@chemstream/api"
import * as NodeHttpPlatform from "@effect/platform-node/NodeHttpPlatform"
import { ByteSize, Context, Effect, Layer, type Scope } from "effect"
import {
  HttpIncomingMessage,
  HttpMiddleware,
  HttpPlatform,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  type HttpServerResponse
} from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as Handlers from "../../Handlers.ts"
import type { ServiceRoute } from "../../ServiceRoute.ts"
import { Store } from "../../Store.ts"
import * as Variants from "../../Variants.ts"
import * as ctx from "../ctxDialect/ctxApplication.ts"
import { toFinalForm } from "../ctxDialect/ctxFinalForm.ts"
import { ClientQuota } from "../server/clientQuota.ts"
import type { Application } from "../server/nodeServer.ts"
import { observe, observer } from "../server/observeRequests.ts"
import { closeAfterRefusals } from "../server/refusedConnections.ts"
import { type Limits, limitRequests } from "../server/requestLimits.ts"
import * as metrics from "../server/requestMetrics.ts"
import { pinned } from "../storeVersions.ts"
import { endpointsOf, forRouter, paths, routing } from "./endpointPaths.ts"
import { conditional } from "./entityTags.ts"
import { defaults, type HttpOptions } from "./httpOptions.ts"
import { type Gate, layerApiKey, makeGate } from "./keyAndRateLimit.ts"
import * as operations from "./operatorRoutes.ts"
import { toProblems } from "./problemResponses.ts"
import * as programRoutes from "./programRoutes.ts"
import { layerRequestCheck } from "./requestCheck.ts"
import { pathOf } from "./requestPath.ts"

// The smallest compressed response, in bytes. Smaller ones fit into one packet.
const smallestCompressed = 1024

// Level 3 compresses detail records almost as well as the usual 6, in less than half the time.
const gzipLevel = 3

// The prefixes of URLs of searches that may return many substances.
const listings = [Search.startWith, Search.contain].map(({ get }) => get.path.slice(0, get.path.indexOf("{")))

type Requests = HttpServerRequest.HttpServerRequest | Scope.Scope

/** The service, and an application for `/metrics` alone. */
export interface ServiceApplication extends Application<Requests> {
  readonly metricsApp: Application<Requests>["app"]
}

/** Makes the service over the store in the context. */
export const make = (options: HttpOptions): Effect.Effect<ServiceApplication, never, Store | Scope.Scope> =>
  Effect.gen(function* () {
    const maxBodyBytes = options.maxBodyBytes ?? defaults.maxBodyBytes
    const maxUrlLength = options.maxUrlLength ?? defaults.maxUrlLength
    const maxConcurrent = options.maxConcurrent ?? defaults.maxConcurrent
    const counters = metrics.make()
    const kinds = requestKinds(options.routes ?? [], options.metricsPort === undefined)
    const variants = { ...Variants.defaults, ...options.variants }
    const isCtx = options.dialect === "ctx"
    const ctxRows = isCtx ? Handlers.rowsOf(options) : Handlers.rowsOf(options).filter(isOfPublicService)
    const { allowed, find } = paths([
      ...(isCtx ? [] : endpointsOf(Handlers.contractRowsOf(options))),
      ...ctx.endpoints(variants, ctxRows),
      ...kinds.operationPaths.map((path) => ({ method: "GET", path })),
      ...kinds.routes
    ])
    const keyGate = yield* makeGate({
      keys: options.keys,
      rate: options.rateLimit,
      maxConcurrent,
      maxConcurrentPerKey: options.maxConcurrentPerKey
    })
    const router = yield* makeRouter(options, kinds, keyGate, counters, yield* Store)
    const context = { store: yield* Store, variants, pageSize: options.pageSize }
    const publicService = { ...context, rows: ctxRows, gate: keyGate, allowed }
    const { respond, send } = isCtx
      ? ctxDialect(publicService, kinds, router)
      : contractDialect(publicService, kinds, router)
    const platform = yield* Layer.build(NodeHttpPlatform.layer)
    const observeRequest = observer({ metrics: counters, accessLog: options.accessLog })
    const app = respond.pipe(
      pinned(yield* Store),
      limitRequests({ maxUrlLength, accessOf: accessOf(kinds) }),
      toProblems({ allowed, maxBodyBytes }),
      closeAfterRefusals,
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBodyBytes)),
      observe(observeRequest, find),
      // Outermost: it changes the response before `observe` logs it, so the log has the response as it is sent.
      send,
      Effect.provideService(HttpPlatform.HttpPlatform, Context.get(platform, HttpPlatform.HttpPlatform))
    )
    const metricsApp = operations
      .metricsApp(counters)
      .pipe(toProblems({ allowed: () => [], maxBodyBytes }), observe(observeRequest, pathOfMetrics))
    return { app, observe: observeRequest, metricsApp }
  })

type IsRequest = (request: HttpServerRequest.HttpServerRequest) => boolean

/** The routes of the program, and tests for the kinds of requests. */
interface RequestKinds {
  readonly routes: ReadonlyArray<ServiceRoute>
  readonly operationPaths: ReturnType<typeof operations.pathsOf>
  readonly hasMetrics: boolean
  readonly isProgramRoute: (request: { readonly url: string }) => boolean
  readonly isOpenRoute: IsRequest
  readonly isOperation: IsRequest
  readonly isTagged: IsRequest
}

const requestKinds = (routes: ReadonlyArray<ServiceRoute>, hasMetrics: boolean): RequestKinds => {
  const isProgramRoute = programRoutes.matcher(routes)
  const operationPaths = operations.pathsOf(hasMetrics).filter((path) => !isProgramRoute({ url: path }))
  const isOperationPath = new Set<string>(operationPaths)
  const isOperation: IsRequest = (request) => isOperationPath.has(pathOf(request))
  return {
    routes,
    operationPaths,
    hasMetrics,
    isProgramRoute,
    isOpenRoute: programRoutes.matcher(routes.filter(({ access }) => access === "open")),
    isOperation,
    // Lists have no tag: the digest of a thousand hits would be a third of the main thread's work.
    isTagged: (request) => !isOperation(request) && !listings.some((start) => request.url.startsWith(start))
  }
}

/** Makes the router: operations, routes of the program and, in the dialect of the contract, its endpoints. */
const makeRouter = (
  options: HttpOptions,
  kinds: RequestKinds,
  keyGate: Gate,
  counters: metrics.Metrics,
  store: Store["Service"]
) => {
  const { hasMetrics, isProgramRoute, routes } = kinds
  const layers = Layer.mergeAll(
    options.dialect === "ctx" ? Layer.empty : endpoints(options, keyGate),
    operations.layer(Handlers.rowsOf(options), hasMetrics ? counters : undefined, isProgramRoute),
    programRoutes.layer(routes, keyGate, store)
  ).pipe(Layer.provide(HttpServer.layerServices))
  return HttpRouter.toHttpEffect(layers).pipe(
    Effect.provideService(HttpRouter.RouterConfig, routing),
    Effect.map(withUrlForRouter)
  )
}

type App<E, R = Requests> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The responses of a dialect, and the last change to them. */
interface Dialect {
  readonly respond: App<unknown>
  readonly send: (app: App<never>) => App<never, Requests | HttpPlatform.HttpPlatform>
}

type PublicService = Omit<ctx.Options, "isOperation" | "operations">

const isOfPublicService = ({ dialect }: Row.Row): boolean => dialect !== undefined

/**
 * The contract. The endpoints that only the public service has respond as that does: `ctx.make` handles them, and passes all
 * other requests to the router as its operations.
 */
const contractDialect = (
  publicService: PublicService,
  { isTagged }: RequestKinds,
  router: App<unknown>
): Dialect => {
  const { allowed } = paths(ctx.endpoints(publicService.variants, publicService.rows))
  const isOwn: IsRequest = (request) => allowed(request.url).length === 0
  const ownApp = router.pipe(conditional(isTagged))
  const toPublicForm = toFinalForm(publicService.variants, isOwn)
  return {
    respond: ctx.make({ ...publicService, isOperation: isOwn, operations: ownApp }),
    send: (app) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        isOwn(request) ? compress(app) : toPublicForm(app)
      )
  }
}

/** The dialect of the public service, which imitates all its endpoints. */
const ctxDialect = (
  publicService: PublicService,
  { isOperation, isProgramRoute }: RequestKinds,
  router: App<unknown>
): Dialect => {
  const isOwn: IsRequest = (request) => isOperation(request) || isProgramRoute(request)
  return {
    respond: ctx.make({ ...publicService, isOperation: isOwn, operations: router }),
    send: toFinalForm(publicService.variants, isOwn)
  }
}

const endpoints = (options: HttpOptions, gate: Gate) =>
  HttpApiBuilder.layer(Handlers.apiOf(options) as unknown as typeof ChemicalApi.ChemicalApi).pipe(
    Layer.provide(Handlers.layer(options)),
    Layer.provide([layerApiKey(gate), layerRequestCheck])
  )

// The cheapest algorithm first.
const compress = HttpMiddleware.compression({
  algorithms: ["zstd", "gzip", "br"],
  levels: { gzip: gzipLevel },
  minSize: smallestCompressed
})

const accessOf = ({
  isOpenRoute,
  isOperation
}: Pick<RequestKinds, "isOpenRoute" | "isOperation">): Limits["accessOf"] => {
  const pages = new ClientQuota(operations.maxPageRequests, operations.maxPageRequestsPerAddress)
  const open = new ClientQuota(programRoutes.maxOpenRequests, programRoutes.maxOpenRequestsPerAddress)
  return (request) =>
    operations.pages.has(pathOf(request))
      ? pages
      : isOpenRoute(request)
        ? open
        : isOperation(request)
          ? "unlimited"
          : "key"
}

const pathOfMetrics = (request: { readonly url: string }): string | undefined =>
  pathOf(request) === operations.paths.metrics ? operations.paths.metrics : undefined

const withUrlForRouter = <E, R>(
  router: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const url = forRouter(request.url)
    return url === request.url
      ? router
      : Effect.provideService(router, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })
