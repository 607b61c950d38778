/**
 * The check digit of DSSTox identifiers (`DTXSID…`, `DTXCID…`), as plain arithmetic.
 *
 * The first digit after the prefix checks the rest: write the rest as an integer d1 d2 … dn without
 * leading zeros; the check digit is (1·d1 + 2·d2 + … + n·dn) mod 10. Observed on more than a thousand
 * published identifiers; the issuing agency documents no rule, so a failed check is a warning by default.
 */

/** The check digit over the digits from `start`, e.g. `checkDigit("020182")` is `7`. */
export const checkDigit = (text: string, start: number = 0): number => {
  let first = start
  while (text[first] === "0") first++
  let sum = 0
  for (let i = first; i < text.length; i++) sum += (i - first + 1) * (text.charCodeAt(i) - 48)
  return sum % 10
}
