/**
 * `chemstream harvest worker`: fetches chunks of the harvests of a database, beside other workers, until it is interrupted.
 */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { CommandFailure } from "../../CommandFailure.ts"
import type { RowList } from "../../endpoints/commandIndex.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import * as fetchFlags from "../../harvest/fetchFlags.ts"
import * as harvestDatabase from "../../harvest/harvestDatabase.ts"
import * as harvestPlan from "../../harvest/harvestPlan.ts"
import { untilDone } from "../../harvest/untilDone.ts"
import * as workerFlags from "../../harvest/workerFlags.ts"
import * as workerHealth from "../../harvest/workerHealth.ts"
import { withExamples } from "../../help/examples.ts"
import { switchFlag } from "../../help/flagText.ts"
import * as RunFiles from "../../output/runFiles.ts"
import * as Signals from "../../process/signals.ts"
import * as Messages from "../../terminal/messages.ts"

/** Prints the plan of the running harvests of an existing database. */
const plan = (flags: {
  readonly client: clientFlags.Settings
  readonly database: Option.Option<string>
}): Effect.Effect<void, CommandFailure> =>
  clientFlags
    .provide(flags.client, { dryRun: true })(harvestPlan.print(flags.database))
    .pipe(harvestDatabase.withExisting(flags.database))

/** Makes the command for the endpoints that rows declare. Default: those of the contract. */
export const worker = (rows?: RowList) =>
  Command.make(
    "worker",
    {
      workerName: Flag.String("name").pipe(
        Flag.withDescription("Name of the worker in the status of harvests [default: host and process]"),
        Flag.optional
      ),
      untilDone: switchFlag(
        "until-done",
        "Stop when no harvest runs, with the exit code of status --check: a step of a scheduler [default: run until interrupted]"
      ),
      ...workerHealth.flags,
      ...workerFlags.flags,
      database: harvestDatabase.database,
      dryRun: clientFlags.dryRun
    },
    (flags) =>
      Effect.gen(function* () {
        const onReady = yield* workerHealth.serve(flags)
        const work = Effect.gen(function* () {
          Messages.say("the worker runs (Ctrl-C stops it)\n")
          return yield* workerFlags.during(flags, flags.untilDone ? untilDone : Effect.never, {
            onReady,
            logsWaits: true,
            workerName: Option.getOrUndefined(flags.workerName)
          })
        })
        return yield* work.pipe(
          harvestDatabase.withCommandFailures,
          Effect.provide(harvestDatabase.layer(flags.database, { ...flags, waits: true }))
        )
      }).pipe(
        Effect.scoped,
        // Checked before the database is opened, because opening creates it.
        (work) =>
          Effect.andThen(
            RunFiles.check({
              inputs: clientFlags.files(flags.client),
              outputs: harvestDatabase.files(flags.database)
            }),
            flags.dryRun ? plan(flags) : work
          ),
        Effect.provide(fetchFlags.layerLookups(rows)),
        Signals.server
      )
  ).pipe(
    Command.withDescription(
      "Fetch chunks of the harvests of a database until interrupted; waits up to five minutes for a Postgres that does not respond"
    ),
    withExamples({
      "chemstream harvest worker --until-done":
        "A step of a scheduler: it ends when no harvest runs, with the exit code of status --check",
      "chemstream harvest worker --database postgres://harvest@db.example/harvest --rate 10/s":
        "One worker of several, on several machines; all share the rate"
    })
  )
