// Runs a worker until it is killed. Arguments: a SQLite file or the address of a Postgres, the service, the name of
// the worker, the requests per second of all workers (0: no limit), the lease, and its own lookups. A file
// DATABASE.fault names a fault of the worker, for as long as it exists.
import { existsSync, readFileSync } from "node:fs"
import { ChemClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Database, Fetch, SharedRate, Worker } from "@chemstream/workflow"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Duration, Effect, Layer, Redacted } from "effect"
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
  ? Database.layerPostgres({
      url: Redacted.make(database),
      silence: Duration.times(Duration.fromInputUnsafe(lease as Duration.Input), 2 / 3)
    })
  : Database.layerSqlite(database)

/** The faults: the start of a statement, and what happens instead of it. */
const faults: Readonly<Record<string, readonly [statement: RegExp, effect: Effect.Effect<unknown>]>> = {
  "the loop dies": [/INSERT INTO chemstream_workers/, Effect.die(new Error("the loop is broken"))],
  "the loop hangs": [/INSERT INTO chemstream_workers/, Effect.never],
  "the loop hangs for good": [
    /INSERT INTO chemstream_workers/,
    Effect.andThen(Console.log("the loop hangs"), Effect.uninterruptible(Effect.never))
  ],
  "no shards": [/(INSERT INTO|UPDATE) chemstream_leases/, Effect.succeed([])]
}

const fault = () =>
  existsSync(`${database}.fault`) ? faults[readFileSync(`${database}.fault`, "utf8")] : undefined

/** A client with the fault that the file names. A client of Postgres has no faults, because its tables share it. */
const faulty = Layer.effect(
  SqlClient.SqlClient,
  Effect.map(
    SqlClient.SqlClient,
    (sql) =>
      new Proxy(sql, {
        apply: (target, self, [strings, ...values]) => {
          const [statement, effect] = fault() ?? []
          return statement?.test(String(strings))
            ? effect
            : Reflect.apply(target as never, self, [strings, ...values])
        }
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
      Layer.mergeAll(client, NodeServices.layer, Fetch.layerLookups(own)).pipe(
        Layer.provideMerge(database.startsWith("postgres:") ? store : faulty)
      )
    )
  )
)
