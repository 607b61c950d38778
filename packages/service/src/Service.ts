/**
 * The service: the whole contract over a database file, on a port or, for tests, without one.
 *
 * Composes the other modules: handlers (`DetailsHandlers`), store (`SqliteStore`), keys (`ApiKeys`). Runs in the
 * calling process. Does not speak TLS: put a proxy in front where the network is not trusted.
 */
import { ByteSize, Context, Effect, Layer, type Redacted, type Scope } from "effect"
import {
  HttpEffect,
  HttpIncomingMessage,
  HttpRouter,
  HttpServer,
  type HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as DetailsHandlers from "./DetailsHandlers.ts"
import { layerApiKey, layerRequestCheck } from "./internal/access.ts"
import { contract } from "./internal/contract.ts"
import { allowed, routing } from "./internal/methods.ts"
import { type ListenError, serve } from "./internal/nodeServer.ts"
import { complete } from "./internal/problems.ts"
import { Store, type StoreError } from "./Store.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export { ListenError } from "./internal/nodeServer.ts"

/** The host that is listened on unless another is named: this machine only. */
export const defaultHost = "127.0.0.1"

/** The largest request body that is read unless configured otherwise: 8 MiB. */
export const defaultMaxBodyBytes: number = 8 * 1024 * 1024

/** What answers depend on. */
export interface AnswerOptions {
  /** The keys that open the service; with none, every request is refused. */
  readonly keys: ReadonlyArray<Redacted.Redacted<string>>
  /** The largest request body that is read, in bytes; a larger one is 413. Default 8 MiB. */
  readonly maxBodyBytes?: number | undefined
}

/** What a service needs to know. */
export interface Options extends AnswerOptions {
  /** The database file; it is opened for reading and must exist. */
  readonly database: string
  /** The host to listen on. Default `127.0.0.1`. */
  readonly host?: string | undefined
  /** The port to listen on. Default 0: any free port. */
  readonly port?: number | undefined
}

/** A running service: where it listens. `url` has no slash at its end, e.g. `http://127.0.0.1:43121`. */
export class Service extends Context.Service<
  Service,
  { readonly host: string; readonly port: number; readonly url: string }
>()("@chemstream/service/Service") {}

/**
 * Starts the service. It stops when the scope is closed: it takes no more connections, finishes the answers it is
 * giving (10 seconds at most), and closes the database.
 *
 * Fails with `StoreError` when the database cannot be used, with `ListenError` when the port cannot.
 *
 * @example
 * ```ts
 * import { Bundled, Service } from "@chemstream/service"
 * import { Effect, Redacted } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const service = yield* Service.make({ database: Bundled.database, keys: [Redacted.make("a-key")] })
 *   const answer = yield* Effect.promise(() => fetch(`${service.url}/health`))
 *   return answer.status
 * })
 * await Effect.runPromise(Effect.scoped(program)) // => 200
 * ```
 */
export const make = (
  options: Options
): Effect.Effect<Service["Service"], StoreError | ListenError, Scope.Scope> =>
  Effect.gen(function* () {
    const app = yield* overDatabase(options)
    const { host, port } = yield* serve(app, { host: options.host ?? defaultHost, port: options.port ?? 0 })
    return Service.of({ host, port, url: `http://${host.includes(":") ? `[${host}]` : host}:${port}` })
  })

/** The running service as a layer; see `make`. */
export const layer = (options: Options): Layer.Layer<Service, StoreError | ListenError> =>
  Layer.effect(Service, make(options))

/**
 * The service without a port, as a function from request to response.
 *
 * @example
 * ```ts
 * import { Bundled, Service } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * const status = Effect.gen(function* () {
 *   const handle = yield* Service.webHandler({ database: Bundled.database, keys: [] })
 *   const answer = yield* Effect.promise(() => handle(new Request("http://service/health")))
 *   return answer.status
 * })
 * await Effect.runPromise(Effect.scoped(status)) // => 200
 * ```
 */
export const webHandler = (
  options: AnswerOptions & { readonly database: string }
): Effect.Effect<(request: Request) => Promise<Response>, StoreError, Scope.Scope> =>
  Effect.map(overDatabase(options), (app) => HttpEffect.toWebHandler(app))

/** Answers one request, with a problem document where it cannot be answered otherwise. */
export type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** The service over any store, as an effect that answers one request. */
export const httpEffect = (options: AnswerOptions): Effect.Effect<App, never, Store | Scope.Scope> => {
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes
  const routes = Layer.mergeAll(
    HttpApiBuilder.layer(contract).pipe(
      Layer.provide(DetailsHandlers.layer),
      Layer.provide([layerApiKey(options.keys), layerRequestCheck])
    ),
    HttpRouter.add(health.method, health.path, HttpServerResponse.jsonUnsafe({ status: "ok" }))
  ).pipe(Layer.provide(HttpServer.layerServices))
  return HttpRouter.toHttpEffect(routes).pipe(
    Effect.map((app) =>
      app.pipe(
        complete({ allowed: allowed(contract, [health]), maxBodyBytes }),
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBodyBytes))
      )
    ),
    Effect.provideService(HttpRouter.RouterConfig, routing)
  )
}

const health = { method: "GET", path: "/health" } as const

// The database stays open as long as the scope, not only while the routes are built.
const overDatabase = (
  options: AnswerOptions & { readonly database: string }
): Effect.Effect<App, StoreError, Scope.Scope> =>
  Effect.flatMap(SqliteStore.make({ file: options.database }), (store) =>
    Effect.provideService(httpEffect(options), Store, store)
  )
