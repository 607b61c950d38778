/**
 * Tests the requests of each dialect, and the fallback when a service refuses one.
 */
import { Dtxcid } from "@chemstream/api"
import { type ChemClient, Dialect, ResponseCache, RetryPolicy } from "@chemstream/client"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, settings, withClient, withService } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

type Client = ChemClient.ChemClient["Service"]
type Call = (client: Client) => Effect.Effect<unknown, unknown>

const ok = (value: unknown): Scripted.Responder => Scripted.reply(200, JSON.stringify(value))
const noPath = Scripted.problem(404, "No static resource bioactivity/data/aed/search/by-dtxsid.")
const other = "DTXSID3039242"

/** Returns the requests of a call, and its result. */
const requestsOf = (
  responders: ReadonlyArray<Scripted.Responder>,
  call: Call,
  dialect: Dialect.Name | undefined = "ctx",
  attempts = 1
) =>
  withService(responders, (service) =>
    Effect.gen(function* () {
      const retry = RetryPolicy.make({ attempts, baseDelay: 1 })
      const result = yield* Effect.result(withClient(settings(service.url, { dialect, retry }), call))
      return {
        result,
        requests: service.requests.map(({ body, method, url }) => `${method} ${url} ${body}`.trim())
      }
    })
  )

describe("the dialect of a service", () => {
  it.each<[string, Dialect.Name]>([
    ["https://comptox.epa.gov/ctx-api", "ctx"],
    ["https://EPA.GOV/", "ctx"],
    ["https://notepa.gov/", "specification"],
    ["https://epa.gov.example/", "specification"],
    ["http://127.0.0.1:8080", "specification"]
  ])("at %s is %s by default", async (baseUrl, dialect) => {
    expect(Dialect.ofHost(baseUrl)).toBe(dialect)
    await Effect.runPromise(
      withClient(settings(baseUrl), (client) => Effect.sync(() => expect(client.dialect).toBe(dialect)))
    )
  })

  it("must be a known name", async () => {
    const error = await Effect.runPromise(
      Effect.flip(
        withClient(settings("http://127.0.0.1:9", { dialect: "epa" as Dialect.Name }), () => Effect.void)
      )
    )
    expect(error).toMatchObject({ _tag: "InvalidOption", option: "dialect" })
  })

  it("is part of the key of a cached response", () =>
    withService([ok(["DTXSID7020182"])], (service) =>
      Effect.gen(function* () {
        const store = ResponseCache.memory()
        for (const dialect of ["ctx", "specification", "ctx"] as const) {
          yield* withClient(settings(service.url, { dialect, cache: { store } }), ({ msready }) =>
            msready.byFormula("CH4")
          )
        }
        expect(service.requests).toHaveLength(2)
      })
    ))
})

describe("a batch search", () => {
  const call: Call = ({ search }) => search.equalBatch(["a b", "x\ny"])
  const responders = [ok(["a b", "x y"].map((searchValue) => ({ searchValue, dtxsid: bisphenolA })))]

  it("is lines of text in ctx, with a line break in a word as a space", () =>
    withService(responders, (service) =>
      Effect.gen(function* () {
        yield* withClient(settings(service.url, { dialect: "ctx" }), call)
        expect(service.requests[0]).toMatchObject({
          body: "a b\nx y",
          headers: { "content-type": "text/plain" }
        })
      })
    ))

  it("is an array in specification", async () => {
    const { requests } = await requestsOf(responders, call, "specification")
    expect(requests).toEqual(['POST /chemical/search/equal/ ["a b","x\\ny"]'])
  })
})

describe("an AED batch", () => {
  const call: Call = ({ bioactivity }) =>
    Effect.andThen(bioactivity.aedByDtxsidBatch([bisphenolA]), bioactivity.aedByDtxsidBatch([other]))

  it("has a slash at the end of its path in ctx", async () => {
    const { requests } = await requestsOf([ok([])], call)
    expect(requests).toEqual([
      `POST /bioactivity/data/aed/search/by-dtxsid/ ["${bisphenolA}"]`,
      `POST /bioactivity/data/aed/search/by-dtxsid/ ["${other}"]`
    ])
  })

  it("is sent without the slash after a 404, also in later calls", async () => {
    const { requests, result } = await requestsOf([noPath, ok([])], call)
    expect(result._tag).toBe("Success")
    expect(requests.map((one) => one.split(" ")[1])).toEqual([
      "/bioactivity/data/aed/search/by-dtxsid/",
      "/bioactivity/data/aed/search/by-dtxsid",
      "/bioactivity/data/aed/search/by-dtxsid"
    ])
  })

  it("is sent with the slash in specification when the path of the contract is refused", async () => {
    const bare = Scripted.reply(404, '{"timestamp":"x","status":404,"error":"Not Found","path":"/x"}')
    const { requests, result } = await requestsOf([bare, ok([])], call, "specification")
    expect(result._tag).toBe("Success")
    expect(requests.map((one) => one.split(" ")[1])).toEqual([
      "/bioactivity/data/aed/search/by-dtxsid",
      "/bioactivity/data/aed/search/by-dtxsid/",
      "/bioactivity/data/aed/search/by-dtxsid/"
    ])
  })

  it("returns to the first path when the second is refused later", async () => {
    const { requests, result } = await requestsOf([noPath, ok([]), noPath, ok([])], call)
    expect(result._tag).toBe("Success")
    expect(requests.map((one) => one.split(" ")[1])).toEqual([
      "/bioactivity/data/aed/search/by-dtxsid/",
      "/bioactivity/data/aed/search/by-dtxsid",
      "/bioactivity/data/aed/search/by-dtxsid",
      "/bioactivity/data/aed/search/by-dtxsid/"
    ])
  })

  it("is an invalid request, not a miss, when the service has no such path", async () => {
    const bare = Scripted.reply(404, '{"timestamp":"x","status":404,"error":"Not Found","path":"/x"}')
    const { result } = await requestsOf([bare], ({ bioactivity }) =>
      bioactivity.aedByDtxsidBatch([bisphenolA])
    )
    expect(result).toMatchObject({ failure: { _tag: "InvalidRequest", status: 404 } })
  })

  it.each([
    ["404 about a value", Scripted.problem(404, "none"), 2],
    ["404 of a gateway", Scripted.reply(404, "", {}), 2],
    ["405", Scripted.reply(405, "", {}), 1],
    ["400 about a value", Scripted.problem(400, "DTXSID with value x not found"), 1],
    ["500", Scripted.reply(500, "", {}), 1]
  ])("is sent to both paths after a 404 alone: %s", async (_, refusal, paths) => {
    const { requests } = await requestsOf([refusal], ({ bioactivity }) =>
      bioactivity.aedByDtxsidBatch([bisphenolA])
    )
    expect(requests).toHaveLength(paths)
  })

  it("fails when the service has neither path", async () => {
    const { requests, result } = await requestsOf([noPath], ({ bioactivity }) =>
      bioactivity.aedByDtxsidBatch([bisphenolA])
    )
    expect(result).toMatchObject({ failure: { _tag: "InvalidRequest", status: 404 } })
    expect(requests).toHaveLength(2)
  })
})

describe("a search by the beginning of a name", () => {
  const hits = (count: number) =>
    ok(Array.from({ length: count }, (_, at) => ({ dtxsid: `s${at}`, searchValue: "x" })))
  const call: Call = ({ search }) => search.startWith("x")

  it("requests all hits in ctx", async () => {
    const { requests, result } = await requestsOf([hits(500)], call)
    expect(requests).toEqual(["GET /chemical/search/start-with/x?top=0"])
    expect(result).not.toHaveProperty("success.truncated")
  })

  it.each([
    [499, undefined],
    [500, "capped"]
  ])("does without `top` when it is refused: %d hits have truncated %s", async (count, truncated) => {
    const { requests, result } = await requestsOf(
      [Scripted.problem(400, "top must be positive"), hits(count)],
      call
    )
    expect(requests).toEqual(["GET /chemical/search/start-with/x?top=0", "GET /chemical/search/start-with/x"])
    expect(result._tag === "Success" && (result.success as { truncated?: string }).truncated).toBe(truncated)
  })

  it.each([
    [499, undefined],
    [500, "capped"],
    [501, undefined]
  ])("may be truncated in specification: %d hits have truncated %s", async (count, truncated) => {
    const { result } = await requestsOf([hits(count)], call, "specification")
    expect(result._tag === "Success" && (result.success as { truncated?: string }).truncated).toBe(truncated)
  })

  it("reports a miss as NotFound, without another request", async () => {
    const { requests, result } = await requestsOf(
      [Scripted.problem(400, "Searched by Synonym: Found 0 results for 'x'.", { suggestions: [null] })],
      call
    )
    expect(result).toMatchObject({ failure: { _tag: "NotFound" } })
    expect(requests).toHaveLength(1)
  })

  it("follows the contract in specification", async () => {
    const { requests } = await requestsOf([hits(1)], call, "specification")
    expect(requests).toEqual(["GET /chemical/search/start-with/x"])
  })
})

describe("a batch of compounds", () => {
  const compounds = ["DTXCID30182", "DTXCID505"]
  const call: Call = ({ msready }) => msready.byDtxcidBatch(compounds)

  it("is one request for each compound in ctx", async () => {
    const { requests, result } = await requestsOf([ok([bisphenolA]), ok([])], call)
    expect(requests).toEqual(compounds.map((one) => `GET /chemical/msready/search/by-dtxcid/${one}`))
    expect(result).toMatchObject({
      success: new Map([
        ["DTXCID30182", [bisphenolA]],
        ["DTXCID505", []]
      ])
    })
  })

  it("has four requests in flight at most", () =>
    Effect.gen(function* () {
      const service = Virtual.make(() => Effect.as(Effect.sleep(100), Virtual.ok))
      const ids = Array.from({ length: 9 }, (_, at) => Dtxcid.fromNumber(at + 1))
      const fiber = yield* Effect.forkChild(
        withClient(
          settings("http://127.0.0.1:1", { dialect: "ctx" }),
          ({ msready }) => msready.byDtxcidBatch(ids),
          service.layer
        )
      )
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(fiber)).size).toBe(9)
      expect(service.times).toEqual([0, 0, 0, 0, 100, 100, 100, 100, 200])
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("is one request in specification", async () => {
    const { requests } = await requestsOf([ok({ DTXCID30182: [], DTXCID505: [] })], call, "specification")
    expect(requests).toEqual([`POST /chemical/msready/search/by-dtxcid/ ${JSON.stringify(compounds)}`])
  })
})

describe("a batch of masses", () => {
  it("is one range for each distinct mass in ctx", async () => {
    const { requests, result } = await requestsOf([ok([bisphenolA, null])], ({ msready }) =>
      msready.byMassBatch([228.115, 0.001, 228.115], { error: 0.005 })
    )
    expect(requests.toSorted()).toEqual([
      "GET /chemical/msready/search/by-mass/0/0.006",
      "GET /chemical/msready/search/by-mass/228.11/228.12"
    ])
    expect(result).toMatchObject({
      success: new Map([
        [228.115, [bisphenolA]],
        [0.001, [bisphenolA]]
      ])
    })
  })

  it("has the default tolerance of the contract, and fails with the error of a range", async () => {
    const { requests, result } = await requestsOf([Scripted.problem(400, "no")], ({ msready }) =>
      msready.byMassBatch([100])
    )
    expect(requests).toEqual(["GET /chemical/msready/search/by-mass/99.995/100.005"])
    expect(result).toMatchObject({ failure: { _tag: "InvalidRequest" } })
  })
})

describe("a request in ctx", () => {
  it("has the service's name of the plot projection", async () => {
    const { requests, result } = await requestsOf([ok([{ aeid: "704", hitc: 0.9 }])], ({ bioactivity }) =>
      bioactivity.byDtxsid(bisphenolA, { projection: "assay-summary-plot" })
    )
    expect(requests).toEqual([
      `GET /bioactivity/data/search/by-dtxsid/${bisphenolA}?projection=toxcast-summary-plot`
    ])
    expect(result).toMatchObject({ success: [{ aeid: "704", hitc: 0.9 }] })
  })

  it.each([
    ["within", 100_000, { failure: { _tag: "MalformedResponse", path: "[0]", dialect: "ctx" } }],
    ["after", 100_001, { success: [{ hitc: 0.9 }] }]
  ])(
    "for the plot gets whole records if a field of them ends %s the first 100,000 bytes",
    async (_, end, expected) => {
      const start = '[{"hitc":0.9,"note":"'
      const field = '","mc5Param"'
      const body = `${start}${"x".repeat(end - start.length - field.length)}${field}:{}}]`
      const { result } = await requestsOf([Scripted.reply(200, body)], ({ bioactivity }) =>
        bioactivity.byDtxsid(bisphenolA, { projection: "assay-summary-plot" })
      )
      expect(result).toMatchObject(expected)
    }
  )

  it("starts the list of all chemicals at cursor 0", async () => {
    const { requests } = await requestsOf(
      [
        ok({
          next: 7,
          data: [
            { id: 1, dtxsid: "a" },
            { id: 7, dtxsid: "b" }
          ]
        }),
        ok({ next: 1, data: [] })
      ],
      ({ details }) => Stream.runDrain(details.all())
    )
    expect(requests).toEqual(["GET /chemical/all?next=0", "GET /chemical/all?next=7"])
  })

  it("has at most 200 values of bioactivity", async () => {
    const aeids = Array.from({ length: 201 }, (_, at) => at + 1)
    const { requests, result } = await requestsOf([ok([])], ({ bioactivity }) =>
      bioactivity.byAeidBatch(aeids)
    )
    expect(result).toMatchObject({ failure: { _tag: "BatchTooLarge", attempts: 0 } })
    expect(requests).toEqual([])
    expect(
      (await requestsOf([ok([])], ({ bioactivity }) => bioactivity.byAeidBatch(aeids.slice(1)))).requests
    ).toHaveLength(1)
  })
})

describe("a service of the other dialect", () => {
  const setting = (dialect: Dialect.Name): string => `set the dialect to ${dialect}`
  const bare = Scripted.reply(
    500,
    '{"timestamp":"2026-03-04T20:06:20.663+00:00","status":500,"error":"Internal Server Error","path":"/x"}'
  )
  const aeids = Array.from({ length: 201 }, (_, at) => at + 1)

  it.each<[string, Dialect.Name, Scripted.Responder, Call]>([
    [
      "the list of all",
      "ctx",
      Scripted.problem(400, "next: must be at least 1"),
      ({ details }) => Effect.map(details.page(), ({ records }) => records)
    ],
    [
      "a batch search as text",
      "ctx",
      Scripted.problem(415, "application/json is needed"),
      ({ search }) => search.equalBatch(["a"])
    ],
    [
      "the projection of the plot",
      "ctx",
      Scripted.problem(400, "projection"),
      ({ bioactivity }) => bioactivity.byDtxsid(bisphenolA, { projection: "assay-summary-plot" })
    ],
    [
      "a batch search as an array",
      "specification",
      ok([{ dtxsid: null, searchValue: '["a","b"]' }]),
      ({ search }) => search.equalBatch(["a", "b"])
    ],
    [
      "the AED batch without a path",
      "specification",
      noPath,
      ({ bioactivity }) => bioactivity.aedByDtxsidBatch([bisphenolA])
    ],
    [
      "a batch of 201 assay endpoints",
      "specification",
      bare,
      ({ bioactivity }) => bioactivity.byAeidBatch(aeids)
    ],
    [
      "a batch of masses without a tolerance",
      "specification",
      Scripted.reply(
        400,
        '{"title":"Constraint Violations","violations":{"error":"error value couldn\'t be null"}}'
      ),
      ({ msready }) => msready.byMassBatch([228])
    ],
    [
      "a batch of compounds that gets one list",
      "specification",
      ok([bisphenolA]),
      ({ msready }) => msready.byDtxcidBatch(["DTXCID30182", "DTXCID505"])
    ]
  ])("is named in the error of %s in %s", async (_, dialect, responder, call) => {
    const { requests, result } = await requestsOf([responder], call, dialect, 2)
    const other = Dialect.names.find((name) => name !== dialect) ?? "ctx"
    expect(result).toMatchObject({ failure: { message: expect.stringContaining(setting(other)) } })
    expect(requests.length).toBeLessThan(4)
  })

  it.each<[string, Dialect.Name, Scripted.Responder]>([
    ["the media type is refused", "ctx", Scripted.problem(415, "application/json is needed")],
    ["the list is read as one word", "specification", ok([{ dtxsid: null, searchValue: '["a","b"]' }])],
    ["the substances of all compounds are one list", "specification", ok([bisphenolA, other])],
    ["the projection is ignored", "specification", ok([{ m4id: 1, mc5Param: { top: 1 } }])]
  ])("is certain when %s, and gets no retry", async (what, dialect, responder) => {
    const call: Call = what.includes("compounds")
      ? ({ msready }) => msready.byDtxcidBatch(["DTXCID30182", "DTXCID505"])
      : what.includes("projection")
        ? ({ bioactivity }) => bioactivity.byDtxsid(bisphenolA, { projection: "assay-summary-plot" })
        : ({ search }) => search.equalBatch(["a", "b"])
    const { requests, result } = await requestsOf([responder], call, dialect, 5)
    const other = Dialect.names.find((name) => name !== dialect)
    expect(result).toMatchObject({ failure: { dialect: other } })
    expect(requests).toHaveLength(1)
  })

  describe("with a batch of masses", () => {
    const noTolerance = Scripted.reply(
      400,
      '{"title":"Constraint Violations","violations":{"error":"error value couldn\'t be null"}}'
    )
    const withTolerance: Call = ({ msready }) => msready.byMassBatch([228.115, 100], { error: 0.01 })
    const requestWithControl =
      'POST /chemical/msready/search/by-mass/ {"masses":[228.115,100,0.0001],"error":0.01}'
    const javaMapping = (hits: string) =>
      Scripted.reply(200, `{ "228.115" : ${hits}, "100.0" : [ ], "1.0E-4" : [ ] }`)

    it.each([
      ["no hits", "[ ]"],
      ["only exact hits", `["${bisphenolA}"]`]
    ])("is recognised with a tolerance when the response has %s", async (_, hits) => {
      const { requests, result } = await requestsOf([javaMapping(hits)], withTolerance, "specification", 5)
      expect(requests).toEqual([requestWithControl])
      expect(result).toMatchObject({
        failure: { dialect: "ctx", message: expect.stringContaining(setting("ctx")) }
      })
    })

    it("is recognised without a tolerance by the first response", async () => {
      const { requests, result } = await requestsOf(
        [noTolerance],
        ({ msready }) => msready.byMassBatch([228.115, 100]),
        "specification",
        5
      )
      expect(requests).toHaveLength(1)
      expect(result).toMatchObject({ failure: { dialect: "ctx" } })
    })

    it("is recognised after a response of its own dialect", async () => {
      const own = ok({ "228.115": [bisphenolA], "100": [], "0.0001": [] })
      const { requests, result } = await requestsOf(
        [own, javaMapping("[ ]")],
        (client) => Effect.andThen(withTolerance(client), withTolerance(client)),
        "specification"
      )
      expect(requests).toEqual([requestWithControl, requestWithControl])
      expect(result).toMatchObject({ failure: { dialect: "ctx" } })
    })

    it("is not assumed when the keys are as expected; the result lacks the control mass", async () => {
      const { result } = await requestsOf(
        [ok({ "228.115": [bisphenolA], "100": [], "0.0001": [bisphenolA] })],
        withTolerance,
        "specification"
      )
      expect(result).toMatchObject({
        success: new Map([
          [228.115, [bisphenolA]],
          [100, []]
        ])
      })
    })

    it("leaves room for the control mass: 1000 masses with a tolerance are refused before a request", async () => {
      const masses = Array.from({ length: 1000 }, (_, n) => n + 1)
      const { requests, result } = await requestsOf(
        [],
        ({ msready }) => msready.byMassBatch(masses, { error: 0.01 }),
        "specification"
      )
      expect(requests).toEqual([])
      expect(result).toMatchObject({ failure: { _tag: "BatchTooLarge", batchSize: 1000 } })
    })
  })

  it("is no longer suspected after the endpoint has succeeded", async () => {
    const { result } = await requestsOf(
      [ok([{ dtxsid: bisphenolA, searchValue: "a" }]), Scripted.problem(400, "no")],
      ({ search }) => Effect.andThen(search.equalBatch(["a"]), search.equalBatch(["b"]))
    )
    expect(result).toMatchObject({ failure: { message: "the service rejected the request (400): no" } })
  })

  it("is named after the endpoint has succeeded if a response proves it", async () => {
    const plot: Call = ({ bioactivity }) =>
      bioactivity.byDtxsid(bisphenolA, { projection: "assay-summary-plot" })
    const { result } = await requestsOf(
      [ok([]), ok([{ m4id: 1, mc5Param: { top: 1 } }])],
      (client) => Effect.andThen(plot(client), plot(client)),
      "specification"
    )
    expect(result).toMatchObject({
      failure: { dialect: "ctx", message: expect.stringContaining(setting("ctx")) }
    })
  })

  it.each<[string, Dialect.Name, Call]>([
    ["one record", "ctx", ({ details }) => details.byDtxsid(bisphenolA)],
    ["a projection", "ctx", ({ details }) => details.byDtxsid(bisphenolA, { projection: "compact" })],
    ["all data of a substance", "ctx", ({ bioactivity }) => bioactivity.byDtxsid(bisphenolA)],
    ["a batch of 200", "ctx", ({ bioactivity }) => bioactivity.byAeidBatch(aeids.slice(1))],
    ["a batch of 200", "specification", ({ bioactivity }) => bioactivity.byAeidBatch(aeids.slice(1))],
    ["an endpoint of the public service", "specification", ({ lists }) => lists.byName("CCL4")]
  ])("is not suspected if both dialects send the same request: %s in %s", async (_, dialect, call) => {
    const { result } = await requestsOf([Scripted.problem(400, "no")], call, dialect)
    expect(result).toMatchObject({ failure: { message: "the service rejected the request (400): no" } })
    expect(result).not.toHaveProperty("failure.otherDialect")
  })

  it("is not suspected after a failure that says nothing about it", async () => {
    const call: Call = ({ search }) => search.equalBatch(["a"])
    const page = Scripted.reply(403, "<title>Blocked</title>", { "content-type": "text/html" })
    for (const responder of [page, Scripted.problem(500, "broken"), Scripted.problem(401, "no")]) {
      const { result } = await requestsOf([responder], call)
      expect(result).toMatchObject({ failure: { message: expect.not.stringContaining("dialect") } })
      expect(result).not.toHaveProperty("failure.otherDialect")
    }
  })

  it("with cursors loses no record of the list of all chemicals", async () => {
    const records = [
      { id: 1, dtxsid: "a" },
      { id: 7, dtxsid: "b" },
      { id: 9, dtxsid: "c" }
    ]
    const cursors: Scripted.Responder = (response, request) => {
      const after = Number(new URL(request.url, "http://x").searchParams.get("next"))
      const data = records.filter(({ id }) => id > after).slice(0, 2)
      ok({ size: 2, total: 3, next: data.at(-1)?.id ?? 1, data })(response, request)
    }
    const { requests, result } = await requestsOf(
      [cursors],
      ({ details }) => Stream.runCollect(details.all()),
      "specification"
    )
    expect(result).toMatchObject({ success: records })
    expect(requests.map((one) => one.replace("GET /chemical/all?next=", ""))).toEqual(["1", "0", "7", "9"])
  })

  describe("behind a gateway that mixes both loses no record without an error", () => {
    const array = ok([{ dtxsid: "a" }])
    const cursors = ok({ next: 7, data: [{ id: 7, dtxsid: "b" }] })
    const end = ok({ next: 1, data: [] })

    it.each<[string, ReadonlyArray<Scripted.Responder>, Dialect.Name, number]>([
      ["a cursor, then a page", [cursors, ok([])], "ctx", 1],
      ["a page for a run continued at a cursor", [ok([])], "ctx", 20],
      ["a page, then a cursor", [array, cursors, cursors], "specification", 1],
      ["a page, then the end of cursors", [array, end, end], "specification", 1]
    ])("fails on %s", async (_, responders, dialect, page) => {
      const { result } = await requestsOf(
        responders,
        ({ details }) => Stream.runDrain(details.all({ page })),
        dialect
      )
      expect(result).toMatchObject({ failure: { _tag: "MalformedResponse" } })
    })
  })

  it("with cursors gives the same result from a cache", () =>
    withService(
      [
        ok({ next: 7, data: [{ id: 7, dtxsid: "b" }] }),
        ok({
          next: 7,
          data: [
            { id: 1, dtxsid: "a" },
            { id: 7, dtxsid: "b" }
          ]
        })
      ],
      (service) =>
        Effect.gen(function* () {
          const cache = { store: ResponseCache.memory() }
          const read = withClient(settings(service.url, { cache }), ({ details }) =>
            Effect.map(details.page(), ({ records }) => records)
          )
          expect(yield* read).toHaveLength(2)
          expect(yield* read).toHaveLength(2)
          expect(service.requests).toHaveLength(2)
        })
    ))
})

describe("a page of details in ctx", () => {
  it.each([
    ["[]", true],
    [" \t\r\n[]", true],
    ["\ufeff[]", true],
    ["![]", false],
    ["", false]
  ])("whose body is %j is that of another dialect: %s", (body, isOther) =>
    withService([Scripted.reply(200, body)], (service) =>
      Effect.gen(function* () {
        const error = yield* withClient(settings(service.url, { dialect: "ctx" }), ({ details }) =>
          Effect.flip(details.page())
        )
        expect(error).toMatchObject({ _tag: "MalformedResponse" })
        expect(error.message.includes("an array instead of an object")).toBe(isOther)
        expect("dialect" in error ? error.dialect : undefined).toBe(isOther ? "specification" : undefined)
      })
    )
  )
})

describe("the pace of a client", () => {
  it.each<[string, string, Partial<ChemClient.Settings>, ReadonlyArray<number>]>([
    ["1 request a second for the public service", "https://comptox.epa.gov/ctx-api", {}, [0, 1000, 2000]],
    [
      "1 request a second in ctx on another host",
      "https://gateway.example",
      { dialect: "ctx" },
      [0, 1000, 2000]
    ],
    [
      "the rate of the settings",
      "https://comptox.epa.gov",
      { limits: { requestsPerSecond: 2 } },
      [0, 500, 1000]
    ],
    ["unlimited on this machine", "http://127.0.0.1:1", { dialect: "ctx" }, [0, 0, 0]],
    ["unlimited in specification", "https://gateway.example", {}, [0, 0, 0]]
  ])("is %s", (_, baseUrl, more, times) =>
    Effect.gen(function* () {
      const service = Virtual.make(() => Effect.succeed({ status: 200, body: "[]" }))
      const fiber = yield* Effect.forkChild(
        withClient(
          settings(baseUrl, more),
          ({ msready }) =>
            Effect.forEach(["CH4", "C2H6", "C3H8"], msready.byFormula, { concurrency: "unbounded" }),
          service.layer
        )
      )
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(fiber)
      expect(service.times).toEqual(times)
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
  )
})
