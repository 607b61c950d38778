/**
 * Makes the command of endpoints without a key: it takes no values, and writes the pages of a list, or a catalogue, which is one page.
 *
 * It reads, counts and saves whole pages. A stopped run continues after its last complete page.
 */
import { RecordSchema, type Row } from "@chemstream/api"
import { CallObserver, ChemClient, Metrics, RequestGate } from "@chemstream/client"
import { Drift, RawShape, Table } from "@chemstream/ndjson"
import { Ledger, Listing, Outcome } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailure, callFailure, runFailure, usageFailure } from "../CommandFailure.ts"
import * as FieldNameCheck from "../fields/fieldNameCheck.ts"
import * as FieldPaths from "../fields/fieldPaths.ts"
import * as ProjectionSchemas from "../fields/projectionSchemas.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import { defaultWhole } from "../flags/flagTypes.ts"
import * as runFlags from "../flags/runFlags.ts"
import * as FileCheck from "../output/fileCheck.ts"
import type { ReaderGone } from "../output/outputFiles.ts"
import type * as Store from "../output/runStore.ts"
import { expectedColumns } from "../run/lookupRun.ts"
import * as Run from "../run/recordRun.ts"
import * as RunPlan from "../run/runPlan.ts"
import * as summary from "../run/summary.ts"
import { counted } from "../terminal/quantities.ts"
import * as progress from "../terminal/runProgress.ts"
import { version } from "../version.ts"
import type * as CommandIndex from "./commandIndex.ts"
import * as endpointOptions from "./endpointOptions.ts"

interface Options extends Omit<Run.Options, "columns" | "primaryKey" | "total"> {
  readonly progress: progress.Style
  readonly fromPage: number
  readonly validate: Drift.Validate
  readonly anyFields: boolean
  readonly dryRun: boolean
}

export const make = (command: CommandIndex.Entry, description: string) => {
  const { choices, words } = command
  const [{ row }] = choices
  const { choose, own } = endpointOptions.make(command)
  const isPaged = choices.some((choice) => choice.row.page !== undefined)
  return Command.make(
    words.at(-1) ?? "",
    {
      own,
      paging: isPaged
        ? { fromPage: defaultWhole("from-page", 1, "The first page", 1).pipe(Flag.withMetavar("N")) }
        : {},
      files: runFlags.files,
      wait: runFlags.wait,
      client: clientFlags.flags,
      dryRun: clientFlags.dryRun
    },
    ({ client, dryRun, files, own: given, paging, wait }) =>
      Effect.gen(function* () {
        const chosen = yield* choose(given)
        yield* FileCheck.check({ inputs: clientFlags.files(client), outputs: runFlags.outputs(files) })
        const options: Options = {
          ...files,
          dryRun,
          fromPage: paging.fromPage ?? 1,
          errors: undefined,
          failOn: [],
          progress: runFlags.progressOf(files)
        }
        yield* clientFlags.provide(client, { dryRun, patience: runFlags.waitOf(wait, []) })(
          run(listOf(chosen), options)
        )
      })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples(
      row.command?.examples ?? [{ command: `chemstream ${words.join(" ")}`, description: `All ${row.what}` }]
    )
  )
}

/** The list that the options choose, with its projection and parameters. */
interface List {
  readonly row: Row.Row
  readonly projection: string | undefined
  readonly parameters: Readonly<Record<string, string>>
  readonly change?: endpointOptions.Chosen["change"]
}

const listOf = ({
  change,
  row,
  values: { projection = row.form, ...parameters }
}: endpointOptions.Chosen): List => ({
  ...(change === undefined ? {} : { change }),
  row,
  projection,
  parameters
})

const run = (list: List, options: Options): Effect.Effect<void, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const { baseUrl, dialect } = yield* ChemClient.ChemClient
    const { change, parameters, projection, row } = list
    const { fields, fromPage, validate } = options
    const identity = {
      version,
      service: baseUrl,
      dialect,
      endpoint: row.name,
      ...parameters,
      ...(change === undefined ? {} : { clean: true }),
      ...(projection === undefined ? {} : { projection }),
      fromPage,
      validate,
      fields: fields?.join(",") ?? null
    }
    const schema = RecordSchema.inDialect(Listing.schemaOf(row, projection), dialect)
    const contract = Table.columnsOf(schema)
    const refusal = options.anyFields
      ? undefined
      : FieldNameCheck.refusal(fields, contract, dialect, () => ProjectionSchemas.columnsOf(row, dialect))
    if (refusal !== undefined) return yield* refusal
    if (options.dryRun) return yield* RunPlan.printPages(options, row.page !== undefined)
    const columns = expectedColumns(fields, contract)
    const primaryKey = Table.primaryKeyOf(schema)
    const files = { ...options, columns, primaryKey, total: undefined }
    yield* Run.run(files, identity, toText, (run) =>
      transfer(
        list,
        options,
        RawShape.fromSchema(schema),
        FieldNameCheck.make(fields, contract, dialect),
        run
      )
    )
  })

const toText = (ledger: Ledger.Ledger, durations: summary.Durations): string =>
  [
    counted(ledger.found, "page"),
    summary.workText(ledger, durations),
    ...summary.driftNotes(ledger.drift),
    ""
  ].join("\n")

const transfer = (
  { change = Result.succeed, parameters, projection, row }: List,
  { fields, fromPage, progress: style, validate }: Options,
  shape: RawShape.RawShape,
  fieldNames: FieldNameCheck.FieldNames,
  { stopping, store }: Run.Run
): Effect.Effect<void, CommandFailure | ReaderGone, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      // The earlier run has read the last page.
      if (store.isComplete) return
      const { ledger } = store
      const record = Metrics.recorder(ledger)
      yield* Effect.addFinalizer(() => record)
      yield* progress.show(ledger, undefined, style, "pages")
      const pick = FieldPaths.picker(fields)
      const first = store.resumePoint?.spans.at(-1)?.to ?? fromPage - 1
      const parts = Listing.of(row)
        .pages({ ...parameters, projection, page: first + 1 })
        .pipe(
          // The page on the wire is still written.
          Stream.haltWhen(stopping.requested),
          Stream.catchIf(
            () => stopping.isRequested(),
            () => Stream.empty
          ),
          Stream.tap(({ records }) =>
            Stream.runDrain(
              Drift.watch(shape, { validate, drift: ledger.drift })(Stream.fromIterable(records))
            )
          ),
          Stream.map(({ next, page, records }): Store.Part => {
            fieldNames.inspect(records)
            const batch = {
              outcomes: [Outcome.found(String(page), page, records)],
              // Page 3 is the span from 2 to 3. `page` and `next` may be cursors, which grow by more than 1.
              spans: [{ from: page - 1, to: Math.max(page, next - 1) }],
              digest: ""
            }
            ledger.read++
            ledger.batches++
            Ledger.enter(ledger, batch)
            return {
              batch,
              records: records.map((record) => pick(Result.getOrThrow(change(record)))),
              problems: new Uint8Array()
            }
          }),
          Stream.tap(() => record)
        )
      yield* store.write(parts).pipe(
        Effect.mapError((error) => {
          switch (error._tag) {
            case "CommandFailure":
            case "ReaderGone":
              return error
            case "InvalidIdentifier":
              return usageFailure(error.message)
            case "DriftError":
              return runFailure(error.message)
            case "NotFound":
              return new CommandFailure({
                exitCode: callFailure(error).exitCode,
                message: `the service does not have ${row.what} (${error.status} for ${row.get.path}). Check its address: chemstream doctor`
              })
            default:
              return callFailure(error)
          }
        }),
        Effect.provideService(CallObserver.CallObserver, Ledger.observer(ledger)),
        Effect.provideService(RequestGate.RequestGate, countingGate(ledger, record))
      )
      fieldNames.end()
    })
  )

/** Counts the pages in flight in a ledger, and records it. */
const countingGate =
  (ledger: Ledger.Ledger, record: Effect.Effect<void>): typeof RequestGate.RequestGate.Service =>
  (request) => {
    const count = (change: number) =>
      Effect.suspend(() => {
        ledger.inFlight += change
        return record
      })
    return Effect.acquireUseRelease(
      count(1),
      () => request,
      () => count(-1)
    )
  }
