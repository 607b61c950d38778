/**
 * The API keys that open the service: where they come from, and how a key is compared with them.
 *
 * Keys are `Redacted` throughout: no log, message or error contains one. What a request without a known key is
 * answered is the business of the access middleware, see `Service`.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { readFile } from "node:fs/promises"
import { Array as Arr, Config, Data, Effect, Option, Redacted } from "effect"

/** The environment variable that holds the keys, separated by commas. */
export const environmentVariable = "CHEMSTREAM_API_KEYS"

const generatedKeyBytes = 32

/**
 * Keys that cannot be had: a file that cannot be read or holds none, or a variable that holds none.
 * The message never contains a key.
 */
export class ApiKeysError extends Data.TaggedError("ApiKeysError")<{
  readonly source: "file" | "environment"
  readonly message: string
  readonly cause?: unknown
}> {}

/** At least one key, none of them empty. */
export type Keys = Arr.NonEmptyReadonlyArray<Redacted.Redacted<string>>

/** Keys, and where they were found. */
export interface ApiKeys {
  readonly keys: Keys
  readonly source: "file" | "environment" | "generated"
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

/** The keys of a file: one a line; blank lines and lines that start with `#` are skipped. */
export const fromFile = (file: string): Effect.Effect<Keys, ApiKeysError> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => readFile(file, "utf8"),
      catch: (cause) =>
        new ApiKeysError({
          source: "file",
          message: `The file of API keys ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`,
          cause
        })
    }),
    (text) =>
      some(
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
  )

/** The keys of the environment variable, if it is set. */
export const fromEnvironment: Effect.Effect<Option.Option<Keys>, ApiKeysError> = Effect.gen(function* () {
  const text = yield* Config.option(Config.Redacted(environmentVariable))
  if (Option.isNone(text)) return Option.none()
  return Option.some(
    yield* some(
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
  const known = keys.map(digest)
  return (key) => {
    const asked = digest(key)
    let matches = 0
    for (const one of known) matches |= Number(timingSafeEqual(one, asked))
    return matches === 1
  }
}

const digest = (key: Redacted.Redacted<string>): Buffer =>
  createHash("sha256").update(Redacted.value(key)).digest()

const some = (
  texts: ReadonlyArray<string>,
  onNone: () => ApiKeysError
): Effect.Effect<Keys, ApiKeysError> => {
  const keys = texts.map((text) => text.trim()).filter((text) => text !== "")
  return Arr.isReadonlyArrayNonEmpty(keys)
    ? Effect.succeed(Arr.map(keys, (key) => Redacted.make(key)))
    : Effect.fail(onNone())
}
