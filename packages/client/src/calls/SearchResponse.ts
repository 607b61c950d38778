/**
 * The result of one word of an exact search of many: found, missing, or failed. `verify` checks the response to a batch search, and sorts
 * its records by word.
 *
 * `NameSearchCalls` declares the searches, and `internal/recordsByWord.ts` decides which records belong to a word.
 */
import { type InvalidIdentifier, Quote, type SearchHit } from "@chemstream/api"
import { Options, type Outcome } from "@chemstream/batch"
import { Result } from "effect"
import type { BodyFault } from "../BodyReader.ts"
import type { ChemError } from "../errors/ChemError.ts"
import { attribute, type NamedRecord } from "./internal/recordsByWord.ts"

/** The hits of a search, best first, and whether the service omitted some. */
export interface Hits {
  /** The hits, best rank first. */
  readonly hits: ReadonlyArray<SearchHit.SearchHit>
  /** `capped`: the service says that it omitted hits. Absent: these are all. */
  readonly truncated?: Outcome.Truncation
}

/** A word with its hits: at least one. */
export interface Found extends Hits {
  readonly _tag: "Found"
  /** The word of the request. */
  readonly word: string
}

/** A word that the service does not know. */
export interface Missing {
  readonly _tag: "Missing"
  /** The word of the request. */
  readonly word: string
  /** Similar names, from the service. */
  readonly suggestions: ReadonlyArray<string>
}

/** A word whose search failed. */
export interface Failed {
  readonly _tag: "Failed"
  /** The word of the request. */
  readonly word: string
  readonly error: ChemError | InvalidIdentifier.InvalidIdentifier
}

/** The response of the service for a word. */
export type FoundOrMissing = Found | Missing

/** The result of a word. */
export type SearchResponse = FoundOrMissing | Failed

/** The hits of one word of a batch search. None: the service does not know it. */
export interface WordHits<R> {
  readonly word: string
  readonly hits: ReadonlyArray<R>
  /** Additional copies of hits: the response has more copies than the request has spellings of the word. */
  readonly repeated: ReadonlyArray<R>
  readonly suggestions: ReadonlyArray<string>
}

/** A field of a record of a batch search. */
export type Field = "dtxsid" | "dtxcid" | "searchName" | "searchValue" | "suggestions"

/** The fields that identify a hit of a word. */
const identifying: ReadonlyArray<Field> = ["dtxsid", "dtxcid", "searchName", "searchValue"]

const wordList = /* @__PURE__ */ Options.list(Options.text)
const recordList = /* @__PURE__ */ Options.list(Options.kind("a record", () => true))

/**
 * Sorts the records of a batch search by requested word. The `searchValue` of a record names its word, and every word
 * has a result (docs/service.md, section 6). Words are compared by `NameForm`, then in the form in which the public
 * service searches. So each spelling of a name gets the hits of that name once.
 *
 * `fieldOf` returns a field of a record; a list is an array.
 */
export const verify = <R>(
  words: ReadonlyArray<string>,
  records: ReadonlyArray<R>,
  fieldOf: (record: R, field: Field) => unknown
): Result.Result<ReadonlyArray<WordHits<R>>, BodyFault> => {
  Options.argument("words", wordList, words)
  Options.argument("fieldOf", Options.func, fieldOf)
  const all: Array<NamedRecord<R>> = []
  for (const [index, record] of Options.argument("records", recordList, records).entries()) {
    const searchValue = fieldOf(record, "searchValue")
    if (typeof searchValue !== "string") {
      return refuse(`[${index}].searchValue`, "a record does not name its word")
    }
    const identity = JSON.stringify(identifying.map((field) => fieldOf(record, field)))
    all.push({ record, searchValue, identity })
  }
  const groups = attribute(words, all)
  if (Result.isFailure(groups)) return Result.fail(groups.failure)
  // A compound without a substance is also a hit.
  const isMiss = ({ record }: NamedRecord<R>): boolean =>
    (fieldOf(record, "dtxsid") ?? fieldOf(record, "dtxcid") ?? undefined) === undefined
  const results: Array<WordHits<R>> = []
  for (const word of words) {
    const group = groups.success.get(word) ?? { words: [word], records: [] }
    const hits = group.records.filter((record) => !isMiss(record))
    if (hits.length > 0 && hits.length < group.records.length) {
      return refuse("", `${Quote.value(word)} is both found and missing`)
    }
    // Two spellings of one word both get the same hits. The first copy counts.
    const same = [...Map.groupBy(hits, ({ identity }) => identity).values()]
    results.push({
      word,
      hits: same.flatMap((copies) => copies.slice(0, 1)).map(({ record }) => record),
      repeated:
        word === group.words[0]
          ? same.flatMap((copies) => copies.slice(group.words.length)).map(({ record }) => record)
          : [],
      suggestions:
        hits.length > 0
          ? []
          : suggestionsOf(group.records.map(({ record }) => fieldOf(record, "suggestions")))
    })
  }
  return Result.succeed(results)
}

const refuse = (path: string, reason: string): Result.Result<never, BodyFault> =>
  Result.fail({ path, reason })

/** Without suggestions, services send null, or a list with null. */
const suggestionsOf = (lists: ReadonlyArray<unknown>): ReadonlyArray<string> => [
  ...new Set(
    lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter((name) => typeof name === "string")
  )
]
