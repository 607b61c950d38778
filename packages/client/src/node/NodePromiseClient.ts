/**
 * The client without Effect, on Node: with its own connections (`Transport`) and a cache that may be a file
 * (`DiskCache`).
 */
import { Effect, Layer } from "effect"
import * as PromiseClient from "../PromiseClient.ts"
import type * as ResponseCache from "../pipeline/ResponseCache.ts"
import * as DiskCache from "./DiskCache.ts"
import * as Transport from "./Transport.ts"

/** The settings of a client on Node. */
export interface Settings extends Omit<PromiseClient.Settings, "cache"> {
  /** The cache of responses: a store, or a file and its bound, with its lifetimes. Default: none. */
  readonly cache?:
    | ResponseCache.ResponseCache
    | (DiskCache.Settings & Partial<ResponseCache.Lifetimes>)
    | undefined
  /** The settings of the connections. */
  readonly transport?: Transport.Settings | undefined
}

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
export const createClient = ({
  cache,
  transport,
  ...settings
}: PromiseClient.PartialSettings<Settings> = {}): Promise<PromiseClient.PromiseClient> =>
  PromiseClient.fromLayer(
    Layer.unwrap(
      Effect.map(
        cache === undefined || "store" in cache ? Effect.succeed(cache) : openCache(cache),
        (store) => PromiseClient.layerConfig({ ...settings, cache: store })
      )
    ).pipe(Layer.provide(Transport.layer(transport)))
  )

const openCache = ({ file, maxBytes, ...lifetimes }: DiskCache.Settings & Partial<ResponseCache.Lifetimes>) =>
  Effect.map(DiskCache.make({ file, maxBytes }), (store) => ({ ...lifetimes, store }))
