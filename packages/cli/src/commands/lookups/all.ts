/**
 * `chemstream all`: writes every chemical of the service, page after page.
 *
 * It reads, counts and saves whole pages. A stopped run continues after its last complete page.
 */
import { AllRecord, Details as Rows } from "@chemstream/api"
import { CallObserver, ChemClient } from "@chemstream/client"
import { Drift, RawShape, Table } from "@chemstream/ndjson"
import { Details, Ledger, Outcome } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { type CommandFailure, callFailure, runFailure, usageFailure } from "../../CommandFailure.ts"
import * as FieldCatalogue from "../../fields/fieldCatalogue.ts"
import * as FieldNames from "../../fields/fieldNames.ts"
import * as FieldPaths from "../../fields/fieldPaths.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import { wholeFrom1 } from "../../flags/numberFlags.ts"
import * as runFlags from "../../flags/runFlags.ts"
import type { ReaderGone } from "../../output/output.ts"
import * as RunFiles from "../../output/runFiles.ts"
import type * as Store from "../../output/store.ts"
import { version } from "../../process/version.ts"
import { expectedColumns } from "../../run/lookupRun.ts"
import * as Run from "../../run/run.ts"
import * as RunCost from "../../run/runCost.ts"
import * as summary from "../../run/summary.ts"
import * as progress from "../../terminal/progress.ts"

interface Options extends Omit<Run.Options, "columns" | "primaryKey" | "total"> {
  readonly projection: Details.AllProjection
  readonly progress: progress.Style
  readonly fromPage: number
  readonly validate: Drift.Validate
  readonly anyFields: boolean
  readonly dryRun: boolean
}

export const all = Command.make(
  "all",
  {
    projection: Flag.Literals("projection", ["standard-2", "all-ids"]).pipe(
      Flag.withAlias("p"),
      Flag.withDescription("Whole records, or only their identifiers [default: standard-2]"),
      Flag.withDefault("standard-2" as const)
    ),
    fromPage: wholeFrom1("from-page", "The first page", 1).pipe(Flag.withMetavar("N")),
    ...runFlags.files,
    ...clientFlags.flags,
    dryRun: clientFlags.dryRun
  },
  (flags) =>
    Effect.andThen(
      RunFiles.check({ inputs: clientFlags.files(flags), outputs: runFlags.outputs(flags) }),
      clientFlags.provide(
        flags,
        flags
      )(
        run({
          dryRun: flags.dryRun,
          projection: flags.projection,
          fromPage: flags.fromPage,
          validate: flags.validate,
          anyFields: flags.anyFields,
          ...runFlags.filesOf(flags),
          errors: undefined,
          failOnMissing: false,
          failOnInvalid: false,
          failOnTruncated: false,
          quiet: flags.quiet,
          stopTimeout: flags.stopTimeout,
          progress: runFlags.progressOf(flags)
        })
      )
    )
).pipe(
  Command.withDescription("Every chemical of the service, page after page, one NDJSON line each"),
  Command.withExamples([
    {
      command: "chemstream all --projection all-ids | chemstream details > everything.ndjson",
      description: "The details of all of them"
    },
    {
      command: "chemstream all --output all.ndjson",
      description: "Into a file; the same command continues a stopped run"
    }
  ])
)

const run = (options: Options): Effect.Effect<void, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const { baseUrl, dialect } = yield* ChemClient.ChemClient
    const { fields, fromPage, projection, validate } = options
    const identity = {
      version,
      service: baseUrl,
      dialect,
      endpoint: "details.all",
      projection,
      fromPage,
      validate,
      fields: fields?.join(",") ?? null
    }
    const contract = Table.columnsOf(schemas[projection])
    const refusal = options.anyFields
      ? undefined
      : FieldNames.refusal(fields, contract, dialect, () => FieldCatalogue.columnsOf(Rows.all, dialect))
    if (refusal !== undefined) return yield* refusal
    if (options.dryRun) return yield* RunCost.printPages(options)
    const columns = expectedColumns(fields, contract)
    const primaryKey = Table.primaryKeyOf(schemas[projection])
    const files = { ...options, columns, primaryKey, total: undefined }
    yield* Run.run(files, identity, toText, (run) =>
      transfer(options, FieldNames.make(fields, contract, dialect), run)
    )
  })

const toText = (ledger: Ledger.Ledger, durations: summary.Durations): string =>
  [
    summary.counted(ledger.found, "page"),
    summary.workText(ledger, durations),
    ...summary.driftNotes(ledger.drift),
    ""
  ].join("\n")

const schemas = { "standard-2": AllRecord.StandardRecord, "all-ids": AllRecord.IdRecord }

const shapes = {
  "standard-2": RawShape.fromSchema(schemas["standard-2"]),
  "all-ids": RawShape.fromSchema(schemas["all-ids"])
}

const transfer = (
  { fields, fromPage, progress: style, projection, validate }: Options,
  fieldNames: FieldNames.FieldNames,
  { stopping, store }: Run.Run
): Effect.Effect<void, CommandFailure | ReaderGone, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      // The earlier run has read the last page.
      if (store.isComplete) return
      const { ledger } = store
      yield* progress.show(ledger, undefined, style, "pages")
      const pick = FieldPaths.picker(fields)
      const first = store.resumePoint?.spans.at(-1)?.to ?? fromPage - 1
      const parts = Details.pages({ projection, page: first + 1 }).pipe(
        // The page on the wire is still written.
        Stream.haltWhen(stopping.requested),
        Stream.catchIf(
          () => stopping.isRequested(),
          () => Stream.empty
        ),
        Stream.tap(({ records }) =>
          Stream.runDrain(
            Drift.watch(shapes[projection], { validate, drift: ledger.drift })(Stream.fromIterable(records))
          )
        ),
        Stream.map(({ next, page, records }): Store.Part => {
          fieldNames.inspect(records)
          const batch = {
            outcomes: [Outcome.found(String(page), page, records)],
            spans: [{ from: page - 1, to: Math.max(page, next - 1) }],
            digest: ""
          }
          ledger.read++
          ledger.batches++
          Ledger.enter(ledger, batch)
          return { batch, records: records.map(pick), problems: new Uint8Array() }
        })
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
            default:
              return callFailure(error)
          }
        }),
        Effect.provideService(CallObserver.CallObserver, countingObserver(ledger))
      )
      fieldNames.end()
    })
  )

/** Counts requests, retries, responses and bytes in a ledger. */
const countingObserver = (ledger: Ledger.Ledger): typeof CallObserver.CallObserver.Service => ({
  onRequest: () => {
    ledger.requests++
  },
  onRetry: () => {
    ledger.retries++
  },
  onBody: (_, bytes) => {
    ledger.responses++
    ledger.bytes += bytes
  }
})
