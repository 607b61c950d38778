// What a test of harvests works with, its own for each test: a folder, a service, a SQLite file, and worker processes that
// are killed when the test is over.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { ChemClient } from "@chemstream/client"
import { Database, Fetch, Harvest, type Sink, Source, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { type Duration, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { test } from "vitest"
import * as Chemicals from "./chemicalService.ts"

/** Waits until a worker holds shards, and has looked at the harvests twice since. */
export const alive = (name: string): Effect.Effect<void, unknown, SqlClient.SqlClient> =>
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

/** Looks at a harvest until its status is as it should be. */
export const until = (
  name: string,
  isSo: (status: Harvest.Status) => boolean
): Effect.Effect<Harvest.Status, unknown, SqlClient.SqlClient> =>
  Harvest.status(name).pipe(
    Effect.tap((status) => (isSo(status) ? Effect.void : Effect.sleep("50 millis"))),
    Effect.repeat({ until: isSo })
  )

/** Kills a process and waits until it is gone. */
export const kill = async (worker: ChildProcess): Promise<void> => {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  worker.kill("SIGKILL")
  await once(worker, "exit")
}

/** The lines of a sink that holds each of these identifiers once. */
export const expected = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.map((id) => `${id} ${Number(id.at(-2)) % 2 === 0 ? "found" : "missing"}`).sort()

/** The lease of a worker whose silence is no part of the test: long enough for one that waits for the processor. */
export const longLease = "20 seconds"

const start = async () => {
  const folder = mkdtempSync(join(tmpdir(), "chemstream-harvest-"))
  const service = await Chemicals.start()
  const workers: Array<ChildProcess> = []
  /** What each worker process has written. */
  const said = new Map<string, string>()
  const file = join(folder, "harvests.db")
  const out = (): string => join(folder, "out")

  const settings = (ids: ReadonlyArray<string>) => ({
    name: "mirror",
    source: Source.list(ids),
    fetch: { lookup: "Details.byDtxsid", projection: "compact" } as const,
    sink: { _tag: "Folder", folder: out(), file: "records.ndjson" } satisfies Sink.Spec,
    chunkSize: 10,
    validate: "off" as const
  })

  /** Runs in a process that has the database, and no worker. */
  const asClient = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, Database.layerSqlite(file)))

  /** Runs with a worker in this process. */
  const withWorker = <A, E>(
    effect: Effect.Effect<A, E, SqlClient.SqlClient | Worker.Worker>,
    lookups: Readonly<Record<string, Fetch.OwnLookup>> = {},
    wait?: Duration.Input
  ): Promise<A> =>
    Effect.runPromise(
      Effect.provide(
        Effect.provideService(effect, Fetch.Lookups, lookups),
        Worker.layer({ name: "own", lease: longLease, wait }).pipe(
          Layer.provide(
            ChemClient.layer({ baseUrl: service.url, apiKey: Redacted.make("a-key") }).pipe(
              Layer.provide(FetchHttpClient.layer)
            )
          ),
          Layer.provide(NodeServices.layer),
          Layer.provide(Fetch.layerLookups(lookups)),
          Layer.provideMerge(Database.layerSqlite(file))
        )
      )
    )

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
      stream.on("data", (bytes: Buffer) => said.set(name, `${said.get(name) ?? ""}${bytes}`))
    }
    workers.push(worker)
    return worker
  }

  /** Stops a process that is not just writing: it would keep the lock of the SQLite file, and everybody would wait for it. */
  const asleep = async (worker: ChildProcess): Promise<void> => {
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

  /** Starts workers that begin when all of them hold shards. */
  const begunTogether = async (
    names: ReadonlyArray<string>,
    rate = 0,
    lease: Duration.Input = longLease
  ): Promise<ReadonlyArray<ChildProcess>> => {
    await asClient(Harvest.pause("mirror"))
    const begun = names.map((name) => startWorker(name, rate, service, lease))
    for (const name of names) await asClient(alive(name))
    await asClient(Harvest.resume("mirror"))
    return begun
  }

  const linesOf = (
    name: string
  ): ReadonlyArray<{ readonly dtxsid: string; readonly id: string; readonly outcome: string }> =>
    readFileSync(join(out(), name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))

  /** Every identifier of the sink, with its outcome. */
  const kept = (): ReadonlyArray<string> =>
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
    said,
    service,
    out,
    settings,
    asClient,
    asleep,
    withWorker,
    startWorker,
    begunTogether,
    linesOf,
    kept,
    stop
  }
}

/** A test that is given what it works with. */
export const it = test.extend("harvests", async ({ onTestFinished }) => {
  const harvests = await start()
  onTestFinished(harvests.stop)
  return harvests
})
