import { existsSync } from "node:fs"
import { deflateSync, gzipSync } from "node:zlib"
import { type Availability, type ChemClient, ResponseCache, RetryPolicy } from "@chemstream/client"
import { DiskCache } from "@chemstream/client/node"
import { Effect, Redacted, Result } from "effect"
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import { against, bisphenolA, key, settings, using } from "./against.ts"
import * as Scripted from "./scriptedService.ts"

describe("a call", () => {
  it("sends the key, accepts JSON, and decodes the record with the type of its projection", () =>
    against(
      [Scripted.reply(200, `{"dtxsid":"${bisphenolA}","monoisotopicMass":228.115029755,"ours":[1]}`)],
      (service) =>
        Effect.gen(function* () {
          const record = yield* using(settings(service.url), (client) =>
            client.details.byDtxsid(bisphenolA, { projection: "ntatoolkit" })
          )
          const mass: number | null | undefined = record.monoisotopicMass
          expect(mass).toBe(228.115029755)
          expect(record).toEqual({ dtxsid: bisphenolA, monoisotopicMass: 228.115029755, ours: [1] })
          expect(service.asked).toHaveLength(1)
          expect(service.asked[0]).toMatchObject({
            method: "GET",
            url: `/chemical/detail/search/by-dtxsid/${bisphenolA}?projection=ntatoolkit`,
            headers: { "x-api-key": key, accept: "application/json" }
          })
        })
    ))

  it("keeps the fields of a record in the order they came in", () =>
    against([Scripted.reply(200, `{"z":1,"preferredName":"x","a":2,"dtxsid":"${bisphenolA}"}`)], ({ url }) =>
      Effect.gen(function* () {
        const record = yield* using(settings(url), (client) => client.details.byDtxsid(bisphenolA))
        expect(Object.keys(record)).toEqual(["z", "preferredName", "a", "dtxsid"])
      })
    ))

  it("posts a batch as a JSON array to the exact path, below a base URL with a path", () =>
    against([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        for (const base of ["/ctx-api", "/ctx-api/"]) {
          yield* using(settings(service.url + base), (client) => client.details.byDtxsidBatch([bisphenolA]))
        }
        for (const asked of service.asked) {
          expect(asked).toMatchObject({
            method: "POST",
            url: "/ctx-api/chemical/detail/search/by-dtxsid/",
            body: `["${bisphenolA}"]`
          })
          expect(asked.headers["content-type"]).toMatch(/^application\/json/)
        }
        expect(service.asked).toHaveLength(2)
      })
    ))

  it("sends the key in a header of the user's choice", () =>
    against([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        yield* using(settings(service.url, { keyHeader: "Ocp-Key" }), (client) =>
          client.details.byDtxsidBatch([bisphenolA])
        )
        expect(service.asked[0]?.headers).toMatchObject({ "ocp-key": key })
        expect(service.asked[0]?.headers).not.toHaveProperty("x-api-key")
      })
    ))

  it("sends nothing for no identifiers, for a malformed one, and for more than the endpoint takes", () =>
    against([Scripted.reply(200, "[]")], (service) =>
      Effect.gen(function* () {
        const none = yield* using(settings(service.url), (client) => client.details.byDtxsidBatch([]))
        const malformed = yield* Effect.flip(
          using(settings(service.url), (client) => client.details.byDtxsidBatch([bisphenolA, "50-00-0"]))
        )
        const tooMany = yield* Effect.flip(
          using(settings(service.url), (client) => client.details.byDtxsidBatch(Array(1001).fill(bisphenolA)))
        )
        expect(none).toEqual([])
        expect(malformed).toMatchObject({ _tag: "InvalidIdentifier", value: "50-00-0" })
        expect(tooMany).toMatchObject({
          _tag: "BatchTooLarge",
          batchSize: 1001,
          attempts: 0,
          retryable: false
        })
        expect(service.asked).toHaveLength(0)
      })
    ))

  it("lets a caller read the bytes, and treats what the reader refuses as a malformed response", () =>
    against([Scripted.reply(200, '[{"m":1.10}]')], ({ url }) =>
      Effect.gen(function* () {
        const text = yield* using(settings(url), (client) =>
          client.raw("details.byDtxsidBatch", { payload: [bisphenolA], query: {} }, (body) =>
            Result.succeed(new TextDecoder().decode(body))
          )
        )
        const refused = yield* Effect.flip(
          using(settings(url), (client) =>
            client.raw("details.byDtxsidBatch", { payload: [bisphenolA], query: {} }, () =>
              Result.fail({ path: "[0]", reason: "not mine" })
            )
          )
        )
        expect(text).toBe('[{"m":1.10}]')
        expect(refused).toMatchObject({ _tag: "MalformedResponse", path: "[0]", retryable: true })
      })
    ))
})

describe("a compressed answer", () => {
  const record = `[{"dtxsid":"${bisphenolA}"}]`
  /** A client that unpacks nothing, as Node's lower-level clients do. */
  const unpackingNothing = (packed: Uint8Array) => (request: unknown, init: RequestInit | undefined) =>
    globalThis.fetch(request as string, init).then(async (response) => {
      await response.arrayBuffer()
      return new Response(packed as Uint8Array<ArrayBuffer>, { headers: { "content-encoding": "gzip" } })
    })

  it.each([
    ["gzip", gzipSync(record)],
    ["deflate", deflateSync(record)]
  ])("is unpacked from %s, whether or not the HTTP client has done so", (encoding, packed) =>
    against(
      [(response) => response.writeHead(200, { "content-encoding": encoding }).end(packed)],
      ({ url }) =>
        Effect.gen(function* () {
          const call = using(settings(url), (client) => client.details.byDtxsidBatch([bisphenolA]))
          expect(yield* call).toEqual([{ dtxsid: bisphenolA }])
          const raw = Effect.provideService(
            call,
            FetchHttpClient.Fetch,
            unpackingNothing(packed) as typeof fetch
          )
          expect(yield* raw).toEqual([{ dtxsid: bisphenolA }])
        })
    )
  )

  it("is malformed when it would unpack to more than is read", () =>
    against([Scripted.reply(200, "[]")], ({ url }) =>
      Effect.gen(function* () {
        const bomb = gzipSync(Buffer.alloc(5_000_000, " "))
        const error = yield* Effect.flip(
          using(settings(url, { maxBodyBytes: 1_000_000 }), (client) =>
            client.details.byDtxsidBatch([bisphenolA])
          ).pipe(Effect.provideService(FetchHttpClient.Fetch, unpackingNothing(bomb) as typeof fetch))
        )
        expect(error).toMatchObject({
          _tag: "MalformedResponse",
          message: expect.stringContaining("longer than")
        })
      })
    ))
})

describe("settings", () => {
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
  ])("refuses %j before anything is sent, without showing the key", async (bad, option, words) => {
    const error = await Effect.runPromise(
      Effect.flip(using(settings("http://127.0.0.1:1", bad), (client) => client.details.byDtxsid(bisphenolA)))
    )
    expect(error).toMatchObject({ _tag: "InvalidOption", option, source: "argument" })
    expect(error.message).toContain(words)
    expect(error.message).not.toContain(key)
    expect(error.message).not.toContain("CHEMSTREAM")
  })

  const nan = Number.NaN
  const withRetry = (figures: Partial<RetryPolicy.RetryPolicy>) => ({ retry: RetryPolicy.make(figures) })
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
  ])("refuses a figure of %s that cannot be used: %o", async (name, bad) => {
    const error = await Effect.runPromise(
      Effect.flip(using(settings("http://127.0.0.1:1", bad), (client) => client.details.byDtxsid(bisphenolA)))
    )
    expect(error).toMatchObject({ _tag: "InvalidOption", option: name })
    expect(error.message).toMatch(new RegExp(`^The option ${name} is .*\\. Give a .*(number|time)`))
  })

  it.each<[string, Availability.Options]>([
    ["wait", { wait: -1 }],
    ["firstProbe", { firstProbe: Number.NaN }],
    ["longestProbe", { longestProbe: Number.POSITIVE_INFINITY }],
    ["refusals", { refusals: 0 }]
  ])("refuses a time or count of availability that cannot be used: %s", async (name, availability) => {
    const error = await Effect.runPromise(
      Effect.flip(
        using(settings("http://127.0.0.1:1", { availability }), (client) =>
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

  it("takes retries without end, which `Infinity` stands for", () =>
    against([Scripted.reply(503, ""), Scripted.reply(200, "[]")], ({ url }) => {
      const all = Number.POSITIVE_INFINITY
      const retry = RetryPolicy.make({ attempts: all, baseDelay: 1, maxDelay: all, maxElapsed: all })
      return using(settings(url, { retry }), (client) => client.details.byDtxsidBatch([bisphenolA]))
    }).then((records) => expect(records).toEqual([])))

  it.each([Number.NaN, 0, -1])("refuse a bound of %d bytes for a store of answers", async (maxBytes) => {
    const problem = { _tag: "InvalidOption", option: "maxBytes", value: maxBytes }
    expect(() => ResponseCache.memory({ maxBytes })).toThrow(expect.objectContaining(problem))
    const made = DiskCache.make({ file: "never-made.cache", maxBytes })
    expect(await Effect.runPromise(Effect.flip(Effect.scoped(made)))).toMatchObject(problem)
    expect(existsSync("never-made.cache")).toBe(false)
  })
})
