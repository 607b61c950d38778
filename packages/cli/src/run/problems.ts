/**
 * The outcomes other than found: as NDJSON for the errors file, and their reasons in few words.
 */
import type { ChemError } from "@chemstream/client"
import { Problem as StreamProblem } from "@chemstream/stream"
import { adviceOn } from "../CommandFailure.ts"
import * as Lookalikes from "../input/lookalikes.ts"
import { absence } from "./missingMeaning.ts"

const encoder = new TextEncoder()

/** An outcome other than `Found`. */
export type Problem = StreamProblem.Problem<ChemError.ChemError>

/**
 * The lines of some problems. The endpoint says what it means that something is missing, and `shown` how a text that was
 * requested looks to people. Default: as it is.
 */
export const encode = (
  problems: ReadonlyArray<Problem>,
  endpoint: string,
  shown: (text: string) => string = (text) => text
): Uint8Array =>
  encoder.encode(
    problems
      .map((problem) => `${StreamProblem.toLine(problem, (id) => absence(endpoint, shown(id)))}\n`)
      .join("")
  )

/** The reasons of a run's problems, each kind counted and told once. */
export interface Reasons {
  readonly add: (problems: ReadonlyArray<Problem>) => void
  /**
   * A line a kind of failure; where not quiet, also one for what was invalid. Empty when there is nothing to tell. A
   * continued run says that these are its own, without those of the part before.
   */
  readonly toText: (quiet: boolean, isContinued: boolean) => string
  /** The end of a run whose values were all invalid, with what they look like. */
  readonly nothingValid: Lookalikes.Lookalikes["nothingValid"]
}

export const reasons = (): Reasons => {
  const failures = new Map<string, { count: number; readonly first: string }>()
  const lookalikes = Lookalikes.make()
  let invalid = 0
  let firstInvalid = ""
  return {
    add: (problems) => {
      for (const problem of problems) {
        if (problem._tag === "Missing" || problem._tag === "Surplus") continue
        if (problem._tag === "Invalid") {
          lookalikes.look(problem.given ?? problem.id)
          if (invalid++ === 0) firstInvalid = `line ${problem.line}: ${problem.error.message}`
          continue
        }
        const { _tag, message } = problem.error
        const known = failures.get(_tag)
        const first = `${message}${adviceOn(problem.error)}`
        if (known === undefined) failures.set(_tag, { count: 1, first })
        else known.count++
      }
    },
    nothingValid: lookalikes.nothingValid,
    toText: (quiet, isContinued) => {
      const where = isContinued ? " in this part of the run" : ""
      const lines = Array.from(
        failures,
        ([tag, { count, first }]) => `${count} failed${where}: ${tag}: ${first}`
      )
      if (invalid > 0 && !quiet) lines.push(`${invalid} invalid${where}, the first in ${firstInvalid}`)
      return lines.map((line) => `${line}\n`).join("")
    }
  }
}
