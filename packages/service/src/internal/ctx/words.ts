/**
 * The words of a search as the public service compares them and speaks of them. What they match is the store's.
 */
import { Casrn, Dtxcid, Dtxsid, InchiKey } from "@chemstream/api"
import { Result } from "effect"

const registryNumber = /^0*([1-9]\d{1,6}-\d{2}-\d)$/
const ecNumber = /^\d{3}-\d{3}-\d$/
const dashes = /[\u2010-\u2015\u2212]/g

const isInchiKey = (word: string): boolean => Result.isSuccess(InchiKey.parse(word))

/** A word in the form in which it is compared, which a batch search answers as its `searchValue`. */
export const normalised = (word: string): string => {
  const upper = word.trim().toUpperCase().replace(dashes, "-")
  if (ecNumber.test(upper) || isInchiKey(upper)) return upper
  return registryNumber.exec(upper)?.[1] ?? upper.replaceAll("-", " ")
}

/**
 * The words to look up for one: hyphens and spaces are alike, and so are CAS numbers with leading zeros or without
 * hyphens. The store tells hyphens from spaces, so a name that has both is found as it is written only.
 */
export const candidates = (word: string): ReadonlyArray<string> => {
  const plain = word.trim().replace(dashes, "-")
  const digits = /^0*([1-9]\d{1,6})(\d{2})(\d)$/.exec(plain)
  return [
    ...new Set([
      plain,
      registryNumber.exec(plain)?.[1] ?? plain,
      digits === null ? plain : `${digits[1]}-${digits[2]}-${digits[3]}`,
      plain.replaceAll("-", " "),
      plain.replaceAll(" ", "-")
    ])
  ]
}

/** Whether a word is a whole identifier: a starts-with search then compares it exactly. */
export const isIdentifier = (word: string): boolean => kindOf(word) !== "Synonym"

const kindOf = (word: string): string => {
  const upper = word.trim().toUpperCase()
  if (registryNumber.test(upper.replace(dashes, "-"))) return "CASRN"
  if (Result.isSuccess(Dtxsid.parse(upper))) return "DTX Substance Id"
  if (Result.isSuccess(Dtxcid.parse(upper))) return "DTX Compound Id"
  if (isInchiKey(upper)) return "InChI Key"
  return upper.startsWith("INCHI=") ? "InChI String" : "Synonym"
}

/** What is said of a word that nothing was found by. */
export const miss = (word: string): string => {
  const said = `Searched by ${kindOf(word)}: Found 0 results for '${word}'.`
  const casrn = Casrn.parse(normalised(word))
  return Result.isSuccess(casrn) && Result.isFailure(Casrn.verify(casrn.success))
    ? `${said}\nCAS number fails checksum.`
    : said
}
