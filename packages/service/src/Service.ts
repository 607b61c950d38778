/**
 * Runs the service over a database file, on a port or without one (for tests).
 *
 * It opens the store (`SqliteStore`), and serves the pipeline of requests (`requestPipeline.ts`) with the handlers
 * (`Handlers`) and the keys of its options, in the calling process. It does not use TLS: put a proxy in front of it on untrusted networks.
 */
import { Options as Declared, type InvalidOption } from "@chemstream/batch"
import { Context, Effect, Layer, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpOptions } from "./internal/http/httpOptions.ts"
import * as httpOptions from "./internal/http/httpOptions.ts"
import * as application from "./internal/http/requestPipeline.ts"
import * as searchLimits from "./internal/searchLimits.ts"
import {
  type ListenError,
  type Options as ServerOptions,
  serve,
  defaults as serverDefaults,
  optionSet as serverSet
} from "./internal/server/nodeServer.ts"
import { Store, type StoreError } from "./Store.ts"
import * as SqliteStore from "./sqlite/SqliteStore.ts"

export type { HttpOptions } from "./internal/http/httpOptions.ts"
export type { Rate } from "./internal/http/keyAndRateLimit.ts"
export { ListenError } from "./internal/server/nodeServer.ts"

/** The defaults of the options, and those of searches in the dialect `ctx`. */
export const defaults = {
  ...httpOptions.defaults,
  ...serverDefaults,
  ...SqliteStore.defaults,
  host: "127.0.0.1",
  ctx: searchLimits.ctx
}

/** The options of searches, see `SqliteStore.ReaderOptions`. */
export type SearchOptions = Pick<SqliteStore.ReaderOptions, "maxHits" | "maxIdentifiers" | "searchThreads">

/** The options of a service without a port. */
export interface ApplicationOptions extends HttpOptions, SearchOptions {
  /** The database file, which must exist. It is opened for reading. */
  readonly database: string
}

/** The options of a service. */
export interface Options extends ApplicationOptions, Omit<ServerOptions, "host" | "port"> {
  /** The host to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined
  /** The port to listen on. Default: 0, any free port. */
  readonly port?: number | undefined
}

const applicationSet = /* @__PURE__ */ Declared.set<ApplicationOptions>()({
  ...httpOptions.optionSet.fields,
  maxHits: Declared.count,
  maxIdentifiers: Declared.count,
  searchThreads: Declared.count,
  database: Declared.required(Declared.text)
})

const optionSet = /* @__PURE__ */ Declared.set<Options>()({
  ...serverSet.fields,
  ...applicationSet.fields,
  host: Declared.text,
  port: httpOptions.portKind
})

/**
 * A running service with its address.
 *
 * `url` has no slash at its end, e.g. `http://127.0.0.1:43121`. `metricsUrl` is the address of `/metrics`: another
 * port if the option `metricsPort` is set.
 */
export class Service extends Context.Service<
  Service,
  { readonly host: string; readonly port: number; readonly url: string; readonly metricsUrl: string }
>()("@chemstream/service/Service") {}

/**
 * Starts a service that stops with the scope.
 *
 * To stop, it closes the port, refuses new requests on open connections with 503, finishes responses in flight
 * (within `stopTimeout`), and closes the database. Fails with `StoreError` for an unusable database, with
 * `ListenError` for an unusable port, and with `InvalidOption` for a time or number out of range.
 *
 * @example
 *
 * ```ts
 * import { Bundled, Service } from "@chemstream/service"
 * import { Effect, Redacted } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const service = yield* Service.make({ database: Bundled.database, keys: [Redacted.make("a-key")] })
 *   const response = yield* Effect.promise(() => fetch(`${service.url}/health`))
 *   return response.status
 * })
 * await Effect.runPromise(Effect.scoped(program)) // => 200
 * ```
 */
export const make = (
  options: Options
): Effect.Effect<Service["Service"], StoreError | InvalidOption.InvalidOption | ListenError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Declared.check(optionSet, options)
    const service = yield* openApplication(options)
    const address = { host: options.host ?? defaults.host, port: options.port ?? 0 }
    const { host, port } = yield* serve(service, { ...options, ...address })
    const url = urlOf(host, port)
    const { metricsHost = defaults.host, metricsPort } = options
    if (metricsPort === undefined) return Service.of({ host, port, url, metricsUrl: url })
    const metrics = yield* serve(
      { ...service, app: service.metricsApp },
      { ...options, host: metricsHost, port: metricsPort }
    )
    return Service.of({ host, port, url, metricsUrl: urlOf(metricsHost, metrics.port) })
  })

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`

/** Starts a service as a layer; see `make`. */
export const layer = (
  options: Options
): Layer.Layer<Service, StoreError | InvalidOption.InvalidOption | ListenError> =>
  Layer.effect(Service, make(options))

/**
 * Makes the service without a port: a function from a request to its response.
 *
 * @example
 *
 * ```ts
 * import { Bundled, Service } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * const status = Effect.gen(function* () {
 *   const handle = yield* Service.webHandler({ database: Bundled.database, keys: [] })
 *   const response = yield* Effect.promise(() => handle(new Request("http://service/health")))
 *   return response.status
 * })
 * await Effect.runPromise(Effect.scoped(status)) // => 200
 * ```
 */
export const webHandler = (
  options: ApplicationOptions
): Effect.Effect<
  (request: Request) => Promise<Response>,
  StoreError | InvalidOption.InvalidOption,
  Scope.Scope
> =>
  Effect.andThen(
    Declared.check(applicationSet, options),
    Effect.map(openApplication(options), ({ app }) => HttpEffect.toWebHandler(app))
  )

/** Responds to one request. Errors become problem documents. */
export type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** Makes the service over any store: an effect that responds to one request. */
export const httpEffect = (
  options: HttpOptions
): Effect.Effect<App, InvalidOption.InvalidOption, Store | Scope.Scope> =>
  Effect.andThen(
    Declared.check(httpOptions.optionSet, options),
    Effect.map(application.make(options), ({ app }) => app)
  )

// The database stays open until the scope closes, not only while the routes are built.
const openApplication = (
  options: ApplicationOptions
): Effect.Effect<application.ServiceApplication, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* SqliteStore.make({
      ...Declared.pick(SqliteStore.optionSet, {
        ...options,
        ...(options.dialect === "ctx" ? ctxSearchOptions(options) : {})
      }),
      file: options.database
    })
    return yield* Effect.provideService(application.make(options), Store, store)
  })

// The public service returns all hits and ranks InChIKeys after names. It searches InChIKeys for long words only.
const ctxSearchOptions = ({
  maxHits,
  maxIdentifiers
}: SearchOptions): Partial<SqliteStore.ReaderOptions> => ({
  maxHits: maxHits ?? defaults.ctx.maxHits,
  maxIdentifiers: maxIdentifiers ?? defaults.ctx.maxIdentifiers,
  inchikeys: { rank: 13, shortestPart: 13 }
})
