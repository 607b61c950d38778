/**
 * What became of each identifier: the heart of a run.
 *
 * Every identifier that goes in comes out exactly once, as `Found`, `Missing`, `Failed` or `Invalid`, or is counted
 * as a duplicate of one that does. A record of a response that belongs to no identifier comes out as `Surplus`.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { Outcome as Core } from "@chemstream/batch"
import { absence, withSuggestions } from "./internal/messages.ts"

/** Whose outcome it is. */
export interface Place<out C = unknown> {
  /** The identifier in canonical spelling. */
  readonly id: string
  /** The line of the input that it stood on. */
  readonly line: number
  /** The text as it was given, where it is not `id`. */
  readonly given?: string
  /** What the input carried with it (`Identifier`). */
  readonly carried: C
}

/** The service has it: `records` is what it answered for this identifier, at least one record. */
export interface Found<out R, out C = unknown> extends Place<C> {
  readonly _tag: "Found"
  readonly records: ReadonlyArray<R>
  /** Why the service has more records than these: it says that it left some out (`capped`). Absent when they are all. */
  readonly truncated?: Core.Truncation
}

/** The service was asked and does not know it. `suggestions` is what it names instead, where it names anything. */
export interface Missing<out C = unknown> extends Place<C> {
  readonly _tag: "Missing"
  readonly suggestions?: ReadonlyArray<string>
}

/**
 * The service could not be asked, or gave no usable answer: `error` says why. `records` is what it answered, where that
 * was refused: nothing is lost.
 */
export interface Failed<out E, out C = unknown> extends Place<C> {
  readonly _tag: "Failed"
  readonly error: E
  readonly records?: ReadonlyArray<unknown>
}

/** It is no identifier of the kind asked for; the service was not asked. `id` is the text as given. */
export interface Invalid<out C = unknown> extends Place<C> {
  readonly _tag: "Invalid"
  readonly error: InvalidIdentifier.InvalidIdentifier
}

/**
 * A record that belongs to no identifier: its identifier was not requested (`unrequested`), takes one record and has one
 * (`repeated`), or is not in the record (`unidentified`). It is not counted as an identifier, and follows the outcomes of
 * its batch.
 */
export interface Surplus extends Pick<Core.Surplus, "_tag" | "reason" | "record"> {
  /** The identifier that the record carries; undefined without one. */
  readonly id: string | undefined
  /** No line of the input asked for it. */
  readonly line?: undefined
  readonly given?: undefined
  readonly carried?: undefined
}

/** What became of one identifier, with what that carried, or a record that belongs to none. */
export type Outcome<R, E, C = unknown> = Found<R, C> | Missing<C> | Failed<E, C> | Invalid<C> | Surplus

/** An outcome of which nothing is carried has no such property. */
const carryingNothing = <A>(outcome: A): A & { readonly carried: undefined } =>
  outcome as A & { readonly carried: undefined }

/** Makes the outcome of an identifier with records. */
export const found = <R>(
  id: string,
  line: number,
  records: ReadonlyArray<R>,
  truncated?: Core.Truncation
): Found<R, undefined> =>
  carryingNothing({
    _tag: "Found",
    id,
    line,
    records,
    ...(truncated === undefined ? {} : { truncated })
  })

/** Makes the outcome of an identifier that the service does not know, with what it names instead where it does. */
export const missing = (id: string, line: number, suggestions?: ReadonlyArray<string>): Missing<undefined> =>
  carryingNothing({
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
): Failed<E, undefined> =>
  carryingNothing({
    _tag: "Failed",
    id,
    line,
    error,
    ...(records === undefined ? {} : { records })
  })

/** Makes the outcome of a value that is no identifier. */
export const invalid = (
  id: string,
  line: number,
  error: InvalidIdentifier.InvalidIdentifier
): Invalid<undefined> =>
  carryingNothing({
    _tag: "Invalid",
    id,
    line,
    error
  })

/** Makes a record that belongs to no identifier. */
export const surplus = (reason: Core.SurplusReason, record: unknown, id?: string): Surplus => ({
  _tag: "Surplus",
  reason,
  id,
  record
})

/** Says why a record belongs to no identifier, for people. */
export const surplusMessage = ({ id, reason }: Surplus): string => Core.surplusMessage({ key: id, reason })

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
  [outcome._tag.toLowerCase(), outcome._tag === "Surplus" ? "" : outcome.id, wordsOf(outcome, absent)]
    .filter((part) => part !== "")
    .join(": ")
    .replace(/\s*[\r\n]\s*/g, " ")

const wordsOf = (
  outcome: Outcome<unknown, { readonly message: string }>,
  absent: (id: string) => string
): string => {
  switch (outcome._tag) {
    case "Found":
      return Core.foundMessage(outcome)
    case "Missing":
      return withSuggestions(absent(outcome.id), outcome.suggestions)
    case "Surplus":
      return surplusMessage(outcome)
    default:
      return outcome.error.message
  }
}
