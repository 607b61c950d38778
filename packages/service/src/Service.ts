/**
 * The service: the whole contract over a database file, on a port or, for tests, without one.
 *
 * Composes the other modules: handlers (`DetailsHandlers` and its siblings), store (`SqliteStore`), keys (`ApiKeys`).
 * Runs in the calling process. Does not speak TLS: put a proxy in front where the network is not trusted.
 */
import { Context, type Duration, Effect, Layer, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { AnswerOptions } from "./internal/http/application.ts"
import * as application from "./internal/http/application.ts"
import { type ListenError, serve, defaults as serverDefaults } from "./internal/server/nodeServer.ts"
import { Store, type StoreError } from "./Store.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export type { Rate } from "./internal/http/access.ts"
export type { AnswerOptions } from "./internal/http/application.ts"
export { ListenError } from "./internal/server/nodeServer.ts"

/** The host that is listened on unless another is named: this machine only. */
export const defaultHost = "127.0.0.1"

/** The largest request body that is read unless configured otherwise: 256 KiB. */
export const defaultMaxBodyBytes: number = application.defaults.maxBodyBytes

/** The longest URL that is read unless configured otherwise, in characters: 16384. */
export const defaultMaxUrlLength: number = application.defaults.maxUrlLength

/** How many requests are answered at once unless configured otherwise: 256. */
export const defaultMaxConcurrent: number = application.defaults.maxConcurrent

/** The largest request line and headers that are read unless configured otherwise: 32 KiB. */
export const defaultMaxHeaderBytes: number = serverDefaults.maxHeaderBytes

/** How long a request may take to arrive unless configured otherwise: 30 seconds. */
export const defaultRequestTimeout: Duration.Duration = serverDefaults.requestTimeout

/** How long a connection may stay open without a request unless configured otherwise: 30 seconds. */
export const defaultIdleTimeout: Duration.Duration = serverDefaults.idleTimeout

/** How long a client may take in nothing of its response unless configured otherwise: 30 seconds. */
export const defaultWriteTimeout: Duration.Duration = serverDefaults.writeTimeout

/** How many connections are open at once unless configured otherwise: 1024. */
export const defaultMaxConnections: number = serverDefaults.maxConnections

/** How long a stop waits for answers that are being given unless configured otherwise: 10 seconds. */
export const defaultStopTimeout: Duration.Duration = serverDefaults.stopTimeout

/** The records of a page of the list of all chemicals unless configured otherwise: 10,000. */
export const defaultPageSize: number = application.defaults.pageSize

/** How many substances a search answers unless configured otherwise: 1000. */
export const defaultMaxHits: number = SqliteStore.defaultMaxHits

/** How many identifiers a search by formula, mass or compound answers unless configured otherwise: 100,000. */
export const defaultMaxIdentifiers: number = SqliteStore.defaultMaxIdentifiers

/** How many substances a search answers in the dialect `ctx` unless configured otherwise: 100,000. */
export const defaultMaxCtxHits = 100_000

/** The same for the identifiers of a search by formula, mass or compound: 1,000,000. */
export const defaultMaxCtxIdentifiers = 1_000_000

/** How many threads search unless configured otherwise: 2. */
export const defaultSearchThreads: number = SqliteStore.defaultSearchThreads

/** How a database is searched: see `SqliteStore.ReaderOptions`. */
export type SearchOptions = Pick<SqliteStore.ReaderOptions, "maxHits" | "maxIdentifiers" | "searchThreads">

/** What a service needs to know. */
export interface Options extends AnswerOptions, SearchOptions {
  /** The database file; it is opened for reading and must exist. */
  readonly database: string
  /** The host to listen on. Default `127.0.0.1`. */
  readonly host?: string | undefined
  /** The port to listen on. Default 0: any free port. */
  readonly port?: number | undefined
  /** The largest request line and headers together, in bytes; larger ones are 431. Default 32 KiB. */
  readonly maxHeaderBytes?: number | undefined
  /** How long a request may take to arrive, headers and body; a slower one is 408. Default 30 seconds. */
  readonly requestTimeout?: Duration.Input | undefined
  /** How long a connection may stay open without a request. Default 30 seconds. */
  readonly idleTimeout?: Duration.Input | undefined
  /** How long a client may take in nothing of its response; then its connection is closed. Default: 30 seconds. */
  readonly writeTimeout?: Duration.Input | undefined
  /** How many connections are open at once; one more is closed. Default: 1024. */
  readonly maxConnections?: number | undefined
  /** How long a stop waits for answers that are being given; what is open then is cut. Default 10 seconds. */
  readonly stopTimeout?: Duration.Input | undefined
}

/**
 * A running service: where it listens. `url` has no slash at its end, e.g. `http://127.0.0.1:43121`; `metricsUrl` is where
 * `/metrics` is served, which has a server of its own with the option `metricsPort`.
 */
export class Service extends Context.Service<
  Service,
  { readonly host: string; readonly port: number; readonly url: string; readonly metricsUrl: string }
>()("@chemstream/service/Service") {}

/**
 * Starts the service. It stops when the scope is closed: it takes no more connections, answers new requests on open
 * ones with 503, finishes the answers it is giving (`stopTimeout` at most), and closes the database.
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
    const answering = yield* overDatabase(options)
    const listen = { ...options, host: options.host ?? defaultHost }
    const { host, port } = yield* serve(answering, { ...listen, port: options.port ?? 0 })
    const url = urlOf(host, port)
    const { metricsPort } = options
    if (metricsPort === undefined) return Service.of({ host, port, url, metricsUrl: url })
    const metrics = yield* serve(
      { ...answering, app: answering.metricsApp },
      { ...listen, port: metricsPort }
    )
    return Service.of({ host, port, url, metricsUrl: urlOf(host, metrics.port) })
  })

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

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
  options: AnswerOptions & SearchOptions & { readonly database: string }
): Effect.Effect<(request: Request) => Promise<Response>, StoreError, Scope.Scope> =>
  Effect.map(overDatabase(options), ({ app }) => HttpEffect.toWebHandler(app))

/** Answers one request, with a problem document where it cannot be answered otherwise. */
export type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** The service over any store, as an effect that answers one request. */
export const httpEffect = (options: AnswerOptions): Effect.Effect<App, never, Store | Scope.Scope> =>
  Effect.map(application.make(options), ({ app }) => app)

// The database stays open as long as the scope, not only while the routes are built.
const overDatabase = (
  options: AnswerOptions & SearchOptions & { readonly database: string }
): Effect.Effect<application.Answering, StoreError, Scope.Scope> =>
  Effect.flatMap(
    SqliteStore.make({
      ...(options.dialect === "ctx" ? { ...options, ...searchingLikeCtx(options) } : options),
      file: options.database
    }),
    (store) => Effect.provideService(application.make(options), Store, store)
  )

// The public service answers all hits, ranks InChIKeys behind names and does not look for short words in them.
const searchingLikeCtx = ({
  maxHits,
  maxIdentifiers
}: SearchOptions): Partial<SqliteStore.ReaderOptions> => ({
  maxHits: maxHits ?? defaultMaxCtxHits,
  maxIdentifiers: maxIdentifiers ?? defaultMaxCtxIdentifiers,
  inchikeys: { rank: 13, shortestPart: 13 }
})
