/** The error for an optional package that is not installed. `Png` and `Pdf` need some. */
import { Data } from "effect"

/** A package could not be loaded. `message` says how to install it. */
export class MissingPackage extends Data.TaggedError("MissingPackage")<{
  readonly package: string
  readonly message: string
  readonly cause: unknown
}> {}
