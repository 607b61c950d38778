/**
 * The client without Effect, on Node: with its own connections (`Transport`) and a cache that may be a file
 * (`DiskCache`).
 */
import { Options } from "@chemstream/batch"
import { Effect, Layer, type Redacted } from "effect"
import type * as ChemClient from "../ChemClient.ts"
import * as PromiseClient from "../PromiseClient.ts"
import * as ResponseCache from "../pipeline/ResponseCache.ts"
import * as DiskCache from "./DiskCache.ts"
import * as Transport from "./Transport.ts"

/** A cache in a file (`DiskCache`), with the lifetimes of its responses. */
export interface FileCache extends DiskCache.Settings, ResponseCache.Lifetimes {}

/** The settings of a client on Node. */
export interface Settings extends ChemClient.CommonSettings {
  /** The `http:` or `https:` URL of the service, with its path. Default: that of the environment. */
  readonly baseUrl?: string | URL | undefined
  /** The API key. Default: that of the environment. */
  readonly apiKey?: string | Redacted.Redacted | undefined
  /** The cache of responses: a store, or a file and its bound, with its lifetimes. Default: none. */
  readonly cache?: ResponseCache.ResponseCache | FileCache | undefined
  /** The settings of the connections. */
  readonly transport?: Transport.Settings | undefined
}

/** The cache in a file, and its lifetimes. */
const fileCache = Options.set<FileCache>()({ ...DiskCache.optionSet.fields, ...ResponseCache.lifetimes })

const hasStore = (cache: unknown): cache is ResponseCache.ResponseCache =>
  typeof cache === "object" && cache !== null && "store" in cache

/** The declaration of the settings. */
export const optionSet: Options.Set<Settings> = Options.set<Settings>()({
  ...PromiseClient.optionSet.fields,
  cache: Options.anyOf({ ...ResponseCache.optionSet, matches: hasStore }, fileCache),
  transport: Transport.optionSet
})

/**
 * Makes a client from settings and environment, as `ChemClient.layerConfig` does. Sends no request. Rejects with
 * `InvalidOption`, or with `CacheFailure` if the file of the cache cannot be used. Close the client at the end; with
 * Node 24 or newer, `await using` closes it.
 *
 * @example
 * ```ts
 * import { createClient } from "@chemstream/client/node"
 *
 * const pages = async function* () {
 *   const client = await createClient({
 *     baseUrl: "http://127.0.0.1:8080",
 *     apiKey: "my key",
 *     cache: { file: "responses.cache", ttl: "1 hour" },
 *     transport: { connectTimeout: "5 seconds" }
 *   })
 *   try {
 *     for await (const { dtxsid } of client.details.all({ projection: "all-ids" })) yield dtxsid
 *   } finally {
 *     await client.close()
 *   }
 * }
 * ```
 */
export const createClient = (settings: Settings = {}): Promise<PromiseClient.PromiseClient> =>
  PromiseClient.fromLayer(
    Layer.unwrap(
      Effect.gen(function* () {
        yield* Options.check(Options.partial(optionSet), settings)
        const { cache, transport, ...others } = settings
        const store = cache === undefined || hasStore(cache) ? cache : yield* openCache(cache)
        return Layer.provide(
          PromiseClient.layerConfig({ ...others, cache: store }),
          Transport.layer(transport)
        )
      })
    )
  )

const openCache = ({ file, maxBytes, ...lifetimes }: FileCache) =>
  Effect.map(DiskCache.make({ file, maxBytes }), (store) => ({ ...lifetimes, store }))
