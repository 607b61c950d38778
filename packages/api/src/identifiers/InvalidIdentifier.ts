/**
 * The error of all identifier checks: the value, and its fault.
 *
 * The checks are in the module of each identifier (`Dtxsid`, `Dtxcid` …). `typingErrors` words wrong check digits.
 */
import { Result, Schema } from "effect"
import { argument } from "../internal/checkArgument.ts"
import * as Quote from "../Quote.ts"

/**
 * A malformed identifier, or one with a wrong check digit.
 *
 * - `identifier`: the expected kind, e.g. `"DTXSID"`.
 * - `value`: the text as given.
 * - `reason`: `"malformed"` if the text does not have the form of the identifier; `"check-digit"` if only its check
 *   digit does not fit (by default a warning: see `Dtxsid.verify`); `"placeholder"` if it stands for no value (`NA`).
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
  reason: Schema.Literals(["malformed", "check-digit", "placeholder"]),
  message: Schema.String
}) {}

/** The start of each message about an empty text, which has nothing to quote. */
export const EMPTY = "the value is empty"

/** Returns the message about an empty text. */
export const emptyMessage = (noun: string): string => `${EMPTY}: ${noun} is expected`

/** Returns a text without white space around it. A value of another type, of a program without types, is an empty text. */
export const trimmed = (text: string): string => (typeof text === "string" ? text.trim() : "")

const missing = (value: unknown, noun: string): string => {
  if (typeof value === "string") return emptyMessage(noun)
  return `the value is ${value === null || value === undefined ? value : `of type ${typeof value}`}: ${noun} is expected as a text`
}

/**
 * Fails because a text does not have the form of an identifier. `noun` is the identifier in the message, with its article.
 *
 * @example
 * ```ts
 * import { InvalidIdentifier } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const refused = InvalidIdentifier.malformed("CASRN", "a CAS number", "80", "it has no check digit")
 * Result.isFailure(refused) && refused.failure.message // => '"80" is not a CAS number: it has no check digit'
 * ```
 */
export const malformed = (
  identifier: string,
  noun: string,
  value: string,
  reason: string
): Result.Result<never, InvalidIdentifier> =>
  Result.fail(
    new InvalidIdentifier({
      identifier: argument("identifier", "a text", identifier),
      value: String(value),
      reason: "malformed",
      message:
        trimmed(value) === "" ? missing(value, noun) : `${Quote.value(value)} is not ${noun}: ${reason}`
    })
  )
