/**
 * The API keys that open the service: where they come from, and how a key is compared with them.
 *
 * Keys are `Redacted` throughout: no log, message or error contains one. What a request without a known key is
 * answered is the business of the access middleware, see `Service`.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { Array as Arr, Clock, Config, Data, Duration, Effect, Option, Redacted } from "effect"
import * as MonotonicClock from "./internal/server/monotonicClock.ts"
import { toStderr } from "./internal/server/stderrLog.ts"

/** The environment variable that holds the keys, separated by commas. */
export const environmentVariable = "CHEMSTREAM_API_KEYS"

/** How often a file of keys that is followed is read again at most: once a second. */
export const defaultInterval: Duration.Duration = Duration.seconds(1)

const generatedKeyBytes = 32

// A key of one character is a slip, e.g. of the separator; it is guessed at once.
const shortestKey = 2

// The permissions of everyone but the owner of a file.
const others = 0o077

// Of a digest as text (`digest`): 256 bits, 6 of them a character.
const digestLength = 43

/**
 * Keys that cannot be had: a file that cannot be read or holds none, or a variable that holds none.
 * The message never contains a key.
 */
export class ApiKeysError extends Data.TaggedError("ApiKeysError")<{
  readonly source: "file" | "environment"
  readonly message: string
  readonly cause?: unknown
}> {}

/** At least one key, each of two characters or more. */
export type Keys = Arr.NonEmptyReadonlyArray<Redacted.Redacted<string>>

/** Keys, and where they were found. */
export interface ApiKeys {
  readonly keys: Keys
  readonly source: "file" | "environment" | "generated"
}

/** Keys that may change while the service runs: asked for at every request. */
export interface Source {
  readonly current: Effect.Effect<ReadonlyArray<Redacted.Redacted<string>>>
}

/**
 * The keys of the file if one is named, else those of the environment variable `CHEMSTREAM_API_KEYS`, else one new
 * key. Fails with `ApiKeysError` rather than fall back when a source is named but holds no key.
 *
 * @example
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
export const resolve = (options?: {
  readonly file?: string | undefined
}): Effect.Effect<ApiKeys, ApiKeysError> =>
  options?.file !== undefined
    ? Effect.map(fromFile(options.file), (keys) => ({ keys, source: "file" }))
    : Effect.flatMap(
        fromEnvironment,
        Option.match({
          onSome: (keys): Effect.Effect<ApiKeys> => Effect.succeed({ keys, source: "environment" }),
          onNone: () => Effect.map(generate, (key) => ({ keys: [key], source: "generated" }))
        })
      )

/**
 * The keys of a file: one a line; blank lines and lines that start with `#` are skipped. Logs a warning where others than
 * the owner can read the file.
 */
export const fromFile = (file: string): Effect.Effect<Keys, ApiKeysError> =>
  Effect.flatMap(read(file), (text) => parse(file, text)).pipe(Effect.tap(warnIfOpen(file)))

/**
 * The keys of a file that is read again while the service runs, so that a key can be added or revoked without a restart.
 * It is read when keys are asked for, but not again within `interval` (1 second when not given).
 *
 * Fails with `ApiKeysError` when the file cannot be read at first or holds no key. Later, a file without a key opens the
 * service to nobody; a file that cannot be read leaves the keys as they were. Both are logged as warnings, once. Put a
 * new file in place by renaming it: a half-written one would be read as it stands.
 *
 * @example
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
): Effect.Effect<Source, ApiKeysError> =>
  Effect.gen(function* () {
    const interval = Duration.toMillis(Duration.fromInputUnsafe(options?.interval ?? defaultInterval))
    let text = yield* read(file)
    let keys: ReadonlyArray<Redacted.Redacted<string>> = yield* parse(file, text)
    yield* warnIfOpen(file)
    let readAt = yield* monotonicMillis
    let readable = true
    const again = Effect.matchEffect(read(file), {
      onFailure: (error) => {
        const news = readable
        readable = false
        return news ? warn(`${error.message} The keys stay as they were.`) : Effect.void
      },
      onSuccess: (found) => {
        readable = true
        if (found === text) return Effect.void
        text = found
        return Effect.matchEffect(parse(file, found), {
          onFailure: (error) => {
            keys = []
            return warn(`${error.message} Until then every request is refused.`)
          },
          onSuccess: (found) => {
            keys = found
            return Effect.void
          }
        })
      }
    })
    return {
      current: Effect.flatMap(monotonicMillis, (now) => {
        if (now - readAt < interval) return Effect.succeed(keys)
        // Set first: requests that come while the file is read do not read it as well.
        readAt = now
        return Effect.map(again, () => keys)
      })
    }
  })

/** A wall clock that is set back must not keep a key that was revoked. */
const monotonicMillis = MonotonicClock.provide(Clock.currentTimeMillis)

/** The keys of the environment variable, if it is set. */
export const fromEnvironment: Effect.Effect<Option.Option<Keys>, ApiKeysError> = Effect.gen(function* () {
  const text = yield* Config.option(Config.Redacted(environmentVariable))
  if (Option.isNone(text)) return Option.none()
  return Option.some(
    yield* some(
      "environment",
      Redacted.value(text.value).split(","),
      () =>
        new ApiKeysError({
          source: "environment",
          message: `${environmentVariable} is set but holds no key. Separate keys by commas, or unset it.`
        })
    )
  )
}).pipe(
  Effect.catchTag("ConfigError", (cause) =>
    Effect.fail(
      new ApiKeysError({
        source: "environment",
        message: `${environmentVariable} cannot be read from the configuration.`,
        cause
      })
    )
  )
)

/** A new random key: 256 bits, as text that is safe in a header. */
export const generate: Effect.Effect<Redacted.Redacted<string>> = Effect.sync(() =>
  Redacted.make(randomBytes(generatedKeyBytes).toString("base64url"))
)

/**
 * A function that tells whether a key is among those given, in a time that depends neither on where it differs from
 * them nor on which of them it is: digests of equal length are compared, with all of them.
 *
 * @example
 * ```ts
 * import { ApiKeys } from "@chemstream/service"
 * import { Redacted } from "effect"
 *
 * const isKnown = ApiKeys.matcher([Redacted.make("a-key")])
 * isKnown(Redacted.make("a-key")) // => true
 * ```
 */
export const matcher = (
  keys: ReadonlyArray<Redacted.Redacted<string>>
): ((key: Redacted.Redacted<string>) => boolean) => {
  const identityOf = identify(keys)
  return (key) => identityOf(Redacted.value(key)) !== undefined
}

/**
 * Like `matcher`, but gives for a known key a name that is not the key: what its requests are counted under. Takes a key
 * as it came, in the header of a request.
 */
export const identify = (
  keys: ReadonlyArray<Redacted.Redacted<string>>
): ((key: string) => string | undefined) => {
  const known = keys.map((key) => Buffer.from(digest(Redacted.value(key)), "latin1"))
  // One for all requests: a new buffer for each takes longer than the digest.
  const asked = Buffer.alloc(digestLength)
  return (key) => {
    const name = digest(key)
    asked.write(name, "latin1")
    let matches = 0
    for (const one of known) matches |= Number(timingSafeEqual(one, asked))
    return matches === 1 ? name : undefined
  }
}

const read = (file: string): Effect.Effect<string, ApiKeysError> =>
  Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) =>
      new ApiKeysError({
        source: "file",
        message: `The file of API keys ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}.`,
        cause
      })
  })

// A warning, not a refusal: secrets that are mounted into a container can be read by its group as a rule. Windows has no
// such permissions: Node makes them up.
const warnIfOpen = (file: string): Effect.Effect<void> =>
  Effect.tryPromise(() => stat(file)).pipe(
    Effect.flatMap(({ mode }) =>
      process.platform !== "win32" && (mode & others) !== 0
        ? warn(
            `The file of API keys ${file} can be read by others. Run chmod 600 ${file}, and replace its keys.`
          )
        : Effect.void
    ),
    Effect.ignore
  )

const parse = (file: string, text: string): Effect.Effect<Keys, ApiKeysError> =>
  some(
    "file",
    text
      .replace(/^\uFEFF/, "")
      .split("\n")
      .filter((line) => !line.trimStart().startsWith("#")),
    () =>
      new ApiKeysError({
        source: "file",
        message: `The file of API keys ${file} holds no key. Write one key a line.`
      })
  )

const warn = (message: string): Effect.Effect<void> => toStderr(Effect.logWarning(message))

const digest = (key: string): string => hash("sha256", key, "base64url")

const some = (
  source: ApiKeysError["source"],
  texts: ReadonlyArray<string>,
  onNone: () => ApiKeysError
): Effect.Effect<Keys, ApiKeysError> => {
  const keys = texts.map((text) => text.trim()).filter((text) => text !== "")
  const unsendable = keys.findIndex((key) => !/^[\x20-\x7e]+$/.test(key))
  if (unsendable !== -1) {
    const message = `API key number ${unsendable + 1} holds characters that no HTTP header can carry. Write another.`
    return Effect.fail(new ApiKeysError({ source, message }))
  }
  const short = keys.findIndex((key) => key.length < shortestKey)
  if (short !== -1) {
    const message = `API key number ${short + 1} is a single character, which anybody guesses. Write a longer one.`
    return Effect.fail(new ApiKeysError({ source, message }))
  }
  return Arr.isReadonlyArrayNonEmpty(keys)
    ? Effect.succeed(Arr.map(keys, (key) => Redacted.make(key)))
    : Effect.fail(onNone())
}
