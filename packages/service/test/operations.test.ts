import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { AccessLog, ApiKeys, Bundled, Service, Store } from "@chemstream/service"
import { Clock, Deferred, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { knownId, queriesWith, stubService } from "./stubService.ts"
import { fileOf, folder, key, path, run, send, type TextResponse } from "./testService.ts"

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

/** An operation of the OpenAPI document. */
interface Documented {
  readonly description: string
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly example?: string | number
    readonly schema: { readonly enum?: ReadonlyArray<string> }
  }>
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> }
  readonly responses: Record<string, { readonly description: string }>
}

const id = knownId
const found = queriesWith(`{"dtxsid":"${id}"}`)

const problem = (response: TextResponse): Record<string, unknown> => {
  expect(response.headers.get("content-type")).toBe("application/problem+json")
  const body = JSON.parse(response.text)
  expect(Object.keys(body)).toEqual(["type", "title", "status", "detail", "instance"])
  expect(body.status).toBe(response.status)
  return body
}

const open = { headers: { "x-api-key": "" } }

/** A clock whose wall time can be set back. */
const wallClock = Effect.map(Clock.Clock, (around) => {
  let back = 0
  const millis = () => around.currentTimeMillisUnsafe() - back
  const nanos = () => around.currentTimeNanosUnsafe() - BigInt(back) * 1_000_000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => around.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: around.monotonicTimeNanos,
    sleep: (duration) => around.sleep(duration)
  }
  const setBack = (milliseconds: number): void => {
    back = milliseconds
  }
  return { clock, setBack }
})

describe("keys of a followed file", () => {
  it("are added and revoked while the service runs", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const file = fileOf(directory, "keys", "one\n")
        const service = yield* stubService(found, { keys: yield* ApiKeys.follow(file, { interval: 0 }) })
        const status = (value: string) =>
          Effect.map(send(service, `${path}${id}`, { headers: { "x-api-key": value } }), (one) => one.status)
        expect([yield* status("one"), yield* status("two")]).toEqual([200, 401])
        fileOf(directory, "keys", "one\ntwo\n")
        expect([yield* status("one"), yield* status("two")]).toEqual([200, 200])
        fileOf(directory, "keys", "two\n")
        expect([yield* status("one"), yield* status("two")]).toEqual([401, 200])
      })
    ))

  it("refuse every request if none is left, and stay if the file is unreadable", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const source = yield* ApiKeys.follow(fileOf(directory, "keys", "one\n"), { interval: 0 })
        const { rmSync } = yield* Effect.promise(() => import("node:fs"))
        rmSync(`${directory}/keys`)
        expect(yield* source.current).toHaveLength(1)
        fileOf(directory, "keys", "# none\n")
        expect(yield* source.current).toHaveLength(0)
        fileOf(directory, "keys", "three\n")
        expect((yield* source.current).map((one) => Redacted.value(one))).toEqual(["three"])
      })
    ))

  it("are reloaded after the interval, not before", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const source = yield* ApiKeys.follow(fileOf(directory, "keys", "one\n"))
        fileOf(directory, "keys", "one\ntwo\n")
        yield* TestClock.adjust("999 millis")
        expect(yield* source.current).toHaveLength(1)
        yield* TestClock.adjust("1 millis")
        expect(yield* source.current).toHaveLength(2)
      }).pipe(Effect.provide(TestClock.layer()))
    ))

  it("are revoked in time even if the wall clock is set back", () =>
    run(
      Effect.gen(function* () {
        const { clock, setBack } = yield* wallClock
        const file = fileOf(yield* folder, "keys", "one\ntwo\n")
        const source = yield* Effect.provideService(ApiKeys.follow(file), Clock.Clock, clock)
        fileOf(dirname(file), "keys", "one\n")
        setBack(3_600_000)
        yield* TestClock.adjust("1 second")
        expect(yield* Effect.provideService(source.current, Clock.Clock, clock)).toHaveLength(1)
      }).pipe(Effect.provide(TestClock.layer()))
    ))

  it("must exist at the start", () =>
    run(
      Effect.gen(function* () {
        const error = yield* Effect.flip(ApiKeys.follow(fileOf(yield* folder, "keys", "\n")))
        expect(error).toMatchObject({ _tag: "ApiKeysError", source: "file" })
      })
    ))
})

describe("a rate limit", () => {
  it("responds 429 with retry-after to one key and not to another", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(found, {
          keys: [Redacted.make("one"), Redacted.make("two")],
          rateLimit: { requests: 2, per: "1 hour" }
        })
        const get = (value: string) =>
          send(service, `${path}${id}`, { headers: { "x-api-key": value, "accept-encoding": "identity" } })
        expect((yield* get("one")).status).toBe(200)
        expect((yield* get("one")).status).toBe(200)
        const refused = yield* get("one")
        expect(refused.status).toBe(429)
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(1700)
        expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(1800)
        expect(problem(refused)["detail"]).toContain("2 requests in 1h")
        expect((yield* get("two")).status).toBe(200)
        expect((yield* get("three")).status).toBe(401)
      })
    ))

  it("accepts a key again in time even if the wall clock is set back", () =>
    run(
      Effect.gen(function* () {
        const { clock, setBack } = yield* wallClock
        const limits = { rateLimit: { requests: 1, per: "1 minute" } } as const
        const service = yield* Effect.provideService(stubService(found, limits), Clock.Clock, clock)
        const status = Effect.map(send(service, `${path}${id}`), (response) => response.status)
        expect([yield* status, yield* status]).toEqual([200, 429])
        setBack(3_600_000)
        yield* TestClock.adjust("1 minute")
        expect(yield* status).toBe(200)
      }).pipe(Effect.provide(TestClock.layer()))
    ))
})

describe("a record", () => {
  it("is the same for GET and HEAD: status, tag, length and problem", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(found)
        const headers = ["content-type", "content-length", "etag", "cache-control", "vary", "retry-after"]
        for (const target of [
          `${path}${id}`,
          `${path}${id}?projection=compact`,
          `${path}${id}?other=1`,
          `${path}DTXSID9020112`,
          `${path}${id}?projection=none`,
          `${path}DTXSID7020183`
        ]) {
          const sendWith = (method: string) =>
            Effect.map(
              send(service, target, {
                method,
                headers: { "x-api-key": key, "accept-encoding": "identity" }
              }),
              (response) => [target, response.status, ...headers.map((name) => response.headers.get(name))]
            )
          expect(yield* sendWith("GET")).toEqual(yield* sendWith("HEAD"))
        }
      })
    ))
})

describe("the operations", () => {
  it("need no key", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(found, { keys: [] })
        for (const target of ["/", "/health", "/ready", "/metrics", "/openapi.json", "/docs"]) {
          expect([target, (yield* send(service, target, open)).status]).toEqual([target, 200])
        }
      })
    ))

  it("respond 503 to /ready while the database does not respond, and 200 to /health", () =>
    run(
      Effect.gen(function* () {
        const error = new Store.StoreError({ database: "x", reason: "failed", message: "s3cret path" })
        const service = yield* stubService({ detail: () => Effect.fail(error) })
        const response = yield* send(service, "/ready", open)
        expect(response.status).toBe(503)
        expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
        expect(problem(response)["detail"]).toBe("The database does not respond")
        expect((yield* send(service, "/health", open)).text).toBe('{"status":"ok"}')
      })
    ))

  it("count requests by endpoint, method and status, never by texts of a client", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(found)
        yield* send(service, `${path}${id}`)
        yield* send(service, `${path}${id}`, { method: "HEAD" })
        yield* send(service, `${path}DTXSID9020112`)
        yield* send(service, "/s3cret/path")
        yield* send(service, "/s3cret/path", { method: "PROPFIND" })
        const response = yield* send(service, "/metrics", open)
        expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
        const lines = response.text.split("\n")
        const route = 'route="/chemical/detail/search/by-dtxsid/:dtxsid"'
        expect(lines).toContain(`http_requests_total{method="GET",${route},status="200"} 1`)
        expect(lines).toContain(`http_requests_total{method="HEAD",${route},status="200"} 1`)
        expect(lines).toContain(`http_requests_total{method="GET",${route},status="404"} 1`)
        expect(lines).toContain('http_requests_total{method="GET",route="unknown",status="404"} 1')
        expect(lines).toContain('http_requests_total{method="other",route="unknown",status="404"} 1')
        expect(lines).toContain(`http_request_duration_seconds_count{${route}} 3`)
        expect(lines).toContain("http_requests_in_flight 1")
        expect(response.text).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m)
        expect(response.text).not.toContain("s3cret")
      })
    ))

  it("have /metrics only on its own port if one is set", () =>
    run(
      Effect.gen(function* () {
        const service = yield* Service.make({
          database: Bundled.database,
          keys: [Redacted.make(key)],
          metricsPort: 0
        })
        expect((yield* send(service, "/metrics", open)).status).toBe(404)
        yield* send(service, `${path}${id}`)
        const metrics = { url: service.metricsUrl }
        expect(service.metricsUrl).not.toBe(service.url)
        const { text } = yield* send(metrics, "/metrics", open)
        expect(text).toContain(`http_requests_total{method="GET",route="${path}:dtxsid",status="200"} 1`)
        for (const target of ["/health", `${path}${id}`]) {
          const response = yield* send(metrics, target)
          expect([target, response.status]).toEqual([target, 404])
          expect(problem(response)["instance"]).toBe(target)
          expect(response.headers.get("x-request-id")).not.toBeNull()
        }
      })
    ))

  it("have the contract at /openapi.json", () =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* stubService({}), "/openapi.json", open)
        const document = JSON.parse(response.text)
        expect(document.openapi).toBe("3.1.0")
        expect(document.paths).toHaveProperty([`${path}{dtxsid}`])
        expect(document.servers).toEqual([{ url: "/", description: "This service" }])
        expect(document.info.version).toBe(manifest.version)
      })
    ))

  it("describe every operation at /openapi.json with an example of its input", () =>
    run(
      Effect.gen(function* () {
        const document = JSON.parse((yield* send(yield* stubService({}), "/openapi.json", open)).text)
        const operations = Object.entries<Record<string, Documented>>(document.paths).flatMap(
          ([at, methods]) => Object.entries(methods).map(([method, operation]) => ({ at, method, operation }))
        )
        expect(operations.length).toBeGreaterThan(30)
        for (const { at, method, operation } of operations) {
          const { description, parameters, requestBody, responses } = operation
          expect(description, at).toMatch(/^[A-Z][^.]+\. .+\.$/)
          for (const { example, name, schema } of parameters) {
            if (schema.enum === undefined) expect(example, `${at} ${name}`).toBeDefined()
          }
          if (method === "post") expect(requestBody?.content["application/json"]?.example, at).toBeDefined()
          const statuses = ["200", "304", "400", "401", "405", "408", "414", "429", "431", "500", "503"]
          for (const status of [...statuses, ...(method === "post" ? ["413", "415"] : [])]) {
            expect(responses[status]?.description, `${at} ${status}`).toMatch(/\S/)
          }
        }
      })
    ))

  it("respond to the examples of /openapi.json with a listed status, and never as malformed", () =>
    run(
      Effect.gen(function* () {
        const service = yield* Service.make({ database: Bundled.database, keys: [Redacted.make(key)] })
        const document = JSON.parse((yield* send(service, "/openapi.json", open)).text)
        for (const [at, methods] of Object.entries<Record<string, Documented>>(document.paths)) {
          for (const [method, { description, parameters, requestBody, responses }] of Object.entries(
            methods
          )) {
            let target = at
            const query = new URLSearchParams()
            for (const { example, in: place, name, required } of parameters) {
              if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(String(example)))
              else if (required) query.set(name, String(example))
            }
            const body = requestBody?.content["application/json"]?.example
            const { status } = yield* send(service, query.size > 0 ? `${target}?${query}` : target, {
              method: method.toUpperCase(),
              ...(body === undefined
                ? {}
                : {
                    body: JSON.stringify(body),
                    headers: { "x-api-key": key, "content-type": "application/json" }
                  })
            })
            const misses = description?.includes("gets a 400") ? [400] : [404]
            expect([200, ...misses], `${method} ${target}`).toContain(status)
            expect(responses, `${method} ${at}`).toHaveProperty(String(status))
          }
        }
      })
    ))

  it("have a page at / that describes the service, and links the documentation", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService({})
        const response = yield* send(service, "/", open)
        expect(response.headers.get("content-type")).toMatch(/^text\/html/)
        expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; /)
        expect(response.text).toContain("Chemical information service")
        const links = [...response.text.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link)
        expect(links).toEqual(["/docs", "/openapi.json", "/health"])
        for (const link of links) expect((yield* send(service, link, open)).status).toBe(200)
      })
    ))

  it("have a complete page at /docs that may load nothing from other hosts", () =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* stubService({}), "/docs", open)
        expect(response.headers.get("content-type")).toMatch(/^text\/html/)
        expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; /)
        expect(response.text).toContain(`${path}{dtxsid}`)
        const outside = /<script\b[^>]*\bsrc=|<link\b[^>]*\bhref=|@import|url\(["']?https?:/i
        const page = response.text.replace(/<script>[\s\S]*?<\/script>/g, "")
        expect(page).not.toMatch(outside)
      })
    ))

  it("respond with problems like every other path", () =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* stubService({}), "/metrics", { method: "POST", ...open })
        expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"])
        problem(response)
      })
    ))
})

describe("a request id", () => {
  it.each(["a-1", "0af7651916cd43dd8448eb211c80319c", "x".repeat(128)])("that is valid is kept: %s", (sane) =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* stubService({}), "/health", {
          headers: { "x-request-id": sane }
        })
        expect(response.headers.get("x-request-id")).toBe(sane)
      })
    )
  )

  it.each(["", "a b", '"}', "x".repeat(129), "é"])("that is invalid is replaced: %s", (odd) =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService({})
        const get = send(service, "/nothing", { headers: { "x-request-id": odd } })
        const [one, two] = [yield* get, yield* get].map((response) => response.headers.get("x-request-id"))
        expect(one).toMatch(/^[0-9a-f-]{36}$/)
        expect(two).not.toBe(one)
      })
    )
  )
})

describe("the access log", () => {
  const logging = (queries: Partial<Store.Queries>, options: Partial<Service.Options> = {}) =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const service = yield* stubService(queries, { ...options, accessLog: (line) => lines.push(line) })
      return { service, lines }
    })

  it("has one line of JSON for each request, whatever the response", () =>
    run(
      Effect.gen(function* () {
        const { lines, service } = yield* logging(found)
        const get = { headers: { "accept-encoding": "identity", "x-request-id": "a-1" } }
        yield* send(service, `${path}${id}?projection=compact`, get)
        const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        yield* send(service, `${path}${id}`, { headers: { "x-api-key": "no", traceparent } })
        yield* send(service, "/%zz", { headers: { traceparent: `${key}-1` } })
        const entries = lines.map((line) => JSON.parse(line))
        expect(entries.map(({ status }) => status)).toEqual([200, 401, 400])
        expect(entries.map(({ traceId }) => traceId)).toEqual([
          null,
          "0af7651916cd43dd8448eb211c80319c",
          null
        ])
        expect(entries[0]).toMatchObject({
          requestId: "a-1",
          method: "GET",
          path: `${path}${id}`,
          route: `${path}:dtxsid`,
          remote: "127.0.0.1"
        })
        expect(entries[0].bytes).toBeGreaterThan(0)
        expect(entries[0].time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        expect(entries[0].milliseconds).toBeGreaterThan(0)
        expect(entries[2].route).toBe(null)
      })
    ))

  it("has the right duration of a response even if the wall clock is set back", () =>
    run(
      Effect.gen(function* () {
        const { clock, setBack } = yield* wallClock
        const detail: Store.Queries["detail"] = (...pending) =>
          Effect.suspend(() => {
            setBack(3_600_000)
            return found.detail?.(...pending) ?? Effect.die("it knows nothing")
          })
        const { lines, service } = yield* Effect.provideService(
          logging({ ...found, detail }),
          Clock.Clock,
          clock
        )
        yield* send(service, `${path}${id}`)
        expect(JSON.parse(lines[0] ?? "").milliseconds).toBeGreaterThan(0)
      })
    ))

  it("never has a key, right or wrong, in any place", () =>
    run(
      Effect.gen(function* () {
        const { lines, service } = yield* logging(found)
        yield* send(service, `${path}${id}`)
        yield* send(service, `${path}${id}`, { headers: { "x-api-key": "a-wrong-key" } })
        yield* send(service, `${path}${id}?api_key=${key}`, { headers: { "x-request-id": `${key} ` } })
        expect(lines).toHaveLength(3)
        expect(lines.join()).not.toContain("a-wrong-key")
        expect(lines.join()).not.toContain(`api_key`)
      })
    ))

  it("has a request whose client disconnected", () =>
    run(
      Effect.gen(function* () {
        const started = yield* Deferred.make<void>()
        const logged = yield* Deferred.make<string>()
        const service = yield* stubService(
          { detail: () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never) },
          { accessLog: (line) => Deferred.doneUnsafe(logged, Effect.succeed(line)) }
        )
        const stop = new AbortController()
        const fiber = yield* Effect.forkScoped(
          Effect.promise(() =>
            fetch(`${service.url}${path}${id}`, { headers: { "x-api-key": key }, signal: stop.signal }).catch(
              () => "gone"
            )
          )
        )
        yield* Deferred.await(started)
        stop.abort()
        expect(yield* Fiber.join(fiber)).toBe("gone")
        expect(JSON.parse(yield* Deferred.await(logged))).toMatchObject({ status: 499, path: `${path}${id}` })
      })
    ))

  it("cuts a path that is too long", () => {
    const entry = {
      time: 0,
      requestId: "a",
      traceId: null,
      method: "GET",
      route: null,
      status: 414,
      bytes: 0,
      milliseconds: 1 / 3,
      remote: null
    }
    const line = JSON.parse(AccessLog.format({ ...entry, path: `/${"x".repeat(5000)}` }))
    expect(line.path).toHaveLength(1001)
    expect(line.milliseconds).toBe(0.333)
  })

  it("writes several lines at once, drops lines if the reader is slow, and reports their number", () =>
    run(
      Effect.gen(function* () {
        const texts: Array<string> = []
        const waiting: Array<() => void> = []
        const arrived = yield* Deferred.make<void>()
        const output = {
          write: (text: string, written: () => void) => {
            texts.push(text)
            waiting.push(written)
            Deferred.doneUnsafe(arrived, Effect.void)
          }
        }
        const write = yield* AccessLog.stderr({ output, maxPending: 10 })
        write("one")
        write("two")
        yield* Deferred.await(arrived)
        expect(texts).toEqual(["one\ntwo\n"])
        write("three")
        write("four")
        write("five")
        write("six")
        expect(texts).toHaveLength(1)
        waiting[0]?.()
        const [three, four, dropped = "", ...rest] = (texts[1] ?? "").split("\n")
        expect([three, four, rest]).toEqual(["three", "four", [""]])
        expect(JSON.parse(dropped)).toEqual({
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          level: "warning",
          message: "2 lines of the access log are missing: standard error was not read fast enough",
          traceId: null,
          droppedLines: 2
        })
      })
    ))

  it("writes pending lines when it is closed", () =>
    run(
      Effect.gen(function* () {
        const texts: Array<string> = []
        yield* Effect.scoped(
          Effect.gen(function* () {
            const write = yield* AccessLog.stderr({ output: { write: (text) => texts.push(text) } })
            write("one")
          })
        )
        expect(texts).toEqual(["one\n"])
      })
    ))
})
