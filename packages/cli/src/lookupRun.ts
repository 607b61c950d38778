/**
 * One run of a lookup, from values to lines: what `chemstream demo` and all commands that take values have in common.
 */
import { ChemClient, type ChemError } from "@chemstream/client"
import { type Drift, RawProjection, type RawRecord, Table } from "@chemstream/ndjson"
import { type BatchCalls, type Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { type CommandFailure, ofCall, usage } from "./CommandFailure.ts"
import * as FieldNames from "./fieldNames.ts"
import type { Input } from "./input.ts"
import * as Joining from "./joining.ts"
import type * as Output from "./output.ts"
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

export interface Options extends Omit<Run.Options, "columns" | "total" | "tally">, Joining.Joining {
  /** As many as the lookup takes when undefined. */
  readonly batchSize: number | undefined
  readonly concurrency: number
  readonly ordered: boolean
  readonly dedupe: boolean
  readonly strictIds: boolean
  readonly onFailure: BatchCalls.OnFailure
  readonly validate: Drift.Validate
  /** Whether `fields` may name what the contract does not have. */
  readonly anyFields: boolean
  readonly progress: progress.Style
  /** How long to wait for a service that has gone away, in milliseconds. */
  readonly wait: number
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
    const contract = lookup.schema === undefined ? undefined : Table.columnsOf(lookup.schema)
    const names = contract?.map(({ name }) => name)
    const refusal =
      Joining.clash(options, fields ?? names ?? []) ??
      (options.anyFields ? undefined : FieldNames.refusal(fields, names))
    if (refusal !== undefined) return yield* refusal
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
      onFailure,
      ...Joining.identityOf(options)
    }
    const files = {
      ...options,
      ...columnsOf(options, fields, contract ?? []),
      total: input.total,
      tally: input.tally
    }
    const hasRows = Joining.namesOf(options).length > 0
    const toText = (ledger: Ledger.Ledger, spent: summary.Spent): string =>
      summary.toText(ledger, spent) + (hasRows ? rowsWithout(ledger) : "")
    return yield* Run.run(files, identity, toText, (run) =>
      transfer(input, lookup, options, FieldNames.make(fields, names), run)
    )
  })

/** What is lost of the rows of an input whose repetitions are asked for to be left out. */
const rowsWithout = ({ duplicates }: Ledger.Ledger): string =>
  duplicates === 0
    ? ""
    : `${summary.counted(duplicates, "row")} repeated another and had no record of ${duplicates === 1 ? "its" : "their"} own: leave out --dedupe to have one for each\n`

/** The columns of a table of the records: those asked for, of the types of the contract, or those that this has. */
const columnsOf = (
  joining: Joining.Joining,
  fields: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<Table.Column>
): Pick<Store.Files, "columns" | "fields"> => {
  const front = Joining.namesOf(joining).filter(
    (name) => !(fields ?? contract.map(({ name }) => name)).includes(name)
  )
  return {
    fields: fields === undefined ? undefined : [...front, ...fields],
    columns: [
      ...front.map((name) => ({ name, type: name === "line" ? ("integer" as const) : ("text" as const) })),
      ...asked(fields, contract)
    ]
  }
}

/** The columns of the contract, or of these those that are asked for; what it does not have has the type of its values. */
export const asked = (
  fields: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<Table.Column>
): ReadonlyArray<Table.ExpectedColumn> => {
  const known = new Map(contract.map((column) => [column.name, column]))
  return fields?.map((name) => known.get(name) ?? { name }) ?? contract
}

const transfer = (
  input: Input,
  lookup: Lookup.Lookup<RawRecord.RawRecord>,
  options: Options,
  fieldNames: FieldNames.FieldNames,
  { reasons, stopping, store }: Run.Run
): Effect.Effect<void, CommandFailure | Output.ReaderGone, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* progress.show(store.ledger, input.total, options.progress)
      const pick = picker(options.fields)
      const join = Joining.join(options)
      const carried = Joining.watch(options.carry)
      const identifiers = Stream.interruptWhen(input.identifiers, stopping.requested)
      const parts = Lookup.batches(identifiers, stopping.stop(lookup), {
        ...options,
        // A batch of one is full at once.
        window: Math.min(options.batchSize ?? lookup.size, lookup.size) === 1 ? undefined : input.window,
        ledger: store.ledger,
        settlement: store.settlement,
        // Without a checkpoint what was had so far would be lost with the end of the run.
        outage:
          options.wait === 0
            ? undefined
            : { wait: options.wait, after: store.checkpoint === undefined ? "fail" : "end" }
      }).pipe(
        Stream.mapEffect((batch): Effect.Effect<Store.Part, CommandFailure> => {
          const { found, problems } = divide(batch.outcomes)
          reasons.add(problems)
          for (const outcome of batch.outcomes) carried.look(outcome.carried)
          const records: Array<RawRecord.RawRecord> = []
          for (const outcome of found) {
            fieldNames.look(outcome.records)
            for (const record of outcome.records) {
              const joined = join(pick(record), outcome)
              if (Result.isFailure(joined)) return Effect.fail(joined.failure)
              records.push(joined.success)
            }
          }
          return Effect.succeed({ batch, records, problems: Problems.encode(problems, lookup.endpoint) })
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
              return ofCall(error, store.checkpoint)
          }
        })
      )
      fieldNames.end()
      carried.end()
    })
  )

const divide = (
  outcomes: ReadonlyArray<Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError>>
): {
  readonly found: ReadonlyArray<Outcome.Found<RawRecord.RawRecord>>
  readonly problems: ReadonlyArray<Problems.Problem>
} => {
  const found: Array<Outcome.Found<RawRecord.RawRecord>> = []
  const problems: Array<Problems.Problem> = []
  for (const outcome of outcomes) {
    if (outcome._tag === "Found") found.push(outcome)
    else problems.push(outcome)
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
