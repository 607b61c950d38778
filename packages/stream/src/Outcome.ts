/**
 * What became of each identifier: the heart of a run.
 *
 * Every identifier that goes in comes out exactly once, as `Found`, `Missing`, `Failed` or `Invalid`, or is counted
 * as a duplicate of one that does.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { absence, withSuggestions } from "./internal/words.ts"

/** Whose outcome it is. */
export interface Place {
  /** The identifier in canonical spelling. */
  readonly id: string
  /** The line of the input that it stood on. */
  readonly line: number
  /** The text as it was given, where it is not `id`. */
  readonly given?: string
  /** What the input carried with it (`Identifier`), where it carried anything. */
  readonly carried?: unknown
}

/** The service has it: `records` is what it answered for this identifier, at least one record. */
export interface Found<R> extends Place {
  readonly _tag: "Found"
  readonly records: ReadonlyArray<R>
}

/** The service was asked and does not know it. `suggestions` is what it names instead, where it names anything. */
export interface Missing extends Place {
  readonly _tag: "Missing"
  readonly suggestions?: ReadonlyArray<string>
}

/**
 * The service could not be asked, or gave no usable answer: `error` says why. `records` is what it answered, where that
 * was refused: nothing is lost.
 */
export interface Failed<E> extends Place {
  readonly _tag: "Failed"
  readonly error: E
  readonly records?: ReadonlyArray<unknown>
}

/** It is no identifier of the kind asked for; the service was not asked. `id` is the text as given. */
export interface Invalid extends Place {
  readonly _tag: "Invalid"
  readonly error: InvalidIdentifier.InvalidIdentifier
}

/** What became of one identifier. */
export type Outcome<R, E> = Found<R> | Missing | Failed<E> | Invalid

/** Makes the outcome of an identifier with records. */
export const found = <R>(id: string, line: number, records: ReadonlyArray<R>): Found<R> => ({
  _tag: "Found",
  id,
  line,
  records
})

/** Makes the outcome of an identifier that the service does not know, with what it names instead where it does. */
export const missing = (id: string, line: number, suggestions?: ReadonlyArray<string>): Missing => ({
  _tag: "Missing",
  id,
  line,
  ...(suggestions === undefined ? {} : { suggestions })
})

/** Makes the outcome of an identifier without a usable answer, with the records that came where some did. */
export const failed = <E>(
  id: string,
  line: number,
  error: E,
  records?: ReadonlyArray<unknown>
): Failed<E> => ({
  _tag: "Failed",
  id,
  line,
  error,
  ...(records === undefined ? {} : { records })
})

/** Makes the outcome of a value that is no identifier. */
export const invalid = (id: string, line: number, error: InvalidIdentifier.InvalidIdentifier): Invalid => ({
  _tag: "Invalid",
  id,
  line,
  error
})

/**
 * What became of an identifier, in one line for people: what, of which identifier, and how much or why. `absent` says what
 * it means that something is missing; that the service does not know it, unless given.
 *
 * @example
 * ```ts
 * import { Outcome } from "@chemstream/stream"
 *
 * Outcome.describe(Outcome.found("DTXSID7020182", 1, [{}])) // => "found: DTXSID7020182: 1 record"
 * Outcome.describe(Outcome.missing("Bisphenol Q", 2, ["Bisphenol A"]))
 * // => "missing: Bisphenol Q: the service does not know Bisphenol Q; it suggests Bisphenol A"
 * Outcome.describe(Outcome.failed("DTXSID3039242", 3, new Error("the service answers 500")))
 * // => "failed: DTXSID3039242: the service answers 500"
 * ```
 */
export const describe = (
  outcome: Outcome<unknown, { readonly message: string }>,
  absent: (id: string) => string = absence
): string =>
  [outcome._tag.toLowerCase(), outcome.id, wordsOf(outcome, absent)]
    .filter((part) => part !== "")
    .join(": ")
    .replace(/\s*[\r\n]\s*/g, " ")

const wordsOf = (
  outcome: Outcome<unknown, { readonly message: string }>,
  absent: (id: string) => string
): string => {
  switch (outcome._tag) {
    case "Found":
      return `${outcome.records.length} ${outcome.records.length === 1 ? "record" : "records"}`
    case "Missing":
      return withSuggestions(absent(outcome.id), outcome.suggestions)
    default:
      return outcome.error.message
  }
}
