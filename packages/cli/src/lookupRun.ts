/**
 * One run of a lookup, from values to lines: what `chemstream demo` and all commands that take values have in common.
 */
import { ChemClient, type ChemError } from "@chemstream/client"
import { type Drift, RawProjection, type RawRecord } from "@chemstream/ndjson"
import { type BatchCalls, type Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { type CommandFailure, ofCall, usage } from "./CommandFailure.ts"
import type { Input } from "./input.ts"
import * as Output from "./output.ts"
import * as Problems from "./problems.ts"
import * as progress from "./progress.ts"
import * as Run from "./run.ts"
import type * as Store from "./store.ts"
import * as summary from "./summary.ts"
import { version } from "./version.ts"

/** What is asked for. */
export interface Question {
  readonly lookup: Lookup.Lookup<RawRecord.RawRecord>
  /** What of the answer its endpoint does not tell: projection, tissue, tolerance. */
  readonly settings?: Store.Identity
}

export interface Options extends Run.Options {
  /** As many as the lookup takes when undefined. */
  readonly batchSize: number | undefined
  readonly concurrency: number
  readonly ordered: boolean
  readonly dedupe: boolean
  readonly strictIds: boolean
  readonly onFailure: BatchCalls.OnFailure
  readonly validate: Drift.Validate
  readonly progress: progress.Style
}

/** Runs a lookup over its input. */
export const run = (
  input: Input,
  { lookup, settings = {} }: Question,
  options: Options
): Effect.Effect<Ledger.Counts, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const { batchSize, dedupe, fields, onFailure, ordered, strictIds, validate } = options
    if (batchSize !== undefined && batchSize > lookup.size) {
      const most = lookup.size === 1 ? "one value" : `${lookup.size} values`
      return yield* usage(
        `--batch-size ${batchSize} is not allowed: ${lookup.endpoint} takes ${most} a request`
      )
    }
    // An errors file may be read and written anew, by `retry`.
    yield* Output.apartFrom(input.file, {
      output: options.output,
      checkpoint: options.checkpoint,
      "json-summary": options.jsonSummary
    })
    const { baseUrl } = yield* ChemClient.ChemClient
    const identity = {
      ...settings,
      version,
      service: baseUrl,
      endpoint: lookup.endpoint,
      fields: fields?.join(",") ?? null,
      ordered,
      dedupe,
      strictIds,
      validate,
      onFailure
    }
    return yield* Run.run({ ...options, record: lookup.record }, identity, summary.toText, (run) =>
      transfer(input, lookup, options, run)
    )
  })

const transfer = (
  input: Input,
  lookup: Lookup.Lookup<RawRecord.RawRecord>,
  options: Options,
  { reasons, stopping, store }: Run.Run
): Effect.Effect<void, CommandFailure | Output.ReaderGone, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* progress.show(store.ledger, input.total, options.progress)
      const pick = picker(options.fields)
      const identifiers = Stream.interruptWhen(input.identifiers, stopping.requested)
      const parts = Lookup.batches(identifiers, stopping.stop(lookup), {
        ...options,
        // A batch of one is full at once.
        window: Math.min(options.batchSize ?? lookup.size, lookup.size) === 1 ? undefined : input.window,
        ledger: store.ledger,
        settlement: store.settlement
      }).pipe(
        Stream.map((batch): Store.Part => {
          const { found, problems } = divide(batch.outcomes)
          reasons.add(problems)
          return { batch, records: found.map(pick), problems: Problems.encode(problems, lookup.endpoint) }
        })
      )
      yield* store.write(parts).pipe(
        Effect.catchIf(
          // Whatever it ends with once it was asked to end, what was written before holds; but that must be written.
          (error) => stopping.isRequested() && error._tag !== "CommandFailure",
          () => Effect.void
        ),
        Effect.mapError((error) => {
          switch (error._tag) {
            case "CommandFailure":
            case "ReaderGone":
              return error
            case "OtherInput":
              return usage(error.message)
            default:
              return ofCall(error)
          }
        })
      )
    })
  )

const divide = (
  outcomes: ReadonlyArray<Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError>>
): {
  readonly found: ReadonlyArray<RawRecord.RawRecord>
  readonly problems: ReadonlyArray<Problems.Problem>
} => {
  const found: Array<RawRecord.RawRecord> = []
  const problems: Array<Problems.Problem> = []
  for (const outcome of outcomes) {
    if (outcome._tag !== "Found") problems.push(outcome)
    else for (const record of outcome.records) found.push(record)
  }
  return { found, problems }
}

/** The fields that are written of a record. What is no object has none, and stays as it is. */
export const picker = (
  fields: ReadonlyArray<string> | undefined
): ((record: RawRecord.RawRecord) => RawRecord.RawRecord) => {
  if (fields === undefined) return (record) => record
  const pick = RawProjection.picker(fields, { missing: "null" })
  return (record) => Result.getOrElse(pick(record), () => record)
}
