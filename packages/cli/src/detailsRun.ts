/**
 * One run of details, from identifiers to lines: what `chemstream details` and `chemstream demo` have in common.
 */
import type { DetailProjection } from "@chemstream/api"
import type { ChemClient, ChemError } from "@chemstream/client"
import { Ndjson, type RawRecord } from "@chemstream/ndjson"
import { Details, Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Clock, Effect, Stream } from "effect"
import { type CommandFailure, incomplete, ofCall } from "./CommandFailure.ts"
import type { Input } from "./input.ts"
import * as Output from "./output.ts"
import * as Problems from "./problems.ts"
import * as progress from "./progress.ts"
import * as summary from "./summary.ts"

export interface Options {
  readonly projection: DetailProjection.DetailProjection | undefined
  readonly batchSize: number
  readonly concurrency: number
  readonly ordered: boolean
  readonly dedupe: boolean
  readonly strictIds: boolean
  readonly failOnMissing: boolean
  /** The file of the records; standard output when undefined. */
  readonly output: string | undefined
  /** The file of what has no record. */
  readonly errors: string | undefined
  /** The file of the counts. */
  readonly jsonSummary: string | undefined
  readonly quiet: boolean
  readonly progress: progress.Style
}

/**
 * Runs to the end and says what came of it. Fails when an identifier did, with the reasons already shown. When the
 * reader of standard output goes away the run ends there, with what was settled until then in the files.
 */
export const run = (
  input: Input,
  options: Options
): Effect.Effect<Ledger.Counts, CommandFailure, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      const ledger = Ledger.make()
      const reasons = Problems.reasons()
      const started = yield* Clock.currentTimeMillis
      const files = yield* Output.openFiles({
        output: options.output,
        errors: options.errors,
        "json-summary": options.jsonSummary
      })
      const report = Effect.gen(function* () {
        const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
        const file = files.outputs["json-summary"]
        if (file !== undefined) {
          yield* Effect.catchTag(file.write(summary.toJson(ledger, seconds)), "ReaderGone", Effect.die)
        }
        // Apart from the others: the counts are wanted of a run that failed, too.
        yield* files.commit("json-summary")
        // A run that settled nothing has nothing to sum up: its error says it all.
        const settled = Ledger.accounted(ledger) > 0 || ledger.read === 0
        if (!options.quiet && settled) process.stderr.write(summary.toText(ledger, seconds))
        process.stderr.write(reasons.toText(options.quiet))
      })
      const sinks = { records: files.outputs.output ?? Output.standard(), problems: files.outputs.errors }
      yield* transfer(input, options, ledger, reasons, sinks).pipe(
        Effect.catchTag("ReaderGone", () => Effect.void),
        Effect.andThen(files.commit("output", "errors")),
        Effect.onError(() => Effect.ignore(report))
      )
      yield* report
      if (ledger.failed > 0 || (options.failOnMissing && ledger.missing > 0)) return yield* incomplete
      return ledger
    })
  )

interface Sinks {
  readonly records: Output.Output
  readonly problems: Output.Output | undefined
}

const transfer = (
  input: Input,
  options: Options,
  ledger: Ledger.Ledger,
  reasons: Problems.Reasons,
  sinks: Sinks
): Effect.Effect<void, CommandFailure | Output.ReaderGone, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* progress.show(ledger, input.total, options.progress)
      const lookup = Details.byDtxsid({ projection: options.projection })
      yield* Lookup.outcomes(input.identifiers, lookup, { ...options, ledger }).pipe(
        Stream.mapError((error) => (error._tag === "CommandFailure" ? error : ofCall(error))),
        Stream.runForEachArray((outcomes) => write(outcomes, reasons, sinks))
      )
    })
  )

const write = (
  outcomes: ReadonlyArray<Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError>>,
  reasons: Problems.Reasons,
  sinks: Sinks
): Effect.Effect<void, CommandFailure | Output.ReaderGone> => {
  const found: Array<RawRecord.RawRecord> = []
  const problems: Array<Problems.Problem> = []
  for (const outcome of outcomes) {
    if (outcome._tag === "Found") found.push(...outcome.records)
    else problems.push(outcome)
  }
  reasons.add(problems)
  return Effect.andThen(
    problems.length === 0 || sinks.problems === undefined
      ? Effect.void
      : sinks.problems.write(Problems.encode(problems)),
    found.length === 0 ? Effect.void : sinks.records.write(Ndjson.lines(found))
  )
}
