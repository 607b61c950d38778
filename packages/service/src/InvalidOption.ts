/**
 * The error of an option of the service. It has the tag and the fields of the error in `@chemstream/batch`, on
 * which the service does not depend.
 */
import { Data, Duration, Option } from "effect"

/** An option is out of range. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{
  /** The name of the option, e.g. `requestTimeout`. */
  readonly option: string
  readonly value: unknown
  /** The values that can be used, e.g. `a time above 0`. */
  readonly wanted: string
  readonly message: string
}> {}

/** Checks a time, which must be above 0 and finite. Undefined: it is valid. */
export const ofTime = (option: string, value: Duration.Input | undefined): InvalidOption | undefined => {
  if (value === undefined) return undefined
  const milliseconds = Option.match(Duration.fromInput(value), {
    onNone: () => Number.NaN,
    onSome: Duration.toMillis
  })
  if (milliseconds > 0 && milliseconds < Number.POSITIVE_INFINITY && !Number.isNaN(value)) return undefined
  const wanted = 'a time above 0, e.g. "30 seconds"'
  return new InvalidOption({
    option,
    value,
    wanted,
    message: `The option ${option} is ${typeof value === "string" ? JSON.stringify(value) : String(value)}. Give ${wanted}.`
  })
}
