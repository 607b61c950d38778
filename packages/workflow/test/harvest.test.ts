import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Harvest, Source } from "@chemstream/workflow"
import { Array as Arr, Effect, Exit, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { expected, it } from "./harvestFixture.ts"

describe("a harvest in one process", () => {
  it("has exactly one outcome for every identifier, and counts duplicates", async ({
    harvests: { storedOutcomes, settings, withWorker }
  }) => {
    const ids = Chemicals.idsOf(95)
    const status = await withWorker(
      Effect.andThen(
        Harvest.start(settings([...ids, "no identifier", ids[3] ?? "", ids[94] ?? ""])),
        Harvest.awaitEnd("mirror")
      )
    )
    expect(status).toMatchObject({
      state: "finished",
      chunks: 10,
      chunksDone: 10,
      tally: { read: 98, found: 48, missing: 47, invalid: 1, failed: 0, duplicates: 2 }
    })
    expect(storedOutcomes()).toEqual([...expected(ids), "no identifier invalid"].sort())
  })

  it("stores values that its source found malformed as invalid, and does not request them", async ({
    harvests: { linesOf, outputFolder, service, settings, withWorker }
  }) => {
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
        Harvest.start({ ...settings([]), source, sink: { _tag: "Folder", folder: outputFolder() } }),
        Harvest.awaitEnd("mirror")
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

  it("gives the engine one message per shard and one for the end, for any number of chunks", async ({
    harvests: { settings, withWorker }
  }) => {
    const messages = await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start({ ...settings(Chemicals.idsOf(100)), chunkSize: 1 })
        yield* Harvest.awaitEnd("mirror")
        const sql = yield* SqlClient.SqlClient
        return yield* sql<{ tag: string; n: number }>`
          SELECT tag, count(*) AS n FROM cluster_messages GROUP BY tag ORDER BY tag`
      })
    )
    expect(messages).toEqual([{ tag: "run", n: 65 }])
  })

  it("notifies waiters in the same process without polling", async ({
    harvests: { settings, withWorker }
  }) => {
    const status = await withWorker(
      Effect.andThen(Harvest.start(settings(Chemicals.idsOf(30))), Harvest.awaitEnd("mirror", "1 day"))
    )
    expect(status.state).toBe("finished")
  })

  it("does not restart a finished harvest", async ({ harvests: { service, settings, withWorker } }) => {
    const once = Effect.andThen(Harvest.start(settings(Chemicals.idsOf(20))), Harvest.awaitEnd("mirror"))
    await withWorker(once)
    await withWorker(once)
    expect(service.requests).toHaveLength(2)
  })

  it("ends at once if its source is empty", async ({ harvests: { settings, withWorker } }) => {
    const status = await withWorker(Effect.andThen(Harvest.start(settings([])), Harvest.awaitEnd("mirror")))
    expect(status).toMatchObject({ state: "finished", identifiers: 0, chunks: 0 })
  })

  it("reads the values of a field of NDJSON", async ({
    harvests: { folder, storedOutcomes, settings, withWorker }
  }) => {
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
        Harvest.awaitEnd("mirror")
      )
    )
    expect(storedOutcomes()).toEqual(expected(Chemicals.idsOf(12)))
  })
})

describe("a database with old rows", () => {
  it("continues at once despite leases and workers of an earlier boot, whose clock was ahead", async ({
    harvests: { asClient, storedOutcomes, settings, withWorker }
  }) => {
    const ids = Chemicals.idsOf(640)
    const later = 10 ** 14
    await asClient(
      Effect.gen(function* () {
        yield* Harvest.start(settings(ids))
        const sql = yield* SqlClient.SqlClient
        const leases = Arr.makeBy(64, (shard) => ({
          shard: `default:${shard + 1}`,
          address: "earlier:1",
          until: later
        }))
        yield* sql`INSERT INTO chemstream_leases ${sql.insert(leases)}`
        const worker = { name: "earlier", address: "earlier:1", started_at: 0, seen_at: later, lease: 3000 }
        const state = { in_flight: 1, shards: 64, busy: "{}", unable: "{}" }
        yield* sql`INSERT INTO chemstream_workers ${sql.insert({ ...worker, ...state })}`
      })
    )
    expect(await asClient(Harvest.status("mirror"))).toMatchObject({ working: 0, reason: "no worker runs" })
    const [status, workers] = await withWorker(
      Effect.gen(function* () {
        const status = yield* Harvest.awaitEnd("mirror")
        const sql = yield* SqlClient.SqlClient
        return [status, yield* sql<{ name: string }>`SELECT name FROM chemstream_workers`] as const
      })
    )
    expect(status.state).toBe("finished")
    expect(storedOutcomes()).toEqual(expected(ids))
    // Rows of dead workers are deleted.
    expect(workers.map(({ name }) => name)).toEqual(["own"])
  })

  it("finds unfinished harvests by an index, without reading ended ones", async ({
    harvests: { asClient, settings, withWorker }
  }) => {
    await asClient(
      Effect.gen(function* () {
        yield* Harvest.start({ ...settings(Chemicals.idsOf(1)), name: "first" })
        yield* Harvest.cancel("first")
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          INSERT INTO chemstream_harvests
            (name, id, state, spec, description, digest, chunks, identifiers, started_at, ended_at)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
          SELECT 'h' || i, 'h' || i, 'finished', spec, description, digest, chunks, identifiers, started_at, ended_at
          FROM chemstream_harvests, n`
      })
    )
    const seen: Array<number> = []
    await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start(settings(Chemicals.idsOf(20)))
        yield* Harvest.awaitEnd("mirror")
        const sql = yield* SqlClient.SqlClient
        const plan = yield* sql<{ detail: string }>`
          EXPLAIN QUERY PLAN SELECT * FROM chemstream_harvests
          WHERE state IN ('running', 'paused') ORDER BY started_at, name`
        expect(plan[0]?.detail).toContain("USING INDEX chemstream_harvests_state")
        seen.push((yield* Harvest.list).length)
      })
    )
    expect(seen).toEqual([1002])
  })
})

describe("the start of a harvest", () => {
  it("refuses a changed file and other settings, and names them", async ({
    harvests: { asClient, folder, settings }
  }) => {
    const ids = join(folder, "ids.txt")
    writeFileSync(ids, `${Chemicals.idsOf(5).join("\n")}\n`)
    const start = (chunkSize: number) =>
      Harvest.start({ ...settings([]), source: Source.file(ids), chunkSize }).pipe(
        Effect.match({
          onSuccess: ({ isNew }) => isNew,
          onFailure: (error) => error._tag === "HarvestMismatch" && error.difference
        })
      )
    expect(await asClient(start(10))).toBe(true)
    expect(await asClient(start(10))).toBe(false)
    expect(await asClient(start(2))).toBe("settings")
    appendFileSync(ids, `${Chemicals.idOf(99)}\n`)
    expect(await asClient(start(10))).toBe("source")
  })

  it("fails with the name of an unreadable file, and leaves no harvest", async ({
    harvests: { asClient, folder, settings }
  }) => {
    const exit = await asClient(
      Effect.exit(Harvest.start({ ...settings([]), source: Source.file(join(folder, "absent.txt")) }))
    )
    expect(Exit.isFailure(exit) && String(exit.cause)).toContain("absent.txt")
    expect(await asClient(Harvest.list)).toEqual([])
  })
})

describe("a harvest and its service", () => {
  const elsewhere = "http://127.0.0.1:9/api"

  it("continues only with its service, in any spelling of the address, or with any service if it names none", async ({
    harvests: { asClient, service, settings }
  }) => {
    const start = (service?: string) =>
      Harvest.start({ ...settings(Chemicals.idsOf(5)), service }).pipe(
        Effect.match({
          onSuccess: ({ isNew }) => isNew,
          onFailure: (error) => error._tag === "HarvestMismatch" && [error.difference, error.message]
        })
      )
    expect(await asClient(start(elsewhere))).toBe(true)
    expect(await asClient(start(`${elsewhere}/`))).toBe(false)
    expect(await asClient(start())).toBe(false)
    expect(await asClient(start(service.url))).toEqual([
      "service",
      expect.stringContaining(`it was ${elsewhere}, and is now ${service.url}`)
    ])
  })

  it("is done by workers of any service if it names none", async ({ harvests: { settings, withWorker } }) => {
    const status = await withWorker(
      Effect.andThen(Harvest.start(settings(Chemicals.idsOf(5))), Harvest.awaitEnd("mirror"))
    )
    expect(status.state).toBe("finished")
  })

  it.for([
    {
      sink: { _tag: "Folder", folder: "out", file: "records.xlsx" },
      says: /records\.xlsx: unknown format \.xlsx.*\.parquet/
    },
    { sink: { _tag: "Folder", folder: "out", file: "records.doc.gz" }, says: /unknown format \.doc\. Use/ },
    {
      sink: { _tag: "Mirror", mirror: "m", report: "changes.csv" },
      says: /changes\.csv: a report is lines of NDJSON/
    }
  ] as const)(
    "writes no file whose name promises what it is not: %j",
    async ({ sink, says }, { harvests: { asClient, settings } }) => {
      const error = await asClient(Effect.flip(Harvest.start({ ...settings(Chemicals.idsOf(1)), sink })))
      expect(error).toMatchObject({ _tag: "InvalidTarget", message: expect.stringMatching(says) })
      expect(await asClient(Harvest.list)).toEqual([])
    }
  )

  it("keeps harvests of another service out of its database until it has ended", async ({
    harvests: { asClient, service, settings }
  }) => {
    const ids = Chemicals.idsOf(5)
    const other = { ...settings(ids), name: "other", service: service.url }
    await asClient(Harvest.start({ ...settings(ids), service: elsewhere }))
    await asClient(Harvest.pause("mirror"))
    const error = await asClient(Effect.flip(Harvest.start(other)))
    expect(error).toMatchObject({ _tag: "ServiceMismatch", name: "mirror", service: elsewhere })
    expect(await asClient(Effect.map(Harvest.list, (all) => all.length))).toBe(1)
    await asClient(Harvest.cancel("mirror"))
    expect((await asClient(Harvest.start(other))).isNew).toBe(true)
  })

  it("has one dialect, and refuses another at its start and in a worker", async ({
    harvests: { asClient, service, settings, withWorker }
  }) => {
    const start = (name: string, dialect?: "ctx" | "specification") =>
      asClient(
        Effect.flip(
          Effect.flatMap(Harvest.start({ ...settings(Chemicals.idsOf(5)), name, dialect }), (started) =>
            Effect.fail({ ...started, _tag: "Started" as const, message: "" })
          )
        )
      )
    expect(await start("mirror", "ctx")).toMatchObject({ _tag: "Started", isNew: true })
    expect(await start("mirror")).toMatchObject({ _tag: "Started", isNew: false })
    expect(await start("mirror", "specification")).toMatchObject({
      _tag: "HarvestMismatch",
      difference: "dialect",
      message: expect.stringContaining("it was ctx, and is now specification")
    })
    const says =
      'the dialect is specification, and the harvest "mirror" of this database (running) uses the dialect ctx'
    expect(await start("other", "specification")).toMatchObject({
      _tag: "ServiceMismatch",
      message: expect.stringContaining(says)
    })
    await expect(withWorker(Effect.never)).rejects.toThrow(says)
    expect(service.requests).toEqual([])
  })

  it("keeps a worker of another service from starting", async ({
    harvests: { asClient, service, settings, withWorker }
  }) => {
    await asClient(Harvest.start({ ...settings(Chemicals.idsOf(5)), service: elsewhere }))
    await expect(withWorker(Effect.never)).rejects.toThrow(
      `the service is ${service.url}, and the harvest "mirror" of this database (running) uses ${elsewhere}`
    )
    expect(service.requests).toEqual([])
  })
})
