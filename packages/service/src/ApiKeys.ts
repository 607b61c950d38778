/**
 * Loads the API keys of the service, and compares keys.
 *
 * Keys are `Redacted` everywhere: no log, message or error contains one. `Service` refuses requests without a known
 * key.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { type InvalidOption, MonotonicClock, Options } from "@chemstream/batch"
import { Config, Duration, Effect, Option, Redacted } from "effect"
import * as keyFile from "./internal/keys/keyFile.ts"
import { ApiKeysError, type Keys, keysOf } from "./internal/keys/parseKeys.ts"

export { ApiKeysError, type Keys } from "./internal/keys/parseKeys.ts"

/** The environment variable with the keys, separated by commas. */
export const environmentVariable = "CHEMSTREAM_API_KEYS"

/** The shortest time between two reads of a followed file: one second. */
export const defaultInterval: Duration.Duration = Duration.seconds(1)

const generatedKeyBytes = 32

// The length of a digest as text: 256 bits at 6 bits per character.
const digestLength = 43

/** Keys with their origin. */
export interface ApiKeys {
  readonly keys: Keys
  readonly source: "file" | "environment" | "generated"
}

/** Keys that may change while the service runs. The service reads `current` for every request. */
export interface Source {
  readonly current: Effect.Effect<ReadonlyArray<Redacted.Redacted<string>>>
}

/**
 * Loads the keys of a file or of `CHEMSTREAM_API_KEYS`, or creates a new key.
 *
 * Fails with `ApiKeysError` if a named source has no key.
 *
 * @example
 *
 * ```ts
 * import { ApiKeys } from "@chemstream/service"
 * import { ConfigProvider, Effect } from "effect"
 *
 * const found = ApiKeys.resolve().pipe(
 *   Effect.map((found) => `${found.keys.length} from the ${found.source}`),
 *   Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CHEMSTREAM_API_KEYS: "one, two" })))
 * )
 * await Effect.runPromise(found) // => "2 from the environment"
 * ```
 */
export const resolve = (
  options: { readonly file?: string | undefined } = {}
): Effect.Effect<ApiKeys, ApiKeysError> =>
  Effect.gen(function* () {
    const { file } = Options.argument("options", resolveOptions, options)
    if (file !== undefined) return { keys: yield* fromFile(file), source: "file" }
    const keys = yield* fromEnvironment
    return Option.isSome(keys)
      ? { keys: keys.value, source: "environment" }
      : { keys: [yield* generate], source: "generated" }
  })

const resolveOptions = /* @__PURE__ */ Options.set<{ readonly file?: string | undefined }>()({
  file: Options.text
})

/**
 * Loads the keys of a file, one per line. Blank lines and lines that start with `#` are skipped.
 *
 * Logs a warning if the file is readable by anyone but its owner.
 */
export const fromFile = (file: string): Effect.Effect<Keys, ApiKeysError> =>
  Effect.flatMap(keyFile.read(file), (text) => keyFile.parse(file, text)).pipe(
    Effect.tap(keyFile.warnIfOpen(file))
  )

const followOptions = /* @__PURE__ */ Options.set<{ readonly interval?: Duration.Input | undefined }>()({
  interval: Options.time("finite")
})

/**
 * Loads the keys of a file and reloads it while the service runs, to add or revoke keys without a restart.
 *
 * A request reloads the file if the last read was at least `interval` ago. Default: 1 second.
 *
 * Fails with `ApiKeysError` if the file is unreadable at the start or has no key, and with `InvalidOption` if
 * `interval` is negative or infinite. Later, a file without a key refuses every request, and an unreadable file keeps
 * the previous keys. Both are logged once, as warnings. Replace the file by renaming a new one, because a
 * half-written file would be loaded too.
 *
 * @example
 *
 * ```ts
 * import { writeFileSync } from "node:fs"
 * import { ApiKeys } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * writeFileSync("keys", "one\ntwo\n")
 * const counts = Effect.gen(function* () {
 *   const source = yield* ApiKeys.follow("keys", { interval: 0 })
 *   const before = yield* source.current
 *   writeFileSync("keys", "two\n")
 *   const after = yield* source.current
 *   return [before.length, after.length]
 * })
 * await Effect.runPromise(counts) // => [2, 1]
 * ```
 */
export const follow = (
  file: string,
  options?: { readonly interval?: Duration.Input | undefined }
): Effect.Effect<Source, ApiKeysError | InvalidOption.InvalidOption> =>
  Effect.gen(function* () {
    yield* Options.check(followOptions, options ?? {})
    const interval = Duration.toMillis(Duration.fromInputUnsafe(options?.interval ?? defaultInterval))
    let text = yield* keyFile.read(file)
    let keys: ReadonlyArray<Redacted.Redacted<string>> = yield* keyFile.parse(file, text)
    yield* keyFile.warnIfOpen(file)
    let readAt = yield* MonotonicClock.currentMillis
    let readable = true
    const reload = Effect.matchEffect(keyFile.read(file), {
      onFailure: (error) => {
        const wasReadable = readable
        readable = false
        return wasReadable ? keyFile.warn(`${error.message} The previous keys stay valid.`) : Effect.void
      },
      onSuccess: (loaded) => {
        readable = true
        if (loaded === text) return Effect.void
        text = loaded
        return Effect.matchEffect(keyFile.parse(file, loaded), {
          onFailure: (error) => {
            keys = []
            return keyFile.warn(`${error.message} Until then every request is refused.`)
          },
          onSuccess: (parsed) => {
            keys = parsed
            return Effect.void
          }
        })
      }
    })
    return {
      current: Effect.flatMap(MonotonicClock.currentMillis, (now) => {
        if (now - readAt < interval) return Effect.succeed(keys)
        // Set before the file is read: concurrent requests must not read it again.
        readAt = now
        return Effect.map(reload, () => keys)
      })
    }
  })

/** Loads the keys of the environment variable, if it is set. */
export const fromEnvironment: Effect.Effect<Option.Option<Keys>, ApiKeysError> = Effect.gen(function* () {
  const text = yield* Config.option(Config.Redacted(environmentVariable))
  if (Option.isNone(text)) return Option.none()
  return Option.some(
    yield* keysOf(
      "environment",
      Redacted.value(text.value),
      `${environmentVariable} is set but has no key. Separate keys by commas or lines, or unset it.`
    )
  )
}).pipe(
  Effect.catchTag(
    "ConfigError",
    (cause) =>
      new ApiKeysError({
        source: "environment",
        message: `${environmentVariable} cannot be read from the configuration.`,
        cause
      })
  )
)

/** Creates a random key: 256 bits, as text that is safe in a header. */
export const generate: Effect.Effect<Redacted.Redacted<string>> = Effect.sync(() =>
  Redacted.make(randomBytes(generatedKeyBytes).toString("base64url"))
)

const secrets = /* @__PURE__ */ Options.list(
  Options.kind("a key as a secret: Redacted.make(key)", Redacted.isRedacted, "secret")
)

/**
 * Returns a function that gives each known key a name: its digest. Limits count requests by this name. Undefined: the key is not known.
 *
 * It compares the digest of the key with the digests of all known keys, in constant time. The time does not reveal how much of a key is
 * right.
 *
 * @example
 *
 * ```ts
 * import { ApiKeys } from "@chemstream/service"
 * import { Redacted } from "effect"
 *
 * const nameOf = ApiKeys.identify([Redacted.make("a-key")])
 * nameOf("a-key")?.length // => 43
 * nameOf("another") // => undefined
 * ```
 */
export const identify = (
  keys: ReadonlyArray<Redacted.Redacted<string>>
): ((key: string) => string | undefined) => {
  const digests = Options.argument("keys", secrets, keys).map((key) =>
    Buffer.from(digest(Redacted.value(key)), "latin1")
  )
  // One buffer for all requests: allocating one takes longer than the digest.
  const candidate = Buffer.alloc(digestLength)
  return (key) => {
    const name = digest(Options.argument("key", Options.text, key))
    candidate.write(name, "latin1")
    let matches = 0
    for (const known of digests) matches |= Number(timingSafeEqual(known, candidate))
    return matches === 1 ? name : undefined
  }
}

const digest = (key: string): string => hash("sha256", key, "base64url")
