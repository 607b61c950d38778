// The fixture of a test of harvests: a folder, a service, a SQLite file, and worker processes that are killed after
// the test.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { ChemClient } from "@chemstream/client"
import { Database, Fetch, Harvest, type Sink, Source, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, type Duration, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { test } from "vitest"
import * as Chemicals from "./chemicalService.ts"

/** Waits until a worker holds shards and has polled the harvests twice since. */
export const awaitWorker = (name: string): Effect.Effect<void, unknown, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const looks = new Set<unknown>()
    while (looks.size < 3) {
      const [row] = yield* sql<{ seen_at: unknown; shards: number }>`
        SELECT seen_at, shards FROM chemstream_workers WHERE name = ${name}`
      if (row !== undefined && row.shards > 0) looks.add(row.seen_at)
      yield* Effect.sleep("50 millis")
    }
  })

/** Polls a harvest until its status is as expected. */
export const pollUntil = (
  name: string,
  isSo: (status: Harvest.Status) => boolean
): Effect.Effect<Harvest.Status, unknown, SqlClient.SqlClient> =>
  Harvest.status(name).pipe(
    Effect.tap((status) => (isSo(status) ? Effect.void : Effect.sleep("50 millis"))),
    Effect.repeat({ until: isSo })
  )

/** Kills a process and waits until it has exited. */
export const kill = async (worker: ChildProcess): Promise<void> => {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  worker.kill("SIGKILL")
  await once(worker, "exit")
}

/** The lines of a sink that has each of these identifiers once. */
export const expected = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.map((id) => `${id} ${Number(id.at(-2)) % 2 === 0 ? "found" : "missing"}`).sort()

/** The lease of a worker in a test without silent workers: long enough for a worker that waits for the processor. */
export const longLease = "20 seconds"

const workerLayer = (
  baseUrl: string,
  lookups: Readonly<Record<string, Fetch.OwnLookup>>,
  wait: Duration.Input | undefined
) =>
  Worker.layer({ name: "own", lease: longLease, wait }).pipe(
    Layer.provide(
      ChemClient.layer({ baseUrl, apiKey: Redacted.make("a-key") }).pipe(Layer.provide(FetchHttpClient.layer))
    ),
    Layer.provide(NodeServices.layer),
    Layer.provide(Fetch.layerLookups(lookups))
  )

/** Stops a process while it does not write, because it would keep the lock of the SQLite file. */
const stopIdle =
  (file: string) =>
  async (worker: ChildProcess): Promise<void> => {
    for (;;) {
      worker.kill("SIGSTOP")
      const database = new DatabaseSync(file, { timeout: 1000 })
      try {
        database.exec("BEGIN IMMEDIATE; ROLLBACK")
        return
      } catch (error) {
        worker.kill("SIGCONT")
        if (!String(error).includes("database is locked")) throw error
      } finally {
        database.close()
      }
    }
  }

const readLines = (
  file: string
): ReadonlyArray<{ readonly dtxsid: string; readonly id: string; readonly outcome: string }> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

const start = async () => {
  const folder = mkdtempSync(join(tmpdir(), "chemstream-harvest-"))
  const service = await Chemicals.start()
  const workers: Array<ChildProcess> = []
  /** The output of each worker process. */
  const output = new Map<string, string>()
  const file = join(folder, "harvests.db")
  const outputFolder = (): string => join(folder, "out")

  const settings = (ids: ReadonlyArray<string>) => ({
    name: "mirror",
    source: Source.list(ids),
    fetch: { lookup: "Details.byDtxsid", projection: "compact" } as const,
    sink: { _tag: "Folder", folder: outputFolder(), file: "records.ndjson" } satisfies Sink.Spec,
    chunkSize: 10,
    validate: "off" as const
  })

  /** Runs with the database, and without a worker. */
  const asClient = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, Database.layerSqlite(file)))

  /** Runs with a worker in this process. */
  const withWorker = <A, E>(
    effect: Effect.Effect<A, E, SqlClient.SqlClient | Worker.Worker>,
    lookups: Readonly<Record<string, Fetch.OwnLookup>> = {},
    wait?: Duration.Input,
    clock?: Clock.Clock
  ): Promise<A> => {
    const program = Effect.provide(
      Effect.provideService(effect, Fetch.Lookups, lookups),
      workerLayer(service.url, lookups, wait).pipe(Layer.provideMerge(Database.layerSqlite(file)))
    )
    return Effect.runPromise(
      clock === undefined ? program : Effect.provideService(program, Clock.Clock, clock)
    )
  }

  const startWorker = (
    name: string,
    rate = 0,
    { url } = service,
    lease: Duration.Input = longLease,
    lookups: ReadonlyArray<string> = [],
    release: "this" | "next" = "this"
  ): ChildProcess => {
    const script = join(import.meta.dirname, "harvestWorker.ts")
    const hooks = release === "this" ? [] : ["--import", join(import.meta.dirname, "nextRelease.ts")]
    const args = [...hooks, script, file, url, name, String(rate), String(lease), ...lookups]
    const worker = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] })
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.on("data", (bytes: Buffer) => output.set(name, `${output.get(name) ?? ""}${bytes}`))
    }
    workers.push(worker)
    return worker
  }

  /** Starts workers, and lets them begin when all of them hold shards. */
  const startTogether = async (
    names: ReadonlyArray<string>,
    rate = 0,
    lease: Duration.Input = longLease
  ): Promise<ReadonlyArray<ChildProcess>> => {
    await asClient(Harvest.pause("mirror"))
    const started = names.map((name) => startWorker(name, rate, service, lease))
    for (const name of names) await asClient(awaitWorker(name))
    await asClient(Harvest.resume("mirror"))
    return started
  }

  const linesOf = (name: string) => readLines(join(outputFolder(), name))

  /** Returns every identifier of the sink, with its outcome. */
  const storedOutcomes = (): ReadonlyArray<string> =>
    [
      ...linesOf("records.ndjson").map(({ dtxsid }) => `${dtxsid} found`),
      ...linesOf("problems.ndjson").map(({ id, outcome }) => `${id} ${outcome}`)
    ].sort()

  const stop = async (): Promise<void> => {
    await Promise.all(workers.map(kill))
    await service[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }

  return {
    file,
    folder,
    output,
    service,
    outputFolder,
    settings,
    asClient,
    stopIdle: stopIdle(file),
    withWorker,
    startWorker,
    startTogether,
    linesOf,
    storedOutcomes,
    stop
  }
}

/** A test with this fixture. */
export const it = test.extend("harvests", async ({ onTestFinished }) => {
  const harvests = await start()
  onTestFinished(harvests.stop)
  return harvests
})
