/** An optional package is not installed. Only PNG needs one. */
import { Data } from "effect"

/** A package could not be loaded. `message` says how to install it, `cause` is the reason. */
export class MissingPackage extends Data.TaggedError("MissingPackage")<{
  readonly package: string
  readonly message: string
  readonly cause: unknown
}> {}
