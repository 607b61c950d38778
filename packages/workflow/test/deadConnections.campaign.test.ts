// Tests harvests on a Postgres whose connections die: they are reset, or stay open while nothing passes any more.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { Database, Harvest, Source } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { kill } from "./harvestFixture.ts"
import * as Postgres from "./postgres.ts"
import * as PostgresProxy from "./postgresProxy.ts"

let postgres: Postgres.Postgres

beforeAll(async () => {
  postgres = await Postgres.start()
}, 120_000)

afterAll(() => postgres?.stop())

const withDatabase = <A, E>(body: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
  body.pipe(
    Effect.provide(Database.layerPostgres({ url: Redacted.make(postgres.url) })),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )

const lease = 3

const chunkSize = 5
const chunks = 120

const isThorough = process.env["CHEMSTREAM_TIER"] === "thorough"

let names = 0

/** Starts a harvest and two workers that reach the database through a proxy. They are killed after the test. */
const setUp = async (ids: number) => {
  const name = `h${++names}`
  const proxy = await PostgresProxy.start(postgres.url)
  const service = await Chemicals.start(20)
  await withDatabase(
    Harvest.start({
      name,
      source: Source.list(Chemicals.idsOf(ids)),
      fetch: { lookup: "Details.byDtxsid" },
      sink: { _tag: "Table", target: `${proxy.url}#${name}`, columns: [] },
      chunkSize
    })
  )
  const workers: Array<ChildProcess> = []
  onTestFinished(async () => {
    await Promise.all(workers.map(kill))
    await proxy.stop()
    await service[Symbol.asyncDispose]()
  })
  const startWorker = (): ChildProcess => {
    const args = [proxy.url, service.url, `${name}-${workers.length}`, "0", `${lease} seconds`]
    const worker = spawn(process.execPath, [join(import.meta.dirname, "harvestWorker.ts"), ...args], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, PGPASSWORD: "harvest" }
    })
    workers.push(worker)
    return worker
  }
  return { name, proxy, service, startWorker }
}

/** The identifiers of the output, sorted. */
const stored = (name: string) =>
  withDatabase(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(sql<{ id: string }>`SELECT id FROM ${sql(`${name}_outcomes`)}`, (rows) =>
        rows.map(({ id }) => id).sort()
      )
    )
  )

type Attack = (proxy: PostgresProxy.PostgresProxy) => void

const everySecond = (index: number): boolean => index % 2 === 0

/** All cases in the thorough tier, else the first two. */
const cases: ReadonlyArray<readonly [title: string, attack: Attack]> = [
  ["nothing passes in both directions", (proxy) => proxy.silence("both")],
  ["they are reset", (proxy) => proxy.cut()],
  ["nothing passes to the server", (proxy) => proxy.silence("to the server")],
  ["nothing passes to the client", (proxy) => proxy.silence("to the client")],
  ["nothing passes on every second one", (proxy) => proxy.silence("both", everySecond)],
  [
    "nothing passes to the client on every second one",
    (proxy) => proxy.silence("to the client", everySecond)
  ],
  ["every second one is reset", (proxy) => proxy.cut(everySecond)]
]

describe("a harvest whose connections die", () => {
  it.each(isThorough ? cases : cases.slice(0, 2))(
    "continues on new ones, and has every identifier once: %s",
    async (title, attack) => {
      const { name, proxy, service, startWorker } = await setUp(chunkSize * chunks)
      startWorker()
      startWorker()
      await service.received(30)
      const from = performance.now()
      attack(proxy)
      // On a busy machine the workers may have requested all chunks by now.
      await service.received(Math.min(service.requests.length + 20, chunks))
      if (isThorough) console.log(`${title}: continued after ${Math.round(performance.now() - from)} ms`)
      const status = await withDatabase(Harvest.awaitHalt(name))
      expect(status).toMatchObject({ state: "finished", tally: { read: 600, found: 300, missing: 300 } })
      expect(await stored(name)).toEqual([...Chemicals.idsOf(600)].sort())
    }
  )

  it("lets a worker stop", async () => {
    const { proxy, service, startWorker } = await setUp(2000)
    const worker = startWorker()
    await service.received(30)
    proxy.silence("both")
    const exit = once(worker, "exit")
    worker.kill("SIGTERM")
    await exit
  })
})
