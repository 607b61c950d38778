/**
 * The error of an option of the service that cannot be used. It has the tag and the fields of that of `@chemstream/batch`, on
 * which a service does not depend.
 */
import { Data, Duration, Option } from "effect"

/** An option cannot be used. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{
  /** The name of the option, e.g. `requestTimeout`. */
  readonly option: string
  readonly value: unknown
  /** The values that can be used, e.g. `a time above 0`. */
  readonly wanted: string
  readonly message: string
}> {}

/** What is wrong with a time, which must be above 0 and finite; undefined where nothing is. */
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
