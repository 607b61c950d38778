/**
 * What became of one word of an exact search of many: found, missing, or failed.
 *
 * Models only; the searches are in `SearchCalls`.
 */
import type { InvalidIdentifier, SearchHit } from "@chemstream/api"
import type { ChemError } from "./ChemError.ts"

/** A word with its hits, best rank first: at least one. */
export interface Found {
  readonly _tag: "Found"
  /** The word as it was asked. */
  readonly word: string
  readonly hits: ReadonlyArray<SearchHit.SearchHit>
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
export type SearchAnswer = Answer | Failed
