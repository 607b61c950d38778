// A worker process, until it is killed. Arguments: a SQLite file or the address of a Postgres, the service, its name, and
// requests a second for all workers together, 0 for as many as they like.
import { ChemClient } from "@chemstream/client"
import { Database, SharedRate, Worker } from "@chemstream/workflow"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"

const [database = "", baseUrl = "", name = "", rate = "0"] = process.argv.slice(2)

const client = ChemClient.layer({
  baseUrl,
  apiKey: Redacted.make("a-key"),
  limits: { requestsPerSecond: Number(rate) > 0 ? Number(rate) : undefined }
}).pipe(Layer.provide([FetchHttpClient.layer, SharedRate.layer]))

const store = database.startsWith("postgres:")
  ? Database.withTables(PgClient.layer({ url: Redacted.make(database) }))
  : Database.layerSqlite(database)

NodeRuntime.runMain(
  Layer.launch(
    Worker.layer({ name, lease: "3 seconds" }).pipe(
      Layer.provide([client, NodeServices.layer]),
      Layer.provide(store)
    )
  )
)
