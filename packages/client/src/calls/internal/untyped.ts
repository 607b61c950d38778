/** Checks the arguments of calls, which a program without types may confuse. */
import { InvalidIdentifier } from "@chemstream/api"
import { Result } from "effect"

/** Returns the list of a batch. */
export const listOf = <A>(
  what: string,
  values: ReadonlyArray<A>
): Result.Result<ReadonlyArray<A>, InvalidIdentifier.InvalidIdentifier> =>
  Array.isArray(values) ? Result.succeed(values) : refuse("list", values, `${what} takes an array of values`)

/** Returns the checked values of a batch. */
export const eachOf = <A, B>(
  what: string,
  values: ReadonlyArray<A>,
  check: (value: A) => Result.Result<B, InvalidIdentifier.InvalidIdentifier>
): Result.Result<ReadonlyArray<B>, InvalidIdentifier.InvalidIdentifier> =>
  Result.flatMap(listOf(what, values), (list) => Result.all(list.map((value) => check(value))))

/** Fails because a value cannot be used as `what`. */
export const refuse = (
  what: string,
  value: unknown,
  reason: string
): Result.Result<never, InvalidIdentifier.InvalidIdentifier> =>
  InvalidIdentifier.malformed(what, `a ${what}`, shown(value), reason)

/** Returns any value as a text. */
export const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(shown).join(",")
  try {
    return typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value)
  } catch {
    return typeof value
  }
}
