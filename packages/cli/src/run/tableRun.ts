/**
 * Runs a lookup over the rows of a table. Every row is written, whatever its outcome. Rows that are not found also go to the errors file.
 */
import { Details } from "@chemstream/api"
import { ChemClient, type ChemError, type Dialect } from "@chemstream/client"
import type { RawRecord, Table } from "@chemstream/ndjson"
import { type Identifiers, type Ledger, type Lookup, type Outcome, Problem } from "@chemstream/stream"
import { Effect, type Stream } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import * as ProjectionSchemas from "../fields/projectionSchemas.ts"
import type * as Store from "../output/runStore.ts"
import type { IdentifierRows } from "../tables/identifierRows.ts"
import type * as progress from "../terminal/runProgress.ts"
import { version } from "../version.ts"
import * as Transfer from "./lookupTransfer.ts"
import * as Problems from "./problemLines.ts"
import * as Run from "./recordRun.ts"
import * as RunPlan from "./runPlan.ts"
import * as summary from "./summary.ts"

/** What a command looks up for each row, and how the results are written. */
export interface TableTask<R> {
  readonly lookup: Lookup.Lookup<R>
  /** Changes the rows before the lookup. Default: unchanged. */
  readonly read?: <E>(
    rows: Stream.Stream<Identifiers.Identifier, E>
  ) => Stream.Stream<Identifiers.Identifier, E>
  /** Returns the text of a row for people. */
  readonly shown: (text: string) => string
  /** Returns the output rows of an input row. */
  readonly rows: (
    outcome: Exclude<Outcome.Outcome<R, ChemError.ChemError>, Outcome.Surplus>
  ) => ReadonlyArray<RawRecord.RawRecord>
  /** Returns how a row was repaired. Default: how the key of the lookup repairs its text. */
  readonly repairOf?: (
    outcome: Exclude<Outcome.Outcome<R, ChemError.ChemError>, Outcome.Surplus>
  ) => string | null
  /** Returns the note about a found row that needs a review. Default: the meaning of its doubt. */
  readonly doubtful?: (outcome: Outcome.Found<R>) => string | null
  /** The noun of a record. Default: record. */
  readonly noun?: string
  /** Returns the names of the output columns for the columns of an input, e.g. with the added ones after them. */
  readonly names: (columns: ReadonlyArray<string> | undefined) => ReadonlyArray<string>
  /** The types of added columns that are not text, except those of detail records. */
  readonly types: Readonly<Record<string, Table.ColumnType>>
  /** The output columns. Default: those of `names`, or of the records if rows are objects. */
  readonly columns?: ReadonlyArray<Table.ExpectedColumn> | undefined
  /** The settings that must be equal to continue a run. */
  readonly settings: Store.Identity
}

/** The settings of a run. */
export interface Options
  extends Omit<Run.Options, "columns" | "fields" | "tally" | "total">,
    Pick<Lookup.Options, "onFailure" | "strictIds" | "validate"> {
  readonly batchSize: number | undefined
  readonly concurrency: number
  readonly ordered: boolean
  readonly progress: progress.Style
  /** Whether to print the plan of the run instead of running it. */
  readonly dryRun: boolean
  /** How long to wait for an unavailable service, in milliseconds. */
  readonly wait: number
}

/** Returns the columns of the output rows: the text columns of the input, then the added ones with their types. */
const columnsOf = (
  carried: ReadonlyArray<string> | undefined,
  { names, types }: Pick<TableTask<never>, "names" | "types">,
  dialect: Dialect.Name
): ReadonlyArray<Table.ExpectedColumn> => {
  const details = Object.values(ProjectionSchemas.columnsOf(Details.byDtxsid, dialect)).flat()
  const known = new Map(details.map(({ name, type }) => [name, type]))
  // An added column is renamed if the input has a column of this name.
  const added = names(undefined)
  const first = carried?.length ?? 0
  return names(carried).map((name, at) => {
    const own = at < first ? "" : (added[at - first] ?? "")
    return { name, type: types[own] ?? known.get(own) ?? "text" }
  })
}

/** Runs a lookup over a table. */
export const run = <R>(
  input: IdentifierRows,
  task: TableTask<R>,
  options: Options
): Effect.Effect<void, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const { lookup, read = (rows) => rows, settings } = task
    if (options.dryRun)
      return yield* RunPlan.print(read(input.identifiers), lookup, { ...options, dedupe: false })
    const { baseUrl, dialect } = yield* ChemClient.ChemClient
    const columns = task.columns ?? (input.isOpen ? undefined : columnsOf(input.columns, task, dialect))
    const { onFailure = null, ordered, strictIds = null, validate = null } = options
    const identity = { ...settings, version, service: baseUrl, dialect, endpoint: lookup.endpoint }
    const files = {
      ...options,
      unquotedEmpty: input.isTable,
      inputSheet: input.sheet,
      texts: input.hasTexts === true ? new Set(input.columns) : undefined,
      fields: columns?.map(({ name }) => name),
      columns: columns ?? [],
      perLine: true,
      total: input.total,
      tally: input.tally
    }
    const toText = (ledger: Ledger.Ledger, durations: summary.Durations): string =>
      summary.toText(ledger, durations, { errors: options.errors, noun: task.noun })
    yield* Run.run(files, { ...identity, ordered, strictIds, validate, onFailure }, toText, (run) =>
      transfer(input, task, options, run)
    )
  })

const transfer = <R>(
  input: IdentifierRows,
  { doubtful, lookup, read = (rows) => rows, repairOf, rows, shown }: TableTask<R>,
  options: Options,
  run: Run.Run
): Effect.Effect<void, Run.Failure, ChemClient.ChemClient> => {
  const identifiers =
    repairOf === undefined ? run.problemSummary.watchRepairs(input.identifiers, lookup) : input.identifiers
  const source = { ...input, identifiers: read(identifiers) }
  const { window } = input
  return Transfer.run(source, lookup, { ...options, dedupe: false, window }, run, (outcomes) => {
    const problems = outcomes.filter(Problem.isListed)
    run.problemSummary.add(problems)
    const rowsByOutcome = outcomes.map((outcome) => {
      if (outcome._tag === "Surplus") return []
      if (repairOf !== undefined) run.problemSummary.addRepair(outcome, repairOf(outcome))
      return rows(outcome)
    })
    return Effect.succeed({
      records: rowsByOutcome.flat(),
      counts: rowsByOutcome.map(({ length }) => length),
      problems: Problems.encode(problems, lookup.endpoint, {
        shown,
        doubtful: (outcome) => doubtful?.(outcome as Outcome.Found<R>) ?? null
      })
    })
  })
}
