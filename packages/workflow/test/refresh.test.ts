import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChemClient, ResponseCache } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Bundled, Service } from "@chemstream/service"
import { Database, Harvest, Refresh, Source, Worker } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Redacted, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, expect, it } from "vitest"
import { idOf } from "./chemicalService.ts"

/** The records of the service, as text. */
const records = new Map<string, string>()
const asked: Array<ReadonlyArray<string>> = []
let folder: string

const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    const isFirst = new URL(request.url ?? "", "http://service").searchParams.get("next") === "1"
    const listed = isFirst ? [...records.keys()].map((id) => `{"dtxsid":"${id}"}`) : []
    return void response.writeHead(200, { "content-type": "application/json" }).end(`[${listed.join(",")}]`)
  }
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const ids = JSON.parse(Buffer.concat(chunks).toString()) as Array<string>
  asked.push(ids)
  const found = ids.flatMap((id) => records.get(id) ?? [])
  response.writeHead(200, { "content-type": "application/json" }).end(`[${found.join(",")}]`)
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "chemstream-refresh-"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

const [a, b, c, d] = [idOf(1), idOf(2), idOf(3), idOf(4)]

const put = (id: string, fields: string): void => {
  records.set(id, `{"dtxsid":"${id}",${fields}}`)
}

const run = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | ChemClient.ChemClient>): Promise<A> =>
  Effect.runPromise(
    Effect.provide(
      effect,
      Worker.layer({ lease: "3 seconds" }).pipe(
        Layer.provideMerge(
          ChemClient.layer({
            baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            apiKey: Redacted.make("a-key")
          }).pipe(Layer.provide(FetchHttpClient.layer))
        ),
        Layer.provide(NodeServices.layer),
        Layer.provideMerge(Database.layerSqlite(join(folder, "harvests.db")))
      )
    )
  )

/** Refreshes the mirror from a list or another source, and returns the report. */
const refresh = async (
  name: string,
  from: ReadonlyArray<string> | ReturnType<typeof Source.all>,
  olderThan: "0 millis" | "1 day",
  mirror = "all"
) => {
  const report = join(folder, `${name}.ndjson`)
  const status = await run(
    Effect.andThen(
      Refresh.start({
        name,
        mirror,
        source: "identifiers" in from ? from : Source.list(from),
        fetch: { lookup: "Details.byDtxsid", projection: "compact" },
        olderThan,
        report,
        chunkSize: 2,
        validate: "off"
      }),
      Harvest.awaitEnd(name)
    )
  )
  expect(status.state).toBe("finished")
  const lines = readFileSync(report, "utf8")
    .split("\n")
    .filter((line) => line !== "")
  return lines.sort()
}

it("reports what is added, changed and gone, and requests nothing that is fresh", async () => {
  put(a, '"casrn":"50-00-0","mass":1.10')
  put(b, '"casrn":"50-00-1"')
  expect(await refresh("first", [a, b, c], "1 day")).toEqual([
    `{"id":"${a}","change":"added"}`,
    `{"id":"${b}","change":"added"}`
  ])

  put(d, '"casrn":"50-00-3"')
  asked.length = 0
  expect(await refresh("only the new one", [a, b, c, d], "1 day")).toEqual([`{"id":"${d}","change":"added"}`])
  expect(asked.flat()).toEqual([d])

  put(a, '"casrn":"50-00-9","mass":1.10')
  records.delete(b)
  put(c, '"casrn":"50-00-2"')
  expect(await refresh("all of them", [a, b, c, d], "0 millis")).toEqual([
    `{"id":"${a}","change":"changed","fields":{"casrn":{"before":"50-00-0","after":"50-00-9"}}}`,
    `{"id":"${b}","change":"gone"}`,
    `{"id":"${c}","change":"added"}`
  ])

  expect(await refresh("once more", [a, b, c, d], "0 millis")).toEqual([])

  const mirrored = await run(Stream.runCollect(Refresh.records("all")))
  // Byte for byte, including the trailing zero.
  expect(mirrored.map(RawRecord.toText)).toEqual([a, c, d].map((id) => records.get(id)))
})

it("is a view with the columns of the contract, and the times of the last check, of the change, and of the end", async () => {
  records.clear()
  put(a, '"casrn":"50-00-0","monoisotopicMass":1.10')
  put(b, '"casrn":"50-00-1"')
  const rows = () =>
    run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<Readonly<Record<string, unknown>>>`
          SELECT input_id, record_n, casrn, gone_at IS NULL AS present, fetched_at, changed_at, gone_at
          FROM chemstream_mirror_our_view ORDER BY input_id`
      )
    )
  await refresh("view first", [a, b, c], "1 day", "our.view")
  const before = await rows()
  expect(before).toMatchObject([
    { input_id: a, record_n: 1, casrn: "50-00-0", present: 1 },
    { input_id: b, record_n: 1, casrn: "50-00-1", present: 1 }
  ])
  records.delete(b)
  await refresh("view second", [a, b, c], "0 millis", "our.view")
  const after = await rows()
  expect(after).toMatchObject([
    { input_id: a, casrn: "50-00-0", present: 1, changed_at: before[0]?.["changed_at"] },
    { input_id: b, casrn: null, present: 0 }
  ])
  expect(Number(after[0]?.["fetched_at"])).toBeGreaterThanOrEqual(Number(before[0]?.["fetched_at"]))
  expect(after[1]?.["gone_at"]).toBe(after[1]?.["changed_at"])
  // It has records again.
  put(b, '"casrn":"50-00-2"')
  await refresh("view third", [a, b, c], "0 millis", "our.view")
  expect((await rows())[1]).toMatchObject({ input_id: b, casrn: "50-00-2", gone_at: null })
})

it("also requests due identifiers that a listing source no longer lists, and none twice", async () => {
  records.clear()
  for (const id of [a, b, c]) put(id, '"casrn":"50-00-0"')
  const added = [a, b, c].map((id) => `{"id":"${id}","change":"added"}`)
  expect(await refresh("listed first", Source.all(), "1 day", "listed")).toEqual(added)

  records.delete(b)
  records.delete(c)
  put(d, '"casrn":"50-00-3"')
  asked.length = 0
  // The removed identifiers are not due.
  expect(await refresh("too early", Source.all(), "1 day", "listed")).toEqual([
    `{"id":"${d}","change":"added"}`
  ])
  expect(asked.flat()).toEqual([d])

  asked.length = 0
  expect(await refresh("only named", [a], "0 millis", "listed")).toEqual([])
  expect(asked.flat()).toEqual([a])

  asked.length = 0
  expect(await refresh("when due", Source.all(), "0 millis", "listed")).toEqual([
    `{"id":"${b}","change":"gone"}`,
    `{"id":"${c}","change":"gone"}`
  ])
  expect(asked.flat().sort()).toEqual([a, b, c, d])

  put(c, '"casrn":"50-00-0"')
  asked.length = 0
  expect(await refresh("back again", Source.all(), "0 millis", "listed")).toEqual([
    `{"id":"${c}","change":"added"}`
  ])
  // An identifier that was gone is requested when it is listed again.
  expect(asked.flat().sort()).toEqual([a, c, d])
})

it("receives unchanged records only once, if each identifier is a request with an ETag", async () => {
  const apiKey = Redacted.make("a-key")
  const statuses: Array<number> = []
  const counted = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(
      HttpClient.HttpClient,
      HttpClient.tap(({ status }) => Effect.sync(() => statuses.push(status)))
    )
  ).pipe(Layer.provide(FetchHttpClient.layer))
  const reports = Effect.gen(function* () {
    const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
    const store = ResponseCache.memory()
    // With a `ttl` of 0, every cached response is confirmed.
    const client = ChemClient.layer({ baseUrl: service.url, apiKey, cache: { store, ttl: 0 } })
    const worker = Worker.layer({ lease: "3 seconds" }).pipe(
      Layer.provide(client),
      Layer.provideMerge(Database.layerSqlite(join(folder, "searches.db")))
    )
    const once = (name: string) =>
      Effect.gen(function* () {
        yield* Refresh.start({
          name,
          mirror: "searches",
          source: Source.list(["DTXSID7020182", "50-00-0"]),
          fetch: { lookup: "Search.equal" },
          olderThan: "0 millis",
          report: join(folder, `${name}.ndjson`)
        })
        const { tally } = yield* Harvest.awaitEnd(name)
        const lines = readFileSync(join(folder, `${name}.ndjson`), "utf8").split("\n").length - 1
        return { found: tally.found, lines, statuses: statuses.splice(0) }
      })
    return yield* Effect.provide(Effect.all([once("first night"), once("second night")]), worker)
  })
  const [first, second] = await Effect.runPromise(
    reports.pipe(Effect.provide([counted, NodeServices.layer]), Effect.scoped)
  )
  expect(first).toEqual({ found: 2, lines: 2, statuses: [200, 200] })
  expect(second).toEqual({ found: 2, lines: 0, statuses: [304, 304] })
})
