/**
 * `DTXCID…`: the identifier of a compound in DSSTox, as a branded string.
 *
 * `parse` checks the form and `verify` the check digit. They are separate because an identifier may be newer than the
 * check-digit rule: by default a mismatch is a warning. Only the service knows whether a compound exists.
 */
import { type Result, Schema } from "effect"
import type { InvalidIdentifier } from "./InvalidIdentifier.ts"
import * as dsstox from "./internal/dsstox.ts"

const schema = Schema.String.check(
  Schema.isPattern(dsstox.pattern("DTXCID"), { expected: "a DTXCID, e.g. DTXCID30182" })
).pipe(Schema.brand("Dtxcid"))

/** A compound identifier in canonical spelling, e.g. `DTXCID30182` (docs/service.md, section 7). */
export type Dtxcid = typeof schema.Type

/** The schema of a compound identifier. It checks the form, not the check digit or existence. */
export const Dtxcid: typeof schema = schema

/**
 * Reads a compound identifier. Surrounding white space is dropped, and lower case accepted.
 *
 * Fails with `InvalidIdentifier` (reason `"malformed"`), whose message names the fault.
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
  // `dsstox.parse` has checked the form, so the schema need not.
  dsstox.parse("DTXCID", text) as Result.Result<Dtxcid, InvalidIdentifier>

/**
 * Verifies the check digit (docs/service.md, section 7).
 *
 * Fails with `InvalidIdentifier` (reason `"check-digit"`, or as `parse`). Any digit may be the wrong one: `neighbours` returns the
 * identifiers that may have been meant.
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
export const verify = (id: string): Result.Result<Dtxcid, InvalidIdentifier> =>
  dsstox.verify("DTXCID", id) as Result.Result<Dtxcid, InvalidIdentifier>

/**
 * Returns the identifiers that correct one typing error: a wrong digit, or two adjacent digits in the wrong order.
 * Their check digits fit. Only the service knows which of them exist.
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
 * Returns the identifier of a compound number, with its check digit.
 *
 * @example
 * ```ts
 * import { Dtxcid } from "@chemstream/api"
 *
 * Dtxcid.fromNumber(182) // => "DTXCID30182"
 * ```
 */
export const fromNumber = (number: number): Dtxcid => dsstox.fromNumber("DTXCID", number) as Dtxcid
