/**
 * Refreshes a mirror of all chemicals every night, and writes and reports only the differences. If it is killed, the same command
 * continues. The third argument is the number of workers. For workers on other machines, DATABASE is a postgres://… address.
 *
 *   node examples/nightly.ts nightly.db changes.ndjson 4
 * The command does the same: chemstream harvest start nightly --all --mirror chemicals --report changes.ndjson --database nightly.db
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY set the service. All workers together send ten requests per second.
 * Exit code 1: something failed or paused the harvest; 2: wrong usage; 3: key rejected.
 */
import { fork } from "node:child_process"
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Database, Harvest, Refresh, SharedRate, Source, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { DateTime, Effect, Layer, Redacted } from "effect"

const [where, report, workers = "1"] = process.argv.slice(2)
if (where === undefined || report === undefined) {
  console.error("usage: nightly.ts DATABASE REPORT [WORKERS]")
  process.exit(2)
}
const database = where.startsWith("postgres://")
  ? Database.layerPostgres({ url: Redacted.make(where) })
  : Database.layerSqlite(where)
const client = ChemClient.layerConfig({ limits: { requestsPerSecond: 10 } }).pipe(
  Layer.provide([Transport.layer(), SharedRate.layer])
)
const worker = Worker.layer().pipe(Layer.provideMerge(client), Layer.provideMerge(database))
const helper = () => fork(import.meta.filename, [where, report, "worker"])
const helpers = Array.from({ length: Number(workers) - 1 }, helper)

const night = Effect.gen(function* () {
  const name = DateTime.formatIsoDateUtc(yield* DateTime.now)
  const started = yield* Refresh.start({
    name,
    source: Source.all(),
    fetch: { lookup: "Details.byDtxsid", projection: "ccdchemicaldetails" },
    mirror: "chemicals",
    olderThan: "20 hours",
    report,
    chunkSize: 100
  })
  console.error(`${name} ${started.isNew ? "started" : "continues"}: ${started.identifiers} are due`)
  const status = yield* Harvest.status(name).pipe(
    Effect.tap(({ state }) => (state === "running" ? Effect.sleep("500 millis") : Effect.void)),
    Effect.repeat({ until: ({ state }) => state !== "running" })
  )
  const { failed, found, missing } = status.tally
  console.error(`${status.reason ?? status.state}: ${found} found, ${missing} missing, ${failed} failed`)
  process.exitCode = status.state === "finished" && failed === 0 ? 0 : 1
})

const program = workers === "worker" ? Effect.never : night
const services = worker.pipe(Layer.provideMerge(NodeServices.layer))
await Effect.runPromise(Effect.provide(program, services)).catch((error) => {
  console.error(error.message)
  process.exitCode = error._tag === "Unauthorized" ? 3 : 1
})
for (const helper of helpers) helper.kill()
