/**
 * Finds the records of each requested word in the response to a batch search.
 *
 * The `searchValue` of a record is its word as sent, the spelling of the matching name, or the form in which the
 * public service searches, with spaces for hyphens ("JWH 007" for "jwh-007"). Several words may have that form; each
 * then has its own copy of the records. A record without a word is refused, never dropped.
 */
import { NameForm, Quote } from "@chemstream/api"
import { Result } from "effect"
import type { BodyFault } from "../../BodyReader.ts"

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

/** Returns the records that name a spelling. */
type Records<R> = (spelling: string) => ReadonlyArray<NamedRecord<R>>

/** The group of each word. */
export const attribute = <R>(
  words: ReadonlyArray<string>,
  records: ReadonlyArray<NamedRecord<R>>
): Result.Result<ReadonlyMap<string, Group<R>>, BodyFault> => {
  const wordsByForm = Map.groupBy(new Set(words), searchForm)
  const known = new Set([...words.map(NameForm.fold), ...wordsByForm.keys()])
  const stray = records.find(({ searchValue }) => !known.has(NameForm.fold(searchValue)))
  if (stray !== undefined)
    return isList(stray.searchValue) && records.length === 1
      ? singleWord
      : Result.fail(refusal(records, stray))
  const bySpelling = Map.groupBy(records, ({ searchValue }) => NameForm.fold(searchValue))
  const recordsOf: Records<R> = (spelling) => bySpelling.get(spelling) ?? []
  const groups = Result.all(
    Array.from(wordsByForm, ([form, sameForm]) =>
      Result.mapError(groupsOf(form, sameForm, recordsOf), (fault) =>
        "reason" in fault ? fault : refusal(records, fault)
      )
    )
  )
  return Result.map(
    groups,
    (found) => new Map(found.flat().flatMap((group) => group.words.map((word) => [word, group] as const)))
  )
}

/**
 * Groups words with the same form. Each spelling has the records that name it. If records name the form instead of a word, all words
 * have all records, of which there must be a copy for each. Fails with the record of the form if there are too few copies, and with a
 * fault if a word has no record.
 */
const groupsOf = <R>(
  form: string,
  words: ReadonlyArray<string>,
  recordsOf: Records<R>
): Result.Result<ReadonlyArray<Group<R>>, BodyFault | NamedRecord<R>> => {
  const spellings = Map.groupBy(words, NameForm.fold)
  const [ofForm] = recordsOf(form)
  const wordWithoutRecord = words.find((word) => recordsOf(NameForm.fold(word)).length === 0)
  // Each spelling has its records, and none names another spelling.
  if (wordWithoutRecord === undefined && (spellings.has(form) || ofForm === undefined))
    return Result.succeed(
      Array.from(spellings, ([spelling, equal]) => ({ words: equal, records: recordsOf(spelling) }))
    )
  const records = [...new Set([...spellings.keys(), form])].flatMap(recordsOf)
  // If there are fewer copies of a record than words, it may belong to one spelling alone.
  const copies = [...Map.groupBy(records, ({ identity }) => identity).values()]
  const isScarce = copies.some(({ length }) => length < words.length)
  if (ofForm !== undefined && !isScarce) return Result.succeed([{ words, records }])
  return Result.fail(
    wordWithoutRecord === undefined && ofForm !== undefined
      ? ofForm
      : { path: "", reason: `the response has no record of ${Quote.value(wordWithoutRecord)}` }
  )
}

/** The public service reads a JSON array as one word. */
const singleWord: Result.Result<never, BodyFault> = Result.fail({
  path: "[0].searchValue",
  reason: "the service read the list of words as one word",
  dialect: "ctx"
})

const isList = (searchValue: string): boolean => /^\s*\[\s*".*"\s*\]\s*$/s.test(searchValue)

/** The fault of a response with a record of another word. */
const refusal = <R>(records: ReadonlyArray<NamedRecord<R>>, stray: NamedRecord<R>): BodyFault => ({
  path: `[${records.indexOf(stray)}].searchValue`,
  reason: `a record is about ${Quote.value(stray.searchValue)}, which was not requested`
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
