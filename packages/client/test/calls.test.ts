import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { deflateSync, gzipSync } from "node:zlib"
import { CallObserver, ChemClient, type ChemError, RetryPolicy } from "@chemstream/client"
import { Effect, Inspectable, Layer, Redacted, Result } from "effect"
import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"

const key = "a-key-that-must-not-show"
const bisphenolA = "DTXSID7020182"

const settings = (baseUrl: string, more: Partial<ChemClient.Settings> = {}): ChemClient.Settings => ({
  baseUrl,
  apiKey: Redacted.make(key),
  retry: RetryPolicy.never,
  ...more
})

const using = <A, E>(
  client: ChemClient.Settings,
  use: (client: ChemClient.ChemClient["Service"]) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    return yield* use(yield* ChemClient.ChemClient)
  }).pipe(Effect.provide(ChemClient.layer(client).pipe(Layer.provide(FetchHttpClient.layer))))

/** Runs a test body against a scripted service. */
const against = <A, E>(
  answers: ReadonlyArray<Scripted.Answer>,
  body: (service: Scripted.ScriptedService) => Effect.Effect<A, E>
): Promise<A> => Effect.runPromise(Effect.scoped(Effect.flatMap(Scripted.make(...answers), body)))

/** The error of a call that is answered so. */
const errorOf = (
  answer: Scripted.Answer,
  more: Partial<ChemClient.Settings> = {}
): Promise<ChemError.ChemError> =>
  against([answer], ({ url }) =>
    Effect.flip(
      using(settings(url, more), (client) => client.details.byDtxsidBatch([bisphenolA, "DTXSID3039242"]))
    )
  ) as Promise<ChemError.ChemError>

const fast = RetryPolicy.make({ baseDelay: 1, maxDelay: 2 })

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
          client.details.byDtxsidBatchWith(
            (body) => Result.succeed(new TextDecoder().decode(body)),
            [bisphenolA]
          )
        )
        const refused = yield* Effect.flip(
          using(settings(url), (client) =>
            client.details.byDtxsidBatchWith(
              () => Result.fail({ path: "[0]", reason: "not mine" }),
              [bisphenolA]
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

describe("a failure", () => {
  it.each<[string, Scripted.Answer, object]>([
    [
      "problem details 401",
      Scripted.problem(401, "who are you"),
      { _tag: "Unauthorized", status: 401, retryable: false }
    ],
    ["problem details 403", Scripted.problem(403, "no"), { _tag: "Unauthorized", status: 403 }],
    [
      "problem details 404",
      Scripted.problem(404, "none"),
      { _tag: "NotFound", suggestions: [], retryable: false }
    ],
    [
      "a search miss: 400 with suggestions",
      Scripted.problem(400, "Searched by Synonym: Found 0 results for 'x'.", {
        suggestions: ["apfds", "pfds"]
      }),
      { _tag: "NotFound", status: 400, suggestions: ["apfds", "pfds"] }
    ],
    [
      "a search miss whose only suggestion is null",
      Scripted.problem(400, "Found 0 results for 'x'.", { suggestions: [null] }),
      { _tag: "NotFound", suggestions: [] }
    ],
    [
      "problem details 400",
      Scripted.problem(400, "bad word"),
      { _tag: "InvalidRequest", status: 400, retryable: false }
    ],
    ["a too large batch as 413", Scripted.problem(413, "limit 1"), { _tag: "BatchTooLarge", batchSize: 2 }],
    [
      "a too large batch as 400",
      Scripted.problem(400, "Maximum 1 DTXSID allowed"),
      { _tag: "BatchTooLarge", status: 400 }
    ],
    [
      "the older shape of errors",
      Scripted.reply(500, '{"timestamp":"2024","status":500,"error":"Internal Server Error","path":"/x"}'),
      {
        _tag: "ServiceFailure",
        status: 500,
        message: "the service failed (500): Internal Server Error",
        retryable: true
      }
    ],
    [
      "an HTML page of a gateway",
      Scripted.reply(502, "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>", {}),
      { _tag: "ServiceFailure", status: 502, message: "the service failed (502): 502 Bad Gateway" }
    ],
    [
      "an empty body",
      Scripted.reply(503, "", {}),
      { _tag: "ServiceFailure", message: "the service failed (503)" }
    ],
    ["501", Scripted.reply(501, "", {}), { _tag: "ServiceFailure", retryable: false }],
    ["408", Scripted.reply(408, "", {}), { _tag: "RequestTimeout", retryable: true }],
    ["425", Scripted.reply(425, "", {}), { _tag: "ServiceFailure", retryable: true }],
    [
      "429 with seconds to wait",
      Scripted.reply(429, "", { "retry-after": "7" }),
      { _tag: "RateLimited", retryAfter: 7000, retryable: true }
    ],
    [
      "a redirect",
      Scripted.reply(304, "", { location: "http://elsewhere" }),
      {
        _tag: "InvalidRequest",
        message: "the service redirects (304) to http://elsewhere; use that as the base URL"
      }
    ],
    [
      "a 200 that is an HTML page",
      Scripted.reply(200, "<html>maintenance</html>", {}),
      { _tag: "MalformedResponse", path: "" }
    ],
    [
      "a 200 that is empty",
      Scripted.reply(200, ""),
      { _tag: "MalformedResponse", status: 200, retryable: true }
    ],
    ["a 200 with truncated JSON", Scripted.reply(200, '[{"dtxsid":"DTX'), { _tag: "MalformedResponse" }],
    [
      "a 200 with an error object",
      Scripted.reply(200, '{"error":"slow down"}'),
      { _tag: "MalformedResponse" }
    ],
    [
      "a 200 with a field of another type",
      Scripted.reply(200, '[{"dtxsid":"DTXSID7020182"},{"dtxsid":5}]'),
      { _tag: "MalformedResponse", path: "[1].dtxsid" }
    ]
  ])("%s is classified, with endpoint and attempts", async (_, answer, expected) => {
    expect(await errorOf(answer)).toMatchObject({
      endpoint: "details.byDtxsidBatch",
      attempts: 1,
      ...expected
    })
  })

  it("is a broken connection when nothing listens, naming the address and the reason", async () => {
    const port = await freePort()
    const error = await Effect.runPromise(
      Effect.flip(
        using(settings(`http://127.0.0.1:${port}`), (client) => client.details.byDtxsid(bisphenolA))
      )
    )
    expect(error).toMatchObject({
      _tag: "ConnectionFailed",
      phase: "connect",
      code: "ECONNREFUSED",
      retryable: true
    })
    expect(error.message).toContain(`http://127.0.0.1:${port}`)
  })

  it("is a broken connection when the answer breaks off in its middle", async () => {
    expect(await errorOf(Scripted.breakOff('[{"dtxsid":"DTXSID7'))).toMatchObject({
      _tag: "ConnectionFailed",
      phase: "body",
      retryable: true
    })
  })

  it("is a time-out when no answer comes in time", async () => {
    expect(await errorOf(Scripted.silence, { timeouts: { headers: 50 } })).toMatchObject({
      _tag: "RequestTimeout",
      retryable: true
    })
  })

  it("is a time-out when an answer begins and never ends", async () => {
    const stalled: Scripted.Answer = (response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.write("[")
    }
    expect(await errorOf(stalled, { timeouts: { body: 50 } })).toMatchObject({ _tag: "RequestTimeout" })
  })

  it("is malformed when a body is longer than what is read, whether its length is announced or not", async () => {
    const body = `["${"x".repeat(5000)}"]`
    const chunked: Scripted.Answer = (response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.write(body.slice(0, 100))
      response.end(body.slice(100))
    }
    for (const answer of [Scripted.reply(200, body), chunked]) {
      expect(await errorOf(answer, { maxBodyBytes: 5000 })).toMatchObject({
        _tag: "MalformedResponse",
        message: expect.stringContaining("longer than the 5000 bytes")
      })
    }
  })

  it("reads no more of a huge error page than a message needs", async () => {
    let sent = 0
    const endless: Scripted.Answer = (response) => {
      response.writeHead(500, { "content-type": "text/plain" })
      const more = (): void => {
        while (sent < 200_000_000 && response.write("words ".repeat(10_000))) sent += 60_000
        if (sent < 200_000_000) response.once("drain", more)
        else response.end()
      }
      more()
    }
    expect(await errorOf(endless)).toMatchObject({ _tag: "ServiceFailure", status: 500 })
    expect(sent).toBeLessThan(20_000_000)
  })

  it("never shows the key", async () => {
    for (const answer of [Scripted.problem(401, "no"), Scripted.reply(200, "x"), Scripted.breakOff("[")]) {
      const error = await errorOf(answer)
      expect(
        `${error.message}${JSON.stringify(error)}${Inspectable.toStringUnknown(error)}${error.stack}`
      ).not.toContain(key)
    }
  })
})

describe("trying again", () => {
  it("repeats what can help until it succeeds, and tells the observer", () =>
    against(
      [
        Scripted.reply(503, "", {}),
        Scripted.reply(200, "<html>"),
        Scripted.breakOff("["),
        Scripted.reply(200, "[]")
      ],
      (service) =>
        Effect.gen(function* () {
          const seen: Array<string> = []
          const records = yield* using(settings(service.url, { retry: fast }), (client) =>
            client.details.byDtxsidBatch([bisphenolA])
          ).pipe(
            Effect.provideService(CallObserver.CallObserver, {
              onRequest: () => seen.push("request"),
              onRetry: (error) => seen.push(error._tag),
              onBody: (_, bytes) => seen.push(`${bytes} bytes`)
            })
          )
          expect(records).toEqual([])
          expect(seen).toEqual([
            ...["request", "0 bytes", "ServiceFailure"],
            ...["request", "6 bytes", "MalformedResponse"],
            ...["request", "ConnectionFailed"],
            ...["request", "2 bytes"]
          ])
        })
    ))

  it("stops after the attempts allowed, on mixed failures too, and says how many there were", () =>
    against([Scripted.reply(503, "", {}), Scripted.breakOff("["), Scripted.reply(500, "", {})], (service) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          using(settings(service.url, { retry: RetryPolicy.make({ ...fast, attempts: 4 }) }), (client) =>
            client.details.byDtxsidBatch([bisphenolA])
          )
        )
        expect(error).toMatchObject({ _tag: "ServiceFailure", attempts: 4 })
        expect(service.asked).toHaveLength(4)
      })
    ))

  it.each([400, 401, 403, 404, 405, 413])("sends a call answered with %i only once", (status) =>
    against([Scripted.reply(status, "", {})], (service) =>
      Effect.gen(function* () {
        yield* Effect.flip(
          using(settings(service.url, { retry: fast }), (client) =>
            client.details.byDtxsidBatch([bisphenolA])
          )
        )
        expect(service.asked).toHaveLength(1)
      })
    )
  )
})

describe("settings", () => {
  it.each<[Partial<ChemClient.Settings>, string, string]>([
    [{ baseUrl: "localhost:80" }, "baseUrl", "http://"],
    [{ baseUrl: "ftp://user:secret@host" }, "baseUrl", "http://"],
    [{ baseUrl: "http://127.0.0.1:99999" }, "baseUrl", "port"],
    [{ baseUrl: "http://user:pw@localhost" }, "baseUrl", "user name"],
    [{ apiKey: Redacted.make("") }, "apiKey", "empty"],
    [{ apiKey: Redacted.make(`${key}\n`) }, "apiKey", "white space"],
    [{ keyHeader: "x api" }, "keyHeader", "header name"]
  ])("refuses %j before anything is sent, without showing the key", async (bad, setting, words) => {
    const error = await Effect.runPromise(
      Effect.flip(using(settings("http://127.0.0.1:1", bad), (client) => client.details.byDtxsid(bisphenolA)))
    )
    expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
    expect(error.message).toContain(words)
    expect(error.message).not.toContain(key)
  })
})

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
