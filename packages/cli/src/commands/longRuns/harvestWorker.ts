/**
 * `chemstream harvest worker`: fetches chunks of the harvests of a database, beside other workers, until it is interrupted.
 */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { CommandFailure } from "../../CommandFailure.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import { port } from "../../flags/numberFlags.ts"
import * as harvestFlags from "../../harvest/harvestFlags.ts"
import * as harvestPlan from "../../harvest/harvestPlan.ts"
import * as workerFlags from "../../harvest/workerFlags.ts"
import * as RunFiles from "../../output/runFiles.ts"
import * as MetricsServer from "../../process/metricsServer.ts"
import * as Signals from "../../process/signals.ts"
import type { RowList } from "../../rows/rowCommands.ts"
import * as Messages from "../../terminal/messages.ts"

/** Prints the plan of the running harvests of an existing database. */
const plan = (flags: {
  readonly client: clientFlags.Settings
  readonly database: Option.Option<string>
}): Effect.Effect<void, CommandFailure> =>
  clientFlags
    .provide(flags.client, { dryRun: true })(harvestPlan.print(flags.database))
    .pipe(harvestFlags.withExisting(flags.database))

/** Makes the command for rows. Default: those of the contract. */
export const worker = (rows?: RowList) =>
  Command.make(
    "worker",
    {
      workerName: Flag.String("name").pipe(
        Flag.withDescription("Name of the worker in the status of harvests [default: host and process]"),
        Flag.optional
      ),
      metricsPort: port("metrics-port").pipe(
        Flag.withDescription("Port on which Prometheus reads /metrics [default: none]"),
        Flag.optional
      ),
      ...workerFlags.flags,
      database: harvestFlags.database,
      dryRun: clientFlags.dryRun
    },
    (flags) =>
      Effect.gen(function* () {
        if (Option.isSome(flags.metricsPort)) {
          const port = yield* MetricsServer.serve(flags.metricsPort.value)
          Messages.say(`metrics at http://127.0.0.1:${port}/metrics\n`)
        }
        Messages.say("the worker runs (Ctrl-C stops it)\n")
        return yield* workerFlags.during(flags, Effect.never, {
          workerName: Option.getOrUndefined(flags.workerName)
        })
      }).pipe(
        Effect.scoped,
        harvestFlags.withCommandFailures,
        Effect.provide(harvestFlags.layer(flags.database, { ...flags, waits: true })),
        // Checked before the database is opened, because opening creates it.
        (work) =>
          Effect.andThen(
            RunFiles.check({
              inputs: clientFlags.files(flags.client),
              outputs: harvestFlags.files(flags.database)
            }),
            flags.dryRun ? plan(flags) : work
          ),
        Effect.provide(harvestFlags.layerLookups(rows)),
        Signals.server
      )
  ).pipe(
    Command.withDescription(
      "Fetch chunks of the harvests of a database until interrupted; waits up to five minutes for a Postgres that does not respond"
    ),
    Command.withExamples([
      {
        command: "chemstream harvest worker --database postgres://harvest@db.example/harvest --rate 10/s",
        description: "One worker of several, on several machines; all share the rate"
      }
    ])
  )
