/**
 * The form in which names and identifiers are compared: the same rule for what is stored, for what is searched, and for
 * whether an answer is to the word that was asked (docs/service.md, section 6).
 *
 * The rule, in this order:
 * 1. Unicode compatibility forms are unified (NFKC): composed and decomposed letters, full-width and superscript
 *    characters, ligatures, the micro sign; a double prime becomes two primes.
 * 2. Letters become lower case; a final sigma is a sigma.
 * 3. Primes, apostrophes, quotation marks and accents that stand for them become `'`, double ones `''`.
 * 4. Hyphens, dashes and minus signs become `-`.
 * 5. Greek letters become their names: `α`, `.alpha.` and `alpha` are the same.
 * 6. White space becomes single spaces, none at either end.
 *
 * Accents on letters are kept. Every other character stands for itself, wildcards and operators included.
 */

/**
 * The form of a text in which it is compared.
 *
 * @example
 * ```ts
 * import { NameForm } from "@chemstream/api"
 *
 * NameForm.fold("β,β′-Bis(p‐hydroxyphenyl) Propane") // => "beta,beta'-bis(p-hydroxyphenyl) propane"
 * ```
 */
export const fold = (text: string): string => {
  // Most names are plain ASCII without any character of the rule: one test and one native call.
  if (plain.test(text)) {
    const lower = text.toLowerCase()
    return lower.includes("  ") || spaced.test(lower) ? rest(lower) : lower
  }
  // An acute accent by itself would become a space and a combining accent.
  return rest(text.toWellFormed().replace(/´/g, "'").normalize("NFKC").toLowerCase())
}

// ASCII without controls, quotation mark, grave accent and full stop.
const plain = /^[ !#-\-/-_a-~]*$/
const spaced = /^ | $/

const rest = (lower: string): string =>
  lower
    .replace(/["“”„‟″]/g, "''")
    .replace(/[`´‘’‚‛ʹʻʼˈ′‵]/g, "'")
    .replace(/[‐‑‒–—―−﹣]/g, "-")
    .replace(/[α-ω]/g, (letter) => letters.get(letter) ?? letter)
    .replace(dotted, "$1")
    .replace(/\s+/g, " ")
    .trim()

const names = (
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon " +
  "phi chi psi omega"
).split(" ")

// U+03B1 to U+03C9 in order; the final sigma U+03C2 stands before the sigma.
const letters: ReadonlyMap<string, string> = new Map(
  names.map((name, i) => [String.fromCharCode(0x03b1 + i), name])
)

// CAS writes a Greek letter between full stops where only ASCII is at hand.
const dotted = new RegExp(`\\.(${[...new Set(names)].join("|")})\\.`, "g")
