/**
 * The check digit of DSSTox identifiers (`DTXSID…`, `DTXCID…`), as plain arithmetic.
 *
 * The first digit after the prefix checks the rest: write the rest as an integer d1 d2 … dn without
 * leading zeros; the check digit is (1·d1 + 2·d2 + … + n·dn) mod 10. Observed on more than a thousand
 * published identifiers; the issuing agency documents no rule, so a failed check is a warning by default.
 */

/** The check digit over the digits that follow it, e.g. `checkDigit("020182")` is `7`. */
export const checkDigit = (rest: string): number => {
  const digits = rest.replace(/^0+/, "")
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += (i + 1) * (digits.charCodeAt(i) - 48)
  return sum % 10
}
