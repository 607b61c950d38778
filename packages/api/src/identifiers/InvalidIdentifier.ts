/**
 * The error of every identifier check: what was given, and what is wrong with it.
 *
 * The checks themselves are in the module of each identifier (`Dtxsid`, `Dtxcid`).
 */
import { Schema } from "effect"

/**
 * A value that is not the identifier it should be.
 *
 * - `identifier`: the kind that was expected, e.g. `"DTXSID"`.
 * - `value`: the text as it was given.
 * - `reason`: `"malformed"` when the text has not the form of the identifier; `"check-digit"` when it has the
 *   form but its check digit does not fit (by default a warning: see `Dtxsid.verify`).
 *
 * @example
 * ```ts
 * import { Dtxsid } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const result = Dtxsid.parse("DTXSID-702")
 * Result.isFailure(result) && result.failure.reason // => "malformed"
 * ```
 */
export class InvalidIdentifier extends Schema.TaggedError<InvalidIdentifier>()("InvalidIdentifier", {
  identifier: Schema.String,
  value: Schema.String,
  reason: Schema.Literals(["malformed", "check-digit"]),
  message: Schema.String
}) {}
