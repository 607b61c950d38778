// A worker process, until it is killed. Arguments: a SQLite file or the address of a Postgres, the service, its name,
// requests a second for all workers together, 0 for as many as they like, the lease, and the lookups of its own. While a file
// stands beside the database that is named like it and ends in `.fault`, the loop of the worker dies.
import { existsSync } from "node:fs"
import { ChemClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Database, Fetch, SharedRate, Worker } from "@chemstream/workflow"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { type Duration, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { SqlClient } from "effect/sql"

const [database = "", baseUrl = "", name = "", rate = "0", lease = "3 seconds", ...lookups] =
  process.argv.slice(2)

const client = ChemClient.layer({
  baseUrl,
  apiKey: Redacted.make("a-key"),
  limits: { requestsPerSecond: Number(rate) > 0 ? Number(rate) : undefined }
}).pipe(Layer.provide([FetchHttpClient.layer, SharedRate.layer]))

const store = database.startsWith("postgres:")
  ? Database.withTables(PgClient.layer({ url: Redacted.make(database) }))
  : Database.layerSqlite(database)

/** Statements that die of a defect as long as the file is there. */
const faulty = Layer.effect(
  SqlClient.SqlClient,
  Effect.map(
    SqlClient.SqlClient,
    (sql) =>
      new Proxy(sql, {
        apply: (target, self, [strings, ...values]) =>
          String(strings).includes("INSERT INTO chemstream_workers") && existsSync(`${database}.fault`)
            ? Effect.die(new Error("the loop is broken"))
            : Reflect.apply(target as never, self, [strings, ...values])
      })
  )
).pipe(Layer.provideMerge(store))

const own = Object.fromEntries(
  lookups.map((lookup): [string, Fetch.OwnLookup] => [
    lookup,
    {
      call: async (texts) => ({
        records: texts.map((text) => ({
          key: text,
          record: RawRecord.fromText(JSON.stringify({ dtxsid: text, lookup }))
        }))
      })
    }
  ])
)

NodeRuntime.runMain(
  Worker.run({ name, lease: lease as Duration.Input }).pipe(
    Effect.provide(
      Layer.mergeAll(client, NodeServices.layer, Fetch.layerLookups(own)).pipe(Layer.provideMerge(faulty))
    )
  )
)
