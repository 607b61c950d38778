/** Checks the arguments of calls, which a program without types may confuse. */
import { InvalidIdentifier, Quote } from "@chemstream/api"
import { Result } from "effect"

/** Returns the list of a batch. */
export const listOf = <A>(
  what: string,
  values: ReadonlyArray<A>
): Result.Result<ReadonlyArray<A>, InvalidIdentifier.InvalidIdentifier> =>
  Array.isArray(values)
    ? Result.succeed(values)
    : InvalidIdentifier.malformed(what, "a list", shown(values), `${what} takes an array of values`)

/** Returns the text of a value, or fails because `what` is none. */
export const textOf = (
  what: string,
  value: unknown
): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  typeof value === "string" ? Result.succeed(value) : refuse(what, value, "it is not a text")

/** Fails because a value cannot be used as `what`. */
export const refuse = (
  what: string,
  value: unknown,
  reason: string
): Result.Result<never, InvalidIdentifier.InvalidIdentifier> =>
  Result.fail(
    new InvalidIdentifier.InvalidIdentifier({
      identifier: what,
      value: shown(value),
      reason: "malformed",
      message: `${Quote.value(shown(value))} is not a ${what}: ${reason}`
    })
  )

/** Returns any value as a text. */
export const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(shown).join(",")
  try {
    return typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value)
  } catch {
    return typeof value
  }
}
