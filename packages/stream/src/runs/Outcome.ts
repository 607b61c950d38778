/**
 * The outcome of each identifier of a run.
 *
 * Every identifier has exactly one outcome, `Found`, `Missing`, `Failed` or `Invalid`, or is counted as a
 * duplicate. A record of a response that belongs to no identifier is a `Surplus`.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { Outcome as Core, Options } from "@chemstream/batch"
import { absence, withSuggestions } from "./internal/missingMessages.ts"

/** The identifier of an outcome, and its place in the input. */
export interface Place<out C = unknown> {
  /** The identifier in canonical spelling. */
  readonly id: string
  /** Its line of the input, from 1. */
  readonly line: number
  /** The text as given, if it differs from `id`. */
  readonly given?: string
  /** The data of the caller (`Identifier`). */
  readonly carried: C
}

/** The service has at least one record. */
export interface Found<out R, out C = unknown> extends Place<C> {
  readonly _tag: "Found"
  readonly records: ReadonlyArray<R>
  /** Why the records are incomplete. `capped`: the service limits the response. Absent: they are complete. */
  readonly truncated?: Core.Truncation
  /** Why the records need a review. Absent: they need none. */
  readonly doubt?: Core.Doubt
}

/** The service does not know the identifier. `suggestions` are the names that it suggests instead, if any. */
export interface Missing<out C = unknown> extends Place<C> {
  readonly _tag: "Missing"
  readonly suggestions?: ReadonlyArray<string>
}

/**
 * The identifier has no usable response. `error` has the reason. `records` are the records of a refused
 * response.
 */
export interface Failed<out E, out C = unknown> extends Place<C> {
  readonly _tag: "Failed"
  readonly error: E
  readonly records?: ReadonlyArray<unknown>
}

/** The text is not an identifier of the requested kind and was not requested. `id` is the text as given. */
export interface Invalid<out C = unknown> extends Place<C> {
  readonly _tag: "Invalid"
  readonly error: InvalidIdentifier.InvalidIdentifier
}

/**
 * A record of a response that belongs to no identifier. Surplus records follow the outcomes of their batch, and
 * are not counted as identifiers.
 *
 * - `unrequested`: its identifier was not requested.
 * - `repeated`: its identifier takes one record and has one.
 * - `unidentified`: it has no identifier.
 */
export interface Surplus extends Pick<Core.Surplus, "_tag" | "reason" | "record"> {
  /** The identifier of the record. Undefined: it has none. */
  readonly id: string | undefined
  /** A surplus record has no line of the input. */
  readonly line?: undefined
  readonly given?: undefined
  readonly carried?: undefined
}

/** The outcome of one identifier, or a record that belongs to none. */
export type Outcome<R, E, C = unknown> = Found<R, C> | Missing<C> | Failed<E, C> | Invalid<C> | Surplus

/** The kind of an outcome, for declarations of options (`Options`). */
export const kind: Options.AnyKind = Core.kind

/** Without data of the caller, the property `carried` is absent. */
const withoutCarried = <A extends Pick<Place, "id" | "line">>(
  outcome: A
): A & { readonly carried: undefined } => {
  Options.argument("id", Options.text, outcome.id)
  Options.argument("line", Options.amount, outcome.line)
  return outcome as A & { readonly carried: undefined }
}

/** Makes the outcome of an identifier with records. */
export const found = <R>(
  id: string,
  line: number,
  records: ReadonlyArray<R>,
  truncated?: Core.Truncation,
  doubt?: Core.Doubt
): Found<R, undefined> =>
  withoutCarried({
    _tag: "Found",
    id,
    line,
    records,
    ...(truncated === undefined ? {} : { truncated }),
    ...(doubt === undefined ? {} : { doubt })
  })

/** Makes the outcome of an unknown identifier, with the suggestions of the service. */
export const missing = (id: string, line: number, suggestions?: ReadonlyArray<string>): Missing<undefined> =>
  withoutCarried({
    _tag: "Missing",
    id,
    line,
    ...(suggestions === undefined ? {} : { suggestions })
  })

/** Makes the outcome of an identifier without a usable response, with the refused records, if any. */
export const failed = <E>(
  id: string,
  line: number,
  error: E,
  records?: ReadonlyArray<unknown>
): Failed<E, undefined> =>
  withoutCarried({
    _tag: "Failed",
    id,
    line,
    error,
    ...(records === undefined ? {} : { records })
  })

/** Makes the outcome of a text that is not an identifier. */
export const invalid = (
  id: string,
  line: number,
  error: InvalidIdentifier.InvalidIdentifier
): Invalid<undefined> =>
  withoutCarried({
    _tag: "Invalid",
    id,
    line,
    error
  })

/** Makes a record that belongs to no identifier. */
export const surplus = (reason: Core.SurplusReason, record: unknown, id?: string): Surplus => ({
  _tag: "Surplus",
  reason: Core.surplus(reason, record).reason,
  id,
  record
})

/** Returns a message that says why a record belongs to no identifier. */
export const surplusMessage = (outcome: Surplus): string => {
  const { id, reason } = Options.argument("surplus", Core.kind, outcome)
  return Core.surplusMessage({ key: id, reason })
}

/**
 * Describes an outcome in one line for people. `absent` returns the message for a missing identifier. Default:
 * the service does not know it.
 *
 * @example
 * ```ts
 * import { Outcome } from "@chemstream/stream"
 *
 * Outcome.describe(Outcome.found("DTXSID7020182", 1, [{}])) // => "found: DTXSID7020182: 1 record"
 * Outcome.describe(Outcome.missing("Bisphenol Q", 2, ["Bisphenol A"]))
 * // => "missing: Bisphenol Q: the service does not know Bisphenol Q; similar name: Bisphenol A"
 * Outcome.describe(Outcome.failed("DTXSID3039242", 3, new Error("the service answers 500")))
 * // => "failed: DTXSID3039242: the service answers 500"
 * ```
 */
export const describe = (
  outcome: Outcome<unknown, { readonly message: string }>,
  absent: (id: string) => string = absence
): string =>
  [
    Options.argument("outcome", Core.kind, outcome)._tag.toLowerCase(),
    outcome._tag === "Surplus" ? "" : outcome.id,
    messageOf(outcome, absent)
  ]
    .filter((part) => part !== "")
    .join(": ")
    .replace(/\s*[\r\n]\s*/g, " ")

const messageOf = (
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
