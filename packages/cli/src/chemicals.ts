/**
 * Chemicals for the commands that draw: an enrichment of identifiers, one entry for each of them in the order of the
 * input. What has no record is said on standard error, the first ones by name, and decides the exit code as in every run.
 */
import type { ChemClient, ChemError } from "@chemstream/client"
import type { Chemical, Report } from "@chemstream/figures"
import { RawRecord } from "@chemstream/ndjson"
import { Enrich, Ledger, type Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { absence } from "./absence.ts"
import { type CommandFailure, failed, incomplete, ofCall } from "./CommandFailure.ts"
import type { Input } from "./input.ts"
import * as progress from "./progress.ts"
import { count as grouped } from "./summary.ts"
import * as Messages from "./terminal/messages.ts"

/** The identifiers asked for together: few, because a batch is in memory with all its parts. */
const batchSize = 20

export interface Options {
  readonly concurrency: number
  readonly strictIds: boolean
  readonly failOnMissing: boolean
  /** What it means that nothing of a chemical came; that it is not known when not given. */
  readonly absent?: ((id: string) => string) | undefined
  readonly progress: progress.Style
}

/** A run over chemicals. */
export interface Chemicals {
  readonly entries: Stream.Stream<Report.Entry, CommandFailure, ChemClient.ChemClient>
  /** To be called when `entries` have ended: fails where an identifier did. */
  readonly settle: Effect.Effect<void, CommandFailure>
}

/** The parts of a chemical that a command asks for. */
export type Parts = {
  readonly [Name in Exclude<keyof Chemical.Chemical, "id">]?: Lookup.Lookup<RawRecord.RawRecord>
}

/** Asks for the parts of every chemical of an input. */
export const open = (input: Input, parts: Parts, options: Options): Chemicals => {
  const ledger = Ledger.make()
  const { absent, concurrency, failOnMissing, strictIds } = options
  const told = teller()
  const outcomes = Enrich.outcomes(input.identifiers, parts as Enrich.Parts, {
    batchSize,
    concurrency,
    strictIds,
    window: input.window,
    ledger
  })
  return {
    entries: Stream.unwrap(
      Effect.as(
        progress.show(ledger, input.total, options.progress),
        Stream.map(outcomes, (outcome) => entryOf(outcome, absent))
      )
    ).pipe(
      Stream.mapError((error) => {
        if (error._tag === "CommandFailure") return error
        return error._tag === "Incomplete" ? failed(error.message) : ofCall(error)
      }),
      Stream.tap((entry) => Effect.sync(() => told.tell(entry))),
      Stream.ensuring(Effect.sync(told.sumUp))
    ),
    settle: Effect.suspend(() =>
      ledger.failed > 0 || (failOnMissing && ledger.missing > 0) ? Effect.fail(incomplete) : Effect.void
    )
  }
}

/** What became of an identifier, as an entry of a report. */
export const entryOf = (
  outcome: Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError | Enrich.Incomplete>,
  absent: (id: string) => string = (id) => absence("", id)
): Report.Entry => {
  const { id } = outcome
  switch (outcome._tag) {
    case "Found":
      return { _tag: "Chapter", chemical: chemicalOf(id, outcome.records[0]) }
    case "Missing":
      return { _tag: "Absent", id, outcome: "missing", message: absent(id) }
    case "Invalid":
      return { _tag: "Absent", id, outcome: "invalid", message: outcome.error.message }
    case "Failed": {
      const [record] = outcome.records ?? []
      const { message } = outcome.error
      const chemical = RawRecord.isRawRecord(record) ? chemicalOf(id, record) : { id }
      // Of what came without anything to show there is no chapter.
      return Object.values(chemical).some((part) => typeof part === "object")
        ? { _tag: "Chapter", chemical, note: message }
        : { _tag: "Absent", id, outcome: "failed", message }
    }
  }
}

const chemicalOf = (id: string, record: RawRecord.RawRecord | undefined): Chemical.Chemical => {
  const parts: Record<string, unknown> = record === undefined ? {} : JSON.parse(RawRecord.toText(record))
  const { query: _, ...known } = parts
  return { id, ...Object.fromEntries(Object.entries(known).filter(([, part]) => part !== null)) }
}

/** The identifiers of an outcome that are told by name; of a long list more would hide everything else. */
const told = 5

/** Says on standard error what is missing. */
export interface Teller {
  /** Says it of an identifier, where there is something to say. */
  readonly tell: (entry: Report.Entry) => void
  /** Says of how many it was not said. */
  readonly sumUp: () => void
}

export const teller = (): Teller => {
  const counts = new Map<string, number>()
  return {
    tell: (entry) => {
      const [outcome, line] =
        entry._tag === "Absent"
          ? [entry.outcome, `${entry.id}: ${entry.message}`]
          : ["incomplete", entry.note === undefined ? undefined : `${entry.chemical.id}: ${entry.note}`]
      if (line === undefined) return
      const count = (counts.get(outcome) ?? 0) + 1
      counts.set(outcome, count)
      if (count <= told) Messages.say(`chemstream: ${outcome}: ${line}\n`)
    },
    sumUp: () => {
      for (const [outcome, count] of counts) {
        if (count > told) Messages.say(`chemstream: ${outcome}: ${grouped(count - told)} more\n`)
      }
    }
  }
}
