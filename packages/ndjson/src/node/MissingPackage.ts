/**
 * The error of a format whose package is not installed. Such packages are optional: who writes no Parquet needs no
 * Parquet writer.
 */
import * as Data from "effect/Data"

/** A package that could not be loaded: `message` says how to install it, `cause` is why. */
export class MissingPackage extends Data.TaggedError("MissingPackage")<{
  readonly package: string
  readonly message: string
  readonly cause: unknown
}> {}
