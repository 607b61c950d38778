/**
 * The lines of a run's summary about its failed, invalid and repaired values: their numbers, and the first reason of each kind.
 */
import { adviceFor } from "../CommandFailure.ts"
import * as EmptyValues from "../input/emptyValues.ts"
import * as MistakenKinds from "../input/mistakenKinds.ts"
import type { Problem } from "./problemLines.ts"
import * as RepairCount from "./repairCount.ts"

/** Counts the problems of a run by kind, with the first reason of each. */
export interface ProblemSummary {
  readonly add: (problems: ReadonlyArray<Problem>) => void
  /** Counts an outcome if its identifier was repaired: `look` of `repairCount.ts`. */
  readonly addRepair: RepairCount.Repairs["look"]
  /** Counts the identifiers of the input that are repaired, instead of those of outcomes. */
  readonly watchRepairs: RepairCount.Repairs["watch"]
  /**
   * Returns one line for each kind of failure. Unless quiet, adds a line for invalid values. Empty: no problems. In a continued run, the
   * lines say that they are about this part of the run.
   */
  readonly toText: (quiet: boolean, isContinued: boolean) => string
  /** Returns the failure of a run whose values are all invalid, with the kind that they look like. */
  readonly nothingValid: MistakenKinds.MistakenKinds["nothingValid"]
}

export const make = (): ProblemSummary => {
  const failures = new Map<string, { count: number; readonly first: string }>()
  const mistakenKinds = MistakenKinds.make()
  const empty = EmptyValues.make()
  const repairs = RepairCount.make()
  let invalid = 0
  let firstInvalid = ""
  return {
    add: (problems) => {
      for (const problem of problems) {
        if (problem._tag !== "Failed" && problem._tag !== "Invalid") continue
        if (problem._tag === "Invalid") {
          const text = problem.given ?? problem.id
          if (empty.look(text, problem.line, problem.error.message)) continue
          mistakenKinds.look(text)
          if (invalid++ === 0) firstInvalid = `line ${problem.line}: ${problem.error.message}`
          continue
        }
        const { _tag, message } = problem.error
        const known = failures.get(_tag)
        const first = `${message}${adviceFor(problem.error)}`
        if (known === undefined) failures.set(_tag, { count: 1, first })
        else known.count++
      }
    },
    addRepair: repairs.look,
    watchRepairs: repairs.watch,
    nothingValid: mistakenKinds.nothingValid,
    toText: (quiet, isContinued) => {
      const where = isContinued ? " in this part of the run" : ""
      const lines = Array.from(
        failures,
        ([tag, { count, first }]) => `${count} failed${where}: ${tag}: ${first}`
      )
      const repaired = repairs.toText(where)
      if (repaired !== undefined && !quiet) lines.push(repaired)
      const without = empty.toText()
      if (without !== undefined && !quiet) lines.push(`invalid${where}: ${without}`)
      if (invalid > 0 && !quiet) lines.push(`${invalid} invalid${where}, the first in ${firstInvalid}`)
      return lines.map((line) => `${line}\n`).join("")
    }
  }
}
