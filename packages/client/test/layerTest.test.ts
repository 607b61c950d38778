import { ChemClient } from "@chemstream/client"
import { Cause, Effect, Exit, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

const bisphenolA = "DTXSID7020182"
const caffeine = "DTXSID0020232"
const unknown = "DTXSID2099900001"

const records = {
  "details.byDtxsid": {
    [bisphenolA]: { preferredName: "Bisphenol A" },
    [caffeine]: { preferredName: "Caffeine", monoisotopicMass: 194.08 }
  },
  "search.equal": { "Bisphenol A": [{ dtxsid: bisphenolA, searchValue: "Bisphenol A", rank: 1 }] },
  "bioactivity.byDtxsid": {
    [bisphenolA]: [
      { aeid: 3, hitcall: 0.99 },
      { aeid: 5, hitcall: 0 }
    ]
  },
  "msready.byDtxcid": { DTXCID30182: [bisphenolA] }
}

/** Runs a program with a client of the service in memory, on a test clock that goes on until it ends. */
const runTest = <A, E>(
  service: ChemClient.TestService,
  program: (client: ChemClient.ChemClient["Service"]) => Effect.Effect<A, E>,
  settings: Partial<ChemClient.Settings> = {}
) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.flatMap(ChemClient.ChemClient, program), {
      startImmediately: true
    })
    for (let second = 0; second < 700 && fiber.pollUnsafe() === undefined; second++)
      yield* TestClock.adjust("1 second")
    return yield* Fiber.await(fiber)
  }).pipe(
    Effect.provide(ChemClient.layerTest(service, settings)),
    Effect.provide(TestClock.layer()),
    Effect.runPromise
  )

const resultOf = async <A, E>(...args: Parameters<typeof runTest<A, E>>): Promise<A> => {
  const exit = await runTest<A, E>(...args)
  if (Exit.isFailure(exit)) throw exit.cause
  return exit.value
}

describe("ChemClient.layerTest", () => {
  it("has the records of the test, for a single request and a batch", async () => {
    const requests: Array<ChemClient.TestRequest> = []
    const found = await resultOf({ records, onRequest: (one) => requests.push(one) }, (client) =>
      Effect.all({
        single: client.details.byDtxsid(bisphenolA, { projection: "compact" }),
        batch: client.details.byDtxsidBatch([caffeine, unknown, bisphenolA], { projection: "compact" })
      })
    )
    expect(found.single).toMatchObject({ dtxsid: bisphenolA, preferredName: "Bisphenol A" })
    expect(found.batch.map(({ dtxsid }) => dtxsid).sort()).toEqual([caffeine, bisphenolA])
    expect(requests).toEqual([
      { endpoint: "details.byDtxsid", keys: [bisphenolA], index: 0 },
      { endpoint: "details.byDtxsidBatch", keys: [caffeine, unknown, bisphenolA], index: 1 }
    ])
  })

  it("collects the identifiers of many fibers into a batch, as the real client does", async () => {
    const keys: Array<ReadonlyArray<string>> = []
    const found = await resultOf({ records, onRequest: (one) => keys.push(one.keys) }, (client) =>
      Effect.forEach([bisphenolA, caffeine], (id) => client.details.get(id, { projection: "compact" }), {
        concurrency: "unbounded"
      })
    )
    expect(found.map(({ preferredName }) => preferredName)).toEqual(["Bisphenol A", "Caffeine"])
    expect(keys).toEqual([[bisphenolA, caffeine]])
  })

  it("has lists, mappings and words", async () => {
    const found = await resultOf({ records }, (client) =>
      Effect.all({
        data: client.bioactivity.byDtxsid(bisphenolA),
        hits: client.search.equal("Bisphenol A"),
        forms: client.msready.byDtxcidBatch(["DTXCID30182", "DTXCID505"])
      })
    )
    expect(found.data.map(({ aeid, dtxsid }) => [aeid, dtxsid])).toEqual([
      [3, bisphenolA],
      [5, bisphenolA]
    ])
    expect(found.hits.hits.map(({ dtxsid }) => dtxsid)).toEqual([bisphenolA])
    expect([...found.forms]).toEqual([
      ["DTXCID30182", [bisphenolA]],
      ["DTXCID505", []]
    ])
  })

  it("sends records as they are given, also those that violate the contract", async () => {
    for (const record of ["text", null, 5]) {
      const wrong = { records: { "details.byDtxsid": { [bisphenolA]: record } } } as ChemClient.TestService
      const error = await resultOf(wrong, (client) =>
        Effect.flip(client.details.byDtxsid(bisphenolA, { projection: "compact" }))
      )
      expect(error).toMatchObject({ _tag: "MalformedResponse", status: 200 })
    }
  })

  it("has one page of a list, and no record on later ones", async () => {
    const list = { "details.all": [{ dtxsid: bisphenolA }, { dtxsid: caffeine }] }
    const found = await resultOf({ records: list }, ({ details }) =>
      Effect.all({
        all: Stream.runCollect(details.all({ projection: "all-ids" })),
        pages: Effect.forEach([undefined, 1, 2, 3], (page) => details.page(page, { projection: "all-ids" }))
      })
    )
    expect(found.all.map(({ dtxsid }) => dtxsid)).toEqual([bisphenolA, caffeine])
    expect(found.pages.map(({ records }) => records.length)).toEqual([2, 2, 0, 0])
  })

  type Client = ChemClient.ChemClient["Service"]
  it.each<[string, (client: Client) => Effect.Effect<unknown, unknown>, object]>([
    ["404", ({ details }) => details.byDtxsid(unknown), { status: 404 }],
    ["400 with suggestions", ({ search }) => search.equal("Nobody"), { status: 400, suggestions: [] }],
    ["400", ({ lists }) => lists.byName("NONE"), { _tag: "InvalidRequest", status: 400 }],
    ["a body of 0 bytes", ({ files }) => files.image(unknown), { status: 200 }]
  ])("misses other keys as each endpoint does: with %s", async (_, call, error) => {
    const found = await resultOf({ records }, (client) => Effect.flip(call(client)))
    expect(found).toMatchObject({ _tag: "NotFound", ...error })
  })

  it("has empty lists and batches of other keys", async () => {
    const found = await resultOf({ records }, (client) =>
      Effect.all([
        client.msready.byFormula("CH4"),
        client.hazard.toxval(unknown),
        client.details.byDtxsidBatch([unknown])
      ])
    )
    expect(found).toEqual([[], [], []])
  })

  it("has one record as a list where the endpoint has a list, and keeps the key of a record", async () => {
    const own = {
      "bioactivity.byDtxsid": { [bisphenolA]: { aeid: 3 } },
      "details.byDtxsid": { [bisphenolA]: { dtxsid: caffeine } }
    }
    const found = await resultOf({ records: own }, ({ bioactivity, details }) =>
      Effect.all([
        bioactivity.byDtxsid(bisphenolA),
        bioactivity.byDtxsidBatch([bisphenolA]),
        details.byDtxsid(bisphenolA, { projection: "compact" })
      ])
    )
    const data = [{ dtxsid: bisphenolA, aeid: 3 }]
    expect(found).toEqual([data, data, { dtxsid: caffeine }])
  })

  it("adds the key to a record in the field that the row names, if it names one", async () => {
    const own = {
      "lists.byType": { federal: [{ listName: "CCL4" }] },
      "lists.of": { [bisphenolA]: [{ listName: "CCL4" }] }
    }
    const found = await resultOf({ records: own }, ({ lists }) =>
      Effect.all([lists.byType("federal"), lists.of(bisphenolA)])
    )
    expect(found).toEqual([[{ type: "federal", listName: "CCL4" }], [{ listName: "CCL4" }]])
  })

  it("has keys of several values, in the form of a path", async () => {
    const requests: Array<ChemClient.TestRequest> = []
    const own = { "lists.membersEqual": { "CCL4/Bisphenol A": [bisphenolA] } }
    const found = await resultOf({ records: own, onRequest: (one) => requests.push(one) }, ({ lists }) =>
      Effect.all([lists.membersEqual("CCL4", "Bisphenol A"), lists.membersEqual("CCL4", "BPA")])
    )
    expect(found).toEqual([[bisphenolA], []])
    expect(requests.map(({ keys }) => keys)).toEqual([["CCL4/Bisphenol A"], ["CCL4/BPA"]])
  })

  it("has the words of a batch search as text", async () => {
    const requests: Array<ChemClient.TestRequest> = []
    const names = {
      "search.equal": {
        a: [{ dtxsid: bisphenolA, searchValue: "a" }],
        b: [{ dtxsid: caffeine, searchValue: "b" }]
      }
    }
    const found = await resultOf(
      { records: names, onRequest: (one) => requests.push(one) },
      ({ search }) => search.equalBatch(["a", "b"]),
      { dialect: "ctx" }
    )
    expect(found.map(({ _tag }) => _tag)).toEqual(["Found", "Found"])
    expect(requests.map(({ keys }) => keys)).toEqual([["a", "b"]])
  })

  it("has faults, which the policy of the client retries on the test clock", async () => {
    const fault = ({ index }: ChemClient.TestRequest) => (index < 3 ? 500 : undefined)
    const service = { records, fault }
    const byDtxsid = (client: ChemClient.ChemClient["Service"]) => client.details.byDtxsid(bisphenolA)
    expect(await resultOf(service, byDtxsid)).toMatchObject({ preferredName: "Bisphenol A" })
    expect(await resultOf(service, (client) => Effect.flip(byDtxsid(client)), { retry: 3 })).toMatchObject({
      _tag: "ServiceFailure",
      attempts: 3
    })
  })

  it.each<[ChemClient.TestFault, object]>([
    [401, { _tag: "Unauthorized" }],
    [
      { status: 429, headers: { "retry-after": "7" } },
      { _tag: "RateLimited", retryAfter: 7000 }
    ],
    [
      { status: 200, body: "<html><title>Maintenance</title>" },
      { _tag: "MalformedResponse", page: "Maintenance" }
    ],
    [200, { _tag: "MalformedResponse", status: 200 }],
    [204, { _tag: "MalformedResponse", status: 204, message: expect.stringContaining("the body is empty") }],
    [304, { _tag: "InvalidRequest", status: 304 }],
    [599, { _tag: "ServiceFailure", message: "the service failed (599): The test asked for this failure" }],
    ["unreachable", { _tag: "ConnectionFailed", code: "ECONNREFUSED" }],
    ["silent", { _tag: "RequestTimeout", phase: "headers" }]
  ])("has the fault %j", async (fault, error) => {
    const found = await resultOf(
      { records, fault: () => fault },
      (client) => Effect.flip(client.details.byDtxsid(bisphenolA)),
      { retry: 1 }
    )
    expect(found).toMatchObject(error)
  })

  it("takes the time that the test says", async () => {
    const times = await resultOf(
      { records, latency: ({ keys }) => (keys[0] === caffeine ? "30 seconds" : 0) },
      (client) =>
        Effect.forEach([bisphenolA, caffeine], (id) =>
          Effect.andThen(
            client.details.byDtxsid(id),
            Effect.clockWith((clock) => clock.currentTimeMillis)
          )
        )
    )
    expect(times).toEqual([0, 30_000])
  })

  it("takes an endpoint without any record: everything is missing", async () => {
    const layer = ChemClient.layerTest({ records: { "details.byDtxsid": {} } })
    const call = Effect.flatMap(ChemClient.ChemClient, (client) => client.details.byDtxsid(bisphenolA))
    expect(await Effect.runPromise(Effect.flip(Effect.provide(call, layer)))).toMatchObject({
      _tag: "NotFound"
    })
  })

  it.each([
    [{ records: { "details.byDtxsidd": {} } }, "records.details.byDtxsidd"],
    [{ record: {} }, "record"],
    [{ latency: "soon" }, "latency"],
    [{ records: 5 }, "records"],
    [{ records: { "details.byDtxsid": "wrong" } }, "records.details.byDtxsid"],
    [{ records: { "details.byDtxsid": [{ dtxsid: bisphenolA }] } }, "records.details.byDtxsid"],
    [{ records: { "details.byDtxsid": { dtxsid7020182: {} } } }, "records.details.byDtxsid.dtxsid7020182"],
    [{ records: { "details.byDtxsid": { wrong: {} } } }, "records.details.byDtxsid.wrong"],
    [{ records: { "lists.all": {} } }, "records.lists.all"]
  ])("refuses %j", async (service, option) => {
    const error = await Effect.runPromise(
      Effect.flip(Effect.provide(ChemClient.ChemClient, ChemClient.layerTest(service as never)))
    )
    expect(error).toMatchObject({ _tag: "InvalidOption", option })
  })

  it.each([
    [{ fault: () => "down" }, "fault"],
    [{ fault: () => ({ statsu: 500 }) }, "fault.statsu"],
    [{ fault: () => ({ status: 600 }) }, "fault.status"],
    [{ fault: () => ({ status: 199 }) }, "fault.status"],
    [{ fault: () => ({ status: 500, body: 5 }) }, "fault.body"],
    [{ fault: () => null }, "fault"],
    [{ latency: () => "soon" }, "latency"]
  ])("refuses what the functions of the test return: %o", async (service, option) => {
    const exit = await runTest(service as never, (client) => client.details.byDtxsid(bisphenolA), {
      retry: 1
    })
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ _tag: "InvalidOption", option })
  })

  it("has the rows of the public service, also those with the key in the query", async () => {
    const own = {
      "hazard.toxval": { [bisphenolA]: [{ toxvalType: "NOAEL", toxvalNumeric: 5 }] },
      "lists.all": [{ listName: "PFAS" }]
    }
    const found = await resultOf({ records: own }, (client) =>
      Effect.all({ toxval: client.hazard.toxval(bisphenolA), lists: client.lists.all() })
    )
    expect(found.toxval).toMatchObject([{ dtxsid: bisphenolA, toxvalType: "NOAEL" }])
    expect(found.lists).toMatchObject([{ listName: "PFAS" }])
  })
})
