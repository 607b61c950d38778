/**
 * `chemstream harvest`: long runs that outlive their process, by name: how far they are, and what else can be done with
 * them. One is started by `harvestStart.ts`, and worked on by `harvestWorker.ts`, too.
 */
import { Harvest } from "@chemstream/workflow"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { failed, usage } from "../CommandFailure.ts"
import * as harvestFlags from "../harvest/harvestFlags.ts"
import * as harvestView from "../harvest/harvestView.ts"
import * as harvestWatch from "../harvest/harvestWatch.ts"
import * as harvestCommands from "../harvest/suggestedCommands.ts"
import * as commandGroup from "../run/commandGroup.ts"
import { counted } from "../run/summary.ts"
import * as Messages from "../terminal/messages.ts"
import { start } from "./harvestStart.ts"
import { worker } from "./harvestWorker.ts"

const { database, name } = harvestFlags

const json = Flag.Boolean("json").pipe(
  Flag.withDescription("JSON, one object a line, for a script"),
  Flag.withDefault(false)
)

const status = Command.make(
  "status",
  {
    name,
    watch: Flag.Boolean("watch").pipe(
      Flag.withAlias("w"),
      Flag.withDescription("Keep looking until it has ended: workers, shards, rate and time left"),
      Flag.withDefault(false)
    ),
    json,
    database
  },
  (flags) =>
    Effect.gen(function* () {
      const next = harvestCommands.commands(flags.name, flags.database)
      if (!flags.watch) {
        const status = yield* Harvest.status(flags.name)
        Messages.print(flags.json ? `${JSON.stringify(status)}\n` : harvestView.text(status, columns(), next))
        return
      }
      let drawn = 0
      yield* harvestWatch.looks(flags.name, (status) => {
        if (flags.json) return void Messages.print(`${JSON.stringify(status)}\n`)
        const text = harvestView.text(status, columns(), next)
        // Over what was drawn before; where that is no terminal, one after the other.
        Messages.printOver(process.stdout.isTTY ? drawn : 0, text)
        drawn = text.split("\n").length - 1
      })
    }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription("How far a harvest is, who works on it and how long it will take"),
  Command.withExamples([
    { command: "chemstream harvest status mirror --watch", description: "A live view" },
    { command: "chemstream harvest status mirror --json | jq .tally", description: "For a script" }
  ])
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
  }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription("All harvests of a database, the newest first"),
  Command.withExamples([
    { command: "chemstream harvest list", description: "Name, state, identifiers and source of each" },
    {
      command: "chemstream harvest list --json | jq -r .name",
      description: "For a script, one object a line"
    }
  ])
)

const changing = <const Name extends string>(
  command: Name,
  description: string,
  example: string,
  change: (name: string) => ReturnType<typeof Harvest.pause>,
  wanted: Harvest.State,
  advice: (name: string, next: harvestCommands.Commands) => ReturnType<typeof harvestCommands.goingOn>
) =>
  Command.make(command, { name, database }, (flags) =>
    Effect.gen(function* () {
      const state = yield* change(flags.name)
      Messages.say(`${flags.name} is ${state}\n`)
      if (state !== wanted) return yield* failed("")
      Messages.say(yield* advice(flags.name, harvestCommands.commands(flags.name, flags.database)))
    }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `chemstream harvest ${command} mirror`, description: example }])
  )

const pause = changing(
  "pause",
  "Send no further request until resume",
  "From any process; requests in flight are waited for",
  Harvest.pause,
  "paused",
  (_, next) => Effect.succeed(`to go on: ${next("resume")}\n`)
)
const resume = changing(
  "resume",
  "Go on with a harvest that was paused, or paused itself",
  "After the key was put right, say",
  Harvest.resume,
  "running",
  harvestCommands.goingOn
)
const cancel = changing(
  "cancel",
  "End a harvest for ever, with what it has so far",
  "The sink keeps its chunks",
  Harvest.cancel,
  "cancelled",
  (_, next) => Effect.succeed(`to free its name: ${next("delete")}\n`)
)

const remove = Command.make("delete", { name, database }, (flags) =>
  Effect.gen(function* () {
    if (!(yield* Harvest.delete(flags.name))) {
      const next = harvestCommands.commands(flags.name, flags.database)
      return yield* usage(`${flags.name} has not ended; to end it first: ${next("cancel")}`)
    }
    Messages.say(`${flags.name} is deleted; its output stays\n`)
  }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription(
    "Delete a harvest that has ended from the database, and free its name; output and mirror stay"
  ),
  Command.withExamples([
    { command: "chemstream harvest delete mirror", description: "What it fetched stays" }
  ])
)

const retry = Command.make("retry", { name, database }, (flags) =>
  Effect.gen(function* () {
    const failed = yield* Harvest.retry(flags.name)
    if (failed === 0) return Messages.say(`nothing of ${flags.name} has failed\n`)
    const next = harvestCommands.commands(flags.name, flags.database)
    const advice = yield* harvestCommands.goingOn(flags.name, next)
    Messages.say(`${flags.name} asks again for ${counted(failed, "identifier")}\n${advice}`)
  }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription("Ask again for the identifiers of a harvest that failed, within the harvest"),
  Command.withExamples([
    { command: "chemstream harvest retry mirror", description: "Their outcomes are replaced in the output" }
  ])
)

const verify = Command.make("verify", { name, database }, (flags) =>
  Effect.gen(function* () {
    const { lost, state } = yield* Harvest.verify(flags.name)
    if (lost.length === 0)
      return Messages.say(`${flags.name} is ${state}; its output has every chunk that is done\n`)
    const next = harvestCommands.commands(flags.name, flags.database)
    const again =
      state === "cancelled"
        ? "; it is cancelled, and does not fetch them again\n"
        : `, and fetched again\n${yield* harvestCommands.goingOn(flags.name, next)}`
    Messages.say(`not whole in the output of ${flags.name}: ${counted(lost.length, "chunk")}${again}`)
    return yield* failed("")
  }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription("Compare what is recorded as done with the output; what is lost is fetched again"),
  Command.withExamples([
    {
      command: "chemstream harvest verify mirror",
      description: "On a machine that has the output; exit code 1 where a chunk was lost"
    }
  ])
)

export const harvest = commandGroup.make(
  "harvest",
  "Long runs that outlive their process, on one machine or many",
  [
    {
      command: "chemstream harvest start mirror --input ids.txt --output mirror/records.ndjson",
      description: "On this machine"
    }
  ],
  [start, worker, status, list, pause, resume, cancel, retry, verify, remove]
)

/** The width of the terminal that standard output goes to. */
const columns = (): number => process.stdout.columns || 80
