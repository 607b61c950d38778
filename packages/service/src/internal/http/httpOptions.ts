/**
 * The options of the responses of the service, with their defaults: dialect, keys, and the limits of rate, body, URL and
 * requests in flight. `requestPipeline.ts` applies them. `searchLimits.ts` has the limits of searches, and `listener.ts` those
 * of connections.
 */
import { Details, Dialect } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Effect, Redacted } from "effect"
import type * as AccessLog from "../../AccessLog.ts"
import type * as ApiKeys from "../../ApiKeys.ts"
import type * as Handlers from "../../Handlers.ts"
import type { ServiceRoute } from "../../ServiceRoute.ts"
import * as Variants from "../../Variants.ts"
import { rowKind } from "../records/recordSource.ts"
import type { Rate } from "./keyAndRateLimit.ts"

/** The defaults of the options. */
export const defaults = {
  maxBodyBytes: 256 * 1024,
  maxUrlLength: 16 * 1024,
  maxConcurrent: 256,
  pageSize: Details.defaultPageSize
}

/** The options of responses. */
export interface HttpOptions extends Handlers.Options {
  /**
   * The service to imitate: `specification` is the contract, `ctx` the public service at hosts below `epa.gov`, e.g.
   * to test a client offline. Default: `specification`.
   */
  readonly dialect?: Dialect.Name | undefined
  /** The differences from the default release of the public service, for `ctx`. */
  readonly variants?: Partial<Variants.Variants> | undefined
  /**
   * The accepted API keys. Without keys, every request is refused. A source (`ApiKeys.follow`) may change them while
   * the service runs.
   */
  readonly keys: ReadonlyArray<Redacted.Redacted<string>> | ApiKeys.Source
  /**
   * The rate of each key: at most `requests` in a burst, and on average `requests` in each period `per`. Further
   * requests get 429 with `retry-after`. Default: no limit.
   */
  readonly rateLimit?: Rate | undefined
  /** The largest request body in bytes. Larger ones get 413. Default: 256 KiB. */
  readonly maxBodyBytes?: number | undefined
  /** The longest URL in characters. Longer ones get 414. Default: 16384. */
  readonly maxUrlLength?: number | undefined
  /** The largest number of requests in flight. Further ones get 503 with `retry-after`. Default: 256. */
  readonly maxConcurrent?: number | undefined
  /**
   * The largest number of requests in flight per key. Further ones get 429 with `retry-after`. Default: a quarter of
   * `maxConcurrent`, but at least 8. With a single key: `maxConcurrent`.
   */
  readonly maxConcurrentPerKey?: number | undefined
  /** The port of `/metrics`. Default: the port of the service. */
  readonly metricsPort?: number | undefined
  /** The address of `metricsPort`. Default: `127.0.0.1`. */
  readonly metricsHost?: string | undefined
  /** Receives one line of JSON per request, which never has a key. `AccessLog.stderr` makes one. Default: no log. */
  readonly accessLog?: AccessLog.Write | undefined
  /** Paths that the program adds. A path `/` replaces the home page of the service. Default: none. */
  readonly routes?: ReadonlyArray<ServiceRoute> | undefined
}

/** The kind of a port, for declarations of options (`Options`). */
export const portKind: Options.Kind<number> = /* @__PURE__ */ Options.kind(
  "a port: a whole number from 0 to 65535",
  (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535
)

const variantKinds = /* @__PURE__ */ Object.fromEntries(
  Object.entries(Variants.variants).map(([name, { values }]) => [name, Options.oneOf<string>(values)])
) as { readonly [N in Variants.Name]: Options.Kind<Variants.Variants[N]> }

/** The declaration of the options. */
export const optionSet: Options.Set<HttpOptions> = /* @__PURE__ */ Options.set<HttpOptions>()({
  dialect: Options.oneOf(Dialect.names),
  variants: Options.set<Partial<Variants.Variants>>()(variantKinds),
  keys: Options.required(
    Options.kind<HttpOptions["keys"]>(
      "a list of keys, each Redacted.make(key), or ApiKeys.follow(file)",
      (keys) =>
        Array.isArray(keys) ? keys.every(Redacted.isRedacted) : Effect.isEffect(Object(keys).current),
      "secret"
    )
  ),
  rateLimit: Options.set<Rate>()({
    requests: Options.required(Options.amount),
    per: Options.required(Options.time("positive"))
  }),
  maxBodyBytes: Options.count,
  maxUrlLength: Options.count,
  maxConcurrent: Options.count,
  maxConcurrentPerKey: Options.count,
  metricsPort: portKind,
  metricsHost: Options.text,
  accessLog: Options.func,
  routes: Options.list(
    Options.set<ServiceRoute>()({
      method: Options.required(Options.oneOf(["GET", "POST"])),
      path: Options.required(Options.kind("a path, e.g. /pages/one", (path) => /^\//.test(String(path)))),
      access: Options.required(Options.oneOf(["key", "open"])),
      handle: Options.required(Options.effect)
    })
  ),
  pageSize: Options.count,
  rows: Options.list(rowKind)
})
