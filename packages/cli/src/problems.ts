/**
 * The identifiers without a record, as NDJSON: what `--errors FILE` holds, one line each.
 */
import type { ChemError } from "@chemstream/client"
import type { Outcome } from "@chemstream/stream"

const encoder = new TextEncoder()

/** An outcome other than `Found`. */
export type Problem = Exclude<Outcome.Outcome<never, ChemError.ChemError>, { readonly _tag: "Found" }>

/** The lines of some problems: `{"id","outcome","error":{"tag","message",…},"line"}`. */
export const encode = (problems: ReadonlyArray<Problem>): Uint8Array =>
  encoder.encode(problems.map((problem) => `${JSON.stringify(describe(problem))}\n`).join(""))

const describe = (problem: Problem): object => {
  const { id, line } = problem
  switch (problem._tag) {
    case "Missing":
      return {
        id,
        outcome: "missing",
        error: { tag: "Missing", message: `the service does not know ${id}` },
        line
      }
    case "Failed":
      return { id, outcome: "failed", error: describeError(problem.error), line }
    case "Invalid":
      return { id, outcome: "invalid", error: describeError(problem.error), line }
  }
}

const describeError = ({
  _tag,
  message,
  ...rest
}: {
  readonly _tag: string
  readonly message: string
}): object => ({
  tag: _tag,
  message,
  ...rest
})
