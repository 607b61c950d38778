/**
 * The check digit of DSSTox identifiers (`DTXSID…`, `DTXCID…`), as plain arithmetic.
 *
 * The check digit stands first after the prefix. Leading zeros of the other digits count for nothing; of those that
 * remain, the first is taken once, the second twice, and so on: the sum mod 10 is the check digit. Observed on more than
 * a thousand published identifiers; the issuing agency documents no rule, so a mismatch is a warning by default.
 */

/** The check digit over the digits from `start`, e.g. `checkDigit("020182")` is `7`. */
export const checkDigit = (text: string, start: number = 0): number => {
  let first = start
  while (text[first] === "0") first++
  let sum = 0
  for (let i = first; i < text.length; i++) sum += (i - first + 1) * (text.charCodeAt(i) - 48)
  return sum % 10
}
