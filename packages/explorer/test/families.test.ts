import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Exposure, Fate, Hazard, Rows } from "@chemstream/api"
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { AssayNames, Listing } from "@chemstream/stream"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import { sections } from "../page/families/familySections.ts"
import { type Cell, innermost, isExample, tableOf } from "../page/families/familyTable.ts"

const record = (value: object | string) =>
  RawRecord.fromText(typeof value === "string" ? value : JSON.stringify(value))

const textOf = (cell: Cell | undefined) => (cell !== undefined && "text" in cell ? cell.text : undefined)

describe("the families of a substance", () => {
  it("are those with records by substance, in the order of the commands", () => {
    const titles = ["Hazard", "Exposure", "Properties", "Environmental fate", "Lists of substances", "Assays"]
    expect(sections.map(({ title }) => title)).toEqual([...titles, "Reference counts", "Links"])
  })

  it("have every row of the public service that needs only a substance, but no file", () => {
    const names = sections.flatMap(({ rows }) => rows.map(({ name }) => name))
    const bySubstance = Rows.all.filter(
      (row) =>
        "dialect" in row &&
        row.get.path.endsWith("/{dtxsid}") &&
        !("query" in row) &&
        !row.get.path.includes("/file/")
    )
    expect(names.toSorted()).toEqual(bySubstance.map(({ name }) => name).toSorted())
    expect(names).toContain("hazard.toxval")
    expect(names).toContain("assays.models")
    expect(names).not.toContain("hazard.toxvalByCategory")
  })
})

describe("the names of assays", () => {
  it.each([
    ["again after a failure that a retry can help", 500, "ATG_Ahr"],
    ["never again from a service without them", 404, undefined]
  ])("are requested once, and %s", async (_, status, later) => {
    let isDown = true
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.writeHead(isDown ? status : 200, { "content-type": "application/json" })
      response.end(isDown ? "{}" : '[{"aeid":7,"assayComponentEndpointName":"ATG_Ahr"}]')
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const nameOf = Effect.map(AssayNames.of([7, 7]), (names) => names.get(7)?.name)
    const found = await Effect.gen(function* () {
      const client = yield* ChemClient.make({
        baseUrl: `http://127.0.0.1:${port}`,
        apiKey: Redacted.make("a-key"),
        retry: RetryPolicy.never
      })
      return yield* Effect.gen(function* () {
        const first = yield* nameOf
        isDown = false
        const before = requests
        return { names: [first, yield* nameOf, yield* nameOf], further: requests - before }
      }).pipe(Effect.provideService(ChemClient.ChemClient, client))
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped, Effect.runPromise)
    server.closeAllConnections()
    server.close()
    expect(found).toEqual({ names: [undefined, later, later], further: later === undefined ? 0 : 1 })
  })
})

describe("the table of records", () => {
  it("has the fields with a value, in the order of the schema, with their meanings", () => {
    const records = [
      record({ ours: 1, toxvalType: "NOAEL", source: "example data", doi: null }),
      record({ source: "-", dtxsid: "DTXSID7020182", toxvalNumeric: 5 })
    ]
    const { columns, rows } = tableOf(records, Hazard.toxval.record(), ["dtxsid"])
    expect(columns.map(({ name }) => name)).toEqual(["source", "toxvalType", "toxvalNumeric", "ours"])
    expect(columns[0]?.meaning).toMatch(/^Database or organization/)
    expect(columns[3]?.meaning).toBeUndefined()
    expect(rows.map((row) => row.map(textOf))).toEqual([
      ["example data", "NOAEL", undefined, "1"],
      ["-", undefined, "5", undefined]
    ])
  })

  it("has the unit of a field, and the text of a number as the service sent it", () => {
    const { columns, rows } = tableOf(
      [record('{"median":1.0000}')],
      Listing.schemaOf(Exposure.ccdMonitoringData)
    )
    expect(columns.find(({ name }) => name === "median")?.unit).toBe("mg/kg/day")
    expect(rows[0]?.map(textOf)).toContain("1.0000")
  })

  it("has a table for the objects in a field, and one text for a list of texts", () => {
    const [row] = tableOf(
      [
        record(
          '{"propName":"Kow","experimentalFateData":[],"predictedFateData":[{"value":2.50}],"of":["a","b"]}'
        )
      ],
      Listing.schemaOf(Fate.byDtxsid)
    ).rows
    const [name, predicted, texts] = row ?? []
    expect([textOf(name), textOf(texts)]).toEqual(["Kow", "a, b"])
    expect(predicted).toMatchObject({ columns: [{ name: "value" }], rows: [[{ text: "2.50" }]] })
    expect(row).toHaveLength(3)
  })

  it("is the inner table of a single record that has nothing else", () => {
    const fate = record({ dtxsid: "DTXSID7020182", properties: [{ propName: "Kow" }, { propName: "BCF" }] })
    const table = tableOf([fate], Listing.schemaOf(Fate.byDtxsid), ["dtxsid"])
    expect(innermost(table).rows.flat().map(textOf)).toEqual(["Kow", "BCF"])
    expect(innermost(tableOf([fate, fate], undefined)).rows).toHaveLength(2)
  })

  it("shows the source of made-up records", () => {
    expect(isExample(record({ source: "example data" }))).toBe(true)
    expect(isExample(record({ source: "EFSA" }))).toBe(false)
    expect(isExample(record({}))).toBe(false)
  })
})
