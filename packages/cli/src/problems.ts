/**
 * The identifiers without a record: as NDJSON, which is what `--errors FILE` holds, and their reasons in few words.
 */
import type { ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import type { Outcome } from "@chemstream/stream"
import { absence } from "./absence.ts"

const encoder = new TextEncoder()

/** An outcome other than `Found`. */
export type Problem = Exclude<Outcome.Outcome<never, ChemError.ChemError>, { readonly _tag: "Found" }>

/**
 * The lines of some problems: `{"id","outcome","error":{"tag","message",…},"line"}`, and `"records"`, as they came, where
 * the service answered what was refused. The endpoint says what it means that something is missing.
 */
export const encode = (problems: ReadonlyArray<Problem>, endpoint: string): Uint8Array =>
  encoder.encode(
    problems
      .map((problem) => `${withRecords(JSON.stringify(describe(problem, endpoint)), problem)}\n`)
      .join("")
  )

const withRecords = (line: string, problem: Problem): string => {
  if (problem._tag !== "Failed" || problem.records === undefined) return line
  const records = problem.records.map((record) => RawRecord.toText(record as RawRecord.RawRecord).trim())
  return `${line.slice(0, -1)},"records":[${records.join(",")}]}`
}

/** The reasons of a run's problems, each kind counted and told once. */
export interface Reasons {
  readonly add: (problems: ReadonlyArray<Problem>) => void
  /** A line a kind of failure; where not quiet, also one for what was invalid. Empty when there is nothing to tell. */
  readonly toText: (quiet: boolean) => string
}

export const reasons = (): Reasons => {
  const failures = new Map<string, { count: number; readonly first: string }>()
  let invalid = 0
  let firstInvalid = ""
  return {
    add: (problems) => {
      for (const problem of problems) {
        if (problem._tag === "Missing") continue
        if (problem._tag === "Invalid") {
          if (invalid++ === 0) firstInvalid = `line ${problem.line}: ${problem.error.message}`
          continue
        }
        const { _tag, message } = problem.error
        const known = failures.get(_tag)
        if (known === undefined) failures.set(_tag, { count: 1, first: message })
        else known.count++
      }
    },
    toText: (quiet) => {
      const lines = Array.from(failures, ([tag, { count, first }]) => `${count} failed: ${tag}: ${first}`)
      if (invalid > 0 && !quiet) lines.push(`${invalid} invalid, the first in ${firstInvalid}`)
      return lines.map((line) => `${line}\n`).join("")
    }
  }
}

const describe = (problem: Problem, endpoint: string): object => {
  const { id, line } = problem
  switch (problem._tag) {
    case "Missing":
      return {
        id,
        outcome: "missing",
        error: { tag: "Missing", ...missing(absence(endpoint, id), problem.suggestions) },
        line
      }
    case "Failed":
      return { id, outcome: "failed", error: describeError(problem.error), line }
    case "Invalid":
      return { id, outcome: "invalid", error: describeError(problem.error), line }
  }
}

const missing = (message: string, suggestions: ReadonlyArray<string> = []): object =>
  suggestions.length === 0
    ? { message }
    : { message: `${message}; it suggests ${suggestions.join(", ")}`, suggestions }

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
