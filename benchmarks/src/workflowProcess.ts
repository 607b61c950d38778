/**
 * Runs a worker over a Postgres or a SQLite file, and sends a message when it works. When it is stopped, it gives back its shards, so that
 * the next workers need not wait for its lease.
 */
import { Database, Sinks, Worker } from "@chemstream/workflow"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Redacted } from "effect"
import * as child from "./child.ts"
import { client } from "./workflowRun.ts"

/** The options of the worker. */
export interface Options {
  readonly url: string
  readonly database: string
  readonly concurrency: number
}

const { concurrency, database, url } = child.options<Options>()

const store = database.startsWith("postgres:")
  ? Database.layerPostgres({ url: Redacted.make(database) })
  : Database.layerSqlite(database)

const worker = Worker.layer({ concurrency }).pipe(
  Layer.provide([client(url), NodeServices.layer]),
  Layer.provide(store),
  // A harvest records the address of its table without the password.
  Layer.provide(Layer.succeed(Sinks.Addresses, [Redacted.make(database)]))
)
const announced = Layer.effectDiscard(Effect.sync(() => process.send?.("works"))).pipe(
  Layer.provideMerge(worker)
)

NodeRuntime.runMain(Layer.launch(announced))
