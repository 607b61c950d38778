/**
 * Writes the outcomes that need a review as lines of NDJSON: all but `Found`, and each `Found` with a doubt. The errors file of the
 * command and the problems of a harvest have these lines. Words the message of an ambiguous or conflicting identifier.
 *
 * The command reads such lines to retry their identifiers.
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

/** An outcome other than `Found`. */
export type Problem<E, C = unknown> = Exclude<Outcome<never, E, C>, { readonly _tag: "Found" }>

/** A found identifier whose records need a review. */
export interface Doubtful<R, C = unknown> extends Found<R, C> {
  readonly doubt: NonNullable<Found<R>["doubt"]>
}

/** An outcome that needs a review: a line of the errors file. */
export type Listed<R, E, C = unknown> = Problem<E, C> | Doubtful<R, C>

/** Returns whether an outcome needs a review. */
export const isListed = <R, E, C>(outcome: Outcome<R, E, C>): outcome is Listed<R, E, C> =>
  Options.argument("outcome", Core.kind, outcome)._tag !== "Found" ||
  (outcome as Found<R>).doubt !== undefined

/** The messages about identifiers. */
export interface Messages {
  /** About a missing identifier. Default: the service does not know it. */
  readonly absent?: ((id: string) => string) | undefined
  /** About a found identifier with a doubt. Default: the meaning of the doubt. */
  readonly doubtful?: ((outcome: Doubtful<unknown>) => string | null) | undefined
  /** Returns an identifier for people. Default: unchanged. */
  readonly shown?: ((text: string) => string) | undefined
}

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
export const toLine = (problem: Listed<unknown, Failure>, messages: Messages = {}): string => {
  const text = JSON.stringify(toValue(problem, messages))
  const line = RawRecord.isRawRecord(problem.carried)
    ? `${text.slice(0, -1)},"carried":${oneLine(problem.carried)}}`
    : text
  const records = recordsOf(problem)
  return records === undefined ? line : `${line.slice(0, -1)},"records":[${records.map(oneLine).join(",")}]}`
}

const recordsOf = (problem: Listed<unknown, Failure>): ReadonlyArray<unknown> | undefined => {
  if (problem._tag === "Surplus") return [problem.record]
  return problem._tag === "Failed" ? problem.records : undefined
}

/** Like `toLine`, but returns a value, without `carried` and `records`. */
export const toValue = (
  problem: Listed<unknown, Failure>,
  { absent = absence, doubtful = () => null, shown = (text) => text }: Messages = {}
): Line => {
  Options.argument("problem", Core.kind, problem)
  if (problem._tag === "Surplus") {
    const { id, reason } = problem
    const error = { tag: "Surplus", reason, message: surplusMessage(problem) }
    return { ...(id === undefined ? {} : { id }), outcome: "surplus", error }
  }
  const { given, line: at } = problem
  const id = shown(problem.id)
  const line = { line: at, ...(given === undefined ? {} : { given: shown(given) }) }
  switch (problem._tag) {
    case "Found": {
      const { message, tag } = doubts[problem.doubt]
      return {
        id,
        outcome: problem.doubt,
        error: { tag, message: doubtful(problem) ?? message },
        ...line
      }
    }
    case "Missing":
      return {
        id,
        outcome: "missing",
        error: { tag: "Missing", ...missing(withRepair(absent(id), problem), problem.suggestions) },
        ...line
      }
    case "Failed":
      return { id, outcome: "failed", error: describeError(problem.error), ...line }
    case "Invalid":
      return { id, outcome: "invalid", error: describeError(problem.error), ...line }
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

const decoder = new TextDecoder()

const oneLine = (record: unknown): string =>
  RawRecord.isRawRecord(record) ? decoder.decode(RawRecord.toLine(record)).trim() : JSON.stringify(record)
