/** Finds the proxies of a client: the one of its settings, or those of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`). */
import { BlockList, isIP } from "node:net"
import { InvalidOption } from "@chemstream/batch"
import { Config, Effect, Option, Redacted, Result } from "effect"

/** The hosts that always bypass a proxy of the environment: a proxy would find them on its own machine. */
export const loopback = "localhost,127.0.0.1,[::1]"

/** What the address of a proxy must be. */
export const proxyAddress = "an http:// or https:// address, e.g. http://host:3128"

/** The proxies in undici's form: an empty text means none; undici would look up an absent one. */
export interface Proxies {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
  /** The networks of `NO_PROXY`, which undici does not know. */
  readonly bypassed: BlockList
}

/** Returns the given proxy for all services, or else those of the environment. */
export const findProxies = (
  proxy: string | Redacted.Redacted | false | undefined
): Effect.Effect<Proxies, InvalidOption.InvalidOption> =>
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

/** Returns a variable in lower or upper case. Empty: it is not set. */
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

const unusable = (source: string): InvalidOption.InvalidOption =>
  new InvalidOption.InvalidOption({ option: "transport.proxy", source, wanted: proxyAddress })
