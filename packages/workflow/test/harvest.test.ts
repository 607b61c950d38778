import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChemClient } from "@chemstream/client"
import { Database, Harvest, type Sink, Source, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, Layer, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as Chemicals from "./chemicalService.ts"

let folder: string
let service: Chemicals.ChemicalService
const workers: Array<ChildProcess> = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "chemstream-harvest-"))
  service = await Chemicals.start()
})

afterEach(async () => {
  for (const worker of workers.splice(0)) {
    worker.kill("SIGKILL")
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit")
  }
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const file = (): string => join(folder, "harvests.db")
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
  Effect.runPromise(Effect.provide(effect, Database.layerSqlite(file())))

/** Runs with a worker in this process. */
const withWorker = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
  Effect.runPromise(
    Effect.provide(
      effect,
      Worker.layer({ name: "own", lease: "3 seconds" }).pipe(
        Layer.provide(
          ChemClient.layer({ baseUrl: service.url, apiKey: Redacted.make("a-key") }).pipe(
            Layer.provide(FetchHttpClient.layer)
          )
        ),
        Layer.provide(NodeServices.layer),
        Layer.provideMerge(Database.layerSqlite(file()))
      )
    )
  )

const startWorker = (name: string, rate = 0, { url } = service): ChildProcess => {
  const script = join(import.meta.dirname, "harvestWorker.ts")
  const worker = spawn(process.execPath, [script, file(), url, name, String(rate)], {
    stdio: ["ignore", "inherit", "inherit"]
  })
  workers.push(worker)
  return worker
}

/** Starts workers that begin when all of them hold shards. */
const begunTogether = async (names: ReadonlyArray<string>, rate = 0): Promise<void> => {
  await asClient(Harvest.pause("mirror"))
  for (const name of names) startWorker(name, rate)
  for (const name of names) await asClient(alive(name))
  await asClient(Harvest.resume("mirror"))
}

const kill = async (worker: ChildProcess): Promise<void> => {
  worker.kill("SIGKILL")
  await once(worker, "exit")
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

const expected = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.map((id) => `${id} ${Number(id.at(-2)) % 2 === 0 ? "found" : "missing"}`).sort()

describe("a harvest in one process", () => {
  it("keeps exactly one outcome of every identifier, and counts those that came again", async () => {
    const ids = Chemicals.idsOf(95)
    const status = await withWorker(
      Effect.andThen(
        Harvest.start(settings([...ids, "no identifier", ids[3] ?? "", ids[94] ?? ""])),
        Harvest.ended("mirror")
      )
    )
    expect(status).toMatchObject({
      state: "finished",
      chunks: 10,
      chunksDone: 10,
      tally: { read: 98, found: 48, missing: 47, invalid: 1, failed: 0, duplicates: 2 }
    })
    expect(kept()).toEqual([...expected(ids), "no identifier invalid"].sort())
  })

  it("keeps as invalid what its reader has found to be no identifier, and asks for none of it", async () => {
    const [first = "", second = "", third = ""] = Chemicals.idsOf(3)
    const source = Source.stream(
      "a table",
      Stream.make(
        { text: first, line: 7 },
        { text: second, line: 8, fault: "the row has no column 4" },
        { text: third, line: 11 },
        { text: third, line: 12, fault: "the row is cut off" }
      )
    )
    const status = await withWorker(
      Effect.andThen(
        Harvest.start({ ...settings([]), source, sink: { _tag: "Folder", folder: out() } }),
        Harvest.ended("mirror")
      )
    )
    expect(status.tally).toMatchObject({ read: 4, found: 2, invalid: 2, duplicates: 0 })
    expect(service.requests).toEqual([[first, third]])
    const problems = linesOf("parts/00000000/problems.ndjson")
    expect(problems).toMatchObject([
      { id: second, line: 8, outcome: "invalid", error: { message: "the row has no column 4" } },
      { id: third, line: 12, outcome: "invalid", error: { message: "the row is cut off" } }
    ])
  })

  it("records a chunk once: the engine has a message a shard and two of the end, however many chunks there are", async () => {
    const messages = await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start({ ...settings(Chemicals.idsOf(100)), chunkSize: 1 })
        yield* Harvest.ended("mirror")
        const sql = yield* SqlClient.SqlClient
        return yield* sql<{ tag: string; n: number }>`
          SELECT tag, count(*) AS n FROM cluster_messages GROUP BY tag ORDER BY tag`
      })
    )
    expect(messages).toEqual([
      { tag: "activity", n: 1 },
      { tag: "run", n: 65 }
    ])
  })

  it("tells who waits for it in the same process, who need not look", async () => {
    const status = await withWorker(
      Effect.andThen(Harvest.start(settings(Chemicals.idsOf(30))), Harvest.ended("mirror", "1 day"))
    )
    expect(status.state).toBe("finished")
  })

  it("does not begin again what is finished", async () => {
    const once = Effect.andThen(Harvest.start(settings(Chemicals.idsOf(20))), Harvest.ended("mirror"))
    await withWorker(once)
    await withWorker(once)
    expect(service.requests).toHaveLength(2)
  })

  it("ends at once where its source is empty", async () => {
    const status = await withWorker(Effect.andThen(Harvest.start(settings([])), Harvest.ended("mirror")))
    expect(status).toMatchObject({ state: "finished", identifiers: 0, chunks: 0 })
  })

  it("takes the values of a field of NDJSON", async () => {
    const source = join(folder, "ids.ndjson")
    writeFileSync(
      source,
      Chemicals.idsOf(12)
        .map((dtxsid) => `${JSON.stringify({ dtxsid })}\n`)
        .join("")
    )
    await withWorker(
      Effect.andThen(
        Harvest.start({ ...settings([]), source: Source.ndjson(source, "dtxsid") }),
        Harvest.ended("mirror")
      )
    )
    expect(kept()).toEqual(expected(Chemicals.idsOf(12)))
  })
})

describe("the start of a harvest", () => {
  it("refuses a file that has changed since, and other settings, and says which", async () => {
    const ids = join(folder, "ids.txt")
    writeFileSync(ids, `${Chemicals.idsOf(5).join("\n")}\n`)
    const start = (chunkSize: number) =>
      Harvest.start({ ...settings([]), source: Source.file(ids), chunkSize }).pipe(
        Effect.match({
          onSuccess: ({ isNew }) => isNew,
          onFailure: (error) => error._tag === "OtherHarvest" && error.difference
        })
      )
    expect(await asClient(start(10))).toBe(true)
    expect(await asClient(start(10))).toBe(false)
    expect(await asClient(start(2))).toBe("settings")
    appendFileSync(ids, `${Chemicals.idOf(99)}\n`)
    expect(await asClient(start(10))).toBe("source")
  })

  it("fails with the file that cannot be read, and leaves no harvest", async () => {
    const exit = await asClient(
      Effect.exit(Harvest.start({ ...settings([]), source: Source.file(join(folder, "absent.txt")) }))
    )
    expect(Exit.isFailure(exit) && String(exit.cause)).toContain("absent.txt")
    expect(await asClient(Harvest.list)).toEqual([])
  })
})

describe("a harvest and the service that it asks", () => {
  const elsewhere = "http://127.0.0.1:9/api"

  it("goes on with the same service alone, however its address is spelt, or where none was said", async () => {
    const start = (service?: string) =>
      Harvest.start({ ...settings(Chemicals.idsOf(5)), service }).pipe(
        Effect.match({
          onSuccess: ({ isNew }) => isNew,
          onFailure: (error) => error._tag === "OtherHarvest" && [error.difference, error.message]
        })
      )
    expect(await asClient(start(elsewhere))).toBe(true)
    expect(await asClient(start(`${elsewhere}/`))).toBe(false)
    expect(await asClient(start())).toBe(false)
    expect(await asClient(start(service.url))).toEqual([
      "service",
      expect.stringContaining(`it is ${service.url} now, and was ${elsewhere}`)
    ])
  })

  it("is taken by workers of any service where none was said", async () => {
    const status = await withWorker(
      Effect.andThen(Harvest.start(settings(Chemicals.idsOf(5))), Harvest.ended("mirror"))
    )
    expect(status.state).toBe("finished")
  })

  it("keeps harvests of another service out of its database until it has ended", async () => {
    const ids = Chemicals.idsOf(5)
    const other = { ...settings(ids), name: "other", service: service.url }
    await asClient(Harvest.start({ ...settings(ids), service: elsewhere }))
    await asClient(Harvest.pause("mirror"))
    const error = await asClient(Effect.flip(Harvest.start(other)))
    expect(error).toMatchObject({ _tag: "OtherService", name: "mirror", service: elsewhere })
    expect(await asClient(Effect.map(Harvest.list, (all) => all.length))).toBe(1)
    await asClient(Harvest.cancel("mirror"))
    expect((await asClient(Harvest.start(other))).isNew).toBe(true)
  })

  it("keeps a worker of another service from starting", async () => {
    await asClient(Harvest.start({ ...settings(Chemicals.idsOf(5)), service: elsewhere }))
    await expect(withWorker(Effect.never)).rejects.toThrow(
      `the service is ${service.url}, and the harvest "mirror" of this database (running) asks ${elsewhere}`
    )
    expect(service.requests).toEqual([])
  })

  it("is paused, and not asked for, by a worker of another service that was there before", async () => {
    const other = await Chemicals.start()
    startWorker("stranger", 0, other)
    await asClient(alive("stranger"))
    await asClient(Harvest.start({ ...settings(Chemicals.idsOf(50)), service: service.url }))
    const paused = await asClient(Harvest.halted("mirror"))
    expect(paused).toMatchObject({ state: "paused", failure: { tag: "OtherService" } })
    expect(paused.reason).toContain(`it asks ${service.url}, and the worker stranger asks ${other.url}`)
    expect(other.requests).toEqual([])
    await kill(workers.splice(0)[0] as ChildProcess)
    await other[Symbol.asyncDispose]()
    await asClient(Harvest.resume("mirror"))
    startWorker("own")
    await asClient(Harvest.ended("mirror"))
    expect(kept()).toEqual(expected(Chemicals.idsOf(50)))
  })
})

describe("a harvest and other processes", () => {
  it("goes on where it was when its worker was killed", async () => {
    const ids = Chemicals.idsOf(400)
    await asClient(Harvest.start(settings(ids)))
    const first = startWorker("first")
    await service.came(8)
    service.hold()
    await service.came(12)
    await kill(first)
    service.release()
    startWorker("second")
    const status = await asClient(Harvest.ended("mirror"))
    expect(status.tally).toMatchObject({ read: 400, found: 200, missing: 200 })
    expect(status.workers.map(({ name }) => name).sort()).toEqual(["first", "second"])
    expect(kept()).toEqual(expected(ids))
    // What was kept was not asked for again; of what was under way when it was killed, four chunks that were fetched and
    // four that were written at most.
    expect(service.requests.length).toBeLessThanOrEqual(48)
  })

  it("is done by several workers, each a part", async () => {
    const ids = Chemicals.idsOf(1200)
    await asClient(Harvest.start(settings(ids)))
    await begunTogether(["one", "two", "three"])
    const status = await asClient(Harvest.ended("mirror"))
    expect(status.workers.map(({ name }) => name).sort()).toEqual(["one", "three", "two"])
    expect(kept()).toEqual(expected(ids))
  })

  it("is asked for no faster by two workers than by one, where they share a rate", async () => {
    const ids = Chemicals.idsOf(600)
    await asClient(Harvest.start(settings(ids)))
    await begunTogether(["one", "two"], 20)
    const status = await asClient(Harvest.ended("mirror"))
    expect(status.workers.map(({ name }) => name).sort()).toEqual(["one", "two"])
    // At most two at once, then one each 50 ms. The whole is looked at: on a busy machine a single request may come late.
    const { times } = service
    expect(times.length).toBeGreaterThanOrEqual(60)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - 3) * 50 - 500)
  })

  it("begins no chunk while it is paused, and goes on when it is resumed", async () => {
    const ids = Chemicals.idsOf(300)
    await asClient(Harvest.start(settings(ids)))
    expect(await asClient(Harvest.pause("mirror"))).toBe("paused")
    startWorker("only")
    await asClient(alive("only"))
    expect(service.requests).toHaveLength(0)
    expect(await asClient(Harvest.resume("mirror"))).toBe("running")
    expect((await asClient(Harvest.ended("mirror"))).state).toBe("finished")
    expect(kept()).toEqual(expected(ids))
  })

  it("stays cancelled, whatever is asked of it later", async () => {
    await asClient(Harvest.start(settings(Chemicals.idsOf(300))))
    service.hold()
    startWorker("only")
    await service.came(4)
    expect(await asClient(Harvest.cancel("mirror"))).toBe("cancelled")
    expect(await asClient(Harvest.resume("mirror"))).toBe("cancelled")
    service.release()
    expect(await asClient(Harvest.ended("mirror"))).toMatchObject({ state: "cancelled" })
    expect(await asClient(Harvest.forget("mirror"))).toBe(true)
    expect(await asClient(Harvest.list)).toEqual([])
  })

  it("pauses itself where the key is refused, says why, and finishes when that is put right", async () => {
    const ids = Chemicals.idsOf(50)
    service.status = 401
    await asClient(Harvest.start(settings(ids)))
    startWorker("only")
    const paused = await asClient(Harvest.halted("mirror"))
    expect(paused).toMatchObject({ state: "paused", failure: { tag: "Unauthorized", status: 401 } })
    expect(paused.reason).toContain("key")
    service.status = 200
    await asClient(Harvest.resume("mirror"))
    expect(await asClient(Harvest.status("mirror"))).toMatchObject({ reason: undefined, failure: undefined })
    await asClient(Harvest.ended("mirror"))
    expect(kept()).toEqual(expected(ids))
  })

  it("names the harvest that is not there", async () => {
    const error = await asClient(Effect.flip(Harvest.status("nobody")))
    expect(error).toMatchObject({ _tag: "UnknownHarvest", message: expect.stringContaining('"nobody"') })
  })
})

/** Waits until a worker holds shards, and has looked at the harvests twice since. */
const alive = (name: string): Effect.Effect<void, unknown, SqlClient.SqlClient> =>
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
