/**
 * Fetches chemicals for the commands that draw (`show`, `plot`, `report`): one entry for each identifier, in the order of the input. A
 * chemical with data is a `Chapter`, any other identifier is `Absent` (`Report.Entry`). The exit code follows the rules of every run.
 */
import type { ChemClient } from "@chemstream/client"
import type { Chemical, Report } from "@chemstream/figures"
import { RawRecord } from "@chemstream/ndjson"
import { Enrich, Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { type CommandFailure, callFailure, incompleteRun, runFailure } from "../CommandFailure.ts"
import { isFailure, type ReasonToFail } from "../flags/failOn.ts"
import type { Input } from "../input/openInput.ts"
import { missingMeaning } from "../output/missingMeaning.ts"
import * as RunPlan from "../run/runPlan.ts"
import type * as progress from "../terminal/runProgress.ts"
import * as ProblemPrinter from "./problemPrinter.ts"

/**
 * Returns the number of identifiers in one batch, which is in memory with all its parts. A file is complete only at the end of the run, but
 * standard output gets each batch when it has arrived.
 */
const batchSizeOf = (output: string | undefined): number => (output !== undefined ? 100 : 20)

export interface Options {
  readonly concurrency: number
  readonly strictIds: boolean
  /** The counts that make the run fail, besides failed chemicals. */
  readonly failOn: ReadonlyArray<ReasonToFail>
  /** How long to wait for an unavailable service, in milliseconds. */
  readonly wait: number
  /** The meaning of `missing` for a chemical. Default: the service does not know it. */
  readonly absent?: ((id: string) => string) | undefined
  readonly progress: progress.Style
  /** Whether not to say that the run is long, or that identifiers were repaired. Default: false. */
  readonly quiet?: boolean
  /** The file of the pictures. Default: standard output. */
  readonly output: string | undefined
}

/** A run over chemicals. */
export interface Chemicals {
  readonly entries: Stream.Stream<Report.Entry, CommandFailure, ChemClient.ChemClient>
  /** Prints the plan of the run. Run it instead of `entries`. */
  readonly plan: Effect.Effect<void, CommandFailure, ChemClient.ChemClient>
  /** Fails if an identifier failed, or is one of `failOn`. Run it after all `entries`. */
  readonly settle: Effect.Effect<void, CommandFailure>
}

/** The lookups of the parts of a chemical. */
export type Parts = {
  readonly [Name in Exclude<
    keyof Chemical.Chemical,
    "assayNames" | "id"
  >]?: Lookup.Lookup<RawRecord.RawRecord>
}

/** Fetches the parts of every chemical of an input. */
export const open = (input: Input, parts: Parts, options: Options): Chemicals => {
  const ledger = Ledger.make()
  const { absent, concurrency, failOn, strictIds, wait } = options
  const problems = ProblemPrinter.make(input, options.quiet)
  const batches = { batchSize: batchSizeOf(options.output), concurrency, strictIds }
  const lookup = Enrich.lookup(parts as Enrich.Parts, batches)
  const outcomes = Lookup.outcomes(input.identifiers, lookup, {
    ...batches,
    availability: { wait },
    window: input.window,
    ledger
  })
  return {
    entries: Stream.unwrap(
      Effect.as(
        RunPlan.show(
          input,
          lookup,
          { ...batches, progress: options.progress, quiet: options.quiet ?? false },
          ledger
        ),
        Stream.map(Stream.filter(outcomes, problems.isEntry), (outcome) => entryOf(outcome, absent))
      )
    ).pipe(
      Stream.mapError((error) => {
        if (error._tag === "CommandFailure") return error
        return error._tag === "Incomplete" || error._tag === "InvalidOption"
          ? runFailure(error.message)
          : callFailure(error)
      }),
      Stream.tap((entry) => Effect.sync(() => problems.print(entry))),
      problems.reportAtEnd
    ),
    plan: RunPlan.print(
      input.identifiers,
      lookup,
      { ...batches, output: options.output },
      parts.data === undefined ? undefined : RunPlan.withNames
    ),
    settle: Effect.suspend(() => (isFailure(ledger, failOn) ? incompleteRun : Effect.void))
  }
}

/** Turns an outcome into an entry of a report. */
export const entryOf = (
  outcome: Exclude<ProblemPrinter.ChemicalOutcome, Outcome.Surplus>,
  absent: (id: string) => string = (id) => missingMeaning("", id)
): Report.Entry => {
  const { id, line } = outcome
  const kept = RawRecord.isRawRecord(outcome.carried)
    ? (JSON.parse(RawRecord.toText(outcome.carried)) as Record<string, unknown>)
    : undefined
  switch (outcome._tag) {
    case "Found":
      return { _tag: "Chapter", chemical: chemicalOf(id, outcome.records[0]), kept }
    case "Missing":
      return { _tag: "Absent", id, outcome: "missing", message: absent(id), line }
    case "Invalid":
      return { _tag: "Absent", id, outcome: "invalid", message: outcome.error.message, line }
    case "Failed": {
      const [record] = outcome.records ?? []
      const { message } = outcome.error
      const chemical = RawRecord.isRawRecord(record) ? chemicalOf(id, record) : { id }
      // A chemical without any part is none.
      return Object.values(chemical).some((part) => typeof part === "object")
        ? { _tag: "Chapter", chemical, note: message, kept }
        : { _tag: "Absent", id, outcome: "failed", message, line }
    }
  }
}

const chemicalOf = (id: string, record: RawRecord.RawRecord | undefined): Chemical.Chemical => {
  const parts: Record<string, unknown> = record === undefined ? {} : JSON.parse(RawRecord.toText(record))
  const { query: _, ...known } = parts
  return { id, ...Object.fromEntries(Object.entries(known).filter(([, part]) => part !== null)) }
}
