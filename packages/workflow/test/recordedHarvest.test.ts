// Tests what a start records of a harvest, without a worker: its chunks, its sink, and the requests that it will take. Also the
// errors of sinks before anything is written.
import { existsSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { ChemClient } from "@chemstream/client"
import { Database, Fetch, Harvest, type Sink, Sinks, Source } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, Path, PlatformError, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { describe, expect, it as plain } from "vitest"
import { idOf, idsOf } from "./chemicalService.ts"
import { it } from "./harvestFixture.ts"

const [a, b, c] = [idOf(1), idOf(2), idOf(3)]

/** The chunks of all harvests: their identifiers, the lines and the faults of these, and the number of duplicates. */
const chunks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ idx: number; items: string; duplicates: number }>`
    SELECT idx, items, duplicates FROM chemstream_chunks ORDER BY harvest, idx`
  return rows.map(({ duplicates, idx, items }) => ({ idx, duplicates, ...JSON.parse(items) }))
})

describe("the chunks of a harvest", () => {
  it("have at most `chunkSize` identifiers, without duplicates in any spelling, which the chunk counts", async ({
    harvests: { asClient, settings }
  }) => {
    const ids = [a, b, ` ${a.toLowerCase()} `, c, c, idOf(4), idOf(5), a]
    const [started, recorded] = await asClient(
      Effect.all([Harvest.start({ ...settings(ids), chunkSize: 2 }), chunks])
    )
    expect(started).toMatchObject({ isNew: true, state: "running", chunks: 3, identifiers: 8 })
    expect(recorded).toEqual([
      { idx: 0, texts: [a, b], lines: 1, duplicates: 0 },
      { idx: 1, texts: [c, idOf(4)], lines: [4, 6], duplicates: 2 },
      { idx: 2, texts: [idOf(5)], lines: 7, duplicates: 1 }
    ])
  })

  it("count duplicates at the end in a chunk of their own, and malformed texts each time", async ({
    harvests: { asClient, settings }
  }) => {
    const recorded = await asClient(
      Effect.andThen(Harvest.start({ ...settings([a, "no id", "no id", a]), chunkSize: 3 }), chunks)
    )
    expect(recorded).toEqual([
      { idx: 0, texts: [a, "no id", "no id"], lines: 1, duplicates: 0 },
      { idx: 1, texts: [], lines: 0, duplicates: 1 }
    ])
  })

  it("keep the faults that the source found, and are more than one insert has", async ({
    harvests: { asClient, settings }
  }) => {
    const identifiers = [
      { text: a, line: 5, fault: "it is cut off" },
      { text: a, line: 6 }
    ]
    const source = Source.stream("a stream", Stream.fromIterable(identifiers))
    const recorded = await asClient(
      Effect.gen(function* () {
        yield* Harvest.start({ ...settings([]), source })
        yield* Harvest.start({
          ...settings(idsOf(40)),
          name: "other",
          sink: { _tag: "Mirror", mirror: "m" },
          chunkSize: 1
        })
        return yield* chunks
      })
    )
    const [first, ...others] = recorded
    expect(first).toEqual({ idx: 0, texts: [a, a], lines: 5, faults: { 0: "it is cut off" }, duplicates: 0 })
    expect(others.map(({ idx, texts }) => [idx, texts])).toEqual(idsOf(40).map((id, at) => [at, [id]]))
  })

  it("of a start that died are removed by the next one, and those of other harvests stay", async ({
    harvests: { asClient, settings }
  }) => {
    const recorded = await asClient(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const leftover = (harvest: string) => ({
          harvest,
          idx: 0,
          items: '{"texts":[],"lines":0}',
          duplicates: 9
        })
        yield* sql`INSERT INTO chemstream_chunks ${sql.insert([leftover("mirror/dead"), leftover("mirrored/x")])}`
        yield* Harvest.start(settings([a]))
        return yield* chunks
      })
    )
    expect(recorded.map(({ duplicates }) => duplicates).sort()).toEqual([0, 9])
  })
})

describe("the sink of a harvest", () => {
  it("is recorded with absolute paths and the columns of its records", async ({
    harvests: { asClient, settings }
  }) => {
    const columns = [{ name: "n", type: "number" }] as const
    const recorded = (sink: Sink.Spec, fetch: Fetch.Spec = settings([]).fetch) =>
      Effect.gen(function* () {
        yield* Harvest.start({ ...settings([a]), sink, fetch })
        const { sink: stored } = yield* Harvest.status("mirror")
        yield* Harvest.cancel("mirror")
        yield* Harvest.delete("mirror")
        return stored
      })
    const enrich = {
      enrich: { details: { lookup: "details.byDtxsid" }, synonyms: { lookup: "synonyms.byDtxsid" } }
    } as const
    const stored = await asClient(
      Effect.all([
        recorded({ _tag: "Folder", folder: "out" }),
        recorded({ _tag: "Folder", folder: "out", file: "records.ndjson.zst" }),
        recorded({ _tag: "Folder", folder: "out", file: "records.parquet", columns }),
        recorded({ _tag: "Folder", folder: "out", file: "records.csv" }, enrich),
        recorded({ _tag: "Table", target: "out.sqlite#details" }, enrich),
        recorded({ _tag: "Table", target: "out.sqlite#details", columns }),
        recorded({ _tag: "Mirror", mirror: "m" }),
        recorded({ _tag: "Mirror", mirror: "m", report: "report.ndjson" })
      ])
    )
    const parts = [
      { name: "query", type: "text" },
      { name: "details", type: "json" },
      { name: "synonyms", type: "json" }
    ]
    expect(stored).toEqual([
      { _tag: "Folder", folder: resolve("out") },
      { _tag: "Folder", folder: resolve("out"), file: "records.ndjson.zst" },
      { _tag: "Folder", folder: resolve("out"), file: "records.parquet", columns },
      { _tag: "Folder", folder: resolve("out"), file: "records.csv", columns: parts },
      { _tag: "Table", target: `${resolve("out.sqlite")}#details`, columns: parts },
      { _tag: "Table", target: `${resolve("out.sqlite")}#details`, columns },
      { _tag: "Mirror", mirror: "m" },
      { _tag: "Mirror", mirror: "m", report: resolve("report.ndjson") }
    ])
  })

  it("has the columns of a lookup, and none of a lookup of the program", async ({
    harvests: { asClient, settings }
  }) => {
    const columnsOf = (fetch: Fetch.Spec) =>
      Effect.gen(function* () {
        yield* Harvest.start({ ...settings([a]), sink: { _tag: "Table", target: "out.sqlite#t" }, fetch })
        const { sink } = yield* Harvest.status("mirror")
        yield* Harvest.cancel("mirror")
        yield* Harvest.delete("mirror")
        return sink?._tag === "Table" ? sink.columns : undefined
      })
    const own = { call: async () => ({ records: [] }), size: 10 }
    const columns = await asClient(
      Effect.provideService(
        Effect.all([columnsOf({ lookup: "synonyms.byDtxsid" }), columnsOf({ own: "lengths" })]),
        Fetch.Lookups,
        { lengths: own }
      )
    )
    expect(columns).toEqual([
      expect.arrayContaining([
        { name: "dtxsid", type: "text" },
        { name: "valid", type: "json" }
      ]),
      []
    ])
  })
})

describe("the plan of a harvest", () => {
  const client = ChemClient.layer({ baseUrl: "http://service", apiKey: Redacted.make("a-key") }).pipe(
    Layer.provide(FetchHttpClient.layer)
  )

  it("counts the requests of the chunks that are not recorded, for a mirror at most", async ({
    harvests: { asClient, settings }
  }) => {
    const plans = await asClient(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const own = { own: "lengths" }
        const mirror = { _tag: "Mirror", mirror: "m" } as const
        yield* Harvest.start({ ...settings(idsOf(25)), chunkSize: 10 })
        const all = yield* Harvest.plan("mirror")
        const [harvest] = yield* sql<{ id: string }>`SELECT id FROM chemstream_harvests`
        const counts = { read: 10, found: 10, missing: 0, failed: 0, invalid: 0, duplicates: 0, records: 10 }
        const rest = { surplus: 0, truncated: 0, requests: 1, retries: 0, bytes: 1, millis: 1, done_at: 1 }
        yield* sql`INSERT INTO chemstream_progress ${sql.insert({ harvest: harvest?.id ?? "", idx: 1, worker: "w", ...counts, ...rest })}`
        const later = yield* Harvest.plan("mirror")
        yield* Harvest.start({ ...settings(idsOf(5)), name: "refresh", sink: mirror })
        yield* Effect.provideService(
          Harvest.start({
            ...settings(idsOf(5)),
            name: "own",
            sink: { _tag: "Mirror", mirror: "n" },
            fetch: own
          }),
          Fetch.Lookups,
          { lengths: { call: async () => ({ records: [] }), size: 10 } }
        )
        return [all, later, yield* Harvest.plan("refresh"), yield* Harvest.plan("own")]
      }).pipe(Effect.provide(client))
    )
    expect(plans).toEqual([
      { identifiers: 25, least: 3, most: 3 },
      { identifiers: 15, least: 2, most: 2 },
      { identifiers: 5, least: 0, most: 1 },
      { identifiers: 5, least: 0, most: undefined }
    ])
  })
})

describe("the holder of a sink", () => {
  it("is the harvest that a folder or a table stores, and nobody makes one by asking", async ({
    harvests: { folder }
  }) => {
    const specs: ReadonlyArray<Sink.Spec> = [
      { _tag: "Folder", folder: join(folder, "out") },
      { _tag: "Table", target: `${join(folder, "out.db")}#t` },
      { _tag: "Mirror", mirror: "m" }
    ]
    const holders = Effect.forEach(specs, Sinks.holder)
    const [before, made, after] = await Effect.runPromise(
      Effect.gen(function* () {
        const before = yield* holders
        const made = [existsSync(join(folder, "out")), existsSync(join(folder, "out.db"))]
        for (const spec of specs.slice(0, 2))
          yield* Effect.scoped(Sinks.open(spec, { harvest: "mine", source: "s" }))
        return [before, made, yield* holders] as const
      }).pipe(Effect.provide(NodeServices.layer))
    )
    expect(before).toEqual([undefined, undefined, undefined])
    expect(made).toEqual([false, false])
    expect(after).toEqual(["mine", "mine", undefined])
  })

  it("is refused if no harvest can write there, with what to do", async ({ harvests: { folder } }) => {
    writeFileSync(join(folder, "file"), "text")
    writeFileSync(join(folder, "text.db"), "no database, but a text that is longer than a header")
    const errorOf = (spec: Sink.Spec) => Effect.flip(Sinks.holder(spec))
    const errors = await Effect.runPromise(
      Effect.all([
        errorOf({ _tag: "Folder", folder: join(folder, "file", "below") }),
        errorOf({ _tag: "Table", target: `${join(folder, "text.db")}#t` })
      ]).pipe(Effect.provide(NodeServices.layer))
    )
    const place = join(folder, "file")
    expect(errors).toMatchObject([
      {
        operation: "open",
        retryable: false,
        message: `cannot open ${place}/below: ${place} is a file, and a harvest writes into a folder. Remove it, or name another output`
      },
      { operation: "open", retryable: false }
    ])
    expect(errors[1]?.message).toContain("file is not a database")
  })
})

describe("an error of the disk of a sink", () => {
  /** The error of a folder on a disk that fails with this code. */
  const errorWith = (code: string, message: string) => {
    const failure = PlatformError.systemError({
      _tag: "Unknown",
      module: "FileSystem",
      method: "makeDirectory",
      cause: Object.assign(new Error(message), { code })
    })
    return Sinks.open({ _tag: "Folder", folder: "/absent" }, { harvest: "one", source: "s" }).pipe(
      Effect.scoped,
      Effect.flip,
      Effect.provide(
        FileSystem.layerNoop({ makeDirectory: () => Effect.fail(failure), stat: () => Effect.fail(failure) })
      ),
      Effect.provide(Path.layer),
      Effect.runPromise
    )
  }

  plain.each([
    ["ENOSPC", true],
    ["EDQUOT", true],
    ["EIO", true],
    ["EBUSY", true],
    ["EMFILE", true],
    ["ESTALE", true],
    ["ETIMEDOUT", true],
    ["EACCES", false],
    ["EROFS", false],
    ["ENOTDIR", false],
    ["EXNOSPC", false]
  ])("%s can be retried: %s", async (code, retryable) => {
    expect(await errorWith(code, `${code}: no luck`)).toMatchObject({
      operation: "open",
      sink: "/absent",
      retryable
    })
  })

  plain("says that the disk is full, or the reason of the system", async () => {
    const full =
      "cannot open /absent: the disk is full. Free some space; the harvest then continues by itself"
    expect((await errorWith("ENOSPC", "ENOSPC: no space left on device")).message).toBe(full)
    expect((await errorWith("EDQUOT", "EDQUOT: quota exceeded")).message).toBe(full)
    expect((await errorWith("EACCES", "EACCES: permission denied")).message).toBe(
      "cannot open /absent: EACCES: permission denied"
    )
  })
})

plain("the host of an address is without its user and password, and undefined without an address", () => {
  expect(Database.hostOf("postgres://me:secret@db.example:5433/x")).toBe("db.example:5433")
  expect(Database.hostOf("no address")).toBeUndefined()
})
