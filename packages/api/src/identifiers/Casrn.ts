/**
 * CAS registry numbers (`80-05-7`), and the substitute `NOCAS_…` of a substance without one.
 *
 * `parse` checks the form and `verify` the check digit. Only the service knows whether a number is assigned.
 */
import { Result, Schema } from "effect"
import { type InvalidIdentifier, malformed, trimmed } from "./InvalidIdentifier.ts"
import { corrections, wrongCheckDigit } from "./internal/typingErrors.ts"

const registryNumber = /^(\d{2,7})-(\d{2})-(\d)$/
const substitute = /^NOCAS_\d{1,10}$/

const schema = Schema.String.check(
  Schema.makeFilter((text) => registryNumber.test(text) || substitute.test(text), {
    expected: "a CAS number, e.g. 80-05-7"
  })
).pipe(Schema.brand("Casrn"))

/** A CAS registry number, or `NOCAS_` and a number. */
export type Casrn = typeof schema.Type

/** The schema of a CAS registry number. It checks the form only. */
export const Casrn: typeof schema = schema

/**
 * Reads a CAS registry number. Surrounding white space is dropped.
 *
 * @example
 * ```ts
 * import { Casrn } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Casrn.parse(" 80-05-7 ")) // => "80-05-7"
 * ```
 */
export const parse = (text: string): Result.Result<Casrn, InvalidIdentifier> => {
  const value = trimmed(text)
  if (registryNumber.test(value) || substitute.test(value)) return Result.succeed(value as Casrn)
  return malformed(
    "CASRN",
    "a CAS number",
    text,
    "it must have two to seven digits, two digits and a check digit, joined by hyphens"
  )
}

/**
 * Verifies the check digit: the other digits, weighted 1, 2, 3 … from the right, summed, modulo 10. A `NOCAS_…` has
 * no check digit and passes.
 *
 * Fails with `InvalidIdentifier` (reason `"check-digit"`, or as `parse`). Any digit may be the wrong one: `neighbours` returns the
 * numbers that may have been meant.
 *
 * @example
 * ```ts
 * import { Casrn } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const result = Casrn.verify(Result.getOrThrow(Casrn.parse("80-05-8")))
 * Result.isFailure(result) && result.failure.reason // => "check-digit"
 * ```
 */
export const verify = (text: string): Result.Result<Casrn, InvalidIdentifier> => {
  const parsed = parse(text)
  const match = Result.isSuccess(parsed) ? registryNumber.exec(parsed.success) : null
  if (match === null) return parsed
  const [casrn, start = "", middle = "", digit = ""] = match
  const expected = checkDigit(start + middle)
  return digit === String(expected) ? parsed : wrongCheckDigit("CASRN", casrn, digit, expected)
}

/**
 * Returns the CAS numbers that correct one typing error: a wrong digit, or two adjacent digits in the wrong order.
 * Their check digits fit. Only the service knows which of them exist.
 *
 * @example
 * ```ts
 * import { Casrn } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const wrong = Result.getOrThrow(Casrn.parse("80-05-8"))
 * Casrn.neighbours(wrong).includes("80-05-7" as Casrn.Casrn) // => true
 * ```
 */
export const neighbours = (casrn: Casrn): ReadonlyArray<Casrn> =>
  registryNumber.test(casrn) ? corrections(casrn, 0, verify) : []

const checkDigit = (digits: string): number => {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += (digits.length - i) * (digits.charCodeAt(i) - 48)
  return sum % 10
}
