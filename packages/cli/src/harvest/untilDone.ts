/**
 * Waits until no harvest of the database runs, and judges those that have ended or halted meanwhile.
 */
import { Harvest } from "@chemstream/workflow"
import { Effect, Schedule } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { CommandFailure, exitCodes } from "../CommandFailure.ts"
import * as Messages from "../terminal/messages.ts"
import * as HarvestCheck from "./harvestCheck.ts"

/** Polls until no harvest runs. Prints a line for each that was unfinished, and fails if one did not finish well. */
export const untilDone: Effect.Effect<
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
