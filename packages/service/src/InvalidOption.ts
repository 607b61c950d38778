/**
 * The error of an option out of range, and the checks of options. `@chemstream/batch` has an error with the same tag;
 * the service does not depend on that package.
 */
import { Quote } from "@chemstream/api"
import { Data, Duration, Effect, Option } from "effect"

/** An option is out of range. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{
  /** The name of the option, e.g. `requestTimeout`. */
  readonly option: string
  readonly value: unknown
  /** The allowed values, e.g. `a time above 0`. */
  readonly wanted: string
  readonly message: string
}> {}

/** The result of a check. Undefined: the option is valid. */
export type Check = InvalidOption | undefined

/** Checks a time: finite and above 0. With `"finite"`, 0 is allowed too. */
export const time = (
  option: string,
  value: Duration.Input | undefined,
  times: "positive" | "finite" = "positive"
): Check => {
  if (value === undefined) return undefined
  const milliseconds = Option.match(Duration.fromInput(value), {
    onNone: () => Number.NaN,
    onSome: Duration.toMillis
  })
  const isAllowed = times === "finite" ? milliseconds >= 0 : milliseconds > 0
  if (isAllowed && milliseconds < Number.POSITIVE_INFINITY && !Number.isNaN(value)) return undefined
  return invalid(
    option,
    value,
    `a time ${times === "finite" ? "of 0 or more" : "above 0"}, e.g. "30 seconds"`
  )
}

/** Checks a count: a whole number of at least 1. */
export const count = (option: string, value: number | undefined): Check =>
  value === undefined || (Number.isSafeInteger(value) && value >= 1)
    ? undefined
    : invalid(option, value, "a whole number of at least 1")

/** Fails with the first problem. */
export const refuse = (checks: ReadonlyArray<Check>): Effect.Effect<void, InvalidOption> => {
  const problem = checks.find((check) => check !== undefined)
  return problem === undefined ? Effect.void : Effect.fail(problem)
}

const invalid = (option: string, value: unknown, wanted: string): InvalidOption =>
  new InvalidOption({
    option,
    value,
    wanted,
    message: `The option ${option} is ${typeof value === "string" ? Quote.value(value) : String(value)}. Give ${wanted}.`
  })
