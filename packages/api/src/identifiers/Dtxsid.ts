/**
 * `DTXSID…`: the identifier of a substance in DSSTox, as a branded string.
 *
 * `parse` checks the form and `verify` the check digit. They are separate because an identifier may be newer than the
 * check-digit rule: by default a mismatch is a warning. Only the service knows whether a substance exists.
 */
import { type Result, Schema } from "effect"
import type { InvalidIdentifier } from "./InvalidIdentifier.ts"
import * as dsstox from "./internal/dsstox.ts"

const schema = Schema.String.check(
  Schema.isPattern(dsstox.pattern("DTXSID"), { expected: "a DTXSID, e.g. DTXSID7020182" })
).pipe(Schema.brand("Dtxsid"))

/** A substance identifier in canonical spelling, e.g. `DTXSID7020182` (docs/service.md, section 7). */
export type Dtxsid = typeof schema.Type

/** The schema of a substance identifier. It checks the form, not the check digit or existence. */
export const Dtxsid: typeof schema = schema

/**
 * Reads a substance identifier. Surrounding white space is dropped, and lower case accepted.
 *
 * Fails with `InvalidIdentifier` (reason `"malformed"`), whose message names the fault.
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
  // `dsstox.parse` has checked the form, so the schema need not.
  dsstox.parse("DTXSID", text) as Result.Result<Dtxsid, InvalidIdentifier>

/**
 * Verifies the check digit (docs/service.md, section 7).
 *
 * Fails with `InvalidIdentifier` (reason `"check-digit"`, or as `parse`). Any digit may be the wrong one: `neighbours` returns the
 * identifiers that may have been meant.
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
export const verify = (id: string): Result.Result<Dtxsid, InvalidIdentifier> =>
  dsstox.verify("DTXSID", id) as Result.Result<Dtxsid, InvalidIdentifier>

/**
 * Returns the identifiers that correct one typing error: a wrong digit, or two adjacent digits in the wrong order.
 * Their check digits fit. Only the service knows which of them exist.
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
 * Returns the identifier of a substance number, with its check digit.
 *
 * @example
 * ```ts
 * import { Dtxsid } from "@chemstream/api"
 *
 * Dtxsid.fromNumber(20182) // => "DTXSID7020182"
 * ```
 */
export const fromNumber = (number: number): Dtxsid => dsstox.fromNumber("DTXSID", number) as Dtxsid
