/**
 * `chemstream harvest`: long runs that outlive their process, by name: how far they are, and what else can be done with
 * them. One is started by `harvestStart.ts`, and worked on by `harvestWorker.ts`, too.
 */
import { Harvest } from "@chemstream/workflow"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { failed, usage } from "../CommandFailure.ts"
import * as commandGroup from "../commandGroup.ts"
import * as harvestFlags from "../harvestFlags.ts"
import * as harvestView from "../harvestView.ts"
import * as harvestWatch from "../harvestWatch.ts"
import * as Messages from "../terminal/messages.ts"
import { start } from "./harvestStart.ts"
import { worker } from "./harvestWorker.ts"

const { database, name } = harvestFlags

const status = Command.make(
  "status",
  {
    name,
    watch: Flag.Boolean("watch").pipe(
      Flag.withAlias("w"),
      Flag.withDescription("Keep looking until it has ended: workers, shards, rate and time left"),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("One JSON object, for a script"),
      Flag.withDefault(false)
    ),
    database
  },
  (flags) =>
    Effect.gen(function* () {
      if (!flags.watch) {
        const status = yield* Harvest.status(flags.name)
        Messages.print(flags.json ? `${JSON.stringify(status)}\n` : harvestView.text(status, columns()))
        return
      }
      let drawn = 0
      yield* harvestWatch.looks(flags.name, (status) => {
        if (flags.json) return void Messages.print(`${JSON.stringify(status)}\n`)
        const text = harvestView.text(status, columns())
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

const list = Command.make("list", { database }, (flags) =>
  Effect.map(Harvest.list, (harvests) => {
    for (const { identifiers, name, reason, source, state } of harvests) {
      Messages.print(`${[name, state, identifiers, source, reason ?? ""].join("\t").trimEnd()}\n`)
    }
  }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription("All harvests of a database, the newest first"),
  Command.withExamples([
    { command: "chemstream harvest list", description: "Name, state, identifiers and source of each" }
  ])
)

const changing = <const Name extends string>(
  command: Name,
  description: string,
  example: string,
  change: (name: string) => ReturnType<typeof Harvest.pause>,
  wanted: Harvest.State
) =>
  Command.make(command, { name, database }, (flags) =>
    Effect.gen(function* () {
      const state = yield* change(flags.name)
      Messages.say(`${flags.name} is ${state}\n`)
      if (state !== wanted) return yield* failed("")
    }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `chemstream harvest ${command} mirror`, description: example }])
  )

const pause = changing(
  "pause",
  "Let no chunk begin until resume",
  "From any process; what is under way is ended",
  Harvest.pause,
  "paused"
)
const resume = changing(
  "resume",
  "Go on with a harvest that was paused, or paused itself",
  "After the key was put right, say",
  Harvest.resume,
  "running"
)
const cancel = changing(
  "cancel",
  "End a harvest for ever, with what it has so far",
  "The sink keeps its chunks",
  Harvest.cancel,
  "cancelled"
)

const forget = Command.make("forget", { name, database }, (flags) =>
  Effect.gen(function* () {
    if (!(yield* Harvest.forget(flags.name))) {
      return yield* usage(`${flags.name} has not ended: cancel it first`)
    }
  }).pipe(harvestFlags.ended, Effect.provide(harvestFlags.layer(flags.database)))
).pipe(
  Command.withDescription("Forget a harvest that has ended, and free its name; its sink stays"),
  Command.withExamples([
    { command: "chemstream harvest forget mirror", description: "What it fetched stays" }
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
  [start, worker, status, list, pause, resume, cancel, forget]
)

/** The width of the terminal that standard output goes to. */
const columns = (): number => process.stdout.columns || 80
