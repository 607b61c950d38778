/**
 * The HTTP connections of a client on Node: their timeout, number, lifetime, proxy and trusted certificates.
 *
 * It uses undici through `@effect/platform-node`. Proxies are HTTP or HTTPS: with `CONNECT` to an `https:` service,
 * plain forwarding to an `http:` one. `ALL_PROXY` and automatic configuration files are not supported. Bun has no dispatchers of undici:
 * there the connections are those of its `fetch`.
 */
import { BlockList, isIP, type Socket } from "node:net"
import { getCACertificates } from "node:tls"
import { InvalidOption, Options } from "@chemstream/batch"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type * as Undici from "@effect/platform-node/Undici"
import { Config, Duration, Effect, Layer, Option, Redacted, Result, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"

/** The hosts that always bypass a proxy of the environment: a proxy would find them on its own machine. */
const loopback = "localhost,127.0.0.1,[::1]"

/** The encodings that `readBody.ts` undoes. Not requested on this machine, where compression only takes time. */
const encodings = "gzip, deflate, br, zstd"

const proxyAddress = "an http:// or https:// address, e.g. http://host:3128"

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

/** The start of a response that asks for a body that was already sent. */
const continueLine = /^HTTP\/1\.[01] 100[ \r]/

/** Removes `100 Continue` responses in front of each response. A connection has one request at a time. */
const skipContinue = (socket: Socket): void => {
  if ((socket as { readonly alpnProtocol?: unknown }).alpnProtocol === "h2") return
  const { read, write } = socket
  let isExpected = true
  let pending = Buffer.alloc(0)
  socket.write = ((...args: Parameters<typeof write>) => {
    isExpected = true
    return write.apply(socket, args)
  }) as typeof write
  socket.read = (size) => {
    const chunk: Buffer | null = read.call(socket, size)
    if (!isExpected || chunk === null) return chunk
    let bytes = Buffer.concat([pending, chunk])
    while (continueLine.test(bytes.toString("latin1", 0, 16))) {
      const end = bytes.indexOf("\r\n\r\n")
      // Of a response that never ends, the parser reports the length of its headers.
      if (end === -1 && bytes.length < longestInterim) {
        pending = bytes
        return null
      }
      if (end === -1) break
      bytes = bytes.subarray(end + 4)
    }
    pending = Buffer.alloc(0)
    if (bytes.length === 0) return socket.read(size)
    isExpected = false
    return bytes
  }
}

/** The longest `100 Continue` with its headers, in bytes. */
const longestInterim = 16 * 1024

/** The proxies in undici's form: an empty text means none; undici would look up an absent one. */
interface Proxies {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
  /** The networks of `NO_PROXY`, which undici does not know. */
  readonly bypassed: BlockList
}

const findProxies = (proxy: Settings["proxy"]): Effect.Effect<Proxies, InvalidOption.InvalidOption> =>
  Effect.gen(function* () {
    if (proxy !== undefined) {
      const text = proxy === false ? "" : Redacted.isRedacted(proxy) ? Redacted.value(proxy) : proxy
      const address = yield* checkProxy("argument", text)
      return { httpProxy: address, httpsProxy: address, noProxy: "", bypassed: new BlockList() }
    }
    const httpProxy = yield* checkProxy("HTTP_PROXY", yield* fromEnvironment("http_proxy"))
    const httpsProxy = yield* checkProxy("HTTPS_PROXY", yield* fromEnvironment("https_proxy"))
    const noProxy = yield* fromEnvironment("no_proxy")
    return { httpProxy, httpsProxy, noProxy: `${noProxy},${loopback}`, bypassed: yield* networksOf(noProxy) }
  })

/** Returns the networks of `NO_PROXY`, e.g. `10.0.0.0/8`. */
const networksOf = (noProxy: string): Effect.Effect<BlockList, InvalidOption.InvalidOption> => {
  const networks = new BlockList()
  for (const entry of noProxy.split(/[,\s]+/).filter((text) => text.includes("/"))) {
    const [address = "", length = ""] = entry.replace(/^\[(.+)\]/, "$1").split("/")
    const family = isIP(address)
    const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
    if (family === 0 || !(bits <= (family === 6 ? 128 : 32))) {
      return Effect.fail(
        new InvalidOption.InvalidOption({
          option: "transport.proxy",
          source: "NO_PROXY",
          wanted: `names, addresses and networks such as 10.0.0.0/8, not ${JSON.stringify(entry)}`
        })
      )
    }
    networks.addSubnet(address, bits, family === 6 ? "ipv6" : "ipv4")
  }
  return Effect.succeed(networks)
}

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
  new InvalidOption.InvalidOption({ option: "transport.proxy", source, wanted: proxyAddress })
