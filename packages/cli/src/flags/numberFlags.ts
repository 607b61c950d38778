/**
 * Options with a number within bounds, and their error messages.
 */
import { Flag } from "effect/cli"

/** A whole number of at least `least`. */
export const whole = (name: string, least: number): Flag.Flag<number> =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= least,
      () => `a whole number of ${least} or more`
    )
  )

/** A whole number of at least 1, with a default. */
export const wholeFrom1 = (name: string, description: string, otherwise: number): Flag.Flag<number> =>
  whole(name, 1).pipe(
    Flag.withDescription(`${description} [default: ${otherwise}]`),
    Flag.withDefault(otherwise)
  )

/** A port to listen on. 0 picks a free one. */
export const port = (name: string): Flag.Flag<number> =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= 0 && value <= 65535,
      () => "a port from 0 to 65535"
    )
  )
