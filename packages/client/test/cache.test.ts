import { Availability, CallObserver, type ChemClient, ResponseCache, RetryPolicy } from "@chemstream/client"
import { Deferred, Effect, Fiber, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, settings, withClient, withService } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

const record = `{"dtxsid":"${bisphenolA}","preferredName":"Bisphenol A"}`
const name = `{"dtxsid":"${bisphenolA}","preferredName":"BPA"}`
const replyWithEtag = (body: string, etag: string) =>
  Scripted.reply(200, body, { "content-type": "application/json", etag })

type Client = ChemClient.ChemClient["Service"]

/** Uses a client with a cache and a test clock against a scripted service. */
const withCachedClient = <A, E>(
  responders: ReadonlyArray<Scripted.Responder>,
  cache: Omit<ResponseCache.ResponseCache, "store"> & { readonly store?: ResponseCache.Store },
  body: (client: Client, service: Scripted.ScriptedService) => Effect.Effect<A, E>,
  more: Partial<ChemClient.Settings> = {}
): Promise<A> =>
  withService(responders, (service) =>
    withClient(
      settings(service.url, { cache: { store: ResponseCache.memory(), ...cache }, ...more }),
      (client) => body(client, service)
    ).pipe(Effect.provide(TestClock.layer()))
  )

const preferredName = (client: Client) =>
  Effect.map(client.details.byDtxsid(bisphenolA, { projection: "compact" }), (found) => found.preferredName)

describe("a cache", () => {
  it("serves an entry until its lifetime ends, to the millisecond", () =>
    withCachedClient(
      [Scripted.reply(200, record), Scripted.reply(200, name)],
      { ttl: 1000 },
      (client, service) =>
        Effect.gen(function* () {
          expect(yield* preferredName(client)).toBe("Bisphenol A")
          yield* TestClock.adjust(999)
          expect(yield* preferredName(client)).toBe("Bisphenol A")
          expect(service.requests).toHaveLength(1)
          yield* TestClock.adjust(1)
          expect(yield* preferredName(client)).toBe("BPA")
          expect(service.requests).toHaveLength(2)
        })
    ))

  it("has separate entries for each endpoint, identifier, projection and base URL, but not for each key", () => {
    const store = ResponseCache.memory()
    return withCachedClient([Scripted.reply(200, `[${record}]`)], { store }, (_, service) =>
      Effect.gen(function* () {
        const ask = (
          base: string,
          ids: ReadonlyArray<string>,
          projection: "compact" | "ntatoolkit",
          more: Partial<ChemClient.Settings> = {}
        ) =>
          withClient(settings(service.url + base, { cache: { store }, ...more }), (client) =>
            client.details.byDtxsidBatch(ids, { projection })
          )
        yield* ask("", [bisphenolA], "compact")
        yield* ask("", [bisphenolA], "ntatoolkit")
        yield* ask("", [bisphenolA, "DTXSID3039242"], "compact")
        yield* ask("/below", [bisphenolA], "compact")
        expect(service.requests).toHaveLength(4)
        yield* ask("", [bisphenolA], "compact", { apiKey: Redacted.make("another") })
        yield* ask("/", [bisphenolA], "compact")
        expect(service.requests).toHaveLength(4)
      })
    )
  })

  it("has separate entries for each name of the page parameter", () => {
    const store = ResponseCache.memory()
    return withCachedClient([Scripted.reply(200, "[]")], { store }, (_, service) =>
      Effect.gen(function* () {
        const page = (pageParameter: string) =>
          withClient(settings(service.url, { cache: { store }, pageParameter }), (client) =>
            client.details.page(2)
          )
        yield* page("next")
        yield* page("page")
        yield* page("page")
        expect(service.requests.map(({ url }) => url)).toEqual([
          "/chemical/all?next=2",
          "/chemical/all?page=2"
        ])
      })
    )
  })

  const benzene = "DTXSID3039242"
  const compound = "DTXCID70182"
  const jsonReplies = (...bodies: ReadonlyArray<unknown>) =>
    bodies.map((body) => Scripted.reply(200, JSON.stringify(body)))
  it.each<[string, ReadonlyArray<Scripted.Responder>, (client: Client) => Effect.Effect<unknown, unknown>]>([
    [
      "a batch without a record of one of its values",
      jsonReplies([{ dtxsid: bisphenolA }]),
      ({ details }) => details.byDtxsidBatch([bisphenolA, benzene], { projection: "compact" })
    ],
    [
      "a batch read as bytes",
      jsonReplies([{ dtxsid: bisphenolA }]),
      (client) =>
        client.raw("synonyms.byDtxsidBatch", { payload: [bisphenolA, benzene] }, (bytes) =>
          Result.succeed(bytes.length)
        )
    ],
    ["a batch of numbers", jsonReplies([{ aeid: 5 }]), ({ bioactivity }) => bioactivity.byAeidBatch([5, 55])],
    [
      "a batch search with a miss",
      jsonReplies([
        { dtxsid: bisphenolA, searchValue: "a" },
        { dtxsid: null, searchValue: "b", suggestions: ["c"] }
      ]),
      ({ search }) => search.equalBatch(["a", "b"])
    ],
    [
      "a mapping with an empty list",
      jsonReplies({ [compound]: [] }),
      ({ msready }) => msready.byDtxcidBatch([compound])
    ],
    [
      "a mapping without a mass",
      jsonReplies({ "228.0": [bisphenolA] }),
      ({ msready }) => msready.byMassBatch([228, 229])
    ],
    ["an empty list", jsonReplies([]), ({ msready }) => msready.byFormula("C6H6")],
    ...["", " \n", "null", "[]", " [\n] ", "{}", `{${" ".repeat(62)}}`].map(
      (
        body
      ): [string, ReadonlyArray<Scripted.Responder>, (client: Client) => Effect.Effect<unknown, unknown>] => [
        `nothing as ${JSON.stringify(body)}`,
        [Scripted.reply(200, body)],
        (client) =>
          client.raw("msready.byFormula", { params: { formula: "C6H6" } }, (bytes) => Result.succeed(bytes))
      ]
    ),
    [
      "a batch search with a record without its substance",
      jsonReplies([
        { dtxsid: bisphenolA, searchValue: "a" },
        { dtxcid: compound, searchValue: "b" }
      ]),
      ({ search }) => search.equalBatch(["a", "b"])
    ],
    [
      "an empty list instead of one record",
      jsonReplies([]),
      ({ bioactivity }) => Effect.flip(bioactivity.byM4id(5))
    ]
  ])("stores %s for the lifetime of a miss", (_, responders, ask) =>
    withCachedClient(responders, { ttl: 1000, missingTtl: 100 }, (client, service) =>
      Effect.gen(function* () {
        yield* ask(client)
        yield* TestClock.adjust(99)
        yield* ask(client)
        expect(service.requests).toHaveLength(1)
        yield* TestClock.adjust(1)
        yield* ask(client)
        expect(service.requests).toHaveLength(2)
      })
    )
  )

  it.each<[string, ReadonlyArray<Scripted.Responder>, (client: Client) => Effect.Effect<unknown, unknown>]>([
    [
      "with identifiers in another spelling",
      jsonReplies([{ dtxsid: bisphenolA.toLowerCase() }, { dtxsid: benzene }]),
      ({ details }) => details.byDtxsidBatch([bisphenolA, benzene], { projection: "compact" })
    ],
    ["of numbers", jsonReplies([{ m4id: 5 }]), ({ bioactivity }) => bioactivity.byM4idBatch([5])],
    [
      "of names",
      jsonReplies([{ dtxsid: bisphenolA, searchValue: "A" }]),
      ({ search }) => search.equalBatch(["a"])
    ],
    ["of masses", jsonReplies({ "228.0": [bisphenolA] }), ({ msready }) => msready.byMassBatch([228])],
    [
      "of a mass that is requested twice",
      jsonReplies({ "228.0": [bisphenolA] }),
      ({ msready }) => msready.byMassBatch([228, 228])
    ],
    [
      "of numbers that come as texts, beside other records",
      jsonReplies([{ m4id: " 5 " }, "x", { m4id: 7 }]),
      (client) =>
        client.raw("bioactivity.byM4idBatch", { payload: [5] }, (bytes) => Result.succeed(bytes.length))
    ],
    ...["none", "5", '"a"', "null"].map(
      (
        body
      ): [string, ReadonlyArray<Scripted.Responder>, (client: Client) => Effect.Effect<unknown, unknown>] => [
        `that is ${body} for its reader`,
        [Scripted.reply(200, body)],
        (client) =>
          client.raw("bioactivity.byM4idBatch", { payload: [5] }, (bytes) => Result.succeed(bytes.length))
      ]
    ),
    ...["0", "[0]", '{"a":1}', `[${" ".repeat(63)}]`].map(
      (
        body
      ): [string, ReadonlyArray<Scripted.Responder>, (client: Client) => Effect.Effect<unknown, unknown>] => [
        `of one value whose response is ${body}`,
        [Scripted.reply(200, body)],
        (client) =>
          client.raw("msready.byFormula", { params: { formula: "C6H6" } }, (bytes) => Result.succeed(bytes))
      ]
    ),
    [
      "of compounds",
      jsonReplies({ [compound]: [bisphenolA] }),
      ({ msready }) => msready.byDtxcidBatch([compound])
    ],
    [
      "of compounds, as a list",
      jsonReplies([{ dtxcid: compound, dtxsids: [bisphenolA] }]),
      ({ msready }) => msready.byDtxcidBatch([compound])
    ],
    [
      "of one compound, as a list of substances",
      jsonReplies([bisphenolA]),
      ({ msready }) => msready.byDtxcidBatch([compound])
    ]
  ])("stores a complete batch %s for the lifetime of a record", (_, responders, ask) =>
    withCachedClient(responders, { ttl: 1000, missingTtl: 100 }, (client, service) =>
      Effect.gen(function* () {
        yield* ask(client)
        yield* TestClock.adjust(999)
        yield* ask(client)
        expect(service.requests).toHaveLength(1)
      })
    )
  )

  it("stores a miss, with message and suggestions, for a shorter time", () =>
    withCachedClient(
      [Scripted.problem(404, "no such substance", { suggestions: ["x"] }), Scripted.reply(200, record)],
      { ttl: 1000, missingTtl: 100 },
      (client, service) =>
        Effect.gen(function* () {
          const first = yield* Effect.flip(preferredName(client))
          yield* TestClock.adjust(99)
          const second = yield* Effect.flip(preferredName(client))
          expect(service.requests).toHaveLength(1)
          expect(first).toMatchObject({ _tag: "NotFound", attempts: 1 })
          expect(second).toMatchObject({
            _tag: "NotFound",
            endpoint: "details.byDtxsid",
            status: 404,
            attempts: 0,
            suggestions: ["x"],
            message: first.message
          })
          yield* TestClock.adjust(1)
          expect(yield* preferredName(client)).toBe("Bisphenol A")
        })
    ))

  it.each<[string, Scripted.Responder]>([
    ["malformed response", Scripted.reply(200, `{"dtxsid":5}`)],
    ["failure of the service", Scripted.reply(500, "")],
    ["refusal of the key", Scripted.reply(401, "")]
  ])("stores no %s", (_, responder) =>
    withCachedClient([responder, Scripted.reply(200, record)], {}, (client, service) =>
      Effect.gen(function* () {
        yield* Effect.flip(preferredName(client))
        expect(yield* preferredName(client)).toBe("Bisphenol A")
        expect(service.requests).toHaveLength(2)
      })
    )
  )

  it("revalidates an expired entry, and renews it after a 304", () =>
    withCachedClient(
      [replyWithEtag(record, '"v1"'), Scripted.reply(304, "", {}), replyWithEtag(name, '"v2"')],
      { ttl: 1000 },
      (client, service) =>
        Effect.gen(function* () {
          yield* preferredName(client)
          yield* TestClock.adjust(1000)
          expect(yield* preferredName(client)).toBe("Bisphenol A")
          yield* TestClock.adjust(999)
          expect(yield* preferredName(client)).toBe("Bisphenol A")
          expect(service.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"v1"'])
          yield* TestClock.adjust(1)
          expect(yield* preferredName(client)).toBe("BPA")
          expect(service.requests[2]?.headers["if-none-match"]).toBe('"v1"')
        })
    ))

  it.each<[string, Scripted.Responder, Partial<ChemClient.Settings>]>([
    ["fails", Scripted.reply(503, ""), {}],
    ["cuts the response off", Scripted.cutOff("{"), {}],
    ["says that it waited too long", Scripted.reply(408, ""), {}],
    ["asks for a long wait", Scripted.reply(503, "", { "retry-after": "31536000" }), {}]
  ])("serves an expired entry when the service %s, and tells the observer", (_, outage, more) =>
    withCachedClient(
      [Scripted.reply(200, record), outage],
      { ttl: 1000, staleFor: 500 },
      (client, service) =>
        Effect.gen(function* () {
          const events: Array<string> = []
          const observedCall = preferredName(client).pipe(
            Effect.provideService(CallObserver.CallObserver, {
              onRequest: () => {},
              onRetry: () => {},
              onBody: () => {},
              onCached: (endpoint, how) => events.push(`${endpoint} ${how}`)
            })
          )
          yield* observedCall
          yield* observedCall
          yield* TestClock.adjust(1499)
          expect([yield* observedCall, yield* observedCall]).toEqual(["Bisphenol A", "Bisphenol A"])
          expect(events).toEqual(["current", "stale", "stale"].map((how) => `details.byDtxsid ${how}`))
          yield* TestClock.adjust(1)
          const { _tag } = yield* Effect.flip(observedCall)
          expect(_tag).toMatch(/ServiceFailure|ConnectionFailed|RequestTimeout|ServiceUnavailable/)
          // After a demand to wait, no request is sent.
          expect(service.requests).toHaveLength(_tag === "ServiceUnavailable" ? 2 : 4)
        }),
      more
    )
  )

  /** Makes two equal calls at the same time. Returns their results, the requests, and how the cache served them. */
  const callTwice = (
    responders: ReadonlyArray<Scripted.Responder>,
    call: (client: Client) => Effect.Effect<unknown, unknown> = preferredName
  ) =>
    withCachedClient(responders, { ttl: 1000, staleFor: 500 }, (client, service) =>
      Effect.gen(function* () {
        const served: Array<string> = []
        yield* Effect.result(preferredName(client))
        yield* TestClock.adjust(1000)
        const results = yield* Effect.all([Effect.result(call(client)), Effect.result(call(client))], {
          concurrency: 2
        }).pipe(
          Effect.provideService(CallObserver.CallObserver, {
            onRequest: () => {},
            onRetry: () => {},
            onBody: () => {},
            onCached: (_, how) => served.push(how)
          })
        )
        return { results, served, requests: service.requests.length - 1 }
      })
    )

  it("shares the expired entry with the calls that wait for the same request", async () => {
    const both = { _tag: "Success", success: "Bisphenol A" }
    expect(await callTwice([Scripted.reply(200, record), Scripted.reply(503, "")])).toMatchObject({
      results: [both, both],
      served: ["stale", "shared"],
      requests: 1
    })
  })

  it("shares a failure with the calls that wait for the same request", async () => {
    const both = {
      _tag: "Failure",
      failure: { _tag: "Unauthorized", message: expect.stringContaining("no") }
    }
    expect(await callTwice([Scripted.problem(401, "no")])).toMatchObject({
      results: [both, both],
      served: [],
      requests: 1
    })
  })

  it("shares no malformed response, because another reader may accept it", async () => {
    expect(
      await callTwice([Scripted.reply(503, ""), Scripted.reply(200, "{}"), Scripted.reply(200, record)])
    ).toMatchObject({
      results: [
        { _tag: "Failure", failure: { _tag: "MalformedResponse" } },
        { _tag: "Success", success: "Bisphenol A" }
      ],
      served: [],
      requests: 2
    })
  })

  it("serves no entry that the reader of a call refuses, and sends its request", () =>
    withCachedClient([Scripted.reply(200, `[${record}]`)], {}, (client, service) =>
      Effect.gen(function* () {
        const ask = (reason?: string) =>
          client.raw("details.byDtxsidBatch", { payload: [bisphenolA], query: {} }, (bytes) =>
            reason === undefined ? Result.succeed(bytes.length) : Result.fail({ path: "[0]", reason })
          )
        const together = yield* Effect.all([ask(), Effect.flip(ask("not mine"))], { concurrency: 2 })
        expect(together[1]).toMatchObject({ _tag: "MalformedResponse", path: "[0]", attempts: 1 })
        expect(service.requests).toHaveLength(2)
        yield* Effect.flip(ask("not mine"))
        expect(service.requests).toHaveLength(3)
        yield* ask()
        expect(service.requests).toHaveLength(3)
      })
    ))

  it("says nothing about the service with a response that it serves", () =>
    withCachedClient([Scripted.reply(200, record)], {}, (client) =>
      Effect.gen(function* () {
        const attempt = (availability: Availability.Availability) =>
          availability.attempt(
            preferredName(client),
            { signal: () => "responded", probe: () => Effect.void },
            { patience: Availability.patience({}) }
          )
        const [first, second] = [Availability.make(), Availability.make()]
        yield* attempt(first)
        expect(first.hasResponded()).toBe(true)
        expect(yield* attempt(second)).toMatchObject({ _tag: "Success", value: "Bisphenol A" })
        expect(second.hasResponded()).toBe(false)
      })
    ))

  it("stores responses that lack requested values for no longer than others", () =>
    withCachedClient([Scripted.reply(200, "[]")], { ttl: 100, missingTtl: 1000 }, (client, service) =>
      Effect.gen(function* () {
        const ask = client.msready.byFormula("C6H6")
        yield* ask
        yield* TestClock.adjust(99)
        yield* ask
        expect(service.requests).toHaveLength(1)
        yield* TestClock.adjust(1)
        yield* ask
        expect(service.requests).toHaveLength(2)
      })
    ))

  it("serves no miss that it cannot read, and none of a time to come", () => {
    const memory = ResponseCache.memory()
    const spoil = (entry: Partial<ResponseCache.Entry>): ResponseCache.Store => ({
      ...memory,
      get: (key) => Effect.map(memory.get(key), (found) => found && { ...found, ...entry })
    })
    const unreadable = spoil({ kind: "missing", body: new TextEncoder().encode('{"status":"404"}') })
    return withService([Scripted.reply(200, record)], (service) =>
      Effect.gen(function* () {
        for (const store of [memory, memory, unreadable, spoil({ storedAt: Date.now() + 1e9 }), memory])
          yield* withClient(settings(service.url, { cache: { store } }), preferredName)
        expect(service.requests).toHaveLength(3)
      })
    )
  })

  it("has the dialect, the base URL, the endpoint and the request of an entry as its key, also in later versions", () => {
    const keys: Array<string> = []
    const memory = ResponseCache.memory()
    const store: ResponseCache.Store = { ...memory, put: (key) => Effect.sync(() => void keys.push(key)) }
    const noPath = Scripted.problem(404, "No static resource bioactivity/data/aed/search/by-dtxsid.")
    return withService([Scripted.reply(200, record), noPath, Scripted.reply(200, "[]")], ({ url }) =>
      Effect.gen(function* () {
        yield* withClient(settings(url, { cache: { store } }), preferredName)
        yield* withClient(settings(`${url}/ctx`, { cache: { store }, dialect: "ctx" }), ({ bioactivity }) =>
          bioactivity.aedByDtxsidBatch([bisphenolA])
        )
        expect(keys.map((key) => key.replace(url, "URL"))).toEqual([
          `specification URL\ndetails.byDtxsid\n{"params":{"dtxsid":"${bisphenolA}"},"query":{"projection":"compact"}}`,
          `ctx URL/ctx\nbioactivity.aedByDtxsidBatch\n{"payload":["${bisphenolA}"],"query":{},"form":1}`
        ])
      })
    )
  })

  it.each(["get", "put"])(
    "is refused with the store in its place, which has %s, and says where to give it",
    (name) =>
      Effect.gen(function* () {
        const hint = "the store as { store }, e.g. { store: ResponseCache.memory() }"
        const store = ResponseCache.memory()
        const refusalOf = (cache: object) =>
          Effect.flip(withClient(settings("http://127.0.0.1:9", { cache: cache as never }), preferredName))
        expect((yield* refusalOf({ store, [name]: store.get })).message).toContain(hint)
        const other = yield* refusalOf({ store, size: 5 })
        expect(other).toMatchObject({ _tag: "InvalidOption", option: "cache.size" })
        expect(other.message).not.toContain(hint)
      }).pipe(Effect.runPromise)
  )

  it("serves no expired entry by default when the service fails", () =>
    withCachedClient([Scripted.reply(200, record), Scripted.reply(503, "")], { ttl: 1000 }, (client) =>
      Effect.gen(function* () {
        yield* preferredName(client)
        yield* TestClock.adjust(1000)
        expect((yield* Effect.flip(preferredName(client)))._tag).toBe("ServiceFailure")
      })
    ))

  it("serves no expired entry when the service refuses the request", () =>
    withCachedClient(
      [Scripted.reply(200, record), Scripted.reply(401, "")],
      { ttl: 1000, staleFor: 1000 },
      (client) =>
        Effect.gen(function* () {
          yield* preferredName(client)
          yield* TestClock.adjust(1000)
          expect(yield* Effect.flip(preferredName(client))).toMatchObject({ _tag: "Unauthorized" })
        })
    ))

  it("sends the equal requests of a hundred fibers once, and runs the reader of each", () =>
    withCachedClient([Scripted.reply(200, `[${record}]`)], {}, (client, service) =>
      Effect.gen(function* () {
        const typed = client.details.byDtxsidBatch([bisphenolA], { projection: "compact" })
        const lengths = client.raw(
          "details.byDtxsidBatch",
          { payload: [bisphenolA], query: { projection: "compact" } },
          (bytes) => Result.succeed(bytes.length)
        )
        const results = yield* Effect.all([...Array.from({ length: 99 }, () => typed), lengths], {
          concurrency: "unbounded"
        })
        expect(results.at(-1)).toBe(record.length + 2)
        expect(results[50]).toMatchObject([{ dtxsid: bisphenolA }])
        expect(service.requests).toHaveLength(1)
      })
    ))

  it("stores the bytes as received, even if a reader changes them", () =>
    withCachedClient([Scripted.reply(200, `[${record}]`)], {}, (client, service) =>
      Effect.gen(function* () {
        const readAndOverwrite = client.raw(
          "details.byDtxsidBatch",
          { payload: [bisphenolA], query: { projection: "compact" } },
          (bytes) => {
            const text = new TextDecoder().decode(bytes)
            bytes.fill(0)
            return Result.succeed(text)
          }
        )
        for (let n = 0; n < 3; n++) expect(yield* readAndOverwrite).toBe(`[${record}]`)
        expect(service.requests).toHaveLength(1)
      })
    ))

  it("sends the request again for waiting fibers when the sending fiber is interrupted", () => {
    const arrived = Deferred.makeUnsafe<void>()
    const waiting: Scripted.Responder = () => Effect.runSync(Deferred.succeed(arrived, undefined))
    return withCachedClient([waiting, Scripted.reply(200, record)], {}, (client, service) =>
      Effect.gen(function* () {
        const first = yield* Effect.forkChild(preferredName(client))
        yield* Deferred.await(arrived)
        const second = yield* Effect.forkChild(preferredName(client), { startImmediately: true })
        yield* Fiber.interrupt(first)
        expect(yield* Fiber.join(second)).toBe("Bisphenol A")
        expect(service.requests).toHaveLength(2)
      })
    )
  })

  it("sends the request when its store fails", () => {
    const failure = Effect.fail(new ResponseCache.CacheFailure({ message: "the disk is full" }))
    return withCachedClient(
      [Scripted.reply(200, record)],
      { store: { get: () => failure, put: () => failure } },
      (client) => Effect.map(preferredName(client), (found) => expect(found).toBe("Bisphenol A"))
    )
  })

  it("stores a response that came after a retry", () => {
    const service = Virtual.scripted({ status: 503 }, { status: 200, body: record })
    const cachedAndRetried = settings("http://127.0.0.1:1", {
      cache: { store: ResponseCache.memory() },
      retry: RetryPolicy.defaultPolicy
    })
    return withClient(
      cachedAndRetried,
      (client) =>
        Effect.gen(function* () {
          const call = yield* Effect.forkChild(preferredName(client))
          yield* TestClock.adjust("1 minute")
          yield* Fiber.join(call)
          yield* preferredName(client)
          expect(service.times).toHaveLength(2)
        }),
      service.layer
    ).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
  })
})

describe("ResponseCache.memory", () => {
  const entry = (size: number): ResponseCache.Entry => ({
    kind: "found",
    body: new Uint8Array(size),
    etag: undefined,
    storedAt: 0
  })

  it("deletes the least recently used entries above its bound, and stores no larger entry", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const store = ResponseCache.memory({ maxBytes: 3000 })
        yield* store.put("a", entry(1000))
        yield* store.put("b", entry(1000))
        yield* store.get("a")
        yield* store.put("c", entry(1000))
        yield* store.put("d", entry(4000))
        const entries = yield* Effect.forEach(["a", "b", "c", "d"], (key) => store.get(key))
        expect(entries.map((found) => found?.body.length)).toEqual([1000, undefined, 1000, undefined])
      })
    ))

  it.each<[string, ReadonlyArray<ResponseCache.Entry>, ReadonlyArray<boolean>]>([
    ["an entry that fills it", [entry(742)], [true]],
    ["no entry that is larger by a byte", [entry(743)], [false]],
    ["no tag that is larger by a character", [{ ...entry(742), etag: "x" }], [false]],
    ["entries that fill it together", [entry(242), entry(242)], [true, true]],
    ["not the first of entries that are larger by a byte together", [entry(242), entry(243)], [false, true]],
    ["not the first two if the third fills it", [entry(1), entry(2), entry(742)], [false, false, true]]
  ])("with a bound of 1000 bytes has %s", (_, entries, kept) =>
    Effect.gen(function* () {
      const store = ResponseCache.memory({ maxBytes: 1000 })
      for (const [at, one] of entries.entries()) yield* store.put(`${at}`, one)
      const found = yield* Effect.forEach(entries.keys(), (at) => store.get(`${at}`))
      expect(found.map((one) => one !== undefined)).toEqual(kept)
    }).pipe(Effect.runPromise)
  )

  it("counts a replaced entry once", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const store = ResponseCache.memory({ maxBytes: 3000 })
        yield* store.put("a", entry(1000))
        for (let n = 0; n < 10; n++) yield* store.put("b", entry(1000))
        expect(yield* store.get("a")).toBeDefined()
      })
    ))
})
