/**
 * A worker of a Postgres or a SQLite file, as a process, until it is ended: then it gives its shards back, so that the next workers do not
 * wait for its lease. It says when it has begun.
 */
import { Database, Worker } from "@chemstream/workflow"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import * as child from "./child.ts"
import { client } from "./workflowRun.ts"

/** How it works. */
export interface Options {
  readonly url: string
  readonly database: string
  readonly concurrency: number
}

const { concurrency, database, url } = child.options<Options>()

const store = database.startsWith("postgres:")
  ? Database.withTables(PgClient.layer({ url: Redacted.make(database) }))
  : Database.layerSqlite(database)

const worker = Worker.layer({ concurrency }).pipe(
  Layer.provide([client(url), NodeServices.layer]),
  Layer.provide(store)
)
const announced = Layer.effectDiscard(Effect.sync(() => process.send?.("works"))).pipe(
  Layer.provideMerge(worker)
)

NodeRuntime.runMain(Layer.launch(announced))
