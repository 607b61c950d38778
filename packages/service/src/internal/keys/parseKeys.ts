/** Parses the text of a file or of the environment into API keys. */
import { Array as Arr, Data, Effect, Redacted } from "effect"

// A key of one character is easily guessed, and usually a typing error.
const shortestKey = 2

/** The keys cannot be loaded. The message never contains a key. */
export class ApiKeysError extends Data.TaggedError("ApiKeysError")<{
  readonly source: "file" | "environment"
  readonly message: string
  readonly cause?: unknown
}> {}

/** At least one key, each of at least two characters. */
export type Keys = Arr.NonEmptyReadonlyArray<Redacted.Redacted<string>>

/**
 * Makes keys from a text: one per line, without comments, and in the environment also separated by commas. Fails without keys, and for
 * an unusable key.
 */
export const keysOf = (
  source: ApiKeysError["source"],
  text: string,
  none: string
): Effect.Effect<Keys, ApiKeysError> => {
  const fail = (message: string) => Effect.fail(new ApiKeysError({ source, message }))
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"))
  const texts = source === "environment" ? lines.flatMap((line) => line.split(",")) : lines
  const keys = texts.map((key) => key.trim()).filter((key) => key !== "")
  const unsendable = keys.findIndex((key) => !/^[\x20-\x7e]+$/.test(key))
  if (unsendable !== -1)
    return fail(
      `API key number ${unsendable + 1} has characters that HTTP headers do not allow. Choose another key.`
    )
  const short = keys.findIndex((key) => key.length < shortestKey)
  if (short !== -1)
    return fail(`API key number ${short + 1} is a single character and easily guessed. Choose a longer key.`)
  return Arr.isReadonlyArrayNonEmpty(keys)
    ? Effect.succeed(Arr.map(keys, (key) => Redacted.make(key)))
    : fail(none)
}
