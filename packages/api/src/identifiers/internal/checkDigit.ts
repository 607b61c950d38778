/**
 * The check digit of DSSTox identifiers (`DTXSID…`, `DTXCID…`).
 *
 * It is the first digit after the prefix: a weighted sum of the other digits, modulo 10. Leading zeros are skipped.
 * The first remaining digit counts once, the second twice, and so on. The rule is observed from published
 * identifiers. The issuing agency documents none, so a mismatch is a warning by default.
 */

/** Returns the check digit over the digits from `start`, e.g. `7` for `checkDigit("020182")`. */
export const checkDigit = (text: string, start: number = 0): number => {
  let first = start
  while (text[first] === "0") first++
  let sum = 0
  for (let i = first; i < text.length; i++) sum += (i - first + 1) * (text.charCodeAt(i) - 48)
  return sum % 10
}
