/**
 * Attributes the records of a batch search to the requested words.
 *
 * The `searchValue` of a record is its word as sent, the spelling of the matching name, or the form in which the
 * public service searches, with spaces for hyphens ("JWH 007" for "jwh-007"). Several words may have that form; each
 * then has its own copy of the records. A record without a word is refused, never dropped.
 */
import { NameForm } from "@chemstream/api"
import { Result } from "effect"
import type { BodyFault } from "../../calls/BodyReader.ts"

/** A record with the word that it names. */
export interface Named<R> {
  readonly record: R
  /** Its `searchValue`. */
  readonly named: string
  /** Equal for two records of the same hit. */
  readonly identity: string
}

/** The spellings of one name, and its records. */
export interface Group<R> {
  readonly words: ReadonlyArray<string>
  readonly records: ReadonlyArray<Named<R>>
}

/** The group of each word. */
export const attribute = <R>(
  words: ReadonlyArray<string>,
  records: ReadonlyArray<Named<R>>
): Result.Result<ReadonlyMap<string, Group<R>>, BodyFault> => {
  const recordsBySpelling = Map.groupBy(records, ({ named }) => NameForm.fold(named))
  const wordsBySearch = Map.groupBy(new Set(words), searched)
  const known = new Set([...words.map(NameForm.fold), ...wordsBySearch.keys()])
  const stray = records.find(({ named }) => !known.has(NameForm.fold(named)))
  if (stray !== undefined)
    return isList(stray.named) && records.length === 1 ? takenForOne : refuse(records, stray)
  const groups = new Map<string, Group<R>>()
  for (const [form, alike] of wordsBySearch) {
    const spellings = Map.groupBy(alike, NameForm.fold)
    const isUnanswered = (word: string): boolean => !recordsBySpelling.has(NameForm.fold(word))
    const unanswered = alike.find(isUnanswered)
    const inSearchedForm = recordsBySpelling.get(form) ?? []
    const isPooled = unanswered !== undefined || (!spellings.has(form) && inSearchedForm.length > 0)
    if (!isPooled) {
      for (const [spelling, same] of spellings) {
        const group = { words: same, records: recordsBySpelling.get(spelling) ?? [] }
        for (const word of same) groups.set(word, group)
      }
      continue
    }
    const pool = [...new Set([...spellings.keys(), form])].flatMap((one) => recordsBySpelling.get(one) ?? [])
    // If there are fewer copies of a record than words, it may belong to one spelling alone.
    const copies = [...Map.groupBy(pool, ({ identity }) => identity).values()]
    const scarce = copies.find((same) => same.length < alike.length)
    if (unanswered !== undefined && (inSearchedForm.length === 0 || scarce !== undefined)) {
      return Result.fail({ path: "", reason: `there is no answer to ${JSON.stringify(unanswered)}` })
    }
    if (scarce !== undefined) return refuse(records, inSearchedForm[0])
    for (const word of alike) groups.set(word, { words: alike, records: pool })
  }
  return Result.succeed(groups)
}

/** The public service reads a JSON array as one word. */
const takenForOne: Result.Result<never, BodyFault> = Result.fail({
  path: "[0].searchValue",
  reason: "the service took the list of words for one word",
  dialect: "ctx"
})

const isList = (named: string): boolean => /^\s*\[\s*".*"\s*\]\s*$/s.test(named)

const refuse = <R>(
  records: ReadonlyArray<Named<R>>,
  stray: Named<R> | undefined
): Result.Result<never, BodyFault> =>
  Result.fail({
    path: `[${stray === undefined ? 0 : records.indexOf(stray)}].searchValue`,
    reason: `an answer is to ${JSON.stringify(stray?.named)}, which was not asked for`
  })

const casrn = /^0*(\d{2,7}-\d\d-\d)$/
const hyphenated = /^(\d{3}-\d{3}-\d|[a-z]{14}-[a-z]{10}-[a-z])$/

/**
 * Returns the form in which the public service searches for a word: upper case, CAS numbers without leading zeros, EC
 * numbers and InChIKeys unchanged, a space for each hyphen elsewhere.
 */
const searched = (word: string): string => {
  const spelt = NameForm.fold(NameForm.fold(word).toUpperCase())
  const number = casrn.exec(spelt)?.[1]
  if (number !== undefined) return number
  return hyphenated.test(spelt) ? spelt : spelt.replace(/-/g, " ").replace(/\s+/g, " ").trim()
}
