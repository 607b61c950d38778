/** Validates the times of a scenario: any duration of Effect, e.g. a number of milliseconds or `"2 seconds"`. */
import { Duration, Option, Schema } from "effect"

const isWithin =
  (least: number) =>
  (input: unknown): input is Duration.Input => {
    const duration = Duration.fromInput(input as Duration.Input)
    const milliseconds = Option.match(duration, { onNone: () => Number.NaN, onSome: Duration.toMillis })
    // Effect reads a duration of NaN as 0.
    return !Number.isNaN(input) && milliseconds >= least && milliseconds <= 86_400_000
  }

/** A time from 0 to a day. */
export const Time = Schema.declare(isWithin(0))

/** A time from a day back to a day ahead. */
export const Shift = Schema.declare(isWithin(-86_400_000))
