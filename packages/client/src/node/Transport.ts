/**
 * The HTTP connections of a client on Node: their timeout, number, lifetime, encodings and trusted certificates. `internal/proxies.ts`
 * finds the proxies, and `internal/interimResponses.ts` keeps `100 Continue` from undici.
 *
 * It uses undici through `@effect/platform-node`. Proxies are HTTP or HTTPS: with `CONNECT` to an `https:` service,
 * plain forwarding to an `http:` one. `ALL_PROXY` and automatic configuration files are not supported. Bun has no dispatchers of undici:
 * there the connections are those of its `fetch`.
 */
import { type BlockList, isIP } from "node:net"
import { getCACertificates } from "node:tls"
import { InvalidOption, Options } from "@chemstream/batch"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type * as Undici from "@effect/platform-node/Undici"
import { Duration, Effect, Layer, Redacted, Result, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { skipContinue } from "./internal/interimResponses.ts"
import { findProxies, loopback, proxyAddress } from "./internal/proxies.ts"

/** The encodings that `readBody.ts` undoes. Not requested on this machine, where compression only takes time. */
const encodings = "gzip, deflate, br, zstd"

/** The settings of the connections. */
export interface Settings {
  /**
   * How long a connection may take to open, with TLS. A longer time is a `RequestTimeout` of the phase `connect`. Its
   * precision is about a second. Default: 10 seconds.
   */
  readonly connectTimeout?: Duration.Input | undefined
  /** The largest number of connections to one host. Default: one for each request in flight. */
  readonly connections?: number | undefined
  /** How long an unused connection stays open, unless the service says otherwise. Default: 4 seconds. */
  readonly keepAlive?: Duration.Input | undefined
  /**
   * The proxy of every request, e.g. `http://user:password@host:3128`. `false`: none. Errors never show its
   * credentials. Default: `HTTPS_PROXY`, or else `HTTP_PROXY`, for an `https:` service, and `HTTP_PROXY` for an
   * `http:` one, except for hosts in `NO_PROXY` and loopback. `NO_PROXY` has names, addresses and networks
   * (`10.0.0.0/8`, for hosts given as addresses). Lower-case variables win.
   */
  readonly proxy?: string | Redacted.Redacted | false | undefined
  /** Additional trusted certificates of authorities, as PEM, for the service and the proxy. */
  readonly authorities?: string | ReadonlyArray<string> | undefined
}

/** The declaration of the settings. */
export const optionSet = Options.set<Settings>()({
  connectTimeout: Options.withDefault(Options.time("positive"), "10 seconds"),
  connections: Options.count,
  keepAlive: Options.time("positive"),
  proxy: Options.kind<string | Redacted.Redacted | false>(
    proxyAddress,
    (value) => value === false || typeof value === "string" || Redacted.isRedacted(value),
    "secret"
  ),
  authorities: Options.anyOf(Options.text, Options.list(Options.text))
})

/**
 * An HTTP client with its own connections, which close with the layer.
 *
 * Fails with `InvalidOption` if the address of a proxy cannot be used.
 *
 * @example
 * ```ts
 * import { ChemClient } from "@chemstream/client"
 * import { Transport } from "@chemstream/client/node"
 * import { Layer } from "effect"
 *
 * const layer = ChemClient.layerConfig().pipe(Layer.provide(Transport.layer({ connectTimeout: "5 seconds" })))
 * ```
 */
export const layer = (
  settings: Settings = {}
): Layer.Layer<HttpClient.HttpClient, InvalidOption.InvalidOption> =>
  "Bun" in globalThis
    ? FetchHttpClient.layer.pipe(Layer.tap(() => Effect.fromResult(refuseOnBun(settings))))
    : NodeHttpClient.layerUndiciNoDispatcher.pipe(
        Layer.provide(Layer.effect(NodeHttpClient.Dispatcher, makeDispatcher(settings)))
      )

/** Refuses the settings of connections that `fetch` does not have. */
const refuseOnBun = (settings: Settings): Result.Result<void, InvalidOption.InvalidOption> => {
  const given = Object.entries(settings).find(([, value]) => value !== undefined)
  if (given === undefined) return Result.void
  const wanted =
    "nothing on Bun, whose fetch opens the connections: it takes proxies from HTTP_PROXY and certificates from NODE_EXTRA_CA_CERTS"
  return Result.fail(new InvalidOption.InvalidOption({ option: `transport.${given[0]}`, wanted }))
}

/** Makes the connections in undici's form: direct ones, or through the proxies except for hosts that bypass them. */
const makeDispatcher = (
  settings: Settings
): Effect.Effect<NodeHttpClient.Dispatcher["Service"], InvalidOption.InvalidOption, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Options.check(optionSet, settings, "transport")
    const proxies = yield* findProxies(settings.proxy)
    // Loaded on demand: loading undici takes longer than a small command runs.
    const undici = yield* Effect.promise(() => import("@effect/platform-node/Undici"))
    const { authorities, connections, connectTimeout, keepAlive } = Options.complete(optionSet, settings)
    const tls =
      authorities === undefined
        ? undefined
        : { ca: [...getCACertificates("default"), ...[authorities].flat()] }
    const options = {
      connectTimeout: wholeMillis(connectTimeout),
      ...(connections === undefined ? {} : { connections }),
      ...(keepAlive === undefined ? {} : { keepAliveTimeout: wholeMillis(keepAlive) })
    }
    const factory = poolsOf(undici)
    const direct = { ...options, ...(tls === undefined ? {} : { connect: tls }), factory }
    const { bypassed, httpProxy, httpsProxy, noProxy } = proxies
    const opened = <D extends Undici.Dispatcher>(dispatcher: D) =>
      Effect.acquireRelease(Effect.succeed(dispatcher), (open) => Effect.promise(() => open.destroy()))
    const agent = yield* opened(new undici.Agent(direct))
    if (httpProxy === "" && httpsProxy === "") return agent.compose(acceptEncodings)
    // The proxy agent chooses the proxy for each request.
    const proxied = yield* opened(
      new undici.EnvHttpProxyAgent({
        ...direct,
        clientFactory: factory,
        httpProxy,
        httpsProxy,
        noProxy,
        ...(tls === undefined ? {} : { requestTls: tls, proxyTls: tls })
      })
    )
    const bypass: Undici.Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) =>
      isIn(bypassed, hostOf(request)) ? agent.dispatch(request, handler) : dispatch(request, handler)
    return proxied.compose([bypass, acceptEncodings])
  })

/** Requests encodings from other machines. */
const acceptEncodings: Undici.Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) =>
  loopback.split(",").includes(hostOf(request))
    ? dispatch(request, handler)
    : dispatch({ ...request, headers: { "accept-encoding": encodings, ...request.headers } }, handler)

const hostOf = ({ origin = "" }: Undici.Dispatcher.DispatchOptions): string =>
  URL.parse(String(origin))?.hostname ?? ""

const isIn = (networks: BlockList, host: string): boolean => {
  const address = host.replace(/^\[|\]$/g, "")
  const family = isIP(address)
  return family !== 0 && networks.check(address, family === 6 ? "ipv6" : "ipv4")
}

/** Makes pools of connections that skip an unrequested `100 Continue`, which undici takes for an error. */
const poolsOf =
  ({ buildConnector, Pool }: typeof Undici): NonNullable<Undici.Agent.Options["factory"]> =>
  (origin, options: Undici.Pool.Options) => {
    const { connect } = options
    const connector =
      typeof connect === "function"
        ? connect
        : buildConnector({
            ...(options.connectTimeout === undefined ? {} : { timeout: options.connectTimeout }),
            ...connect
          })
    return new Pool(origin, {
      ...options,
      connect: (target, callback) =>
        // TLS names hosts only. undici names the address of a proxy, too.
        connector(
          { ...target, ...(isIP(target.servername ?? "") === 0 ? {} : { servername: "" }) },
          (...result) => {
            const [error, socket] = result
            if (error === null) skipContinue(socket)
            callback(...result)
          }
        )
    })
  }

/** Returns whole milliseconds, as undici needs them. */
const wholeMillis = (time: Duration.Input): number => Math.ceil(Duration.toMillis(time))
