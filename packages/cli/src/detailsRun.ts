/**
 * One run of details, from identifiers to lines: what `chemstream details` and `chemstream demo` have in common.
 */
import { writeFile } from "node:fs/promises"
import type { DetailProjection } from "@chemstream/api"
import type { ChemClient, ChemError } from "@chemstream/client"
import { Ndjson, type RawRecord } from "@chemstream/ndjson"
import { Details, Ledger, type Outcome } from "@chemstream/stream"
import { Clock, Effect, Stream } from "effect"
import { type CommandFailure, failed, incomplete, ofCall } from "./CommandFailure.ts"
import type { Input } from "./input.ts"
import * as Output from "./output.ts"
import * as problems from "./problems.ts"
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
  readonly jsonSummary: string | undefined
  readonly quiet: boolean
  readonly progress: progress.Style
}

/** Runs to the end and says what came of it. Fails when an identifier did, with the summary already shown. */
export const run = (
  input: Input,
  options: Options
): Effect.Effect<Ledger.Counts, CommandFailure | Output.ReaderGone, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const ledger = Ledger.make()
    const started = yield* Clock.currentTimeMillis
    const report = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      reportTo(options, ledger, (now - started) / 1000)
    )
    // A run that settled nothing has nothing to sum up: its error says it all.
    yield* Effect.onError(transfer(input, options, ledger), () =>
      Ledger.accounted(ledger) === 0 ? Effect.void : Effect.ignore(report)
    )
    yield* report
    if (ledger.failed > 0 || (options.failOnMissing && ledger.missing > 0)) return yield* incomplete
    return ledger
  })

const transfer = (
  input: Input,
  options: Options,
  ledger: Ledger.Ledger
): Effect.Effect<void, CommandFailure | Output.ReaderGone, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      const records = yield* Output.open(options.output)
      const errors = options.errors === undefined ? undefined : yield* Output.open(options.errors)
      yield* progress.show(ledger, input.total, options.progress)
      yield* Details.outcomes(input.identifiers, { ...options, ledger }).pipe(
        Stream.mapError((error) => (error._tag === "CommandFailure" ? error : ofCall(error))),
        Stream.runForEachArray((outcomes) => writeOutcomes(outcomes, records, errors))
      )
    })
  )

const writeOutcomes = (
  outcomes: ReadonlyArray<Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError>>,
  records: Output.Output,
  errors: Output.Output | undefined
): Effect.Effect<void, CommandFailure | Output.ReaderGone> => {
  const found: Array<RawRecord.RawRecord> = []
  const others: Array<problems.Problem> = []
  for (const outcome of outcomes) {
    if (outcome._tag === "Found") found.push(...outcome.records)
    else others.push(outcome)
  }
  return Effect.andThen(
    found.length === 0 ? Effect.void : records.write(Ndjson.lines(found)),
    errors === undefined || others.length === 0 ? Effect.void : errors.write(problems.encode(others))
  )
}

const reportTo = (
  options: Options,
  ledger: Ledger.Ledger,
  seconds: number
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    if (!options.quiet) process.stderr.write(summary.toText(ledger, seconds))
    const file = options.jsonSummary
    if (file === undefined) return
    yield* Effect.tryPromise({
      try: () => writeFile(file, summary.toJson(ledger, seconds)),
      catch: (cause) =>
        failed(`cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
  })
