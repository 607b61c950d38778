/** The error of a format whose optional package is not installed. */
import * as Data from "effect/Data"

/** A package could not be loaded. `message` says how to install it; `cause` is the reason. */
export class MissingPackage extends Data.TaggedError("MissingPackage")<{
  readonly package: string
  readonly message: string
  readonly cause: unknown
}> {}
