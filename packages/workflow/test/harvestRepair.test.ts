// Tests the repair of harvests: repeated failures, lost parts, a moved sink, an outage, a deleted name.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { RawRecord } from "@chemstream/ndjson"
import { type Fetch, Harvest, Refresh, type Sink, Source, SqliteClient } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, vi } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { awaitWorker, expected, it, kill, pollUntil } from "./harvestFixture.ts"

const record = (id: string) => ({ key: id, record: RawRecord.fromText(Chemicals.recordOf(id)) })

/** A lookup that fails for some identifiers while it is broken. */
const flaky = (fails: (id: string) => boolean) => {
  const state = { isBroken: true, requested: [] as Array<string> }
  const flaky: Fetch.OwnLookup = {
    call: async (ids) => {
      state.requested.push(...ids)
      const failed = ids.filter((id) => state.isBroken && fails(id))
      return {
        records: ids.filter((id) => !failed.includes(id)).map(record),
        errors: new Map(failed.map((id) => [id, { _tag: "Broken", message: "not now" }]))
      }
    },
    size: 10
  }
  return { state, lookups: { flaky } }
}

/** Pauses a harvest whose first four chunks are in flight, and waits until they are done. */
const pausedInPart = (service: Chemicals.ChemicalService) =>
  Effect.gen(function* () {
    yield* Effect.promise(() => service.received(4))
    yield* Harvest.pause("mirror")
    yield* awaitWorker("own")
    service.release()
    yield* pollUntil("mirror", ({ chunksDone, inFlight }) => chunksDone === 4 && inFlight === 0)
  })

const writeText = (file: string): void => writeFileSync(file, "a text")

/** Writes a database that a newer SQLite has made, which this one can only read, also as root. */
const writeReadOnly = (file: string): void => {
  const database = new DatabaseSync(file)
  database.exec("CREATE TABLE a (b)")
  database.close()
  const bytes = readFileSync(file)
  // The version that is needed to write the file.
  bytes[18] = 3
  writeFileSync(file, bytes)
}

describe("a harvest with failed identifiers", () => {
  it.for<readonly [string, (folder: string) => Sink.Spec]>([
    ["a folder", (folder) => ({ _tag: "Folder", folder: join(folder, "out") })],
    ["a file", (folder) => ({ _tag: "Folder", folder: join(folder, "out"), file: "records.ndjson" })],
    ["tables", (folder) => ({ _tag: "Table", target: `${join(folder, "out.sqlite")}#t` })],
    ["a mirror", () => ({ _tag: "Mirror", mirror: "ours" })]
  ])(
    "requests them again, and nothing else, into %s",
    async ([, sinkOf], { harvests: { folder, settings, withWorker } }) => {
      const ids = Chemicals.idsOf(40)
      const { lookups, state } = flaky((id) => id === ids[3] || id === ids[31])
      const [first, count, asked, second] = await withWorker(
        Effect.gen(function* () {
          yield* Harvest.start({ ...settings(ids), fetch: { own: "flaky" }, sink: sinkOf(folder) })
          const first = yield* Harvest.awaitEnd("mirror")
          state.isBroken = false
          state.requested = []
          const count = yield* Harvest.retry("mirror")
          return [first, count, state.requested, yield* Harvest.awaitEnd("mirror")] as const
        }),
        lookups
      )
      expect(first.tally).toMatchObject({ read: 40, found: 38, failed: 2 })
      expect(first.failures).toEqual([{ reason: "Broken", identifiers: 2 }])
      expect(count).toBe(2)
      expect(asked.toSorted()).toEqual([ids[3], ids[31]].toSorted())
      expect(second).toMatchObject({
        state: "finished",
        retried: 2,
        failures: [],
        tally: { read: 40, found: 40, failed: 0, records: 40 }
      })
    }
  )

  it("has the records of the retry in its file, and each identifier once", async ({
    harvests: { storedOutcomes, settings, withWorker }
  }) => {
    const ids = Chemicals.idsOf(40)
    const { lookups, state } = flaky((id) => id === ids[3])
    await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start({ ...settings(ids), fetch: { own: "flaky" } })
        yield* Harvest.awaitEnd("mirror")
        state.isBroken = false
        yield* Harvest.retry("mirror")
        yield* Harvest.awaitEnd("mirror")
      }),
      lookups
    )
    expect(storedOutcomes()).toEqual(ids.map((id) => `${id} found`).sort())
  })
})

describe("a harvest and its sink", () => {
  it("fetches lost chunks again at its end", async ({
    harvests: { asClient, storedOutcomes, outputFolder, service, settings, withWorker }
  }) => {
    const ids = Chemicals.idsOf(100)
    service.hold()
    const status = await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start(settings(ids))
        yield* pausedInPart(service)
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ idx: number }>`SELECT min(idx) AS idx FROM chemstream_progress`
        rmSync(join(outputFolder(), "parts", String(row?.idx).padStart(8, "0")), { recursive: true })
        yield* Harvest.resume("mirror")
        return yield* Harvest.awaitEnd("mirror")
      })
    )
    expect(status).toMatchObject({ state: "finished", tally: { read: 100 } })
    expect(storedOutcomes()).toEqual(expected(ids))
    expect(await asClient(Effect.provide(Harvest.verify("mirror"), NodeServices.layer))).toEqual({
      lost: [],
      state: "finished"
    })
  })

  it.for([
    ["refuses a record", "", "input_id", [12], "RAISE(ABORT, 'not this one')", /#t: .*not this one/],
    [
      "discards a record",
      "",
      "input_id",
      [12],
      "RAISE(IGNORE)",
      /lost rows of the same chunk twice: 1\. A trigger/
    ],
    [
      "discards a record of each of ten chunks",
      "",
      "input_id",
      [2, 12, 22, 32, 42, 52, 62, 72, 82, 92],
      "RAISE(IGNORE)",
      /lost rows of the same chunks twice: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9\. A trigger/
    ],
    [
      "discards a record of each of eleven chunks",
      "",
      "input_id",
      [2, 12, 22, 32, 42, 52, 62, 72, 82, 92, 102],
      "RAISE(IGNORE)",
      /lost rows of the same chunks twice: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …\. A trigger/
    ],
    [
      "discards an outcome",
      "_outcomes",
      "id",
      [12],
      "RAISE(IGNORE)",
      /t_outcomes discards the row of "?DTXSID/
    ]
  ] as const)(
    "pauses with the reason if a trigger of its table %s, and continues when it is removed",
    async ([, suffix, column, stopped, action, reason], {
      harvests: { folder, service, settings, withWorker }
    }) => {
      const ids = Chemicals.idsOf(10 * (stopped.length + 1))
      const file = join(folder, "out.sqlite")
      const execute = (statement: string) => {
        const database = new DatabaseSync(file)
        try {
          return database.prepare(statement).all()
        } finally {
          database.close()
        }
      }
      service.hold()
      const [paused, status] = await withWorker(
        Effect.gen(function* () {
          const sink = { _tag: "Table", target: `${file}#t` } as const
          yield* Harvest.start({ ...settings(ids), sink })
          yield* Effect.promise(() => service.received(2))
          execute(`CREATE TRIGGER stop_row BEFORE INSERT ON t${suffix} WHEN NEW.${column} IN (${stopped.map((at) => `'${ids[at]}'`).join()})
            BEGIN SELECT ${action}; END`)
          service.release()
          const paused = yield* Harvest.awaitHalt("mirror")
          execute("DROP TRIGGER stop_row")
          yield* Harvest.resume("mirror")
          return [paused, yield* Harvest.awaitHalt("mirror")] as const
        })
      )
      expect(paused).toMatchObject({ state: "paused", chunksDone: 1, tally: { read: 10 } })
      expect(paused.reason).toMatch(reason)
      const half = ids.length / 2
      expect(status).toMatchObject({
        state: "finished",
        tally: { read: ids.length, found: half, missing: half, duplicates: 0 }
      })
      const stored = execute("SELECT id FROM t_outcomes ORDER BY id")
      expect(stored.map((row) => row["id"])).toEqual(ids.toSorted())
      expect(execute("SELECT count(*) AS n FROM t")).toEqual([{ n: half }])
    }
  )

  it("is verified on demand, and continues if something was lost after it had finished", async ({
    harvests: { asClient, storedOutcomes, outputFolder, service, settings, withWorker }
  }) => {
    const ids = Chemicals.idsOf(50)
    await withWorker(Effect.andThen(Harvest.start(settings(ids)), Harvest.awaitEnd("mirror")))
    service.requests.length = 0
    rmSync(join(outputFolder(), "records.ndjson"))
    expect(await asClient(Effect.provide(Harvest.verify("mirror"), NodeServices.layer))).toEqual({
      lost: [0, 1, 2, 3, 4],
      state: "running"
    })
    await withWorker(Harvest.awaitEnd("mirror"))
    expect(storedOutcomes()).toEqual(expected(ids))
    expect(service.requests).toHaveLength(5)
  })

  it("verifies its tables row by row, and fetches a chunk with deleted rows again", async ({
    harvests: { asClient, folder, service, settings, withWorker }
  }) => {
    const file = join(folder, "out.sqlite")
    await withWorker(
      Effect.andThen(
        Harvest.start({ ...settings(Chemicals.idsOf(50)), sink: { _tag: "Table", target: `${file}#t` } }),
        Harvest.awaitEnd("mirror")
      )
    )
    const inSink = <A>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
      Effect.runPromise(
        Effect.provide(Effect.flatMap(SqlClient.SqlClient, use), SqliteClient.layer({ file }))
      )
    const outcomes = () =>
      inSink(
        (sql) => sql`SELECT o.id, o.outcome, r.dtxsid, r.casrn, r.other_fields
          FROM t_outcomes o LEFT JOIN t r ON r.input_id = o.id ORDER BY o.id`
      )
    const before = await outcomes()
    await inSink((sql) => sql`DELETE FROM t_outcomes WHERE id IN (SELECT id FROM t_outcomes LIMIT 1)`)
    const { lost, state } = await asClient(Effect.provide(Harvest.verify("mirror"), NodeServices.layer))
    expect({ lost: lost.length, state }).toEqual({ lost: 1, state: "running" })
    service.requests.length = 0
    await withWorker(Harvest.awaitEnd("mirror"))
    expect(service.requests).toHaveLength(1)
    expect(await outcomes()).toEqual(before)
  })

  it("is recorded with absolute paths, and pauses if a worker finds another folder under its path", async ({
    harvests: { asClient, storedOutcomes, outputFolder, service, settings, startWorker, withWorker }
  }) => {
    const ids = Chemicals.idsOf(100)
    await asClient(
      Harvest.start({ ...settings([]), name: "relative", sink: { _tag: "Folder", folder: "out" } })
    )
    expect((await asClient(Harvest.status("relative"))).sink).toMatchObject({
      folder: join(process.cwd(), "out")
    })
    await asClient(Harvest.cancel("relative"))
    service.hold()
    await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start(settings(ids))
        yield* pausedInPart(service)
      })
    )
    renameSync(outputFolder(), `${outputFolder()}-elsewhere`)
    startWorker("stranger")
    await asClient(awaitWorker("stranger"))
    service.requests.length = 0
    await asClient(Harvest.resume("mirror"))
    const paused = await asClient(Harvest.awaitHalt("mirror"))
    expect(paused).toMatchObject({ state: "paused", failure: { tag: "SinkError" } })
    expect(paused.reason).toContain(`${outputFolder()} leads the worker stranger on`)
    expect(service.requests).toEqual([])
    rmSync(outputFolder(), { recursive: true })
    renameSync(`${outputFolder()}-elsewhere`, outputFolder())
    await asClient(Harvest.resume("mirror"))
    await asClient(Harvest.awaitEnd("mirror"))
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it.for<
    readonly [what: string, output: string, obstacle: string, write: (file: string) => void, reason: string]
  >([
    ["its folder is a file", "out/", "out", writeText, "out is a file, and a harvest writes into a folder"],
    [
      "a file is in the path of its folder",
      "a/b/out/",
      "a",
      writeText,
      "a is a file, and a harvest writes into a folder"
    ],
    ["a file is in the path of its tables", "a/out.sqlite", "a", writeText, "unable to open database file"],
    [
      "the file of its tables is no database",
      "out.sqlite",
      "out.sqlite",
      writeText,
      "file is not a database"
    ],
    [
      "the file of its tables is read-only",
      "out.sqlite",
      "out.sqlite",
      writeReadOnly,
      "attempt to write a readonly"
    ]
  ])(
    "pauses with the reason while %s, says so in the log, and continues afterwards",
    async ([, output, obstacle, write, reason], {
      harvests: { asClient, folder, output: logs, service, settings, startWorker }
    }) => {
      const path = join(folder, output)
      const sink: Sink.Spec = output.endsWith("/")
        ? { _tag: "Folder", folder: path }
        : { _tag: "Table", target: `${path}#t` }
      write(join(folder, obstacle))
      startWorker("own")
      await asClient(Harvest.start({ ...settings(Chemicals.idsOf(20)), sink }))
      const paused = await asClient(Harvest.awaitHalt("mirror"))
      expect(paused).toMatchObject({ state: "paused", failure: { tag: "SinkError" } })
      expect(paused.reason).toContain(`${join(folder, output)}`.replace(/\/$/, ""))
      expect(paused.reason).toContain("cannot open ")
      expect(paused.reason).toContain(reason)
      expect(service.requests).toEqual([])
      await vi.waitFor(() =>
        expect(logs.get("own")).toContain(`the harvest "mirror" is paused: ${paused.reason}`)
      )
      rmSync(join(folder, obstacle))
      mkdirSync(dirname(path), { recursive: true })
      await asClient(Harvest.resume("mirror"))
      const ended = await asClient(Harvest.awaitEnd("mirror"))
      expect(ended).toMatchObject({ state: "finished", tally: { read: 20, failed: 0 } })
    }
  )

  it("pauses when a table of its output was dropped, and makes it again", async ({
    harvests: { folder, service, settings, withWorker }
  }) => {
    const file = join(folder, "out.sqlite")
    const sink: Sink.Spec = { _tag: "Table", target: `${file}#t` }
    const [paused, ended] = await withWorker(
      Effect.gen(function* () {
        service.hold()
        yield* Harvest.start({ ...settings(Chemicals.idsOf(80)), sink })
        yield* Effect.promise(() => service.received(4))
        const database = new DatabaseSync(file, { timeout: 5000 })
        database.exec("DROP TABLE t_outcomes")
        database.close()
        service.release()
        const paused = yield* Harvest.awaitHalt("mirror")
        yield* Harvest.resume("mirror")
        return [paused, yield* Harvest.awaitEnd("mirror")] as const
      })
    )
    expect(paused.reason).toContain("no such table: t_outcomes")
    expect(ended).toMatchObject({ state: "finished", tally: { read: 80, failed: 0 } })
  })

  it.for([
    ["its output", "out.sqlite", "BEGIN IMMEDIATE", "waits: retrying: cannot open "],
    [
      "the progress in its database",
      "harvests.db",
      "CREATE TRIGGER no BEFORE INSERT ON chemstream_progress BEGIN SELECT RAISE(ABORT, 'not yet'); END",
      "waits: retrying: "
    ],
    [
      "the messages of the engine",
      "harvests.db",
      "CREATE TRIGGER no BEFORE INSERT ON cluster_messages BEGIN SELECT RAISE(ABORT, 'not yet'); END",
      "not yet"
    ]
  ] as const)(
    "that waits because %s cannot be written says so once in the log of its worker",
    async ([, name, statement, reason], {
      harvests: { asClient, folder, output, settings, startWorker }
    }) => {
      const sink: Sink.Spec = { _tag: "Table", target: `${join(folder, "out.sqlite")}#t` }
      const worker = startWorker("own")
      await asClient(awaitWorker("own"))
      const database = new DatabaseSync(join(folder, name), { timeout: 5000 })
      database.exec(statement)
      await asClient(Harvest.start({ ...settings(Chemicals.idsOf(20)), sink }))
      const lines = () => (output.get("own") ?? "").split("\n").filter((line) => line.includes(reason))
      await vi.waitFor(() => expect(lines()).toHaveLength(1), 30_000)
      database.exec(statement.startsWith("BEGIN") ? "ROLLBACK" : "DROP TRIGGER no")
      database.close()
      const ended = await asClient(Harvest.awaitEnd("mirror"))
      expect(ended).toMatchObject({ state: "finished", tally: { read: 20, failed: 0 } })
      expect(lines()).toHaveLength(1)
      await kill(worker)
    }
  )

  it("stores an identifier with 200,000 records", async ({ harvests: { folder, settings, withWorker } }) => {
    const many: Fetch.OwnLookup = {
      call: async (ids) => ({
        records: ids.flatMap((id) => Array.from({ length: 200_000 }, () => record(id)))
      }),
      multiplicity: "many"
    }
    const sinks: ReadonlyArray<Sink.Spec> = [
      { _tag: "Folder", folder: join(folder, "out"), file: "records.ndjson" },
      { _tag: "Table", target: `${join(folder, "out.sqlite")}#t` },
      { _tag: "Mirror", mirror: "ours" }
    ]
    const tallies = await withWorker(
      Effect.forEach(sinks, (sink) =>
        Effect.gen(function* () {
          yield* Harvest.start({
            ...settings(Chemicals.idsOf(1)),
            name: sink._tag,
            fetch: { own: "many" },
            sink
          })
          return (yield* Harvest.awaitEnd(sink._tag)).tally.records
        })
      ),
      { many }
    )
    expect(tallies).toEqual([200_000, 200_000, 200_000])
  })
})

describe("the name of a harvest", () => {
  it("can be used again after the harvest is deleted, and nothing of it stays in the database", async ({
    harvests: { asClient, folder, service, settings, withWorker }
  }) => {
    const [known = ""] = Chemicals.idsOf(1)
    const report = join(folder, "changes.ndjson")
    const refresh = Effect.gen(function* () {
      const { sink: _, ...rest } = settings([known])
      yield* Refresh.start({ ...rest, mirror: "ours", olderThan: "0 millis", report })
      return yield* Harvest.awaitEnd("mirror")
    })
    await withWorker(refresh)
    expect(readFileSync(report, "utf8")).toBe(`{"id":"${known}","change":"added"}\n`)
    expect(await asClient(Harvest.delete("mirror"))).toBe(true)
    const left = await asClient(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.forEach(
          [
            ...["harvests", "progress", "chunks", "changes"].map((name) => `chemstream_${name}`),
            ...["cluster_messages", "cluster_replies"]
          ],
          (table) => Effect.map(sql`SELECT * FROM ${sql(table)}`, (rows) => `${table} ${rows.length}`)
        )
      )
    )
    expect(left.filter((text) => !text.endsWith(" 0"))).toEqual([])
    service.requests.length = 0
    await withWorker(refresh)
    expect(service.requests).toEqual([[known]])
    expect(readFileSync(report, "utf8")).toBe("")
  })

  it("is freed without the messages of other harvests", async ({
    harvests: { asClient, folder, settings, withWorker }
  }) => {
    const other = { ...settings(Chemicals.idsOf(2)), name: "other" }
    const otherSink = { _tag: "Table", target: `${join(folder, "other.sqlite")}#t` } as const
    await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start(settings(Chemicals.idsOf(1)))
        yield* Harvest.start({ ...other, sink: otherSink })
        yield* Harvest.awaitEnd("mirror")
        yield* Harvest.awaitEnd("other")
      })
    )
    const messages = () =>
      asClient(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.map(
            sql<{ payload: string }>`SELECT payload FROM cluster_messages WHERE tag = 'run'`,
            (rows) => rows.map(({ payload }) => payload).toSorted()
          )
        )
      )
    const before = await messages()
    expect(await asClient(Harvest.delete("mirror"))).toBe(true)
    const after = await messages()
    expect(after.length).toBeGreaterThan(0)
    expect(after.length).toBeLessThan(before.length)
    expect(before).toEqual(expect.arrayContaining([...after]))
    expect(await asClient(Harvest.list)).toMatchObject([{ name: "other", state: "finished" }])
  })

  it("is refused for other identifiers and settings, with the difference", async ({
    harvests: { asClient, settings }
  }) => {
    const ids = Chemicals.idsOf(5)
    const refused = (start: Parameters<typeof Harvest.start>[0]) =>
      asClient(Effect.map(Effect.flip(Harvest.start(start as never)), (error) => (error as Error).message))
    await asClient(Harvest.start(settings(ids)))
    expect(await refused(settings(Chemicals.idsOf(4)))).toContain(
      'the harvest "mirror" (running) was started with other identifiers: it has 5 identifiers of a list of 5, and this start gives 4 identifiers of a list of 4'
    )
    const other = await refused({ ...settings(ids), chunkSize: 2, strictIds: true })
    expect(other).toContain('"mirror" (running) was started with other settings: ')
    expect(other).toContain("chunkSize was 10, and is now 2; strictIds was false, and is now true")
    const { sink, ...rest } = settings(ids)
    expect(await refused({ ...settings(ids), name: "second" })).toBe(
      `the harvest "mirror" of this database (running) writes to ${sink.folder}. Name another output`
    )
    await asClient(Refresh.start({ ...rest, name: "night", mirror: "ours" }))
    const night = Refresh.start({
      ...rest,
      name: "night",
      mirror: "ours",
      source: Source.list(Chemicals.idsOf(2))
    })
    expect(await asClient(Effect.flip(night))).toMatchObject({ difference: "source" })
  })
})
