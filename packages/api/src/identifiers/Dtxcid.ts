/**
 * `DTXCID…`: the identifier of a compound in DSSTox, as a branded string.
 *
 * `parse` checks the form, `verify` the check digit: two steps, because an identifier may be newer than the
 * check-digit rule, so a mismatch is a warning by default. Whether a compound exists only the service knows.
 */
import { type Result, Schema } from "effect"
import type { InvalidIdentifier } from "./InvalidIdentifier.ts"
import * as dsstox from "./internal/dsstox.ts"

const schema = Schema.String.check(
  Schema.isPattern(dsstox.pattern("DTXCID"), { expected: "a DTXCID, e.g. DTXCID30182" })
).pipe(Schema.brand("Dtxcid"))

/**
 * A compound identifier in canonical spelling, e.g. `DTXCID30182` (docs/service.md, section 7).
 */
export type Dtxcid = typeof schema.Type

/**
 * The schema of a compound identifier: the form only, neither check digit nor existence.
 */
export const Dtxcid: typeof schema = schema

/**
 * Reads a compound identifier: surrounding white space is dropped and lower case accepted.
 *
 * Fails with `InvalidIdentifier` (reason `"malformed"`) that says what is wrong.
 *
 * @example
 * ```ts
 * import { Dtxcid } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Dtxcid.parse(" dtxcid30182 ")) // => "DTXCID30182"
 * ```
 */
export const parse = (text: string): Result.Result<Dtxcid, InvalidIdentifier> =>
  // Its form has been looked at; the schema would look again.
  dsstox.parse("DTXCID", text) as Result.Result<Dtxcid, InvalidIdentifier>

/**
 * Checks the check digit (docs/service.md, section 7). Fails with `InvalidIdentifier` (reason `"check-digit"`). Any digit may
 * then be the wrong one: `neighbours` has the identifiers that may have been meant.
 *
 * @example
 * ```ts
 * import { Dtxcid } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const wrong = Result.getOrThrow(Dtxcid.parse("DTXCID10182"))
 * const result = Dtxcid.verify(wrong)
 * Result.isFailure(result) && result.failure.reason // => "check-digit"
 * ```
 */
export const verify = (id: Dtxcid): Result.Result<Dtxcid, InvalidIdentifier> =>
  dsstox.verify("DTXCID", id) as Result.Result<Dtxcid, InvalidIdentifier>

/**
 * Returns the identifiers with a fitting check digit that differ from one in one digit, or in the order of two adjacent digits.
 * Which of them exist, only the service knows.
 *
 * @example
 * ```ts
 * import { Dtxcid } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const wrong = Result.getOrThrow(Dtxcid.parse("DTXCID10182"))
 * Dtxcid.neighbours(wrong).includes("DTXCID30182" as Dtxcid.Dtxcid) // => true
 * ```
 */
export const neighbours = (id: Dtxcid): ReadonlyArray<Dtxcid> =>
  dsstox.neighbours("DTXCID", id) as ReadonlyArray<Dtxcid>

/**
 * The identifier of a compound number, with its check digit.
 *
 * @example
 * ```ts
 * import { Dtxcid } from "@chemstream/api"
 *
 * Dtxcid.fromNumber(182) // => "DTXCID30182"
 * ```
 */
export const fromNumber = (number: number): Dtxcid => schema.make(dsstox.fromNumber("DTXCID", number))
