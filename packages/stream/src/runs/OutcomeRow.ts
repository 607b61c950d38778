/**
 * Turns outcomes into rows of a table, for outputs that keep every outcome next to the records.
 *
 * `Problem` writes the lines of the errors file, which have more about failures and nothing about found
 * identifiers.
 */
import { Outcome as Core, Options } from "@chemstream/batch"
import { Schema } from "effect"
import { absence, repairOf } from "./internal/missingMessages.ts"
import type { Outcome, Surplus } from "./Outcome.ts"
import * as Problem from "./Problem.ts"

/** The schema of the outcome of one identifier as a flat row, for tables of outcomes. */
export const OutcomeRow = Schema.Struct({
  id: Schema.String.annotate({
    description: "The identifier in canonical spelling; an invalid one as given"
  }),
  outcome: Schema.Literals(["found", "missing", "failed", "invalid"]).annotate({
    description: "The outcome of the identifier"
  }),
  records: Schema.Int.annotate({ description: "Number of its records" }),
  truncated: Schema.NullOr(Schema.String).annotate({
    description: "Why the records are incomplete; null if they are complete"
  }),
  line: Schema.Int.annotate({ description: "Line of the input, from 1" }),
  given: Schema.NullOr(Schema.String).annotate({
    description: "The identifier as given, if it differs from the canonical spelling"
  }),
  message: Schema.NullOr(Schema.String).annotate({
    description: "Why there is no record, or how a damaged identifier was read, for people"
  }),
  error: Schema.NullOr(Problem.Line.fields.error).annotate({ description: "The error with all its fields" })
}).annotate({ title: "Outcome of an identifier", "x-primary-key": ["line", "id"] })

/** The outcome of one identifier as a flat row, for tables of outcomes. */
export type OutcomeRow = typeof OutcomeRow.Type

/**
 * Makes the row of an outcome. `absent` returns the message for a missing identifier. Default: the service does
 * not know it.
 *
 * @example
 * ```ts
 * import { Outcome, OutcomeRow } from "@chemstream/stream"
 *
 * OutcomeRow.make(Outcome.missing("DTXSID7020182", 3)).message // => "the service does not know DTXSID7020182"
 * ```
 */
export const make = (
  outcome: Exclude<Outcome<unknown, Problem.Failure>, Surplus>,
  absent: (id: string) => string = absence
): OutcomeRow => {
  const { given = null, id, line } = Options.argument("outcome", Core.kind, outcome)
  if (outcome._tag === "Found") {
    const { records, truncated = null } = outcome
    return {
      id,
      outcome: "found",
      records: records.length,
      truncated,
      line,
      given,
      message: repairOf(outcome),
      error: null
    }
  }
  const { error } = Problem.toValue(outcome, { absent })
  const what = ({ Missing: "missing", Failed: "failed", Invalid: "invalid" } as const)[outcome._tag]
  return { id, outcome: what, records: 0, truncated: null, line, given, message: error.message, error }
}
