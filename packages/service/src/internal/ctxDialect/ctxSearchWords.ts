/** Normalizes the words of a search as the public service does, and makes its message for a miss. */
import { Casrn, Dtxcid, Dtxsid, InchiKey, NameForm } from "@chemstream/api"
import { Result } from "effect"

const registryNumber = /^0*([1-9]\d{1,6}-\d{2}-\d)$/
const ecNumber = /^\d{3}-\d{3}-\d$/

const isInchiKey = (word: string): boolean => Result.isSuccess(InchiKey.parse(word))

/** Returns the form in which the public service compares a word. A batch search has it as `searchValue`. */
export const comparedForm = (word: string): string => {
  const upper = NameForm.hyphens(word.trim().toUpperCase())
  if (ecNumber.test(upper) || isInchiKey(upper)) return upper
  return registryNumber.exec(upper)?.[1] ?? upper.replaceAll("-", " ")
}

/**
 * Returns the forms of a word to look up: as sent, with spaces only, and with hyphens only. A CAS number loses
 * leading zeros and gets its hyphens. The store distinguishes hyphens from spaces, so it finds a name with both only
 * as written.
 */
export const candidates = (word: string): ReadonlyArray<string> => {
  const trimmed = NameForm.hyphens(word.trim())
  const digits = /^0*([1-9]\d{1,6})(\d{2})(\d)$/.exec(trimmed)
  return [
    ...new Set([
      trimmed,
      registryNumber.exec(trimmed)?.[1] ?? trimmed,
      digits === null ? trimmed : `${digits[1]}-${digits[2]}-${digits[3]}`,
      trimmed.replaceAll("-", " "),
      trimmed.replaceAll(" ", "-")
    ])
  ]
}

/** Returns whether a word is a complete identifier. A starts-with search compares identifiers exactly. */
export const isIdentifier = (word: string): boolean => kindOf(word) !== "Synonym"

const kindOf = (word: string): string => {
  const upper = word.trim().toUpperCase()
  if (registryNumber.test(NameForm.hyphens(upper))) return "CASRN"
  if (Result.isSuccess(Dtxsid.parse(upper))) return "DTX Substance Id"
  if (Result.isSuccess(Dtxcid.parse(upper))) return "DTX Compound Id"
  if (isInchiKey(upper)) return "InChI Key"
  return upper.startsWith("INCHI=") ? "InChI String" : "Synonym"
}

/** Returns the message for a word without hits. */
export const miss = (word: string): string => {
  const message = `Searched by ${kindOf(word)}: Found 0 results for '${word}'.`
  const casrn = Casrn.parse(comparedForm(word))
  return Result.isSuccess(casrn) && Result.isFailure(Casrn.verify(casrn.success))
    ? `${message}\nCAS number fails checksum.`
    : message
}
