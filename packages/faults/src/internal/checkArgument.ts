/** Checks arguments by their schemas, so that a wrong one is an error of this package, and not of the engine. */
import { Data, Result, Schema } from "effect"

/** An argument cannot be used. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{
  readonly option: string
  /** The reason, with the place of the wrong value in the argument. */
  readonly message: string
}> {}

/** Returns an argument. Throws `InvalidOption` if its schema does not accept it. */
export const argument = <A>(option: string, schema: Schema.Codec<A>, value: A): A =>
  Result.getOrThrowWith(
    Schema.decodeUnknownResult(schema)(value),
    ({ message }) =>
      new InvalidOption({ option, message: `the argument ${option} cannot be used: ${message}` })
  )
