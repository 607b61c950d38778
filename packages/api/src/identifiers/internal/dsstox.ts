/**
 * The shared rules of DTXSID and DTXCID: form, check digit and number.
 *
 * An identifier is its prefix, one check digit, a literal zero, and the number of the substance or compound.
 */

import { Result } from "effect"
import { argument } from "../../internal/checkArgument.ts"
import { type InvalidIdentifier, malformed, trimmed } from "../InvalidIdentifier.ts"
import { corrections, wrongCheckDigit } from "./typingErrors.ts"

/** The letters that begin an identifier: of a substance, or of a compound. */
export type Prefix = "DTXSID" | "DTXCID"

const patterns: Readonly<Record<Prefix, RegExp>> = {
  DTXSID: /^DTXSID\d0\d{1,10}$/,
  DTXCID: /^DTXCID\d0\d{1,10}$/
}

/** The form of an identifier as a regular expression: prefix, check digit, `0`, a number of 1 to 10 digits. */
export const pattern = (prefix: Prefix): RegExp => patterns[prefix]

/** Returns the identifier of a number, with its check digit. */
export const fromNumber = (prefix: Prefix, number: number): string =>
  `${prefix}${checkDigit(String(argument("number", "a whole number of at most 10 digits", number)))}0${number}`

/** Returns the identifier in its canonical spelling. Fails if it is malformed. */
export const parse = (prefix: Prefix, text: string): Result.Result<string, InvalidIdentifier> => {
  // The fast path: most identifiers are canonical already.
  if (typeof text === "string" && pattern(prefix).test(text)) return Result.succeed(text)
  const value = trimmed(text).toUpperCase()
  if (pattern(prefix).test(value)) return Result.succeed(value)
  return malformed(prefix, `a ${prefix}`, text, formProblem(prefix, value))
}

/** Returns the identifier if its check digit fits. Fails if not. */
export const verify = (prefix: Prefix, text: string): Result.Result<string, InvalidIdentifier> => {
  const parsed = parse(prefix, text)
  if (Result.isFailure(parsed)) return parsed
  const value = parsed.success
  const expected = checkDigit(value, prefix.length + 1)
  if (value.charCodeAt(prefix.length) - 48 === expected) return parsed
  return wrongCheckDigit(prefix, value, value.charAt(prefix.length), expected)
}

/** Returns corrections of an identifier with a wrong check digit. */
export const neighbours = (prefix: Prefix, value: string): ReadonlyArray<string> =>
  pattern(prefix).test(value) ? corrections(value, prefix.length, (text) => verify(prefix, text)) : []

/** Returns why a text does not have the form of an identifier. */
const formProblem = (prefix: Prefix, value: string): string => {
  if (value === "") return "it is empty"
  const other = prefix === "DTXSID" ? "DTXCID" : "DTXSID"
  if (value.startsWith(other)) {
    return `it starts with ${other}, which names a ${other === "DTXCID" ? "compound" : "substance"}`
  }
  if (!value.startsWith(prefix)) return `it must start with ${prefix}`
  const rest = value.slice(prefix.length)
  if (!/^\d+$/.test(rest)) return `only digits may follow ${prefix}`
  if (rest.length < 3) return `at least three digits must follow ${prefix}`
  if (rest[1] !== "0") return `the second digit after ${prefix} must be 0`
  return `too many digits follow ${prefix}`
}

/**
 * Returns the check digit over the digits from `start`, e.g. `7` for `checkDigit("020182")`.
 *
 * It is the first digit after the prefix: a weighted sum of the other digits, modulo 10. Leading zeros are skipped.
 * The first remaining digit counts once, the second twice, and so on. The rule is observed from published
 * identifiers. The issuing agency documents none, so a mismatch is a warning by default.
 */
const checkDigit = (text: string, start: number = 0): number => {
  let first = start
  while (text[first] === "0") first++
  let sum = 0
  for (let i = first; i < text.length; i++) sum += (i - first + 1) * (text.charCodeAt(i) - 48)
  return sum % 10
}
