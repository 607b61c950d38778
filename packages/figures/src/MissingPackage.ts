/**
 * The error of a picture whose package is not installed. Only PNG needs one: who writes SVG and HTML needs no rasteriser.
 */
import { Data } from "effect"

/** A package that could not be loaded: `message` says how to install it, `cause` is why. */
export class MissingPackage extends Data.TaggedError("MissingPackage")<{
  readonly package: string
  readonly message: string
  readonly cause: unknown
}> {}
