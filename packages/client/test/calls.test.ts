import { existsSync } from "node:fs"
import { deflateSync, gzipSync } from "node:zlib"
import {
  type Availability,
  type ChemClient,
  type Endpoint,
  ResponseCache,
  RetryPolicy
} from "@chemstream/client"
import { DiskCache } from "@chemstream/client/node"
import { Effect, Redacted, Result } from "effect"
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, key, settings, withClient, withService } from "./testClient.ts"

describe("a call", () => {
  it("sends the key, accepts JSON, and returns a record with the type of its projection", () =>
    withService(
      [Scripted.reply(200, `{"dtxsid":"${bisphenolA}","monoisotopicMass":228.115029755,"ours":[1]}`)],
      (service) =>
        Effect.gen(function* () {
          const record = yield* withClient(settings(service.url), (client) =>
            client.details.byDtxsid(bisphenolA, { projection: "ntatoolkit" })
          )
          const mass: number | null | undefined = record.monoisotopicMass
          expect(mass).toBe(228.115029755)
          expect(record).toEqual({ dtxsid: bisphenolA, monoisotopicMass: 228.115029755, ours: [1] })
          expect(service.requests).toHaveLength(1)
          expect(service.requests[0]).toMatchObject({
            method: "GET",
            url: `/chemical/detail/search/by-dtxsid/${bisphenolA}?projection=ntatoolkit`,
            headers: { "x-api-key": key, accept: "application/json" }
          })
        })
    ))

  it("returns the fields of a record in the order of the response", () =>
    withService(
      [Scripted.reply(200, `{"z":1,"preferredName":"x","a":2,"dtxsid":"${bisphenolA}"}`)],
      ({ url }) =>
        Effect.gen(function* () {
          const record = yield* withClient(settings(url), (client) => client.details.byDtxsid(bisphenolA))
          expect(Object.keys(record)).toEqual(["z", "preferredName", "a", "dtxsid"])
        })
    ))

  it("posts a batch as a JSON array below the path of the base URL", () =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        for (const base of ["/ctx-api", "/ctx-api/"]) {
          yield* withClient(settings(service.url + base), (client) =>
            client.details.byDtxsidBatch([bisphenolA])
          )
        }
        for (const request of service.requests) {
          expect(request).toMatchObject({
            method: "POST",
            url: "/ctx-api/chemical/detail/search/by-dtxsid/",
            body: `["${bisphenolA}"]`
          })
          expect(request.headers["content-type"]).toMatch(/^application\/json/)
        }
        expect(service.requests).toHaveLength(2)
      })
    ))

  it("sends the key in the configured header", () =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        yield* withClient(settings(service.url, { keyHeader: "Ocp-Key" }), (client) =>
          client.details.byDtxsidBatch([bisphenolA])
        )
        expect(service.requests[0]?.headers).toMatchObject({ "ocp-key": key })
        expect(service.requests[0]?.headers).not.toHaveProperty("x-api-key")
      })
    ))

  it("sends no request for an empty batch, a malformed identifier, or a batch above the limit", () =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const empty = yield* withClient(settings(service.url), (client) => client.details.byDtxsidBatch([]))
        const malformed = yield* Effect.flip(
          withClient(settings(service.url), (client) => client.details.byDtxsidBatch([bisphenolA, "50-00-0"]))
        )
        const tooMany = yield* Effect.flip(
          withClient(settings(service.url), (client) =>
            client.details.byDtxsidBatch(Array(1001).fill(bisphenolA))
          )
        )
        expect(empty).toEqual([])
        expect(malformed).toMatchObject({ _tag: "InvalidIdentifier", value: "50-00-0" })
        expect(tooMany).toMatchObject({
          _tag: "BatchTooLarge",
          batchSize: 1001,
          attempts: 0,
          retryable: false
        })
        expect(service.requests).toHaveLength(0)
      })
    ))

  it("fails without a request if a part of its request is missing", () =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          withClient(settings(service.url), (client) =>
            client.raw("details.byDtxsid", {} as never, () => Result.succeed(""))
          )
        )
        expect(error).toMatchObject({ _tag: "InvalidIdentifier", identifier: "details.byDtxsid", value: "" })
        expect(service.requests).toEqual([])
      })
    ))

  it.each<[Endpoint.Name, object, string, string]>([
    [
      "details.byDtxsid",
      { params: { dtxsid: "a" } },
      '{"dtxsid":"a"}',
      "params.dtxsid: Expected a DTXSID, e.g. DTXSID7020182"
    ],
    ["details.byDtxsid", { params: { dtxsid: bisphenolA } }, "", "query: Expected object"],
    [
      "bioactivity.byAeidBatch",
      { payload: [7, 0] },
      "[7,0]",
      "payload.1: Expected a value between 1 and 2147483647"
    ]
  ])("of %s with %j fails with the first part that is wrong", (endpoint, request, value, message) =>
    withService([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          withClient(settings(service.url), (client) =>
            client.raw(endpoint, request as never, () => Result.succeed(""))
          )
        )
        expect(error).toMatchObject({ _tag: "InvalidIdentifier", identifier: endpoint, value })
        expect(error.message).toBe(`the request of ${endpoint} is malformed: ${message}`)
        expect(service.requests).toEqual([])
      })
    )
  )

  it("runs the reader of the caller, and fails with MalformedResponse if it refuses the body", () =>
    withService([Scripted.reply(200, '[{"m":1.10}]')], ({ url }) =>
      Effect.gen(function* () {
        const text = yield* withClient(settings(url), (client) =>
          client.raw("details.byDtxsidBatch", { payload: [bisphenolA], query: {} }, (body) =>
            Result.succeed(new TextDecoder().decode(body))
          )
        )
        const refusedBody = yield* Effect.flip(
          withClient(settings(url), (client) =>
            client.raw("details.byDtxsidBatch", { payload: [bisphenolA], query: {} }, () =>
              Result.fail({ path: "[0]", reason: "not mine" })
            )
          )
        )
        expect(text).toBe('[{"m":1.10}]')
        expect(refusedBody).toMatchObject({ _tag: "MalformedResponse", path: "[0]", retryable: true })
      })
    ))
})

describe("a compressed response", () => {
  const record = `[{"dtxsid":"${bisphenolA}"}]`
  /** A client that does not decompress, as Node's lower-level clients. */
  const fetchWithoutDecompression =
    (packed: Uint8Array) => (request: unknown, init: RequestInit | undefined) =>
      globalThis.fetch(request as string, init).then(async (response) => {
        await response.arrayBuffer()
        return new Response(packed as Uint8Array<ArrayBuffer>, { headers: { "content-encoding": "gzip" } })
      })

  it.each([
    ["gzip", gzipSync(record)],
    ["deflate", deflateSync(record)]
  ])("is decompressed from %s, whether or not the HTTP client does so", (encoding, packed) =>
    withService(
      [(response) => response.writeHead(200, { "content-encoding": encoding }).end(packed)],
      ({ url }) =>
        Effect.gen(function* () {
          const call = withClient(settings(url), (client) => client.details.byDtxsidBatch([bisphenolA]))
          expect(yield* call).toEqual([{ dtxsid: bisphenolA }])
          const raw = Effect.provideService(
            call,
            FetchHttpClient.Fetch,
            fetchWithoutDecompression(packed) as typeof fetch
          )
          expect(yield* raw).toEqual([{ dtxsid: bisphenolA }])
        })
    )
  )

  it("is malformed when its decompressed body exceeds the limit", () =>
    withService([Scripted.reply(200, "[]")], ({ url }) =>
      Effect.gen(function* () {
        const bomb = gzipSync(Buffer.alloc(5_000_000, " "))
        const error = yield* Effect.flip(
          withClient(settings(url, { maxBodyBytes: 1_000_000 }), (client) =>
            client.details.byDtxsidBatch([bisphenolA])
          ).pipe(
            Effect.provideService(FetchHttpClient.Fetch, fetchWithoutDecompression(bomb) as typeof fetch)
          )
        )
        expect(error).toMatchObject({
          _tag: "MalformedResponse",
          message: expect.stringContaining("longer than")
        })
      })
    ))
})

describe("the settings", () => {
  it.each<[Partial<ChemClient.Settings>, string, string]>([
    [{ baseUrl: "localhost:80" }, "baseUrl", "http://"],
    [{ baseUrl: "ftp://user:secret@host" }, "baseUrl", "http://"],
    [{ baseUrl: "http://127.0.0.1:99999" }, "baseUrl", "port"],
    [{ baseUrl: "http://user:pw@localhost" }, "baseUrl", "user name"],
    [{ baseUrl: undefined as never }, "baseUrl", "The option baseUrl is missing. Give"],
    [{ apiKey: undefined as never }, "apiKey", "The option apiKey is missing. Give"],
    [{ apiKey: Redacted.make("") }, "apiKey", "empty"],
    [{ apiKey: Redacted.make(`${key}\n`) }, "apiKey", "white space"],
    [{ keyHeader: "x api" }, "keyHeader", "header name"]
  ])("with %j are refused before a request, without the key in the error", async (bad, option, words) => {
    const error = await Effect.runPromise(
      Effect.flip(
        withClient(settings("http://127.0.0.1:1", bad), (client) => client.details.byDtxsid(bisphenolA))
      )
    )
    expect(error).toMatchObject({ _tag: "InvalidOption", option, source: "argument" })
    expect(error.message).toContain(words)
    expect(error.message).not.toContain(key)
    expect(error.message).not.toContain("CHEMSTREAM")
  })

  const address = "an http:// or https:// address"
  const valid = `${address} with a valid host and port`
  const plain = "an address without a user name, a query and a fragment"
  it.each<[unknown, string]>([
    ["localhost", `${valid}, e.g. http://localhost.`],
    ["localhost:80/a", `${valid}, e.g. http://localhost:80/a.`],
    ["127.0.0.1", `${valid}, e.g. http://127.0.0.1.`],
    ["host:8080", `${valid}, e.g. http://host:8080.`],
    ["api.example.org/a_b/c.d~e-f", `${valid}, e.g. https://api.example.org/a_b/c.d~e-f.`],
    ...[
      "host",
      "a b.org",
      "http://",
      "ftp://host",
      "a_secret/key",
      "host:port",
      "api.example.org?key=a",
      ""
    ].map((baseUrl): [unknown, string] => [baseUrl, `${valid}.`]),
    [5, `${valid}.`],
    [new URL("ftp://host"), `${valid}.`],
    ...["http://me@host", "http://:pw@host", "http://host?a", "http://host#a"].flatMap(
      (baseUrl): ReadonlyArray<[unknown, string]> => [
        [baseUrl, `${plain}.`],
        [new URL(baseUrl.replace("?a", "?a=b")), `${plain}.`]
      ]
    )
  ])("with the base URL %j say what to give", async (baseUrl, wanted) => {
    const bad = withClient(settings(baseUrl as string), () => Effect.void)
    expect(await Effect.runPromise(Effect.flip(bad))).toMatchObject({
      _tag: "InvalidOption",
      message: `The option baseUrl cannot be used. Give ${wanted}`
    })
  })

  it.each([
    ["http://host", "http://host"],
    ["HTTPS://Host:443/A//", "https://host/A"],
    [new URL("http://host/a/"), "http://host/a"]
  ])("with the base URL %s call %s", async (baseUrl, address) => {
    const shown = withClient({ ...settings(""), baseUrl }, (client) => Effect.succeed(client.baseUrl))
    expect(await Effect.runPromise(shown)).toBe(address)
  })

  it.each<[keyof ChemClient.Settings, unknown, boolean]>([
    ...["k", "~", "!", "a b", "a~!\"'", "\u007fa", "é", " a", "a ", "a\tb", "\t", "a\u0000"].map(
      (key): ["apiKey", unknown, boolean] => [
        "apiKey",
        Redacted.make(key),
        ["k", "~", "!", "a b", "a~!\"'"].includes(key)
      ]
    ),
    ["apiKey", Redacted.make(5), false],
    ["apiKey", "a", false],
    ["apiKey", null, false],
    ["keyHeader", "X-Api_Key.1~", true],
    ["keyHeader", "!#$%&'*+^`|", true],
    ["keyHeader", "", false],
    ["keyHeader", "a:b", false],
    ["keyHeader", "é", false],
    ["keyHeader", 5, false],
    ["pageParameter", "a.B~9_-", true],
    ["pageParameter", "a=b", false],
    ["pageParameter", 5, false],
    ["pageParameter", "projections", true],
    ["dialect", "ctx", true],
    ["dialect", "CTX", false],
    ["dialect", 5, false]
  ])("with the %s %o are accepted: %s", async (option, value, isAccepted) => {
    const made = withClient(settings("http://host", { [option]: value }), () => Effect.void)
    const error = await Effect.runPromise(Effect.result(made))
    if (isAccepted) expect(error).toMatchObject({ _tag: "Success" })
    else expect(error).toMatchObject({ failure: { _tag: "InvalidOption", option } })
  })

  const nan = Number.NaN
  const withRetry = (figures: RetryPolicy.Settings) => ({ retry: figures })
  const withCache = (lifetimes: Partial<ResponseCache.Lifetimes>) => ({
    cache: { store: ResponseCache.memory(), ...lifetimes }
  })
  it.each<[string, Partial<ChemClient.Settings>]>([
    ...[nan, 0, -1, 1.5].map(
      (value) => ["retry.attempts", withRetry({ attempts: value })] as [string, object]
    ),
    ...[nan, -1].flatMap(
      (value): ReadonlyArray<[string, object]> => [
        ["retry.baseDelay", withRetry({ baseDelay: value })],
        ["retry.maxDelay", withRetry({ maxDelay: value })],
        ["retry.maxElapsed", withRetry({ maxElapsed: value })],
        ["cache.ttl", withCache({ ttl: value })],
        ["cache.missingTtl", withCache({ missingTtl: value })],
        ["cache.staleFor", withCache({ staleFor: value })],
        ["batching.window", { batching: { window: value } }]
      ]
    ),
    ...[nan, 0, -1].flatMap(
      (value): ReadonlyArray<[string, object]> => [
        ["timeouts.headers", { timeouts: { headers: value } }],
        ["timeouts.body", { timeouts: { body: value } }],
        ["limits.inFlight", { limits: { inFlight: value } }],
        ["limits.requestsPerSecond", { limits: { requestsPerSecond: value } }],
        ["batching.size", { batching: { size: value } }],
        ["maxBodyBytes", { maxBodyBytes: value }]
      ]
    ),
    ["retry.baseDelay", withRetry({ baseDelay: Number.POSITIVE_INFINITY })],
    ["retry.maxDelay", withRetry({ maxDelay: "soon" as never })],
    ["timeouts.body", { timeouts: { body: "0 seconds" } }],
    ["limits.inFlight", { limits: { inFlight: Number.POSITIVE_INFINITY } }]
  ])("with an unusable %s are refused: %o", async (name, bad) => {
    const error = await Effect.runPromise(
      Effect.flip(
        withClient(settings("http://127.0.0.1:1", bad), (client) => client.details.byDtxsid(bisphenolA))
      )
    )
    expect(error).toMatchObject({ _tag: "InvalidOption", option: name })
    expect(error.message).toMatch(new RegExp(`^The option ${name} is .*\\. Give a .*(number|time)`))
  })

  it.each<[string, Availability.Options]>([
    ["wait", { wait: -1 }],
    ["firstProbe", { firstProbe: Number.NaN }],
    ["longestProbe", { longestProbe: Number.POSITIVE_INFINITY }],
    ["refusals", { refusals: 0 }]
  ])("with an unusable availability.%s are refused", async (name, availability) => {
    const error = await Effect.runPromise(
      Effect.flip(
        withClient(settings("http://127.0.0.1:1", { availability }), (client) =>
          client.details.byDtxsid(bisphenolA)
        )
      )
    )
    expect(error).toMatchObject({
      _tag: "InvalidOption",
      option: `availability.${name}`,
      message: expect.stringMatching(new RegExp(`^The option availability\\.${name} is .*\\. Give a `))
    })
  })

  it("accept Infinity for the bounds of retries", () =>
    withService([Scripted.reply(503, ""), Scripted.reply(200, "[]")], ({ url }) => {
      const all = Number.POSITIVE_INFINITY
      const retry = RetryPolicy.make({ attempts: all, baseDelay: 1, maxDelay: all, maxElapsed: all })
      return withClient(settings(url, { retry }), (client) => client.details.byDtxsidBatch([bisphenolA]))
    }).then((records) => expect(records).toEqual([])))

  it.each([Number.NaN, 0, -1])("refuse a bound of %d bytes for a store", async (maxBytes) => {
    const problem = { _tag: "InvalidOption", option: "maxBytes", value: maxBytes }
    expect(() => ResponseCache.memory({ maxBytes })).toThrow(expect.objectContaining(problem))
    const openCache = DiskCache.make({ file: "never-made.cache", maxBytes })
    expect(await Effect.runPromise(Effect.flip(Effect.scoped(openCache)))).toMatchObject(problem)
    expect(existsSync("never-made.cache")).toBe(false)
  })
})
