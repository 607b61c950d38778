/**
 * `DTXSID…`: the identifier of a substance in DSSTox, as a branded string.
 *
 * `parse` checks the form, `verify` the check digit: two steps, because an identifier may be newer than the
 * check-digit rule, so a mismatch is a warning by default. Whether a substance exists only the service knows.
 */
import { type Result, Schema } from "effect"
import type { InvalidIdentifier } from "./InvalidIdentifier.ts"
import * as dsstox from "./internal/dsstox.ts"

const schema = Schema.String.check(
  Schema.isPattern(dsstox.pattern("DTXSID"), { expected: "a DTXSID, e.g. DTXSID7020182" })
).pipe(Schema.brand("Dtxsid"))

/**
 * A substance identifier in canonical spelling, e.g. `DTXSID7020182` (docs/service.md, section 7).
 */
export type Dtxsid = typeof schema.Type

/**
 * The schema of a substance identifier: the form only, neither check digit nor existence.
 */
export const Dtxsid: typeof schema = schema

/**
 * Reads a substance identifier: surrounding white space is dropped and lower case accepted.
 *
 * Fails with `InvalidIdentifier` (reason `"malformed"`) that says what is wrong.
 *
 * @example
 * ```ts
 * import { Dtxsid } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Dtxsid.parse(" dtxsid7020182 ")) // => "DTXSID7020182"
 * ```
 */
export const parse = (text: string): Result.Result<Dtxsid, InvalidIdentifier> =>
  // Its form has been looked at; the schema would look again.
  dsstox.parse("DTXSID", text) as Result.Result<Dtxsid, InvalidIdentifier>

/**
 * Checks the check digit (docs/service.md, section 7). Fails with `InvalidIdentifier` (reason `"check-digit"`). Any digit may
 * then be the wrong one: `neighbours` has the identifiers that may have been meant.
 *
 * @example
 * ```ts
 * import { Dtxsid } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const wrong = Result.getOrThrow(Dtxsid.parse("DTXSID1020182"))
 * const result = Dtxsid.verify(wrong)
 * Result.isFailure(result) && result.failure.reason // => "check-digit"
 * ```
 */
export const verify = (id: Dtxsid): Result.Result<Dtxsid, InvalidIdentifier> =>
  dsstox.verify("DTXSID", id) as Result.Result<Dtxsid, InvalidIdentifier>

/**
 * Returns the identifiers with a fitting check digit that differ from one in one digit, or in the order of two adjacent digits.
 * Which of them exist, only the service knows.
 *
 * @example
 * ```ts
 * import { Dtxsid } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const wrong = Result.getOrThrow(Dtxsid.parse("DTXSID1020182"))
 * Dtxsid.neighbours(wrong).includes("DTXSID7020182" as Dtxsid.Dtxsid) // => true
 * ```
 */
export const neighbours = (id: Dtxsid): ReadonlyArray<Dtxsid> =>
  dsstox.neighbours("DTXSID", id) as ReadonlyArray<Dtxsid>

/**
 * The identifier of a substance number, with its check digit.
 *
 * @example
 * ```ts
 * import { Dtxsid } from "@chemstream/api"
 *
 * Dtxsid.fromNumber(20182) // => "DTXSID7020182"
 * ```
 */
export const fromNumber = (number: number): Dtxsid => schema.make(dsstox.fromNumber("DTXSID", number))
