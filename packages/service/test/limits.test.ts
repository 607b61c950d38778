import { type IncomingHttpHeaders, request } from "node:http"
import { connect } from "node:net"
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import { ApiKeys, Bundled, Service } from "@chemstream/service"
import { Deferred, Effect, Exit, Fiber, Option, Scope } from "effect"
import { describe, expect, it } from "vitest"
import { knownId, queriesWith, stubService } from "./stubService.ts"
import { key, path, run, send, sendBatch, type TextResponse } from "./testService.ts"

const record = `{"dtxsid":"${knownId}"}`
const found = queriesWith(record)

const problem = (response: TextResponse): Record<string, unknown> => {
  expect(response.headers.get("content-type")).toBe("application/problem+json")
  return JSON.parse(response.text)
}

/** Opens a connection for text, and collects everything received until it is closed. */
const connection = (service: Service.Service["Service"]) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly write: (text: string) => void
      readonly received: Effect.Effect<string>
      readonly closed: Effect.Effect<string>
    }>((resume) => {
      const first = Deferred.makeUnsafe<string>()
      const closed = Deferred.makeUnsafe<string>()
      let response = ""
      const socket = connect(service.port, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            write: (text) => socket.write(text),
            received: Deferred.await(first),
            closed: Deferred.await(closed),
            destroy: () => socket.destroy()
          })
        )
      )
      socket.setEncoding("utf8")
      socket.on("data", (text) => {
        response += text
        Deferred.doneUnsafe(first, Effect.succeed(response))
      })
      socket.on("error", () => {})
      socket.on("close", () => Deferred.doneUnsafe(closed, Effect.succeed(response)))
    }),
    (one) => Effect.sync(() => ("destroy" in one ? (one.destroy as () => void)() : undefined))
  )

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`

describe("a URL", () => {
  it("is accepted up to its limit, and gets 414 beyond it", () =>
    run(
      Effect.gen(function* () {
        const longest = `${path}${knownId}`
        const service = yield* stubService(found, { maxUrlLength: longest.length })
        expect((yield* send(service, longest)).status).toBe(200)
        const response = yield* send(service, `${longest}?`)
        expect(response.status).toBe(414)
        expect(problem(response)["detail"]).toContain(`${longest.length} characters`)
      })
    ))

  it("may have a value as long as the URL itself", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(found, { maxUrlLength: 100_000, maxHeaderBytes: 200_000 })
        const response = yield* send(service, `${path}${"x".repeat(90_000)}`)
        expect(response.status).toBe(400)
        expect(problem(response)["detail"]).toContain("a DTXSID")
      })
    ))
})

describe("headers", () => {
  it("get 431 beyond their limit", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(found, { maxHeaderBytes: 2000 })
        const small = yield* send(service, "/health", { headers: { filler: "x".repeat(1000) } })
        expect(small.status).toBe(200)
        const large = yield* send(service, "/health", { headers: { filler: "x".repeat(3000) } })
        expect(large.status).toBe(431)
        problem(large)
      })
    ))
})

describe("a request that does not arrive", () => {
  it.each([
    ["its headers", "GET /health HTTP/1.1\r\nHost: x\r\n"],
    ["its body", `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Length: 10\r\n\r\n["`]
  ])("gets 408 when %s take too long, and its connection is closed", (_, text) =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(found, { requestTimeout: "100 millis" })
        const one = yield* connection(service)
        one.write(text)
        const response = yield* one.closed
        expect(response).toMatch(/^HTTP\/1\.1 408 /)
        expect(response).toContain("application/problem+json")
        // On a busy machine, this request may be too slow too.
        expect([200, 408]).toContain((yield* send(service, "/health")).status)
      })
    )
  )

  it("loses its connection if it never begins", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(found, { requestTimeout: "100 millis" })
        const one = yield* connection(service)
        yield* one.closed
      })
    ))
})

describe("an idle connection", () => {
  it("is closed after the idle timeout", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(found, { idleTimeout: "50 millis" })
        const one = yield* connection(service)
        one.write(get("/health"))
        expect(yield* one.closed).toMatch(/^HTTP\/1\.1 200 /)
      })
    ))
})

/** A store whose queries wait for `finish`. `started` completes with the first query. */
const slow = Effect.gen(function* () {
  const started = yield* Deferred.make<void>()
  const finish = yield* Deferred.make<void>()
  const wait = Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(finish))
  const stored = { record: new TextEncoder().encode(record), others: null }
  return {
    started: Deferred.await(started),
    finish: Deferred.succeed(finish, undefined),
    queries: {
      detail: (dtxsid: string) => Effect.as(dtxsid === "" ? Effect.void : wait, Option.some(stored))
    }
  }
})

describe("requests in flight", () => {
  it("get responses up to the limit; one more gets 503 with retry-after; operations always respond", () =>
    run(
      Effect.gen(function* () {
        const { finish, queries, started } = yield* slow
        const service = yield* stubService(queries, { maxConcurrent: 1 })
        const first = yield* Effect.forkScoped(send(service, `${path}${knownId}`))
        yield* started
        const refused = yield* send(service, `${path}${knownId}`)
        expect(refused.status).toBe(503)
        expect(refused.headers.get("retry-after")).toBe("1")
        expect(problem(refused)["title"]).toBe("Service Unavailable")
        for (const target of ["/health", "/ready", "/metrics"]) {
          expect((yield* send(service, target)).status).toBe(200)
        }
        yield* finish
        expect((yield* Fiber.join(first)).text).toBe(record)
        expect((yield* send(service, `${path}${knownId}`)).status).toBe(200)
      })
    ))
})

describe("a service that drains", () => {
  it("responds 503 to new requests on open connections, finishes the old one, and is not ready", () =>
    run(
      Effect.gen(function* () {
        const { finish, queries, started } = yield* slow
        const scope = yield* Scope.make()
        const service = yield* Scope.provide(stubService(queries), scope)
        const [one, two, three] = yield* Effect.all([
          connection(service),
          connection(service),
          connection(service)
        ])
        // A request that has begun to arrive keeps its connection open.
        one.write(get(`${path}${knownId}`))
        two.write(get(`${path}${knownId}`).slice(0, -2))
        three.write(get("/ready").slice(0, -2))
        yield* started
        const stopped = yield* Effect.forkScoped(Scope.close(scope, Exit.void))
        yield* Effect.yieldNow
        two.write("\r\n")
        three.write("\r\n")
        for (const text of [yield* two.closed, yield* three.closed]) {
          expect(text).toMatch(/^HTTP\/1\.1 503 /)
          expect(text).toMatch(/\r\nretry-after: [1-9]\d*\r\n/i)
          expect(text).toContain("application/problem+json")
        }
        yield* finish
        expect(yield* one.closed).toContain(record)
        yield* Fiber.join(stopped)
      })
    ))

  it("cuts off unfinished responses after the stop timeout", () =>
    run(
      Effect.gen(function* () {
        const { queries, started } = yield* slow
        const scope = yield* Scope.make()
        const service = yield* Scope.provide(stubService(queries, { stopTimeout: "50 millis" }), scope)
        const one = yield* connection(service)
        one.write(get(`${path}${knownId}`))
        yield* started
        yield* Scope.close(scope, Exit.void)
        expect(yield* one.closed).not.toContain(record)
      })
    ))
})

describe("a GET of a record", () => {
  const large = `{"dtxsid":"${knownId}","preferredName":"${"x".repeat(2000)}"}`
  const plain = { headers: { "accept-encoding": "identity" } }

  it("has a strong etag, and is 304 without a body to a client that has it", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith(large))
        const first = yield* send(service, `${path}${knownId}`, plain)
        const etag = first.headers.get("etag") ?? ""
        expect(etag).toMatch(/^"[\w-]{43}"$/)
        expect(first.headers.get("cache-control")).toBe("private, no-cache")
        for (const value of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          for (const encoding of ["identity", "gzip"]) {
            const again = yield* send(service, `${path}${knownId}`, {
              headers: { "if-none-match": value, "accept-encoding": encoding }
            })
            expect([value, again.status, again.text]).toEqual([value, 304, ""])
            expect(again.headers.get("etag")).toBe(etag)
            expect(again.headers.get("vary")).toBe("Accept-Encoding")
            expect(again.headers.get("content-encoding")).toBe(null)
          }
        }
        const other = yield* send(service, `${path}${knownId}`, { headers: { "if-none-match": '"other"' } })
        expect([other.status, other.text]).toEqual([200, large])
      })
    ))

  it("has another etag in another projection, and with another record", () =>
    run(
      Effect.gen(function* () {
        const etag = (record: string, query = "") =>
          Effect.flatMap(stubService(queriesWith(record)), (service) =>
            Effect.map(send(service, `${path}${knownId}${query}`, plain), ({ headers }) =>
              headers.get("etag")
            )
          )
        const all = [
          yield* etag(large),
          yield* etag(record),
          yield* etag(record, "?projection=compact"),
          yield* etag(large)
        ]
        expect(all[3]).toBe(all[0])
        expect(new Set(all).size).toBe(3)
      })
    ))

  it("requires the key before it responds 304", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith(large))
        const response = yield* send(service, `${path}${knownId}`, {
          headers: { "if-none-match": "*", "x-api-key": "" }
        })
        expect(response.status).toBe(401)
        expect(response.headers.get("etag")).toBe(null)
      })
    ))

  it.each(["gzip", "br", "zstd", "gzip;q=0.5, identity;q=0.1", "br, gzip"])(
    "is compressed on request: %s",
    (encoding) =>
      run(
        Effect.gen(function* () {
          const service = yield* stubService(queriesWith(large))
          const response = yield* Effect.promise(() => raw(service, `${path}${knownId}`, encoding))
          expect(encoding).toContain(response.headers["content-encoding"])
          expect(response.headers["vary"]).toBe("Accept-Encoding")
          expect(response.headers["etag"]).toMatch(/^W\/"/)
          expect(Number(response.headers["content-length"])).toBe(response.body.length)
          expect(response.body.length).toBeLessThan(large.length / 2)
          expect(yield* Effect.promise(() => decompress(response))).toBe(large)
        })
      )
  )

  it("is not compressed if the client does not ask for it or refuses it, or if it is small", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith(large))
        for (const encoding of ["", "identity", "gzip;q=0", "unknown"]) {
          const response = yield* Effect.promise(() => raw(service, `${path}${knownId}`, encoding))
          expect(response.headers["content-encoding"]).toBeUndefined()
          expect(response.headers["vary"]).toBe("Accept-Encoding")
          expect(response.body.toString()).toBe(large)
        }
        const small = yield* stubService(found)
        const response = yield* Effect.promise(() => raw(small, `${path}${knownId}`, "gzip"))
        expect(response.headers["content-encoding"]).toBeUndefined()
      })
    ))
})

describe("a search", () => {
  it.each([
    ["start-with", false],
    ["contain", false],
    ["equal", true]
  ])("by %s has an etag: %s", (kind, isTagged) =>
    run(
      Effect.gen(function* () {
        const json = new TextEncoder().encode('[{"dtxsid":"DTXSID7020182"}]')
        const hits = () => Effect.succeed({ count: 1, json, isCapped: false })
        const service = yield* stubService({
          searchEqual: hits,
          searchStartWith: hits,
          searchContain: hits
        })
        const response = yield* send(service, `/chemical/search/${kind}/phenol`)
        expect([response.status, response.headers.has("etag")]).toEqual([200, isTagged])
      })
    )
  )
})

describe("a batch", () => {
  it("has no etag", () =>
    run(
      Effect.gen(function* () {
        const response = yield* sendBatch(yield* stubService(found), JSON.stringify([knownId]))
        expect([response.status, response.headers.get("etag")]).toEqual([200, null])
      })
    ))

  it("leaves the bytes of the store intact, so that the store can return them again", () =>
    run(
      Effect.gen(function* () {
        const text = JSON.stringify([{ dtxsid: knownId, preferredName: "a".repeat(100_000) }])
        const bytes = new TextEncoder().encode(text)
        const service = yield* stubService({ detailArray: () => Effect.succeed(bytes) })
        for (let n = 0; n < 2; n++)
          expect((yield* sendBatch(service, JSON.stringify([knownId]))).text).toBe(text)
      })
    ))
})

interface Raw {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Sends a GET and leaves the response compressed. */
const raw = (service: Service.Service["Service"], target: string, encoding: string): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const headers = { "x-api-key": key, ...(encoding === "" ? {} : { "accept-encoding": encoding }) }
    request(`${service.url}${target}`, { headers, agent: false }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk) => chunks.push(chunk))
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
    })
      .on("error", reject)
      .end()
  })

const decompress = async ({ body, headers }: Raw): Promise<string> => {
  switch (headers["content-encoding"]) {
    case "gzip":
      return gunzipSync(body).toString()
    case "br":
      return brotliDecompressSync(body).toString()
    default:
      return zstdDecompressSync(body).toString()
  }
}

describe("an option out of range", () => {
  it.each([
    ["requestTimeout", 0],
    ["idleTimeout", -1],
    ["writeTimeout", "soon" as never],
    ["stopTimeout", "Infinity"],
    ["maxHits", 0],
    ["searchThreads", 1.5],
    ["maxBodyBytes", Number.NaN],
    ["maxConcurrent", 0],
    ["maxConcurrentPerKey", -1],
    ["maxConnections", Number.POSITIVE_INFINITY],
    ["maxHeaderBytes", 0]
  ])("is refused before the service listens: %s %s", async (option, value) => {
    const service = Service.make({ database: Bundled.database, keys: [], [option]: value })
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(service)))
    expect(error).toMatchObject({ _tag: "InvalidOption", option, value })
  })

  it("is also refused in a rate and in the interval of a key file", async () => {
    const options = { database: Bundled.database, keys: [] }
    const timed = Service.webHandler({ ...options, rateLimit: { requests: 1, per: 0 } })
    expect(await Effect.runPromise(Effect.flip(Effect.scoped(timed)))).toMatchObject({
      option: "rateLimit.per"
    })
    const followed = ApiKeys.follow("keys", { interval: -1 })
    expect(await Effect.runPromise(Effect.flip(followed))).toMatchObject({ option: "interval" })
  })
})
