/**
 * The form in which names and identifiers are compared (docs/service.md, section 6). Stored names, search words and
 * the matching of hits with words share this rule.
 *
 * The rule, in this order:
 * 1. Unicode compatibility forms are unified (NFKC): composed and decomposed letters, full-width and superscript
 *   characters, ligatures, the micro sign. A double prime becomes two primes.
 * 2. Letters become lower case. A final sigma becomes a sigma.
 * 3. Primes, apostrophes, single quotation marks and lone accents become `'`; double marks become `''`.
 * 4. Hyphens, dashes and minus signs become `-`.
 * 5. Greek letters become their names: `α`, `.alpha.` and `alpha` are the same.
 * 6. Runs of white space become one space. Leading and trailing white space is dropped.
 *
 * Letters keep their accents. Every other character stays, wildcards and operators included.
 */

import { argument } from "../internal/checkArgument.ts"

/**
 * Returns the form in which a text is compared.
 *
 * @example
 * ```ts
 * import { NameForm } from "@chemstream/api"
 *
 * NameForm.fold("β,β′-Bis(p‐hydroxyphenyl) Propane") // => "beta,beta'-bis(p-hydroxyphenyl) propane"
 * ```
 */
export const fold = (text: string): string => {
  // Most names are plain ASCII that only needs lower case: one test and one native call.
  if (plain.test(argument("text", "a text", text))) {
    const lower = text.toLowerCase()
    return lower.includes("  ") || spaced.test(lower) ? foldFully(lower) : lower
  }
  // NFKC would turn a lone acute accent into a space and a combining accent.
  return foldFully(text.toWellFormed().replace(/´/g, "'").normalize("NFKC").toLowerCase())
}

/**
 * Replaces the hyphens, dashes and minus signs of Unicode by `-`.
 *
 * @example
 * ```ts
 * import { NameForm } from "@chemstream/api"
 *
 * NameForm.hyphens("80–05−7") // => "80-05-7"
 * ```
 */
export const hyphens = (text: string): string =>
  argument("text", "a text", text).replace(/[‐-―−﹘﹣－]/g, "-")

// ASCII without controls, quotation mark, grave accent and full stop.
const plain = /^[ !#-\-/-_a-~]*$/
const spaced = /^ | $/

/** Applies the rules 3 to 6. */
const foldFully = (lower: string): string =>
  hyphens(lower)
    .replace(/["“”„‟″]/g, "''")
    .replace(/[`´‘’‚‛ʹʻʼˈ′‵]/g, "'")
    .replace(/[α-ω]/g, (letter) => letters.get(letter) ?? letter)
    .replace(dotted, "$1")
    .replace(/\s+/g, " ")
    .trim()

const names = (
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon " +
  "phi chi psi omega"
).split(" ")

// U+03B1 to U+03C9 in order; the final sigma U+03C2 precedes the sigma.
const letters: ReadonlyMap<string, string> = new Map(
  names.map((name, i) => [String.fromCharCode(0x03b1 + i), name])
)

// In ASCII, CAS writes the name of a Greek letter between full stops.
const dotted = new RegExp(`\\.(${[...new Set(names)].join("|")})\\.`, "g")
