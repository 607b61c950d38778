/**
 * Plans the work of a worker: the rest of every running harvest of its database.
 */
import { join } from "node:path"
import type { ChemClient } from "@chemstream/client"
import { Plan } from "@chemstream/stream"
import { Harvest, type Sink } from "@chemstream/workflow"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { CommandFailure } from "../CommandFailure.ts"
import * as RunPlan from "../run/runPlan.ts"
import { count } from "../terminal/quantities.ts"
import * as harvestDatabase from "./harvestDatabase.ts"

/** Reads the harvests of the database, and plans their requests with the client. */
type Planned<A> = Effect.Effect<
  A,
  CommandFailure | SqlError.SqlError | Harvest.UnknownHarvest,
  ChemClient.ChemClient | SqlClient.SqlClient
>

/** Returns the rest of each running harvest, by name. */
const running: Planned<ReadonlyMap<string, Harvest.Rest>> = Effect.gen(function* () {
  const rests = new Map<string, Harvest.Rest>()
  for (const { name, state } of yield* Harvest.list) {
    if (state === "running") rests.set(name, yield* restOf(name))
  }
  return rests
})

const restOf = (name: string): Planned<Harvest.Rest> =>
  Effect.mapError(Harvest.plan(name), (error) =>
    error._tag === "SqlError" || error._tag === "UnknownHarvest" ? error : RunPlan.planFailure(error)
  )

const sum = (rests: ReadonlyMap<string, Harvest.Rest>): RunPlan.Requests => Plan.sum(rests.values())

/** Prints the plan of a worker. */
export const print = (database: string | undefined): Planned<void> =>
  Effect.gen(function* () {
    const rests = yield* running
    const sinks = yield* Effect.forEach(rests.keys(), (name) => Harvest.status(name))
    const texts = Array.from(rests, ([name, { identifiers }]) => `${count(identifiers)} of ${name}`)
    yield* RunPlan.printPlan(texts.length === 0 ? "none" : texts.join(", "), sum(rests), {
      output: [...sinks.flatMap(({ sink }) => filesOf(sink)), harvestDatabase.databaseOf(database)]
    })
  })

/** Says that the running harvests take long, if they do. */
export const announce: Planned<void> = RunPlan.announceLong(Effect.map(running, sum))

const filesOf = (sink: Sink.Spec | undefined): ReadonlyArray<string> => {
  switch (sink?._tag) {
    case "Folder":
      return [sink.file === undefined ? sink.folder : join(sink.folder, sink.file)]
    case "Table":
      return [sink.target]
    case "Mirror":
      return sink.report === undefined ? [] : [sink.report]
    default:
      return []
  }
}
