/**
 * One run over the rows of a table: every row is written, whatever became of it, and the others than found ones go to the
 * errors file besides.
 */
import { ChemClient, type ChemError } from "@chemstream/client"
import type { RawRecord, Table } from "@chemstream/ndjson"
import { type Identifiers, type Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import * as FieldCatalogue from "../fields/fieldCatalogue.ts"
import type * as Store from "../output/store.ts"
import { version } from "../process/version.ts"
import * as Problems from "../run/problems.ts"
import * as Run from "../run/run.ts"
import * as summary from "../run/summary.ts"
import * as progress from "../terminal/progress.ts"
import type { RowInput } from "./rowInput.ts"

/** What is asked of each row, and how it is written. */
export interface Question<R> {
  readonly lookup: Lookup.Lookup<R>
  /** The step before the lookup. Default: none. */
  readonly read?: <E>(
    rows: Stream.Stream<Identifiers.Identifier, E>
  ) => Stream.Stream<Identifiers.Identifier, E>
  /** The text of a row as people see it. */
  readonly shown: (text: string) => string
  /** The rows that are written of a row of the input. */
  readonly rows: (
    outcome: Exclude<Outcome.Outcome<R, ChemError.ChemError>, Outcome.Surplus>
  ) => ReadonlyArray<RawRecord.RawRecord>
  /** The columns that are written, where all are known. */
  readonly columns: ReadonlyArray<Table.ExpectedColumn> | undefined
  /** What makes two runs the same. */
  readonly settings: Store.Identity
}

/** How a run goes. */
export interface Options
  extends Omit<Run.Options, "columns" | "fields" | "tally" | "total">,
    Pick<Lookup.Options, "onFailure" | "strictIds" | "validate"> {
  readonly batchSize: number | undefined
  readonly concurrency: number
  readonly ordered: boolean
  readonly progress: progress.Style
  /** How long to wait for a service that has gone away, in milliseconds. */
  readonly wait: number
}

/** The types of the columns that are added to rows and hold no text, but those of detail records. */
const types: Readonly<Record<string, Table.ColumnType>> = {
  line: "integer",
  rank: "integer",
  neutralMass: "number",
  msReadyMass: "number",
  errorPpm: "number",
  errorDa: "number"
}

/**
 * The columns of rows: those of the input, which are texts, and behind them those that are added. `namesOf` names all of them,
 * by the columns of the input.
 */
export const columnsOf = (
  carried: ReadonlyArray<string> | undefined,
  namesOf: (columns: ReadonlyArray<string> | undefined) => ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Table.ExpectedColumn>, never, ChemClient.ChemClient> =>
  Effect.map(ChemClient.ChemClient, ({ dialect }) => {
    const details = Object.values(FieldCatalogue.of("details", dialect) ?? {}).flat()
    const known = new Map(details.map(({ name, type }) => [name, type]))
    // An added column has another name where the input has its own.
    const added = namesOf(undefined)
    const first = carried?.length ?? 0
    return namesOf(carried).map((name, at) => {
      const own = at < first ? "" : (added[at - first] ?? "")
      return { name, type: types[own] ?? known.get(own) ?? "text" }
    })
  })

/** Runs a question over a table. */
export const run = <R>(
  input: RowInput,
  question: Question<R>,
  options: Options
): Effect.Effect<Ledger.Counts, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const { columns, lookup, settings } = question
    const { baseUrl, dialect } = yield* ChemClient.ChemClient
    const { onFailure = null, ordered, strictIds = null, validate = null } = options
    const identity = { ...settings, version, service: baseUrl, dialect, endpoint: lookup.endpoint }
    const files = {
      ...options,
      bareEmpty: input.isTable,
      fields: columns?.map(({ name }) => name),
      columns: columns ?? [],
      perLine: true,
      total: input.total,
      tally: input.tally
    }
    const toText = (ledger: Ledger.Ledger, spent: summary.Spent): string =>
      summary.toText(ledger, spent, { errors: options.errors })
    return yield* Run.run(files, { ...identity, ordered, strictIds, validate, onFailure }, toText, (run) =>
      transfer(input, question, options, run)
    )
  })

const transfer = <R>(
  input: RowInput,
  { lookup, read = (rows) => rows, rows, shown }: Question<R>,
  options: Options,
  { reasons, stopping, store }: Run.Run
): Effect.Effect<void, Run.Failure, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* progress.show(store.ledger, input.total, options.progress)
      const identifiers = Stream.interruptWhen(read(input.identifiers), stopping.requested)
      const parts = Lookup.batches(identifiers, stopping.stop(lookup), {
        ...options,
        dedupe: false,
        window: input.window,
        ledger: store.ledger,
        resumePoint: store.resumePoint,
        availability: { wait: options.wait, after: store.isContinuable ? "stop" : "fail" }
      }).pipe(
        Stream.map((batch): Store.Part => {
          const problems = batch.outcomes.filter(isProblem)
          reasons.add(problems)
          const written = batch.outcomes.map((outcome) => (outcome._tag === "Surplus" ? [] : rows(outcome)))
          const counts = written.map(({ length }) => length)
          return {
            batch,
            records: written.flat(),
            counts,
            problems: Problems.encode(problems, lookup.endpoint, shown)
          }
        })
      )
      yield* Run.write(parts, { stopping, store })
    })
  )

const isProblem = <R>(outcome: Outcome.Outcome<R, ChemError.ChemError>): outcome is Problems.Problem =>
  outcome._tag !== "Found"
