/**
 * The HTTP connections of a client on Node: how long one may take to come about, how many there are and how long they
 * are kept, through which proxy they go and whom they trust.
 *
 * Over undici, through `@effect/platform-node`. Proxies: HTTP and HTTPS ones, `CONNECT` to an `https:` service and
 * plain forwarding to an `http:` one; no `ALL_PROXY`, no automatic configuration files.
 */
import { getCACertificates } from "node:tls"
import { InvalidOption } from "@chemstream/batch"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Config, Duration, Effect, Layer, Option, Redacted, Result, type Scope } from "effect"
import type { HttpClient } from "effect/http"

/** How long a connection may take when not set. */
export const defaultConnectTimeout: Duration.Input = "10 seconds"

/** The hosts that no proxy of the environment is for, as `NO_PROXY` has them: a proxy would look for them on itself. */
const loopback = "localhost,127.0.0.1,[::1]"

/** The settings of the connections. */
export interface Settings {
  /**
   * How long a connection may take to come about, TLS included. Longer is a `RequestTimeout` of the phase `connect`.
   * Measured to about a second. Default: 10 seconds.
   */
  readonly connectTimeout?: Duration.Input | undefined
  /** The most connections to one host; as many as there are requests in flight when not given. */
  readonly connections?: number | undefined
  /** How long an unused connection is kept, where the service does not say. Default: 4 seconds. */
  readonly keepAlive?: Duration.Input | undefined
  /**
   * The proxy of every request, e.g. `http://user:password@host:3128`, or `false` for none. When not given: what
   * `HTTPS_PROXY` (else `HTTP_PROXY`) says for an `https:` service and `HTTP_PROXY` for an `http:` one, but for the hosts
   * in `NO_PROXY` and loopback; in lower case first. Credentials in it never show in an error.
   */
  readonly proxy?: string | Redacted.Redacted | false | undefined
  /** Certificates of authorities to trust besides Node's own, as PEM, for the service and for the proxy. */
  readonly authorities?: string | ReadonlyArray<string> | undefined
}

/**
 * An HTTP client over connections of its own, closed with the layer.
 *
 * Fails with `InvalidOption` where a proxy's address cannot be used.
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

const makeDispatcher = (
  settings: Settings
): Effect.Effect<NodeHttpClient.Dispatcher["Service"], InvalidOption.InvalidOption, Scope.Scope> =>
  Effect.gen(function* () {
    yield* InvalidOption.refuse([
      InvalidOption.time("transport.connectTimeout", settings.connectTimeout, "positive"),
      InvalidOption.count("transport.connections", settings.connections),
      InvalidOption.time("transport.keepAlive", settings.keepAlive, "positive")
    ])
    const proxies = yield* findProxies(settings.proxy)
    // On demand: undici takes longer to load than a small command to run.
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
        // The agent for proxies looks for the one to take on every request.
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

/** Which proxy is for what, as undici takes it: an empty text is none, an absent one would be looked up by undici. */
interface Proxies {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

const findProxies = (given: Settings["proxy"]): Effect.Effect<Proxies, InvalidOption.InvalidOption> =>
  Effect.gen(function* () {
    if (given !== undefined) {
      const text = given === false ? "" : Redacted.isRedacted(given) ? Redacted.value(given) : given
      const proxy = yield* checkProxy("argument", text)
      return { httpProxy: proxy, httpsProxy: proxy, noProxy: "" }
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

/** Never quotes the address: it may hold a password. */
const checkProxy = (source: string, text: string): Effect.Effect<string, InvalidOption.InvalidOption> => {
  if (text === "") return Effect.succeed("")
  const url = URL.parse(text.includes("://") ? text : `http://${text}`)
  return url !== null && /^https?:$/.test(url.protocol) && isDecodable(url.username + url.password)
    ? Effect.succeed(url.href)
    : Effect.fail(unusable(source))
}

const isDecodable = (text: string): boolean => Result.isSuccess(Result.try(() => decodeURIComponent(text)))

/** In whole milliseconds, as undici takes them. */
const wholeMillis = (time: Duration.Input): number => Math.ceil(Duration.toMillis(time))

const unusable = (source: string): InvalidOption.InvalidOption =>
  new InvalidOption.InvalidOption({
    option: "transport.proxy",
    source,
    wanted: "an http:// or https:// address, e.g. http://host:3128"
  })
