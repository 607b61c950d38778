/**
 * `chemstream harvest worker`: fetches chunks of the harvests of a database, beside other workers, until it is interrupted.
 */

import { Harvest } from "@chemstream/workflow"
import { Effect, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { type SqlClient, SqlError } from "effect/sql"
import { CommandFailure, exitCodes } from "../../CommandFailure.ts"
import type { RowList } from "../../endpoints/commandIndex.ts"
import * as clientFlags from "../../flags/clientFlags.ts"
import { optional, switchFlag } from "../../flags/flagTypes.ts"
import * as fetchFlags from "../../harvest/fetchFlags.ts"
import * as HarvestCheck from "../../harvest/harvestCheck.ts"
import * as harvestDatabase from "../../harvest/harvestDatabase.ts"
import * as harvestPlan from "../../harvest/harvestPlan.ts"
import * as runWorker from "../../harvest/runWorker.ts"
import * as workerFlags from "../../harvest/workerFlags.ts"
import * as workerHealth from "../../harvest/workerHealth.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as FileCheck from "../../output/fileCheck.ts"
import * as Signals from "../../process/signals.ts"
import * as Messages from "../../terminal/messages.ts"

/** Prints the plan of the running harvests of an existing database. */
const plan = (flags: {
  readonly client: clientFlags.Settings
  readonly database: string | undefined
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
        optional
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
          return yield* runWorker.during(flags, flags.untilDone ? untilDone : Effect.never, {
            onReady,
            logsWaits: true,
            workerName: flags.workerName
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
            FileCheck.check({
              inputs: clientFlags.files(flags.client),
              outputs: harvestDatabase.files(flags.database)
            }),
            flags.dryRun ? plan(flags) : work
          ),
        Effect.provide(fetchFlags.layerLookups(rows)),
        Signals.server
      )
  ).pipe(
    withHelp(
      "Fetch chunks of the harvests of a database until interrupted; waits up to five minutes for a Postgres that does not respond",
      {
        "chemstream harvest worker --until-done":
          "A step of a scheduler: it ends when no harvest runs, with the exit code of status --check",
        "chemstream harvest worker --database postgres://harvest@db.example/harvest --rate 10/s":
          "One worker of several, on several machines; all share the rate"
      }
    )
  )

/** Polls until no harvest runs. Prints a line for each that was unfinished, and fails if one did not finish well. */
const untilDone: Effect.Effect<
  void,
  CommandFailure | Harvest.UnknownHarvest | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const seen = new Set<string>()
  const list = whileUnavailable(Harvest.list)
  const poll = Effect.map(list, (harvests) => {
    for (const { name, state } of harvests) if (state === "running" || state === "paused") seen.add(name)
    return harvests.some(({ state }) => state === "running")
  })
  yield* Effect.repeat(poll, { schedule: Schedule.spaced("500 millis"), until: (isRunning) => !isRunning })
  // A harvest may be deleted meanwhile.
  const names = (yield* list).map(({ name }) => name).filter((name) => seen.has(name))
  const checks = yield* Effect.forEach(names, (name) =>
    Effect.flatMap(whileUnavailable(Harvest.status(name)), HarvestCheck.of)
  )
  for (const { text } of checks) Messages.print(`${text}\n`)
  if (checks.length === 0) Messages.say("no harvest is unfinished\n")
  const exitCode = HarvestCheck.worst(checks)
  if (exitCode !== exitCodes.success) yield* new CommandFailure({ exitCode, message: "" })
})

/** Repeats a read until the database responds. The worker logs why it does not. */
const whileUnavailable = <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(read, { schedule: Schedule.spaced("500 millis"), while: SqlError.isSqlError })
