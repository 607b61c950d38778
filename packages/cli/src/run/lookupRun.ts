/**
 * Runs a lookup, from the values of the input to the lines of the output. `chemstream demo` and the commands of
 * `lookupCommand.ts` use it.
 */
import { RecordSchema } from "@chemstream/api"
import { ChemClient, type Dialect } from "@chemstream/client"
import { type Drift, type RawRecord, Table } from "@chemstream/ndjson"
import type { Ledger, Lookup } from "@chemstream/stream"
import { Effect, Result } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as FieldNameCheck from "../fields/fieldNameCheck.ts"
import * as FieldPaths from "../fields/fieldPaths.ts"
import type * as ProjectionSchemas from "../fields/projectionSchemas.ts"
import type { Input } from "../input/openInput.ts"
import * as JoinedFields from "../output/joinedFields.ts"
import type * as Store from "../output/runStore.ts"
import { counted } from "../terminal/quantities.ts"
import type * as progress from "../terminal/runProgress.ts"
import { version } from "../version.ts"
import * as Transfer from "./lookupTransfer.ts"
import * as Problems from "./problemLines.ts"
import * as Run from "./recordRun.ts"
import * as RunPlan from "./runPlan.ts"
import * as summary from "./summary.ts"

/** What a command looks up, and what is done with its records. */
export interface LookupTask {
  readonly lookup: Lookup.Lookup<RawRecord.RawRecord>
  /** Parameters of the request that are not part of its endpoint: projection, tissue, tolerance. */
  readonly settings?: Store.Identity
  /** The fields of the other projections. */
  readonly projections?: ((dialect: Dialect.Name) => ProjectionSchemas.Projections | undefined) | undefined
  /** Changes each record before it is written. Default: records are written as they are. */
  readonly change?: Change | undefined
  /** What else to do if the service has no record at all. */
  readonly otherwise?: string | undefined
}

type Change = (record: RawRecord.RawRecord) => Result.Result<RawRecord.RawRecord, CommandFailure>

export interface Options
  extends Omit<Run.Options, "columns" | "perLine" | "primaryKey" | "total" | "tally">,
    JoinedFields.JoinedFields {
  /** Default: the largest batch of the lookup. */
  readonly batchSize: number | undefined
  readonly concurrency: number
  readonly ordered: boolean
  readonly dedupe: boolean
  readonly strictIds: boolean
  /** The field or column of the input with the values. Default: the endpoint's own. */
  readonly key: string | undefined
  readonly onFailure: NonNullable<Lookup.Options["onFailure"]>
  readonly validate: Drift.Validate
  /** Whether `fields` may name fields that the contract does not have. */
  readonly anyFields: boolean
  readonly progress: progress.Style
  /** How long to wait for an unavailable service, in milliseconds. */
  readonly wait: number
  /** Whether to print the plan of the run instead of running it. Default: false. */
  readonly dryRun?: boolean
}

/** Runs a lookup for its input. */
export const run = (
  input: Input,
  { change, lookup, otherwise, projections, settings = {} }: LookupTask,
  options: Options
): Effect.Effect<void, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const { dedupe, fields } = options
    yield* checkBatchSize(options, lookup)
    const { baseUrl, dialect } = yield* ChemClient.ChemClient
    const contract =
      lookup.schema === undefined
        ? undefined
        : Table.columnsOf(RecordSchema.inDialect(lookup.schema, dialect))
    const names = contract?.map(({ name }) => name)
    const why = lookup.refusal?.(dialect)
    const refusal =
      (why === undefined ? undefined : usageFailure(why)) ??
      JoinedFields.clash(options, fields ?? names ?? []) ??
      (options.anyFields
        ? undefined
        : FieldNameCheck.refusal(fields, contract ?? [], dialect, () => projections?.(dialect)))
    if (refusal !== undefined) return yield* refusal
    if (options.dryRun === true) return yield* RunPlan.print(input.identifiers, lookup, options)
    const identity = {
      ...settings,
      version,
      service: baseUrl,
      dialect,
      endpoint: lookup.endpoint,
      ...identityOf(options)
    }
    const files = {
      ...options,
      ...columnsOf(options, fields, contract ?? []),
      primaryKey: lookup.schema && Table.primaryKeyOf(lookup.schema),
      perLine: !dedupe,
      total: input.total,
      tally: input.tally
    }
    // With joined fields, a duplicate row that gets no record loses its fields, which the summary says.
    const hasRows = JoinedFields.namesOf(options).length > 0
    let firstTruncated: string | undefined
    const onTruncated = (id: string): void => {
      firstTruncated ??= id
    }
    let truncatedBefore = false
    const toText = (ledger: Ledger.Ledger, durations: summary.Durations): string =>
      summary.toText(ledger, durations, {
        errors: options.errors,
        truncated: firstTruncated,
        truncatedBefore
      }) +
      (hasRows ? duplicatesText(ledger) : "") +
      (otherwise !== undefined && ledger.found === 0 && ledger.missing > 0 ? `${otherwise}\n` : "")
    yield* Run.run(files, identity, toText, (run) => {
      truncatedBefore = run.store.ledger.truncated > 0
      return transfer(input, lookup, options, FieldNameCheck.make(fields, contract ?? [], dialect), {
        ...run,
        change,
        onTruncated
      })
    })
  })

const checkBatchSize = (
  { batchSize }: Options,
  { endpoint, size }: Lookup.Lookup<RawRecord.RawRecord>
): Effect.Effect<void, CommandFailure> => {
  if (batchSize === undefined || batchSize <= size) return Effect.void
  const most = size === 1 ? "one value" : `${size} values`
  return usageFailure(
    `--batch-size ${batchSize} is not allowed: ${endpoint} takes at most ${most} in one request`
  )
}

/** The options that must be equal to continue a run. */
const identityOf = (options: Options): Store.Identity => {
  const { dedupe, fields, key, onFailure, ordered, strictIds, validate } = options
  return {
    fields: fields?.join(",") ?? null,
    ordered,
    // Null if it is the default, which depends on the other options.
    dedupe: dedupe === JoinedFields.dedupes(options) ? null : dedupe,
    strictIds,
    validate,
    onFailure,
    key: key ?? null,
    ...JoinedFields.identityOf(options)
  }
}

/** Reports the rows that get no record because of `--dedupe`. */
const duplicatesText = ({ duplicates }: Ledger.Ledger): string =>
  duplicates === 0
    ? ""
    : `${counted(duplicates, "duplicate row")} without a record: omit --dedupe to write one for each\n`

/** Returns the columns of a table of records: the joined fields, then the requested fields or else all fields of the contract. */
const columnsOf = (
  joining: JoinedFields.JoinedFields,
  fields: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<Table.Column>
): Pick<Store.Files, "columns" | "fields"> => {
  const joinedNames = JoinedFields.namesOf(joining).filter(
    (name) => !(fields ?? contract.map(({ name }) => name)).includes(name)
  )
  return {
    fields: fields === undefined ? undefined : [...joinedNames, ...fields],
    columns: [
      ...joinedNames.map((name) => ({
        name,
        type: name === "line" ? ("integer" as const) : ("text" as const)
      })),
      ...expectedColumns(fields, contract)
    ]
  }
}

/** The requested columns of the contract, or all of them. A field that the contract does not have gets the type of its values. */
export const expectedColumns = (
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
  fieldNames: FieldNameCheck.FieldNames,
  {
    change = Result.succeed,
    onTruncated,
    ...run
  }: Run.Run & {
    readonly change?: Change | undefined
    /** Called with each truncated value. */
    readonly onTruncated: (id: string) => void
  }
): Effect.Effect<void, Run.Failure, ChemClient.ChemClient> =>
  Effect.suspend(() => {
    const pick = FieldPaths.picker(options.fields)
    const join = JoinedFields.join(options)
    const keepWatch = JoinedFields.watch(options.keep)
    // A batch of one value never waits for more.
    const window = Math.min(options.batchSize ?? lookup.size, lookup.size) === 1 ? undefined : input.window
    const watched = { ...input, identifiers: run.problemSummary.watchRepairs(input.identifiers, lookup) }
    return Transfer.run(watched, lookup, { ...options, window }, run, (outcomes) => {
      const found = outcomes.filter((outcome) => outcome._tag === "Found")
      const problems = outcomes.filter((outcome) => outcome._tag !== "Found")
      run.problemSummary.add(problems)
      for (const outcome of outcomes) keepWatch.inspect(outcome.carried)
      const records: Array<RawRecord.RawRecord> = []
      for (const outcome of found) {
        if (outcome.truncated !== undefined) onTruncated(outcome.id)
        fieldNames.inspect(outcome.records)
        for (const record of outcome.records) {
          const joined = Result.flatMap(change(record), (changed) => join(pick(changed), outcome))
          if (Result.isFailure(joined)) return Effect.fail(joined.failure)
          records.push(joined.success)
        }
      }
      return Effect.succeed({ records, problems: Problems.encode(problems, lookup.endpoint) })
    }).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          fieldNames.end()
          keepWatch.end()
        })
      )
    )
  })
