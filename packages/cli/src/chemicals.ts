/**
 * Chemicals for the commands that draw: an enrichment of identifiers, one entry for each of them in the order of the
 * input. What has no record is said on standard error, each identifier once, and decides the exit code as in every run.
 */
import type { ChemClient, ChemError } from "@chemstream/client"
import type { Chemical, Report } from "@chemstream/figures"
import { RawRecord } from "@chemstream/ndjson"
import { Enrich, Ledger, type Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { type CommandFailure, failed, incomplete, ofCall } from "./CommandFailure.ts"
import type { Input } from "./input.ts"
import * as progress from "./progress.ts"

/** The identifiers asked for together: few, because a batch is in memory with all its parts. */
export const batchSize = 20

export interface Options {
  readonly concurrency: number
  readonly strictIds: boolean
  readonly failOnMissing: boolean
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
  const { concurrency, failOnMissing, strictIds } = options
  const outcomes = Enrich.outcomes(input.identifiers, parts as Enrich.Parts, {
    batchSize,
    concurrency,
    strictIds,
    window: input.window,
    ledger
  })
  return {
    entries: Stream.unwrap(
      Effect.as(progress.show(ledger, input.total, options.progress), Stream.map(outcomes, entryOf))
    ).pipe(
      Stream.mapError((error) => {
        if (error._tag === "CommandFailure") return error
        return error._tag === "Incomplete" ? failed(error.message) : ofCall(error)
      }),
      Stream.tap((entry) => Effect.sync(() => tell(entry)))
    ),
    settle: Effect.suspend(() =>
      ledger.failed > 0 || (failOnMissing && ledger.missing > 0) ? Effect.fail(incomplete) : Effect.void
    )
  }
}

/** What became of an identifier, as an entry of a report. */
export const entryOf = (
  outcome: Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError | Enrich.Incomplete>
): Report.Entry => {
  const { id } = outcome
  switch (outcome._tag) {
    case "Found":
      return { _tag: "Chapter", chemical: chemicalOf(id, outcome.records[0]) }
    case "Missing":
      return { _tag: "Absent", id, outcome: "missing", message: `the service does not know ${id}` }
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

/** Says what is missing of an identifier. */
export const tell = (entry: Report.Entry): void => {
  const line =
    entry._tag === "Absent"
      ? `${entry.outcome}: ${entry.id}: ${entry.message}`
      : entry.note === undefined
        ? undefined
        : `incomplete: ${entry.chemical.id}: ${entry.note}`
  if (line !== undefined) process.stderr.write(`chemstream: ${line}\n`)
}
