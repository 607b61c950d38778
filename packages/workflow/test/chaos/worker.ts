// A worker in a process of its own. Arguments: the address of the Postgres, of the service, its name, the lease in
// seconds, requests a second of all workers together.
import { ChemClient } from "@chemstream/client"
import { Database, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"

const [database = "", service = "", name = "", lease = "", rate = ""] = process.argv.slice(2)

const client = ChemClient.layer({
  baseUrl: service,
  apiKey: Redacted.make("key"),
  limits: { requestsPerSecond: Number(rate) }
})

const worker = Worker.layer({ name, concurrency: 4, lease: `${Number(lease)} seconds` }).pipe(
  Layer.provide(client),
  Layer.provide(Database.withTables(PgClient.layer({ url: Redacted.make(database) }))),
  Layer.provide([FetchHttpClient.layer, NodeServices.layer])
)

await Effect.runPromise(Layer.launch(worker))
