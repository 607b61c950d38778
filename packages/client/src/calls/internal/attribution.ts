/**
 * Attributes the records of a batch search to the requested words.
 *
 * The `searchValue` of a record is its word as sent, the spelling of the matching name, or the form in which the
 * public service searches, with spaces for hyphens ("JWH 007" for "jwh-007"). Several words may have that form; each
 * then has its own copy of the records. A record without a word is refused, never dropped.
 */
import { NameForm, Quote } from "@chemstream/api"
import { Result } from "effect"
import type { BodyFault } from "../BodyReader.ts"

/** A record with the word that it names. */
export interface NamedRecord<R> {
  readonly record: R
  readonly searchValue: string
  /** A text that is the same for all copies of a hit. */
  readonly identity: string
}

/** The spellings of one name, and its records. */
export interface Group<R> {
  readonly words: ReadonlyArray<string>
  readonly records: ReadonlyArray<NamedRecord<R>>
}

/** The group of each word. */
export const attribute = <R>(
  words: ReadonlyArray<string>,
  records: ReadonlyArray<NamedRecord<R>>
): Result.Result<ReadonlyMap<string, Group<R>>, BodyFault> => {
  const recordsBySpelling = Map.groupBy(records, ({ searchValue }) => NameForm.fold(searchValue))
  const wordsBySearch = Map.groupBy(new Set(words), searchForm)
  const known = new Set([...words.map(NameForm.fold), ...wordsBySearch.keys()])
  const stray = records.find(({ searchValue }) => !known.has(NameForm.fold(searchValue)))
  if (stray !== undefined)
    return isList(stray.searchValue) && records.length === 1 ? singleWord : refuse(records, stray)
  const groups = new Map<string, Group<R>>()
  for (const [form, sameForm] of wordsBySearch) {
    const spellings = Map.groupBy(sameForm, NameForm.fold)
    const lacksRecord = (word: string): boolean => !recordsBySpelling.has(NameForm.fold(word))
    const wordWithoutRecord = sameForm.find(lacksRecord)
    const formRecords = recordsBySpelling.get(form) ?? []
    const isShared = wordWithoutRecord !== undefined || (!spellings.has(form) && formRecords.length > 0)
    if (!isShared) {
      for (const [spelling, equalWords] of spellings) {
        const group = { words: equalWords, records: recordsBySpelling.get(spelling) ?? [] }
        for (const word of equalWords) groups.set(word, group)
      }
      continue
    }
    const pool = [...new Set([...spellings.keys(), form])].flatMap((one) => recordsBySpelling.get(one) ?? [])
    // If there are fewer copies of a record than words, it may belong to one spelling alone.
    const copies = [...Map.groupBy(pool, ({ identity }) => identity).values()]
    const scarce = copies.find((copy) => copy.length < sameForm.length)
    if (wordWithoutRecord !== undefined && (formRecords.length === 0 || scarce !== undefined)) {
      return Result.fail({
        path: "",
        reason: `the response has no record of ${Quote.value(wordWithoutRecord)}`
      })
    }
    if (scarce !== undefined) return refuse(records, formRecords[0])
    for (const word of sameForm) groups.set(word, { words: sameForm, records: pool })
  }
  return Result.succeed(groups)
}

/** The public service reads a JSON array as one word. */
const singleWord: Result.Result<never, BodyFault> = Result.fail({
  path: "[0].searchValue",
  reason: "the service read the list of words as one word",
  dialect: "ctx"
})

const isList = (searchValue: string): boolean => /^\s*\[\s*".*"\s*\]\s*$/s.test(searchValue)

const refuse = <R>(
  records: ReadonlyArray<NamedRecord<R>>,
  stray: NamedRecord<R> | undefined
): Result.Result<never, BodyFault> =>
  Result.fail({
    path: `[${stray === undefined ? 0 : records.indexOf(stray)}].searchValue`,
    reason: `a record is about ${Quote.value(stray?.searchValue)}, which was not requested`
  })

const casrn = /^0*(\d{2,7}-\d\d-\d)$/
const hyphenated = /^(\d{3}-\d{3}-\d|[a-z]{14}-[a-z]{10}-[a-z])$/

/**
 * Returns the form in which the public service searches for a word: upper case, CAS numbers without leading zeros, EC
 * numbers and InChIKeys unchanged, a space for each hyphen elsewhere.
 */
const searchForm = (word: string): string => {
  const upper = NameForm.fold(NameForm.fold(word).toUpperCase())
  const number = casrn.exec(upper)?.[1]
  if (number !== undefined) return number
  return hyphenated.test(upper) ? upper : upper.replace(/-/g, " ").replace(/\s+/g, " ").trim()
}
