import { inspect } from "node:util"
import { type ChemClient, type ChemError, ResponseCache, RetryPolicy } from "@chemstream/client"
import { Effect, type Layer, Logger, Redacted, References, Result, Tracer } from "effect"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, withClient, withService } from "./testClient.ts"

// JSON, URLs and HTML escape these characters in different ways.
const key = `s3cr3t/"Ab+c\\&<d>'e=%f`
const inUrl = encodeURIComponent(key)
const everyByte = [...key].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("")
const inHtml = key
  .replaceAll("&", "&amp;")
  .replaceAll("<", "&lt;")
  .replaceAll(">", "&gt;")
  .replaceAll('"', "&quot;")
const inJson = JSON.stringify(key).slice(1, -1)
/** Parts of the key that no other text contains. */
const keyParts = [/s3cr3t/i, /%73%33%63/i, /Ab\+c/i, /Ab%2Bc/i]

const page = (text: string): string => `<html><head><title>${text}</title></head><body>Sorry.</body></html>`
const html = { "content-type": "text/html" }

/** Returns everything shown of a call: its error, spans, and log lines of all levels. */
const traceCall = (url: string, apiKey: string, more: Partial<ChemClient.Settings> = {}) =>
  Effect.gen(function* () {
    const spans: Array<Tracer.NativeSpan> = []
    const lines: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    const settings = { baseUrl: url, apiKey: Redacted.make(apiKey), retry: RetryPolicy.never, ...more }
    const result = yield* withClient(settings, (client) =>
      client.details.byDtxsidBatch([bisphenolA, "DTXSID3039242"])
    ).pipe(
      Effect.tapError((error) => Effect.logError("a call failed", error)),
      Effect.result,
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provideService(References.MinimumLogLevel, "Trace"),
      Effect.provide(Logger.layer([logger]) as Layer.Layer<never>)
    )
    const error = Result.isFailure(result) ? (result.failure as ChemError.ChemError) : undefined
    const text = [
      error?.message,
      error?.stack,
      JSON.stringify(error),
      inspect(error, { depth: 10 }),
      inspect(spans, { depth: 10 }),

      ...lines
    ].join("\n")
    return { error, spans, lines, text }
  })

describe("a key that a service quotes", () => {
  it.each<[string, Scripted.Responder, ChemError.ChemError["_tag"]]>([
    ["the detail of a 401", Scripted.problem(401, `Key ${key} not found.`), "Unauthorized"],
    ["the detail of a 403", Scripted.problem(403, `Key ${inUrl} may not do this.`), "Unauthorized"],
    ["a title", Scripted.reply(500, JSON.stringify({ title: `bad key ${key}` })), "ServiceFailure"],
    [
      "the older shape of errors",
      Scripted.reply(400, JSON.stringify({ error: `key=${key}` })),
      "InvalidRequest"
    ],
    [
      "the path of a body without a text",
      Scripted.reply(500, JSON.stringify({ status: 500, path: `/detail?x-api-key=${inUrl}` })),
      "ServiceFailure"
    ],
    [
      "the instance of a problem",
      Scripted.reply(400, JSON.stringify({ instance: `/a/${everyByte}` })),
      "InvalidRequest"
    ],
    ["an HTML page", Scripted.reply(502, page(`No route for ${inHtml}`), html), "ServiceFailure"],
    ["an HTML page, unescaped", Scripted.reply(403, page(`Key ${inUrl} is blocked`), html), "InvalidRequest"],
    ["plain text", Scripted.reply(429, `slow down, ${key}`, {}), "RateLimited"],
    [
      "the suggestions of a search miss",
      Scripted.problem(400, "Found 0 results for 'x'.", { suggestions: [`ask ${key}`, `or ${inUrl}`] }),
      "NotFound"
    ],
    [
      "a text that is cut within the key",
      Scripted.problem(500, `${"x".repeat(190)} ${key}`),
      "ServiceFailure"
    ],
    [
      "the address of a redirect",
      Scripted.reply(302, "", { location: `/login?key=${inUrl}` }),
      "InvalidRequest"
    ],
    ["a 200 that is not JSON", Scripted.reply(200, `Key ${key} not found.`), "MalformedResponse"],
    [
      "a 200 whose excerpt is cut within the key",
      Scripted.reply(200, `${"x".repeat(50)} ${key}`),
      "MalformedResponse"
    ]
  ])("is not shown when it is in %s", (_, responder, tag) =>
    withService([responder], ({ url }) =>
      Effect.gen(function* () {
        const { error, lines, spans, text } = yield* traceCall(url, key)
        expect(error?._tag).toBe(tag)
        expect(spans).toHaveLength(1)
        expect(lines.length).toBeGreaterThan(1)
        for (const keyPart of keyParts) expect(text).not.toMatch(keyPart)
      })
    )
  )

  it("is not shown in suggestions of a batch search that replaces a single search", () =>
    withService(
      [
        Scripted.reply(
          200,
          JSON.stringify([{ dtxsid: null, searchValue: "..", suggestions: [`ask\n${key}`] }])
        )
      ],
      ({ url }) =>
        Effect.gen(function* () {
          const settings = { baseUrl: url, apiKey: Redacted.make(key), retry: RetryPolicy.never }
          const error = yield* Effect.flip(withClient(settings, (client) => client.search.equal("..")))
          expect(error).toMatchObject({ _tag: "NotFound", suggestions: ["ask [redacted]"] })
          expect(error.message).toContain("ask [redacted]")
        })
    ))

  it("is not shown in the path of a malformed value", () =>
    withService([Scripted.reply(200, `{"${inJson}":5}`)], ({ url }) =>
      Effect.gen(function* () {
        const settings = { baseUrl: url, apiKey: Redacted.make(key), retry: RetryPolicy.never }
        const error = yield* Effect.flip(withClient(settings, (client) => client.msready.byMassBatch([228])))
        expect(error).toMatchObject({ _tag: "MalformedResponse", path: "[redacted]" })
        for (const keyPart of keyParts) expect(inspect(error)).not.toMatch(keyPart)
      })
    ))

  it("is replaced without a change to the rest of the text", () =>
    withService([Scripted.problem(401, `Key ${key} not found.`)], ({ url }) =>
      Effect.gen(function* () {
        const { error } = yield* traceCall(url, key)
        expect(error?.message).toContain("Key [redacted] not found.")
      })
    ))

  it("is replaced in upper case, as escaped JSON, and percent-encoded twice", () =>
    withService(
      [Scripted.reply(500, `<p>${key.toUpperCase()} ${inJson} ${encodeURIComponent(inUrl)}</p>`, html)],
      ({ url }) =>
        Effect.gen(function* () {
          const { error } = yield* traceCall(url, key)
          expect(error?.message).toContain("[redacted] [redacted] [redacted]")
        })
    ))

  it("is not stored in the cache with a miss", () =>
    withService([Scripted.problem(404, `nothing for ${key}`, { suggestions: [key] })], ({ url }) =>
      Effect.gen(function* () {
        const bodies: Array<string> = []
        const store = ResponseCache.memory()
        const recordingStore: ResponseCache.Store = {
          ...store,
          put: (name, entry) => {
            bodies.push(name + new TextDecoder().decode(entry.body))
            return store.put(name, entry)
          }
        }
        yield* traceCall(url, key, { cache: { store: recordingStore } })
        expect(bodies).toHaveLength(1)
        for (const keyPart of keyParts) expect(bodies[0]).not.toMatch(keyPart)
      })
    ))

  it("is not logged when a stale entry is served", () =>
    withService([Scripted.reply(200, "[]"), Scripted.problem(500, `broken for ${key}`)], ({ url }) =>
      Effect.gen(function* () {
        const cache = { store: ResponseCache.memory(), ttl: 0, staleFor: 60_000 }
        yield* traceCall(url, key, { cache })
        const { error, lines, text } = yield* traceCall(url, key, { cache })
        expect(error).toBeUndefined()
        expect(lines.join()).toContain("broken for [redacted]")
        for (const keyPart of keyParts) expect(text).not.toMatch(keyPart)
      })
    ))
})

describe("a short key", () => {
  it.each([
    ["abc", "Key abc not found, see /keys/abc%20.", "Key [redacted] not found, see /keys/[redacted]%20."],
    ["a", "a key a/b: 'a' is a bad name", "[redacted] key [redacted]/b: '[redacted]' is [redacted] bad name"],
    ["test", "the latest test key is %20test%20", "the latest [redacted] key is %20[redacted]%20"]
  ])("%j is replaced only as a whole word", (short, detail, redacted) =>
    withService([Scripted.problem(401, detail)], ({ url }) =>
      Effect.gen(function* () {
        const { error } = yield* traceCall(url, short)
        expect(error?.message).toContain(redacted)
      })
    )
  )

  it("of eight characters is also replaced within a word", () =>
    withService([Scripted.problem(401, "no x12345678y")], ({ url }) =>
      Effect.gen(function* () {
        const { error } = yield* traceCall(url, "12345678")
        expect(error?.message).toContain("no x[redacted]y")
      })
    ))
})
