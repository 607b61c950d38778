/**
 * Writes the outcomes that need a review as lines of the errors file (NDJSON). Words the message of an ambiguous or conflicting
 * identifier.
 *
 * `Problem` is an outcome without a usable record. `Doubtful` has records, but its identifier may mean several substances.
 * `Listed` is either: the outcomes with a line. The command reads the lines to retry their identifiers.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { Outcome as Core, Options } from "@chemstream/batch"
import { RawRecord } from "@chemstream/ndjson"
import { Schema } from "effect"
import { absence, withRepair, withSuggestions } from "./internal/missingMessages.ts"
import { type Found, type Outcome, surplusMessage } from "./Outcome.ts"

/** The schema of a line of the errors file. */
export const Line = Schema.Struct({
  id: Schema.optionalKey(
    Schema.String.annotate({ description: "The identifier in canonical spelling; an invalid one as given" })
  ),
  outcome: Schema.Literals(["missing", "failed", "invalid", "ambiguous", "conflict", "surplus"]).annotate({
    description:
      "The outcome of the identifier; ambiguous and conflict are found too; surplus is a record that belongs to no identifier"
  }),
  error: Schema.StructWithRest(
    Schema.Struct({
      tag: Schema.String.annotate({ description: "The name of the error (docs/errors.md)" }),
      message: Schema.String.annotate({ description: "The reason, and what to do" })
    }),
    [Schema.Record(Schema.String, Schema.Unknown)]
  ),
  line: Schema.optionalKey(Schema.Int.annotate({ description: "Line of the input, from 1" })),
  given: Schema.optionalKey(
    Schema.String.annotate({
      description: "The identifier as given, if it differs from the canonical spelling"
    })
  ),
  carried: Schema.optionalKey(
    Schema.Unknown.annotate({ description: "The fields of the input that the run keeps" })
  ),
  records: Schema.optionalKey(
    Schema.Array(Schema.Unknown).annotate({
      description: "The records that were refused or belong to no identifier, as received"
    })
  )
}).annotate({ title: "Line of the errors file" })

/** A line of the errors file. */
export type Line = typeof Line.Type

/** An outcome other than `Found`: the identifier has no usable record, or the record has no identifier. */
export type Problem<E, C = unknown> = Exclude<Outcome<never, E, C>, { readonly _tag: "Found" }>

/** A found identifier whose records need a review: it is ambiguous, or its identifiers are in conflict. */
export interface Doubtful<R, C = unknown> extends Found<R, C> {
  readonly doubt: NonNullable<Found<R>["doubt"]>
}

/** An outcome with a line in the errors file. */
export type Listed<R, E, C = unknown> = Problem<E, C> | Doubtful<R, C>

/** Returns whether an outcome has a line in the errors file. */
export const isListed = <R, E, C>(outcome: Outcome<R, E, C>): outcome is Listed<R, E, C> =>
  Options.argument("outcome", Core.kind, outcome)._tag !== "Found" ||
  (outcome as Found<R>).doubt !== undefined

/** The texts of the lines that the caller words. */
export interface Messages {
  /** About a missing identifier. Default: the service does not know it. */
  readonly absent?: ((id: string) => string) | undefined
  /** About a found identifier with a doubt. Default: the meaning of the doubt. */
  readonly doubtful?: ((outcome: Doubtful<unknown>) => string | null) | undefined
  /** Returns an identifier for people. Default: unchanged. */
  readonly shown?: ((text: string) => string) | undefined
}

/** The errors of identifiers with a doubt, unless the caller words them. */
const doubts = {
  ambiguous: { tag: "Ambiguous", message: "it may mean several substances" },
  conflict: { tag: "Conflict", message: "its identifiers are different substances" }
}

/** An error with a tag and a message. Its other fields are written too. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

/**
 * Writes one line, without its newline: `{"id","outcome","error":{"tag","message",…},"line"}`.
 *
 * `given` is added if the input had another spelling, `carried` if the input carried a record, and `records` if
 * the service sent records that were refused or belong to no identifier.
 *
 * @example
 * ```ts
 * import { Outcome, Problem } from "@chemstream/stream"
 *
 * Problem.toLine(Outcome.missing("DTXSID7020182", 3))
 * // => '{"id":"DTXSID7020182","outcome":"missing","error":{"tag":"Missing","message":"the service does not know DTXSID7020182"},"line":3}'
 * ```
 */
export const toLine = (outcome: Listed<unknown, Failure>, messages: Messages = {}): string => {
  const text = JSON.stringify(toValue(outcome, messages))
  const line = RawRecord.isRawRecord(outcome.carried)
    ? `${text.slice(0, -1)},"carried":${oneLine(outcome.carried)}}`
    : text
  const records = recordsOf(outcome)
  return records === undefined ? line : `${line.slice(0, -1)},"records":[${records.map(oneLine).join(",")}]}`
}

const recordsOf = (outcome: Listed<unknown, Failure>): ReadonlyArray<unknown> | undefined => {
  if (outcome._tag === "Surplus") return [outcome.record]
  return outcome._tag === "Failed" ? outcome.records : undefined
}

/** Like `toLine`, but returns a value, without `carried` and `records`. */
export const toValue = (
  outcome: Listed<unknown, Failure>,
  { absent = absence, doubtful = () => null, shown = (text) => text }: Messages = {}
): Line => {
  Options.argument("problem", Core.kind, outcome)
  if (outcome._tag === "Surplus") {
    const { id, reason } = outcome
    const error = { tag: "Surplus", reason, message: surplusMessage(outcome) }
    return { ...(id === undefined ? {} : { id }), outcome: "surplus", error }
  }
  const { given, line: at } = outcome
  const id = shown(outcome.id)
  const line = { line: at, ...(given === undefined ? {} : { given: shown(given) }) }
  switch (outcome._tag) {
    case "Found": {
      const { message, tag } = doubts[outcome.doubt]
      return {
        id,
        outcome: outcome.doubt,
        error: { tag, message: doubtful(outcome) ?? message },
        ...line
      }
    }
    case "Missing":
      return {
        id,
        outcome: "missing",
        error: { tag: "Missing", ...missing(withRepair(absent(id), outcome), outcome.suggestions) },
        ...line
      }
    case "Failed":
      return { id, outcome: "failed", error: describeError(outcome.error), ...line }
    case "Invalid":
      return { id, outcome: "invalid", error: describeError(outcome.error), ...line }
  }
}

const missing = (message: string, suggestions: ReadonlyArray<string> = []) => ({
  message: withSuggestions(message, suggestions),
  ...(suggestions.length === 0 ? {} : { suggestions })
})

const describeError = ({
  _tag,
  message,
  ...rest
}: Failure | InvalidIdentifier.InvalidIdentifier): Line["error"] => ({
  tag: _tag,
  message,
  ...rest
})

const oneLine = (record: unknown): string =>
  RawRecord.isRawRecord(record) ? RawRecord.toJson(record).trim() : JSON.stringify(record)
