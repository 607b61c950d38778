/**
 * `chemstream harvest`: shows and controls harvests, by name. `harvestStart.ts` starts them, and `harvestWorker.ts` adds workers.
 *
 * A harvest is a long run that a database stores. Its identifiers are divided into chunks; a shard is the chunks that one worker fetches.
 */
import { Harvest } from "@chemstream/workflow"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { runFailure, usageFailure } from "../../CommandFailure.ts"
import type { RowList } from "../../endpoints/commandIndex.ts"
import { optional, switchFlag } from "../../flags/flagTypes.ts"
import * as TimeFlag from "../../flags/timeFlag.ts"
import * as HarvestCheck from "../../harvest/harvestCheck.ts"
import * as harvestDatabase from "../../harvest/harvestDatabase.ts"
import * as harvestName from "../../harvest/harvestName.ts"
import * as harvestText from "../../harvest/harvestText.ts"
import * as harvestWatch from "../../harvest/harvestWatch.ts"
import * as suggestedCommands from "../../harvest/suggestedCommands.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as commandGroup from "../../run/commandGroup.ts"
import * as Messages from "../../terminal/messages.ts"
import { counted } from "../../terminal/quantities.ts"
import { start } from "./harvestStart.ts"
import { worker } from "./harvestWorker.ts"

const { database } = harvestDatabase
const { name } = harvestName

const json = switchFlag("json", "JSON for a script, one object on each line")

const showStatus = Command.make(
  "status",
  {
    name,
    watch: switchFlag("watch", "Watch until it has finished: workers, shards, rate and time left").pipe(
      Flag.withAlias("w")
    ),
    check: switchFlag(
      "check",
      "Print one line, and exit with 0: it runs or has finished; 1: values failed, or it is cancelled; 3: the key was refused; 4: it waits for the service; 5: no worker, paused, no progress for two leases and three times the mean time of a chunk, or no response of its Postgres"
    ),
    olderThan: TimeFlag.make(
      "older-than",
      "With --check, exit with 1 if the harvest finished longer ago, e.g. 26h for a nightly one [default: any time is fine]"
    ).pipe(optional),
    json,
    database
  },
  (flags) =>
    Effect.gen(function* () {
      if (flags.olderThan !== undefined && !flags.check)
        return yield* usageFailure("--older-than needs --check")
      if (flags.watch && flags.check) return yield* usageFailure("--check cannot be used with --watch")
      const next = suggestedCommands.commands(flags.name, flags.database)
      if (!flags.watch) {
        const status = yield* Harvest.status(flags.name)
        const check = yield* HarvestCheck.of(status, flags.olderThan)
        if (flags.check)
          return yield* HarvestCheck.report({
            ...check,
            text: flags.json ? JSON.stringify({ ...status, check }) : check.text
          })
        Messages.print(flags.json ? `${JSON.stringify(status)}\n` : harvestText.text(status, columns(), next))
        return
      }
      let previousLines = 0
      yield* harvestWatch.poll(flags.name, (status) => {
        if (flags.json) return void Messages.print(`${JSON.stringify(status)}\n`)
        const text = harvestText.text(status, columns(), next)
        // On a terminal, replaces the previous status. Elsewhere, appends.
        Messages.printOver(process.stdout.isTTY ? previousLines : 0, text)
        previousLines = text.split("\n").length - 1
      })
    }).pipe(harvestDatabase.withExisting(flags.database))
).pipe(
  withHelp("The progress of a harvest, its workers and its remaining time", {
    "chemstream harvest status mirror --watch": "A live view",
    "chemstream harvest status mirror --json | jq .tally": "For a script",
    "chemstream harvest status mirror --check --older-than 26h": "For a monitor: one line, and an exit code"
  })
)

const list = Command.make("list", { json, database }, (flags) =>
  Effect.map(Harvest.list, (harvests) => {
    if (flags.json) {
      for (const harvest of harvests) Messages.print(`${JSON.stringify(harvest)}\n`)
      return
    }
    const rows = harvests.map(({ identifiers, name, reason, source, state }) =>
      [name, state, identifiers, source, reason ?? ""].join("\t").trimEnd()
    )
    for (const row of ["NAME\tSTATE\tIDENTIFIERS\tSOURCE\tREASON", ...rows]) Messages.print(`${row}\n`)
  }).pipe(harvestDatabase.withExisting(flags.database))
).pipe(
  withHelp("All harvests of a database, the newest first", {
    "chemstream harvest list": "Name, state, identifiers and source of each",
    "chemstream harvest list --json | jq -r .name": "For a script, one object on each line"
  })
)

/** Makes a command on one harvest of a database. */
const harvestCommand = <const Name extends string, E extends harvestDatabase.HarvestFailure, R>(
  command: Name,
  description: string,
  example: string,
  run: (harvest: string, next: suggestedCommands.Commands) => Effect.Effect<void, E, R>
) =>
  Command.make(command, { name, database }, (flags) =>
    run(flags.name, suggestedCommands.commands(flags.name, flags.database)).pipe(
      harvestDatabase.withExisting(flags.database)
    )
  ).pipe(withHelp(description, { [`chemstream harvest ${command} mirror`]: example }))

/** Changes the state of a harvest, and says it with an advice. */
const stateChange = (
  change: (name: string) => ReturnType<typeof Harvest.pause>,
  wanted: Harvest.State,
  advice: typeof suggestedCommands.nextCommand
) =>
  Effect.fnUntraced(function* (harvest: string, next: suggestedCommands.Commands) {
    const state = yield* change(harvest)
    Messages.say(`${harvest} is ${state}\n`)
    if (state !== wanted) return yield* runFailure("")
    Messages.say(yield* advice(harvest, next))
  })

const pause = harvestCommand(
  "pause",
  "Pause a harvest: send no further request until resume",
  "From any process; requests in flight finish",
  stateChange(Harvest.pause, "paused", (_, next) => Effect.succeed(`to continue: ${next("resume")}\n`))
)
const resume = harvestCommand(
  "resume",
  "Continue a paused harvest",
  "For example, after the key was corrected",
  stateChange(Harvest.resume, "running", suggestedCommands.nextCommand)
)
const cancel = harvestCommand(
  "cancel",
  "Cancel a harvest for good, and keep its results so far",
  "The output keeps its finished chunks",
  stateChange(Harvest.cancel, "cancelled", (_, next) =>
    Effect.succeed(`to free its name: ${next("delete")}\n`)
  )
)

const remove = harvestCommand(
  "delete",
  "Delete a finished harvest from the database, and free its name; output and mirror stay",
  "Its output stays",
  Effect.fnUntraced(function* (harvest, next) {
    if (!(yield* Harvest.delete(harvest)))
      return yield* usageFailure(`${harvest} has not finished; to cancel it first: ${next("cancel")}`)
    Messages.say(`${harvest} is deleted; its output stays\n`)
  })
)

const retry = harvestCommand(
  "retry",
  "Request the failed identifiers of a harvest again, as part of the harvest",
  "Their outcomes are replaced in the output",
  Effect.fnUntraced(function* (harvest, next) {
    const failed = yield* Harvest.retry(harvest)
    if (failed === 0) return Messages.say(`no identifier of ${harvest} has failed\n`)
    const advice = yield* suggestedCommands.nextCommand(harvest, next)
    Messages.say(`${harvest} requests ${counted(failed, "identifier")} again\n${advice}`)
  })
)

const verify = harvestCommand(
  "verify",
  "Compare the output with the finished chunks, and fetch lost ones again",
  "On a machine with the output; exit code 1 if a chunk was lost",
  Effect.fnUntraced(function* (harvest, next) {
    const { lost, state } = yield* Harvest.verify(harvest)
    if (lost.length === 0)
      return Messages.say(`${harvest} is ${state}; its output has every finished chunk\n`)
    const again =
      state === "cancelled"
        ? "; a cancelled harvest does not fetch lost chunks again\n"
        : `; the harvest fetches lost chunks again\n${yield* suggestedCommands.nextCommand(harvest, next)}`
    Messages.say(`the output of ${harvest} is incomplete in ${counted(lost.length, "chunk")}${again}`)
    return yield* runFailure("")
  })
)

/** Makes the command for the endpoints that rows declare. Default: those of the contract. */
export const harvest = (rows?: RowList) =>
  commandGroup.make(
    "harvest",
    "Long runs that outlive their process, on one machine or many",
    {
      "chemstream harvest start mirror --input ids.txt --output mirror/records.ndjson": "On this machine"
    },
    [start(rows), worker(rows), showStatus, list, pause, resume, cancel, retry, verify, remove]
  )

/** The width of the terminal of standard output. */
const columns = (): number => process.stdout.columns || 80
