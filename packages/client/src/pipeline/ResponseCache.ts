/**
 * Answers kept, so that the same question need not be asked again: what is kept, for how long, and the store's port.
 *
 * A question is the base URL, the endpoint, the parameters and the projection; never the API key. Kept are the bytes of
 * answers that were read successfully, and that the service has nothing under a value (`NotFound`); no other failure.
 * A store in memory is here; one on disk, shared by processes, is in `@chemstream/client/node`. How a call uses the
 * cache is in `internal/cached.ts`.
 */
import { InvalidOption, type Outcome } from "@chemstream/batch"
import { type Duration, Effect, Schema } from "effect"

/** How long answers count as current when not set: a day for records, an hour for "not found". */
export const defaultLifetimes: Lifetimes = { ttl: "1 day", missingTtl: "1 hour", staleFor: 0 }

/** The bound of a store in memory when not set: 64 MiB. */
const defaultMaxBytes = 64 * 1024 * 1024

/** What an entry takes beside its body and the text of its key, in bytes: an estimate for the bound. */
const entryOverhead = 256

/**
 * The store cannot be used: `message` says why and what to do. Fails the making of a store; during a call it costs only
 * the cached answer, and is logged.
 */
export class CacheFailure extends Schema.TaggedError<CacheFailure>()("CacheFailure", {
  message: Schema.String
}) {}

/** A check of the bound of a store, in bytes. */
export const checkBound = (maxBytes: number | undefined): InvalidOption.Check =>
  maxBytes === undefined || maxBytes > 0
    ? undefined
    : new InvalidOption.InvalidOption({
        option: "maxBytes",
        value: maxBytes,
        wanted: "a number of bytes above 0"
      })

/** A kept answer. */
export interface Entry {
  /**
   * The body of a success; one that lacks some of the values asked for; or the refusal of a value that the service does not
   * know.
   */
  readonly kind: "found" | "partial" | "missing"
  /** The body as it was read; of a refusal its status, message and suggestions as JSON. */
  readonly body: Uint8Array
  /** The `ETag` of the answer, where it has one: an expired entry is then renewed without sending the body again. */
  readonly etag: string | undefined
  /** Why the service has more records than the body. Absent when the body has all. */
  readonly truncated?: Outcome.Truncation | undefined
  /** When the service last gave or confirmed the answer, in milliseconds since the epoch. */
  readonly storedAt: number
}

/** Where entries are kept. Its bound is its own concern: it may forget any entry at any time. */
export interface Store {
  readonly get: (key: string) => Effect.Effect<Entry | undefined, CacheFailure>
  readonly put: (key: string, entry: Entry) => Effect.Effect<void, CacheFailure>
}

/** How long answers are used. */
export interface Lifetimes {
  /** How long an answer is given without asking the service. Default: 1 day. */
  readonly ttl: Duration.Input
  /**
   * The same for "not found", and for a response to a batch that lacks some of its values. Never longer than `ttl` for the
   * latter. Default: 1 hour.
   */
  readonly missingTtl: Duration.Input
  /**
   * How long after that it may still be given when the service cannot be reached, times out or fails with 5xx, all
   * attempts included. `CallObserver`, span and log tell that an answer is stale. Default: 0, never.
   */
  readonly staleFor: Duration.Input
}

/** A cache as a setting of the client. */
export interface ResponseCache extends Partial<Lifetimes> {
  readonly store: Store
}

/**
 * A store in memory that forgets the least recently used entries over `maxBytes`. Default: 64 MiB. Throws `InvalidOption`
 * when that is no number above 0.
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
export const memory = (options?: { readonly maxBytes?: number | undefined }): Store => {
  const problem = checkBound(options?.maxBytes)
  if (problem !== undefined) throw problem
  const maxBytes = options?.maxBytes ?? defaultMaxBytes
  // A Map keeps the order of insertion: the least recently used entry is its first.
  const entries = new Map<string, Entry>()
  let held = 0
  const drop = (key: string): void => {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    held -= sizeOf(key, entry)
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
        held += size
        for (const oldest of entries.keys()) {
          if (held <= maxBytes) return
          drop(oldest)
        }
      })
  }
}

const sizeOf = (key: string, entry: Entry): number =>
  entry.body.length + 2 * (key.length + (entry.etag?.length ?? 0)) + entryOverhead
