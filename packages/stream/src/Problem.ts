/**
 * The outcomes without a record, as lines of NDJSON: what `--errors FILE` of the command holds, and what a harvest keeps of them.
 *
 * Reading such lines to ask for their identifiers again is the command's.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { absence, withSuggestions } from "./internal/words.ts"
import type { Outcome } from "./Outcome.ts"

/** An outcome other than `Found`. */
export type Problem<E> = Exclude<Outcome<never, E>, { readonly _tag: "Found" }>

/** What can be said of a failure: its tag, its message, and whatever other fields it has. */
interface Failure {
  readonly _tag: string
  readonly message: string
}

/**
 * One line, without its newline: `{"id","outcome","error":{"tag","message",…},"line"}`; `"given"` where the input spelt
 * it otherwise, `"carried"` where that carried a record; and `"records"`, as they came, where the service answered what
 * was refused. `absent` says what it means that something is missing; that the service does not know it, unless given.
 *
 * @example
 * ```ts
 * import { Outcome, Problem } from "@chemstream/stream"
 *
 * Problem.toLine(Outcome.missing("DTXSID7020182", 3))
 * // => '{"id":"DTXSID7020182","outcome":"missing","error":{"tag":"Missing","message":"the service does not know DTXSID7020182"},"line":3}'
 * ```
 */
export const toLine = (problem: Problem<Failure>, absent: (id: string) => string = absence): string => {
  const text = JSON.stringify(describe(problem, absent))
  const line = RawRecord.isRawRecord(problem.carried)
    ? `${text.slice(0, -1)},"carried":${oneLine(problem.carried)}}`
    : text
  if (problem._tag !== "Failed" || problem.records === undefined) return line
  const records = problem.records.map((record) => oneLine(record as RawRecord.RawRecord))
  return `${line.slice(0, -1)},"records":[${records.join(",")}]}`
}

const describe = (problem: Problem<Failure>, absent: (id: string) => string): object => {
  const { given, id, line: at } = problem
  const line = { line: at, ...(given === undefined ? {} : { given }) }
  switch (problem._tag) {
    case "Missing":
      return {
        id,
        outcome: "missing",
        error: { tag: "Missing", ...missing(absent(id), problem.suggestions) },
        ...line
      }
    case "Failed":
      return { id, outcome: "failed", error: describeError(problem.error), ...line }
    case "Invalid":
      return { id, outcome: "invalid", error: describeError(problem.error), ...line }
  }
}

const missing = (message: string, suggestions: ReadonlyArray<string> = []): object => ({
  message: withSuggestions(message, suggestions),
  ...(suggestions.length === 0 ? {} : { suggestions })
})

const describeError = ({
  _tag,
  message,
  ...rest
}: Failure | InvalidIdentifier.InvalidIdentifier): object => ({
  tag: _tag,
  message,
  ...rest
})

const decoder = new TextDecoder()

const oneLine = (record: RawRecord.RawRecord): string => decoder.decode(RawRecord.toLine(record)).trim()
