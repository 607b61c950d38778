/**
 * The HTTP connections of a client on Node: their timeout, number, lifetime, proxy and trusted certificates.
 *
 * It uses undici through `@effect/platform-node`. Proxies are HTTP or HTTPS: with `CONNECT` to an `https:` service,
 * plain forwarding to an `http:` one. `ALL_PROXY` and automatic configuration files are not supported.
 */
import { getCACertificates } from "node:tls"
import { InvalidOption } from "@chemstream/batch"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Config, Duration, Effect, Layer, Option, Redacted, Result, type Scope } from "effect"
import type { HttpClient } from "effect/http"

/** The default of `connectTimeout`. */
export const defaultConnectTimeout: Duration.Input = "10 seconds"

/** The hosts that always bypass a proxy of the environment: a proxy would find them on its own machine. */
const loopback = "localhost,127.0.0.1,[::1]"

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
   * `http:` one, except for hosts in `NO_PROXY` and loopback. Lower-case variables win.
   */
  readonly proxy?: string | Redacted.Redacted | false | undefined
  /** Additional trusted certificates of authorities, as PEM, for the service and the proxy. */
  readonly authorities?: string | ReadonlyArray<string> | undefined
}

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
  NodeHttpClient.layerUndiciNoDispatcher.pipe(
    Layer.provide(Layer.effect(NodeHttpClient.Dispatcher, makeDispatcher(settings)))
  )

const names: InvalidOption.Names<Settings> = {
  connectTimeout: true,
  connections: true,
  keepAlive: true,
  proxy: true,
  authorities: true
}

const makeDispatcher = (
  settings: Settings
): Effect.Effect<NodeHttpClient.Dispatcher["Service"], InvalidOption.InvalidOption, Scope.Scope> =>
  Effect.gen(function* () {
    yield* InvalidOption.refuse([
      InvalidOption.known(settings, names, "transport"),
      InvalidOption.time("transport.connectTimeout", settings.connectTimeout, "positive"),
      InvalidOption.count("transport.connections", settings.connections),
      InvalidOption.time("transport.keepAlive", settings.keepAlive, "positive")
    ])
    const proxies = yield* findProxies(settings.proxy)
    // Loaded on demand: loading undici takes longer than a small command runs.
    const undici = yield* Effect.promise(() => import("@effect/platform-node/Undici"))
    const { authorities, connections, keepAlive } = settings
    const tls =
      authorities === undefined
        ? undefined
        : { ca: [...getCACertificates("default"), ...[authorities].flat()] }
    const options = {
      connectTimeout: wholeMillis(settings.connectTimeout ?? defaultConnectTimeout),
      ...(connections === undefined ? {} : { connections }),
      ...(keepAlive === undefined ? {} : { keepAliveTimeout: wholeMillis(keepAlive) })
    }
    const { httpProxy, httpsProxy } = proxies
    return yield* Effect.acquireRelease(
      Effect.sync(() =>
        // The proxy agent chooses the proxy for each request.
        httpProxy === "" && httpsProxy === ""
          ? new undici.Agent({ ...options, ...(tls === undefined ? {} : { connect: tls }) })
          : new undici.EnvHttpProxyAgent({
              ...options,
              ...proxies,
              ...(tls === undefined ? {} : { connect: tls, requestTls: tls, proxyTls: tls })
            })
      ),
      (dispatcher) => Effect.promise(() => dispatcher.destroy())
    )
  })

/** The proxies in undici's form: an empty text means none; undici would look up an absent one. */
interface Proxies {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

const findProxies = (proxy: Settings["proxy"]): Effect.Effect<Proxies, InvalidOption.InvalidOption> =>
  Effect.gen(function* () {
    if (proxy !== undefined) {
      const text = proxy === false ? "" : Redacted.isRedacted(proxy) ? Redacted.value(proxy) : proxy
      const address = yield* checkProxy("argument", text)
      return { httpProxy: address, httpsProxy: address, noProxy: "" }
    }
    const httpProxy = yield* checkProxy("HTTP_PROXY", yield* fromEnvironment("http_proxy"))
    const httpsProxy = yield* checkProxy("HTTPS_PROXY", yield* fromEnvironment("https_proxy"))
    return { httpProxy, httpsProxy, noProxy: `${yield* fromEnvironment("no_proxy")},${loopback}` }
  })

const fromEnvironment = (name: string): Effect.Effect<string, InvalidOption.InvalidOption> =>
  Effect.gen(function* () {
    for (const spelling of [name, name.toUpperCase()]) {
      const value = yield* Config.option(Config.Redacted(spelling))
      const text = Option.match(value, { onNone: () => "", onSome: Redacted.value }).trim()
      if (text !== "") return text
    }
    return ""
  }).pipe(Effect.mapError(() => unusable(name.toUpperCase())))

/** The message never quotes the address: it may have a password. */
const checkProxy = (source: string, text: string): Effect.Effect<string, InvalidOption.InvalidOption> => {
  if (text === "") return Effect.succeed("")
  const url = URL.parse(text.includes("://") ? text : `http://${text}`)
  return url !== null && /^https?:$/.test(url.protocol) && isDecodable(url.username + url.password)
    ? Effect.succeed(url.href)
    : Effect.fail(unusable(source))
}

const isDecodable = (text: string): boolean => Result.isSuccess(Result.try(() => decodeURIComponent(text)))

/** Returns whole milliseconds, as undici needs them. */
const wholeMillis = (time: Duration.Input): number => Math.ceil(Duration.toMillis(time))

const unusable = (source: string): InvalidOption.InvalidOption =>
  new InvalidOption.InvalidOption({
    option: "transport.proxy",
    source,
    wanted: "an http:// or https:// address, e.g. http://host:3128"
  })
