/**
 * The error of raw JSON: the text is not the JSON that a function needs.
 *
 * `RawRecord` and `RawArray` share it. `Ndjson` has the errors of lines.
 */
import * as Data from "effect/Data"

/**
 * Why a text was refused.
 *
 * - `truncated`: the text ends inside a value or a string.
 * - `unbalanced`: a closing bracket without its opening bracket.
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
 * The text is not the JSON that a function needs.
 *
 * `offset` is the position of the first wrong byte, from 0: in the record for `RawRecord`, in the body for
 * `RawArray`. For `truncated` it is the length of the text. For `too-large` and an invalid scalar it is the start of
 * the element.
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
