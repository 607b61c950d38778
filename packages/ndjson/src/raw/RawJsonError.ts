/**
 * The one error of raw JSON: text that is not the JSON a function needs, with the byte where that shows.
 *
 * Shared by `RawRecord` and `RawArray`. Errors of NDJSON lines are in `Ndjson`.
 */
import * as Data from "effect/Data"

/**
 * Why a text was refused.
 *
 * - `truncated`: the text ends inside a value or a string.
 * - `unbalanced`: a closing bracket that closes nothing, or another kind of bracket.
 * - `missing-comma`: two values without a comma between them.
 * - `trailing-data`: something other than white space after the value.
 * - `not-an-array`, `not-an-object`: a value of another kind than the function needs.
 * - `unexpected-byte`: a byte that JSON does not allow in this place.
 * - `invalid-utf8`: bytes that are not UTF-8.
 * - `too-large`: an element longer than the bound of the decoder.
 */
export type RawJsonReason =
  | "truncated"
  | "unbalanced"
  | "missing-comma"
  | "trailing-data"
  | "not-an-array"
  | "not-an-object"
  | "unexpected-byte"
  | "invalid-utf8"
  | "too-large"

/**
 * A text that is not the JSON a function needs.
 *
 * `offset` is the zero-based byte offset of the first byte that shows it: from the start of the record for the
 * functions of `RawRecord`, from the start of the body for those of `RawArray`. For `truncated` it is the length of
 * what came; for `too-large` and an invalid scalar it is where the element starts.
 *
 * @example
 * ```ts
 * import { Result } from "effect"
 * import { RawArray } from "@chemstream/ndjson"
 *
 * const cut = RawArray.cut(new TextEncoder().encode('[{"a":1} {"a":2}]'))
 * if (Result.isFailure(cut)) console.log(cut.failure.reason, cut.failure.offset) // missing-comma 9
 * ```
 */
export class RawJsonError extends Data.TaggedError("RawJsonError")<{
  readonly reason: RawJsonReason
  readonly offset: number
  readonly message: string
}> {}
