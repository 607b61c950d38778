/**
 * What became of one word of an exact search of many: found, missing, or failed.
 *
 * The searches are in `SearchCalls`; here is how the answer to a batch search is verified.
 */
import type { InvalidIdentifier, SearchHit } from "@chemstream/api"
import type { Outcome } from "@chemstream/batch"
import { Result } from "effect"
import type { ChemError } from "../errors/ChemError.ts"
import { attribute, type Named } from "../errors/internal/attribution.ts"
import type { BodyFault } from "./BodyReader.ts"

/** The hits of a search. */
export interface Hits {
  /** The hits, best rank first. */
  readonly hits: ReadonlyArray<SearchHit.SearchHit>
  /** Why the service has more hits than these: it says that it left some out (`capped`). Absent when they are all. */
  readonly truncated?: Outcome.Truncation
}

/** A word with its hits: at least one. */
export interface Found extends Hits {
  readonly _tag: "Found"
  /** The word as it was asked. */
  readonly word: string
}

/** A word the service does not know. */
export interface Missing {
  readonly _tag: "Missing"
  /** The word as it was asked. */
  readonly word: string
  /** What might have been meant, as the service says. */
  readonly suggestions: ReadonlyArray<string>
}

/** A word whose search failed. */
export interface Failed {
  readonly _tag: "Failed"
  /** The word as it was asked. */
  readonly word: string
  readonly error: ChemError | InvalidIdentifier.InvalidIdentifier
}

/** What the service says of a word. */
export type Answer = Found | Missing

/** What became of a word. */
export type SearchResponse = Answer | Failed

/** What a batch search answers to one word: no hits where the service does not know it. */
export interface Verified<R> {
  readonly word: string
  readonly hits: ReadonlyArray<R>
  /** Hits that came more often than the word was asked for. */
  readonly repeated: ReadonlyArray<R>
  readonly suggestions: ReadonlyArray<string>
}

/** A field of a record of a batch search. */
export type Field = "dtxsid" | "dtxcid" | "searchName" | "searchValue" | "suggestions"

/** What tells two hits of one word apart. */
const identifying: ReadonlyArray<Field> = ["dtxsid", "dtxcid", "searchName", "searchValue"]

/**
 * Sorts the records of a batch search by the words asked for, in their order: each record belongs to the word that its
 * `searchValue` names, and every word has an answer (docs/service.md, section 6). Words are compared in the form in which
 * names are (`NameForm`), then in the form in which the public service searches for them, so two spellings of one name each
 * get its hits, once.
 *
 * `fieldOf` gives a field of a record, a list as an array.
 */
export const verify = <R>(
  words: ReadonlyArray<string>,
  records: ReadonlyArray<R>,
  fieldOf: (record: R, field: Field) => unknown
): Result.Result<ReadonlyArray<Verified<R>>, BodyFault> => {
  const all: Array<Named<R>> = []
  for (const [index, record] of records.entries()) {
    const named = fieldOf(record, "searchValue")
    if (typeof named !== "string") {
      return refuse(`[${index}].searchValue`, "an answer does not say which word it is to")
    }
    const identity = JSON.stringify(identifying.map((field) => fieldOf(record, field)))
    all.push({ record, named, identity })
  }
  const attributed = attribute(words, all)
  if (Result.isFailure(attributed)) return Result.fail(attributed.failure)
  // A compound without a substance is a hit, too.
  const isMiss = ({ record }: Named<R>): boolean =>
    (fieldOf(record, "dtxsid") ?? fieldOf(record, "dtxcid") ?? undefined) === undefined
  const answers: Array<Verified<R>> = []
  for (const word of words) {
    const group = attributed.success.get(word) ?? { words: [word], records: [] }
    const hits = group.records.filter((record) => !isMiss(record))
    if (hits.length > 0 && hits.length < group.records.length) {
      return refuse("", `${JSON.stringify(word)} is answered both as found and as not found`)
    }
    // Two spellings of one word are answered twice with the same hits: the first one counts.
    const same = [...Map.groupBy(hits, ({ identity }) => identity).values()]
    answers.push({
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
  return Result.succeed(answers)
}

const refuse = (path: string, reason: string): Result.Result<never, BodyFault> =>
  Result.fail({ path, reason })

/** Services answer null, or a list that may hold null, where they suggest nothing. */
const suggestionsOf = (lists: ReadonlyArray<unknown>): ReadonlyArray<string> => [
  ...new Set(
    lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter((name) => typeof name === "string")
  )
]
