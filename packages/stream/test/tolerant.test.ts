/**
 * Responses whose shape differs between deployments: lookups read all of them.
 */
import { RawRecord } from "@chemstream/ndjson"
import { Bioactivity, Details, Identifiers, Ledger, Lookup, MsReady, Search } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { clientOf, ok, outcomesOf, type Respond } from "./lookupService.ts"

type AnyLookup = Lookup.Lookup<RawRecord.RawRecord>

const bpa = "DTXSID7020182"

describe("an identifier without data", () => {
  it.each<[string, AnyLookup, string]>([
    ["a summary by substance", Bioactivity.summaryByDtxsid(), bpa],
    ["a summary by endpoint", Bioactivity.summaryByAeid(), "700"],
    ["a summary by tissue", Bioactivity.summaryByTissue("liver"), bpa],
    ["data by endpoint", Bioactivity.byAeid(), "700"],
    ["a formula", Search.byExactFormula(), "C6H6"]
  ])("is missing when %s is an empty array", async (_, lookup, id) => {
    expect(await outcomesOf(() => ok("[ ]"), lookup, [id])).toMatchObject([{ _tag: "Missing", id }])
  })

  it("is missing when a summary by endpoint is an empty body", async () => {
    expect(await outcomesOf(() => ok(""), Bioactivity.summaryByAeid(), ["700"])).toMatchObject([
      { _tag: "Missing", id: "700" }
    ])
  })

  it("fails when another body is empty", async () => {
    expect(await outcomesOf(() => ok(""), Bioactivity.summaryByDtxsid(), [bpa])).toMatchObject([
      { _tag: "Failed", error: { _tag: "MalformedResponse" } }
    ])
  })
})

describe("a body", () => {
  const record = `{"dtxsid":"${bpa}"}`
  const parsed = (records: ReadonlyArray<RawRecord.RawRecord>): ReadonlyArray<unknown> =>
    records.map((one) => JSON.parse(RawRecord.toText(one)))

  it.each([" ", "\t", "\n", "\r\n", " \t\r\n ", "\uFEFF", "\uFEFF "])(
    "is read the same with %j before it",
    async (space) => {
      for (const body of [record, `[${record}]`]) {
        const [outcome] = await outcomesOf(() => ok(space + body), Bioactivity.summaryByDtxsid(), [bpa])
        expect(outcome?._tag === "Found" ? parsed(outcome.records) : outcome, body).toEqual([{ dtxsid: bpa }])
      }
      for (const body of [`{"data":[${record}],"pageNumber":1,"totalPages":1}`, `[${record}]`]) {
        const respond: Respond = ({ url }) => ok(url.includes("next=2") ? "[]" : space + body)
        const pages = Effect.flatMap(clientOf(respond), (client) =>
          Effect.provide(Stream.runCollect(Details.all()), client)
        )
        expect(parsed(await Effect.runPromise(Effect.scoped(pages))), body).toEqual([{ dtxsid: bpa }])
      }
    }
  )

  it.each(["true", "!", "", " ", "[", "{"])("that is %j fails the identifier", async (body) => {
    expect(await outcomesOf(() => ok(body), Bioactivity.summaryByDtxsid(), [bpa])).toMatchObject([
      { _tag: "Failed", error: { _tag: "MalformedResponse" } }
    ])
  })
})

describe("a list of identifiers", () => {
  it.each<[string, AnyLookup, string, string, string]>([
    ["by formula", Search.byExactFormula(), "C6H6", `["${bpa}", null]`, "C6H6"],
    ["by compound", MsReady.byDtxcid(), "DTXCID30182", `["${bpa}",null]`, "DTXCID30182"],
    ["by mass", MsReady.byMass(), "228", `{"228.0":[null,"${bpa}"]}`, "228"]
  ])("%s may contain null, which is not a record", async (_, lookup, id, body, query) => {
    const [outcome] = await outcomesOf(() => ok(body), lookup, [id])
    expect(outcome?._tag === "Found" ? outcome.records.map(RawRecord.toText) : outcome).toEqual([
      `{"query":"${query}","dtxsid":"${bpa}"}`
    ])
  })

  it("with only null is missing", async () => {
    expect(await outcomesOf(() => ok("[null]"), Search.byExactFormula(), ["C6H6"])).toMatchObject([
      { _tag: "Missing", id: "C6H6" }
    ])
  })
})

describe("a batch of numbers that always fails with 500 because of one of them", () => {
  it("fails only that one, with few requests", async () => {
    const ids = Array.from({ length: 200 }, (_, at) => String(at + 1))
    const answer: Respond = ({ body }) =>
      (body as ReadonlyArray<number>).includes(77)
        ? {
            status: 500,
            body: '{"timestamp":"2026-03-04T20:06:20.663+00:00","status":500,"error":"Internal Server Error","path":"/x"}'
          }
        : ok(JSON.stringify((body as ReadonlyArray<number>).map((aeid) => ({ aeid }))))
    const ledger = Ledger.make()
    const outcomes = await outcomesOf(answer, Bioactivity.byAeid(), ids, { ledger, batchSize: 200 })
    expect(outcomes.filter(({ _tag }) => _tag !== "Found")).toMatchObject([
      { _tag: "Failed", id: "77", error: { _tag: "ServiceFailure", status: 500 } }
    ])
    expect(ledger.requests).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(ids.length)))
  })
})

describe("a batch search whose records name a word in an unknown form", () => {
  const words = Array.from({ length: 20 }, (_, at) => `word ${at}`)
  /** Echoes word 7 in another form, and knows every other word. */
  const respond =
    (single: (word: string) => ReturnType<Respond>, requests: Array<string>): Respond =>
    ({ body, method, url }) => {
      requests.push(method)
      if (method === "GET") return single(decodeURIComponent(url.split("/").at(-1) ?? ""))
      const echo = (word: string): string => (word === "word 7" ? "seventh" : word)
      return ok(
        JSON.stringify(
          (body as ReadonlyArray<string>).map((word) => ({ dtxsid: bpa, searchValue: echo(word) }))
        )
      )
    }
  const hits = (word: string) => ok(JSON.stringify([{ dtxsid: bpa, searchValue: word }]))

  it("finds that word with a search for it alone, and loses no other word", async () => {
    const requests: Array<string> = []
    const outcomes = await outcomesOf(respond(hits, requests), Search.equalBatch(), words)
    expect(outcomes.map(({ _tag, id }) => [_tag, id])).toEqual(words.map((word) => ["Found", word]))
    expect(requests.filter((method) => method === "GET")).toHaveLength(1)
  })

  it("reports that word as missing when the search for it alone finds nothing", async () => {
    const miss = () => ({
      status: 404,
      body: '{"title":"Not Found","detail":"no results","suggestions":["x"]}'
    })
    const outcomes = await outcomesOf(respond(miss, []), Search.equalBatch(), words)
    expect(outcomes.filter(({ _tag }) => _tag !== "Found")).toMatchObject([
      { _tag: "Missing", id: "word 7", suggestions: ["x"] }
    ])
  })

  it("fails that word with the reason when that search is refused", async () => {
    const page = () => ({ status: 400, body: "<html>no</html>", headers: { "content-type": "text/html" } })
    const outcomes = await outcomesOf(respond(page, []), Search.equalBatch(), words)
    expect(outcomes.filter(({ _tag }) => _tag !== "Found")).toMatchObject([
      { _tag: "Failed", id: "word 7", error: { message: expect.stringContaining("seventh") } }
    ])
  })
})

describe("a run in the wrong dialect", () => {
  const words = Array.from({ length: 300 }, (_, at) => `word ${at}`)
  it.each<[string, Respond]>([
    [
      "whose list of words is taken for one word",
      ({ body }) => ok(JSON.stringify([{ dtxsid: null, searchValue: JSON.stringify(body) }]))
    ],
    ["whose media type is refused", () => ({ status: 415, body: '{"title":"no"}' })]
  ])("%s stops with its first response", async (_, answer) => {
    const ledger = Ledger.make()
    const error = await outcomesOf(answer, Search.equalBatch(), words, { ledger, concurrency: 1 }).then(
      () => undefined,
      (cause: unknown) => cause
    )
    expect(error).toMatchObject({
      dialect: "ctx",
      message: expect.stringContaining("set the dialect to ctx")
    })
    // While the first response is read, the second request may be in flight.
    expect(ledger.requests).toBeLessThanOrEqual(2)
  })

  it.each([
    ["compounds by records without a DTXCID", Details.byDtxcid({ projection: "compact" }), "DTXCID30182"],
    ["a projection that it does not have", Details.byDtxsid({ projection: "ccdassaydetails" }), bpa]
  ])("is refused before any request for %s", async (_, lookup, id) => {
    let requests = 0
    const refused = Effect.flatMap(
      clientOf(
        () => {
          requests++
          return ok("[]")
        },
        { dialect: "ctx" }
      ),
      (client) =>
        Effect.provide(
          Stream.runCollect(Lookup.outcomes(Identifiers.fromIterable([id]), lookup as AnyLookup)),
          client
        )
    )
    expect(await Effect.runPromise(Effect.flip(Effect.scoped(refused)))).toMatchObject({
      _tag: "InvalidRequest",
      message: expect.stringContaining("; use chemicaldetailall")
    })
    expect(requests).toBe(0)
  })
})
