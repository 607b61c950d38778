/**
 * Prints the problems of a command that draws, on standard error: missing, invalid and failed identifiers, the first ones by name, and
 * surplus records.
 */

import type { ChemError } from "@chemstream/client"
import type { Report } from "@chemstream/figures"
import type { RawRecord } from "@chemstream/ndjson"
import { type Enrich, Outcome } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import * as EmptyValues from "../input/emptyValues.ts"
import * as MistakenKinds from "../input/mistakenKinds.ts"
import type { Input } from "../input/openInput.ts"
import * as RepairCount from "../run/repairCount.ts"
import * as Messages from "../terminal/messages.ts"
import { count as grouped } from "../terminal/quantities.ts"

/** The outcome of a chemical. */
export type ChemicalOutcome = Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError | Enrich.Incomplete>

/** The largest number of identifiers that are printed by name, for each outcome. */
const mostNamed = 5

/** Prints problems on standard error: missing, invalid and failed identifiers, and surplus records. */
export interface ProblemPrinter {
  /** Prints an outcome, unless it is complete. */
  readonly print: (entry: Report.Entry) => void
  /** Whether an outcome belongs to an identifier. Prints a surplus record. */
  readonly isEntry: <O extends ChemicalOutcome>(outcome: O) => outcome is Exclude<O, Outcome.Surplus>
  /** Passes entries on. At the end, prints the number of unnamed problems. Fails if every value was invalid. */
  readonly reportAtEnd: <A, R>(
    entries: Stream.Stream<A, CommandFailure, R>
  ) => Stream.Stream<A, CommandFailure, R>
}

export const make = ({ isArguments = false }: Pick<Input, "isArguments">, quiet = false): ProblemPrinter => {
  const repairs = RepairCount.make()
  const counts = new Map<string, number>()
  const mistakenKinds = MistakenKinds.make()
  const empty = EmptyValues.make()
  let isUsable = false
  const where = (line: number | undefined): string =>
    isArguments || line === undefined ? "" : `line ${line}: `
  const say = (outcome: string, line: string): void => {
    const count = (counts.get(outcome) ?? 0) + 1
    counts.set(outcome, count)
    if (count <= mostNamed) Messages.say(`chemstream: ${outcome}: ${line}\n`)
  }
  return {
    print: (entry) => {
      if (entry._tag !== "Absent" || entry.outcome !== "invalid") isUsable = true
      else if (empty.look(entry.id, entry.line ?? 0, entry.message)) {
        counts.set("invalid", counts.get("invalid") ?? 0)
        return
      } else mistakenKinds.look(entry.id)
      if (entry._tag === "Absent") {
        const name = entry.id === "" ? "" : `${entry.id}: `
        say(entry.outcome, `${where(entry.line)}${name}${entry.message}`)
      } else if (entry.note !== undefined) say("incomplete", `${entry.chemical.id}: ${entry.note}`)
    },
    isEntry: <O extends ChemicalOutcome>(outcome: O): outcome is Exclude<O, Outcome.Surplus> => {
      if (outcome._tag === "Surplus") say("surplus", Outcome.surplusMessage(outcome))
      else repairs.look(outcome)
      return outcome._tag !== "Surplus"
    },
    reportAtEnd: (entries) =>
      entries.pipe(
        Stream.onEnd(
          Effect.suspend(() =>
            isUsable || !counts.has("invalid") ? Effect.void : mistakenKinds.nothingValid()
          )
        ),
        Stream.ensuring(
          Effect.sync(() => {
            const repaired = repairs.toText()
            if (repaired !== undefined && !quiet) Messages.say(`chemstream: ${repaired}\n`)
            const without = empty.toText()
            if (without !== undefined) Messages.say(`chemstream: invalid: ${without}\n`)
            for (const [outcome, count] of counts) {
              if (count > mostNamed)
                Messages.say(`chemstream: ${outcome}: ${grouped(count - mostNamed)} more\n`)
            }
          })
        )
      )
  }
}
