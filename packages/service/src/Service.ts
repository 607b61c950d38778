/**
 * The service: the whole contract over a database file, on a port or, for tests, without one.
 *
 * Composes the other modules: handlers (`DetailsHandlers` and its siblings), store (`SqliteStore`), keys (`ApiKeys`).
 * Runs in the calling process. Does not speak TLS: put a proxy in front where the network is not trusted.
 */
import { Details, Search } from "@chemstream/api"
import * as NodeHttpPlatform from "@effect/platform-node/NodeHttpPlatform"
import { ByteSize, Clock, Context, type Duration, Effect, Layer, type Redacted, type Scope } from "effect"
import {
  HttpEffect,
  HttpIncomingMessage,
  HttpMiddleware,
  HttpPlatform,
  HttpRouter,
  HttpServer,
  type HttpServerRequest,
  type HttpServerResponse
} from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type * as AccessLog from "./AccessLog.ts"
import type * as ApiKeys from "./ApiKeys.ts"
import * as BioactivityHandlers from "./BioactivityHandlers.ts"
import * as DetailsHandlers from "./DetailsHandlers.ts"
import { gate, layerApiKey, layerRequestCheck, type Rate } from "./internal/access.ts"
import { conditional } from "./internal/conditional.ts"
import { contract } from "./internal/contract.ts"
import { type AtOnce, Direct, directly, Ways } from "./internal/direct.ts"
import { limited } from "./internal/limits.ts"
import { paths, routing } from "./internal/methods.ts"
import * as metrics from "./internal/metrics.ts"
import { type ListenError, serve, defaults as serverDefaults } from "./internal/nodeServer.ts"
import { observe, observer } from "./internal/observe.ts"
import * as operations from "./internal/operations.ts"
import { pathOf } from "./internal/pathOf.ts"
import { complete } from "./internal/problems.ts"
import * as MsReadyHandlers from "./MsReadyHandlers.ts"
import * as SearchHandlers from "./SearchHandlers.ts"
import { Store, type StoreError } from "./Store.ts"
import * as SynonymsHandlers from "./SynonymsHandlers.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export type { Rate } from "./internal/access.ts"
export { ListenError } from "./internal/nodeServer.ts"

/** The host that is listened on unless another is named: this machine only. */
export const defaultHost = "127.0.0.1"

/** The largest request body that is read unless configured otherwise: 8 MiB. */
export const defaultMaxBodyBytes: number = 8 * 1024 * 1024

/** The longest URL that is read unless configured otherwise, in characters: 16384. */
export const defaultMaxUrlLength: number = 16 * 1024

/** How many requests are answered at once unless configured otherwise: 256. */
export const defaultMaxConcurrent = 256

/** The largest request line and headers that are read unless configured otherwise: 32 KiB. */
export const defaultMaxHeaderBytes: number = serverDefaults.maxHeaderBytes

/** How long a request may take to arrive unless configured otherwise: 30 seconds. */
export const defaultRequestTimeout: Duration.Duration = serverDefaults.requestTimeout

/** How long a connection may stay open without a request unless configured otherwise: 30 seconds. */
export const defaultIdleTimeout: Duration.Duration = serverDefaults.idleTimeout

/** How long a stop waits for answers that are being given unless configured otherwise: 10 seconds. */
export const defaultStopTimeout: Duration.Duration = serverDefaults.stopTimeout

/** The records of a page of the list of all chemicals unless configured otherwise: 10,000. */
export const defaultPageSize: number = Details.defaultPageSize

/** How many substances a search answers unless configured otherwise: 1000. */
export const defaultMaxHits: number = SqliteStore.defaultMaxHits

/** How many threads search unless configured otherwise: 2. */
export const defaultSearchThreads: number = SqliteStore.defaultSearchThreads

// Smaller answers are not compressed: they fit into one packet as they are.
const smallestCompressed = 1024

// Of detail records, 3 leaves 7 % at 500 MB/s; the usual 6 leaves 5 % at 200 MB/s.
const gzipLevel = 3

// Searches that answer a list of many substances, which is no record: how their URLs start.
const listings = [Search.startWith, Search.contain].map(({ path }) => path.slice(0, path.indexOf(":")))

/** How a database is searched: see `SqliteStore.ReaderOptions`. */
export type SearchOptions = Pick<SqliteStore.ReaderOptions, "maxHits" | "searchThreads">

/** What answers depend on. */
export interface AnswerOptions extends DetailsHandlers.Options {
  /**
   * The keys that open the service; with none, every request is refused. A source (`ApiKeys.follow`) may change them
   * while the service runs.
   */
  readonly keys: ReadonlyArray<Redacted.Redacted<string>> | ApiKeys.Source
  /**
   * How many requests each key may make: `requests` at once, and then as many in each time `per`. One more is 429
   * with `retry-after`. No limit when not given.
   */
  readonly rateLimit?: Rate | undefined
  /** The largest request body that is read, in bytes; a larger one is 413. Default 8 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** The longest URL that is read, in characters; a longer one is 414. Default 16384. */
  readonly maxUrlLength?: number | undefined
  /** How many requests are answered at once; one more is 503 with `retry-after`. Default 256. */
  readonly maxConcurrent?: number | undefined
  /**
   * Takes one line of JSON for each answered request, e.g. `AccessLog.stderr`. Never holds a key. Not logged when not
   * given.
   */
  readonly accessLog?: AccessLog.Write | undefined
}

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
  /** How long a stop waits for answers that are being given; what is open then is cut. Default 10 seconds. */
  readonly stopTimeout?: Duration.Input | undefined
}

/** A running service: where it listens. `url` has no slash at its end, e.g. `http://127.0.0.1:43121`. */
export class Service extends Context.Service<
  Service,
  { readonly host: string; readonly port: number; readonly url: string }
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
    const { app, atOnce } = yield* overDatabase(options)
    const { host, port } = yield* serve(app, {
      ...options,
      atOnce,
      host: options.host ?? defaultHost,
      port: options.port ?? 0
    })
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
  Effect.map(answering(options), ({ app }) => app)

interface Answering {
  readonly app: App
  /** Answers what it can of the same at once. */
  readonly atOnce: AtOnce | undefined
}

const answering = (options: AnswerOptions): Effect.Effect<Answering, never, Store | Scope.Scope> =>
  Effect.gen(function* () {
    const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes
    const maxUrlLength = options.maxUrlLength ?? defaultMaxUrlLength
    const counted = metrics.make()
    const operationPaths = Object.values(operations.paths)
    const { allowed, find } = paths(
      contract,
      operationPaths.map((path) => ({ method: "GET", path }))
    )
    const isOperationPath = new Set<string>(operationPaths)
    const isOperation = (request: HttpServerRequest.HttpServerRequest) => isOperationPath.has(pathOf(request))
    // A digest of a thousand hits takes a third of what the main thread does for them.
    const isTagged = (request: HttpServerRequest.HttpServerRequest) =>
      !isOperation(request) && !listings.some((start) => request.url.startsWith(start))
    const ways = new Ways()
    const keyGate = yield* gate(options.keys, options.rateLimit)
    const routes = Layer.mergeAll(
      HttpApiBuilder.layer(contract).pipe(
        Layer.provide([
          DetailsHandlers.layer(options),
          SearchHandlers.layer,
          MsReadyHandlers.layer,
          SynonymsHandlers.layer,
          BioactivityHandlers.layer
        ]),
        Layer.provide([layerApiKey(keyGate), layerRequestCheck])
      ),
      operations.layer(counted)
    ).pipe(Layer.provide(HttpServer.layerServices))
    const answer = yield* HttpRouter.toHttpEffect(routes).pipe(
      Effect.provideService(HttpRouter.RouterConfig, routing),
      Effect.provideService(Direct, ways)
    )
    const platform = yield* Layer.build(NodeHttpPlatform.layer)
    const observed = observer({ metrics: counted, accessLog: options.accessLog })
    const app: App = answer.pipe(
      conditional(isTagged),
      limited({
        maxUrlLength,
        maxConcurrent: options.maxConcurrent ?? defaultMaxConcurrent,
        exempt: isOperation
      }),
      complete({ allowed, maxBodyBytes }),
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBodyBytes)),
      observe(observed, find),
      // Outermost, so that what is observed is what is sent. In the order of what they cost.
      HttpMiddleware.compression({
        algorithms: ["zstd", "gzip", "br"],
        levels: { gzip: gzipLevel },
        minSize: smallestCompressed
      }),
      Effect.provideService(HttpPlatform.HttpPlatform, Context.get(platform, HttpPlatform.HttpPlatform))
    )
    // A request over the rate of its key would be counted twice: here, and where it is refused.
    const atOnce =
      options.rateLimit === undefined
        ? directly(ways, { gate: keyGate, find, maxUrlLength, observed, clock: yield* Clock.Clock })
        : undefined
    return { app, atOnce }
  })

// The database stays open as long as the scope, not only while the routes are built.
const overDatabase = (
  options: AnswerOptions & SearchOptions & { readonly database: string }
): Effect.Effect<Answering, StoreError, Scope.Scope> =>
  Effect.flatMap(SqliteStore.make({ ...options, file: options.database }), (store) =>
    Effect.provideService(answering(options), Store, store)
  )
