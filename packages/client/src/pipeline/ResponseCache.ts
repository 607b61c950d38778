/**
 * The cache of responses: its entries, their lifetimes, and the interface of its store.
 *
 * The key of an entry is base URL, endpoint, parameters and projection; never the API key. The cache has the bytes of
 * successful responses, and misses (`NotFound`), but no other failures. `@chemstream/client/node` has a store on disk
 * that processes share. `internal/cachedCalls.ts` uses the cache.
 */
import { Options, type Outcome } from "@chemstream/batch"
import { type Duration, Effect, Schema } from "effect"

/** The estimated size of an entry without body and key, in bytes. */
const entryOverhead = 256

/**
 * The store cannot be used; `message` says why and what to do. Making a store fails with it. During a call it is only
 * logged, and the request is sent.
 */
export class CacheFailure extends Schema.TaggedError<CacheFailure>()("CacheFailure", {
  message: Schema.String
}) {}

/** The bound of a store, in bytes. */
export const bound: Options.Kind<number> = Options.kind(
  "a number of bytes above 0",
  (value) => typeof value === "number" && value > 0
)

/** An entry: a stored response. */
export interface Entry {
  /** The body of a success, the body of a success that lacks requested values, or the refusal of an unknown value. */
  readonly kind: "found" | "partial" | "missing"
  /** The body as read. For a refusal: its status, message and suggestions, as JSON. */
  readonly body: Uint8Array
  /** The `ETag` of the response, if any. It renews an expired entry without another body. */
  readonly etag: string | undefined
  /** Why the service has more records than the body. Absent: the body has all. */
  readonly truncated?: Outcome.Truncation | undefined
  /** When the service last sent or confirmed the response, in milliseconds since 1970. */
  readonly storedAt: number
}

/** The store of entries. It bounds itself, and may delete any entry at any time. */
export interface Store {
  readonly get: (key: string) => Effect.Effect<Entry | undefined, CacheFailure>
  readonly put: (key: string, entry: Entry) => Effect.Effect<void, CacheFailure>
}

/** The lifetimes of entries. */
export interface Lifetimes {
  /** How long an entry is served without a request. Default: 1 day. */
  readonly ttl?: Duration.Input | undefined
  /**
   * The same for misses, and for responses that lack requested values. Such responses are served for at most `ttl`.
   * Default: 1 hour.
   */
  readonly missingTtl?: Duration.Input | undefined
  /**
   * How much longer an entry may be served when all attempts fail to connect, time out or get 5xx. `CallObserver`,
   * span and log mark it as stale. Default: 0.
   */
  readonly staleFor?: Duration.Input | undefined
}

/** A cache as a setting of the client. */
export interface ResponseCache extends Lifetimes {
  readonly store: Store
}

/** The declaration of the lifetimes. */
export const lifetimes = {
  ttl: Options.withDefault(Options.time("infinite"), "1 day"),
  missingTtl: Options.withDefault(Options.time("infinite"), "1 hour"),
  staleFor: Options.withDefault(Options.time("infinite"), 0)
} as const

/** The declaration of a cache. */
export const optionSet = Options.set<ResponseCache>()(
  {
    store: Options.required(Options.instance<Store>("a store, e.g. of ResponseCache.memory", "get", "put")),
    ...lifetimes
  },
  (name) =>
    name === "get" || name === "put"
      ? "the store as { store }, e.g. { store: ResponseCache.memory() }"
      : undefined
)

/** The options of a store in memory. */
export interface MemoryOptions {
  /** The largest size of all responses, in bytes. Default: 64 MiB. */
  readonly maxBytes?: number | undefined
}

/** The declaration of the options of a store in memory. */
export const memorySet = Options.set<MemoryOptions>()({
  maxBytes: Options.withDefault(bound, 64 * 1024 * 1024)
})

/**
 * Makes a store in memory that deletes the least recently used entries above `maxBytes`. Default: 64 MiB. Throws
 * `InvalidOption` if that is not a number above 0.
 *
 * @example
 * ```ts
 * import { ChemClient, ResponseCache } from "@chemstream/client"
 * import { Redacted } from "effect"
 *
 * const layer = ChemClient.layer({
 *   baseUrl: "http://127.0.0.1:8080",
 *   apiKey: Redacted.make("my key"),
 *   cache: { store: ResponseCache.memory({ maxBytes: 8_000_000 }), ttl: "10 minutes" }
 * })
 * ```
 */
export const memory = (options: MemoryOptions = {}): Store => {
  Options.refuse(memorySet, options)
  const { maxBytes } = Options.complete(memorySet, options)
  // A Map keeps the order of insertion, so its first entry is the least recently used.
  const entries = new Map<string, Entry>()
  let totalBytes = 0
  const drop = (key: string): void => {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    totalBytes -= sizeOf(key, entry)
  }
  return {
    get: (key) =>
      Effect.sync(() => {
        const entry = entries.get(key)
        if (entry === undefined) return undefined
        entries.delete(key)
        entries.set(key, entry)
        return entry
      }),
    put: (key, entry) =>
      Effect.sync(() => {
        drop(key)
        const size = sizeOf(key, entry)
        if (size > maxBytes) return
        entries.set(key, entry)
        totalBytes += size
        for (const oldest of entries.keys()) {
          if (totalBytes <= maxBytes) return
          drop(oldest)
        }
      })
  }
}

const sizeOf = (key: string, entry: Entry): number =>
  entry.body.length + 2 * (key.length + (entry.etag?.length ?? 0)) + entryOverhead
