/** Clients that do not read their responses, or have too many requests in flight. */
import { connect, type Socket } from "node:net"
import type { Service } from "@chemstream/service"
import { Deferred, Effect, Redacted, type Scope } from "effect"
import { describe, expect, it } from "vitest"
import { knownId, queriesWith, stubService } from "./stubService.ts"
import { key, path, retryUntil, run, send } from "./testService.ts"

// More bytes than the system buffers for a client that does not read.
const large = JSON.stringify({ dtxsid: knownId, iupacName: "x".repeat(12_000_000) })

/** Opens a connection that sends text and reads nothing, until the scope closes. */
const stalled = (
  { port }: { readonly port: number },
  text: string
): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(text, () => resume(Effect.succeed(socket)))
      })
      socket.on("error", () => {})
      socket.pause()
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const get = (target: string, credential = key): string =>
  `GET ${target} HTTP/1.1\r\nhost: service\r\nx-api-key: ${credential}\r\n\r\n`

const inFlight = (service: Service.Service["Service"]): Effect.Effect<number> =>
  Effect.map(send(service, "/metrics"), ({ text }) =>
    Number(/^http_requests_in_flight (\d+)$/m.exec(text)?.[1])
  )

const countResponses = (service: Service.Service["Service"], route: string): Effect.Effect<number> =>
  Effect.map(send(service, "/metrics"), ({ text }) =>
    [...text.matchAll(/^http_requests_total\{(.*)\} (\d+)$/gm)]
      .filter(([, labels]) => labels?.includes(`route="${route}"`))
      .reduce((sum, [, , count]) => sum + Number(count), 0)
  )

const status = (service: Service.Service["Service"], credential = key): Effect.Effect<number> =>
  Effect.map(
    send(service, `${path}DTXSID9020112`, { headers: { "x-api-key": credential } }),
    (response) => response.status
  )

describe("clients that do not read", () => {
  it("occupy their slots only for the write timeout, with one request or several", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith(large), {
          maxConcurrent: 8,
          writeTimeout: "3 seconds"
        })
        for (let n = 0; n < 4; n++) yield* stalled(service, get(`${path}${knownId}`).repeat(2))
        expect(yield* retryUntil(status(service), (code) => code !== 404)).toBe(503)
        expect(yield* retryUntil(status(service), (code) => code !== 503)).toBe(404)
      })
    ))

  it("also occupy their slots with a small response that waits behind a large one", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith(large), { maxConcurrent: 4, writeTimeout: "1 minute" })
        const targets = [`${path}${knownId}`, ...Array(3).fill(`${path}DTXSID9020112`)]
        const socket = yield* stalled(service, targets.map((target) => get(target)).join(""))
        expect(yield* retryUntil(status(service), (code) => code !== 404)).toBe(503)
        // The four pending responses, and the request for the metrics.
        expect(yield* retryUntil(inFlight(service), (requests) => requests >= 5)).toBe(5)
        socket.destroy()
        expect(yield* retryUntil(status(service), (code) => code !== 503)).toBe(404)
      })
    ))

  it("are not cut off while they read, even slowly", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith(large), { writeTimeout: "2 seconds" })
        const socket = yield* stalled(service, get(`${path}${knownId}`))
        const received = yield* Effect.callback<number>((resume) => {
          let bytes = 0
          socket.on("data", (part) => {
            bytes += part.length
            socket.pause()
            if (bytes > 12_000_000) return resume(Effect.succeed(bytes))
            setTimeout(() => socket.resume(), 15)
          })
          socket.on("close", () => resume(Effect.succeed(bytes)))
          socket.resume()
        })
        expect(received).toBeGreaterThan(12_000_000)
      })
    ))

  it("are not mistaken for slow readers while the service works on their request", () =>
    run(
      Effect.gen(function* () {
        const release = yield* Deferred.make<void>()
        const { detail } = queriesWith(JSON.stringify({ dtxsid: knownId }))
        const service = yield* stubService(
          {
            detail: (...args) =>
              Effect.andThen(
                Deferred.await(release),
                Effect.suspend(() => detail?.(...args) ?? Effect.die("none"))
              )
          },
          { writeTimeout: "1 second" }
        )
        const socket = yield* stalled(service, get(`${path}${knownId}`))
        yield* Effect.sleep("1500 millis")
        yield* Deferred.succeed(release, undefined)
        const text = yield* Effect.callback<string>((resume) => {
          socket.once("data", (part) => resume(Effect.succeed(String(part))))
          socket.resume()
        })
        expect(text).toMatch(/^HTTP\/1.1 200 /)
      })
    ))
})

describe("the requests in flight of one key", () => {
  const waiting = { detail: () => Effect.never, detailRecord: () => Effect.never }

  it("are limited to a quarter of all, at least 8; one more is 429 with retry-after, and other keys are served", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(
          { ...waiting, records: () => Effect.succeed({ records: [], next: undefined }) },
          { keys: [Redacted.make("one"), Redacted.make("two")], maxConcurrent: 40 }
        )
        const synonyms = (credential: string) =>
          send(service, `/chemical/synonym/search/by-dtxsid/${knownId}`, {
            headers: { "x-api-key": credential }
          })
        const sockets = []
        for (let n = 0; n < 10; n++) sockets.push(yield* stalled(service, get(`${path}${knownId}`, "one")))
        yield* retryUntil(inFlight(service), (count) => count === 11)
        const refused = yield* synonyms("one")
        expect(refused.status).toBe(429)
        expect(refused.headers.get("retry-after")).toBe("1")
        expect(JSON.parse(refused.text).detail).toContain("10 requests in flight")
        expect((yield* synonyms("two")).status).toBe(404)
        sockets[0]?.destroy()
        expect((yield* retryUntil(synonyms("one"), (response) => response.status !== 429)).status).toBe(404)
      })
    ))

  it.each([
    ["8 of 12", 12, {}, 8],
    ["the option maxConcurrentPerKey", 12, { maxConcurrentPerKey: 3 }, 3],
    ["all, if these are fewer than 8", 4, {}, 4]
  ])("are limited to %s", (_, maxConcurrent, options, limit) =>
    run(
      Effect.gen(function* () {
        const keys = [Redacted.make("one"), Redacted.make("two")]
        const service = yield* stubService(waiting, { keys, maxConcurrent, ...options })
        for (let n = 0; n < limit; n++) yield* stalled(service, get(`${path}${knownId}`, "one"))
        yield* retryUntil(inFlight(service), (count) => count === limit + 1)
        expect([429, 503]).toContain(yield* status(service, "one"))
      })
    )
  )

  it("are not limited further with a single key", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(waiting, { maxConcurrent: 12 })
        for (let n = 0; n < 12; n++) yield* stalled(service, get(`${path}${knownId}`))
        yield* retryUntil(inFlight(service), (count) => count === 13)
        expect(yield* status(service)).toBe(503)
      })
    ))
})

it("closes a connection above the limit of open connections", () =>
  run(
    Effect.gen(function* () {
      const service = yield* stubService({}, { maxConnections: 2 })
      for (let n = 0; n < 2; n++) yield* stalled(service, "GET /health HTTP/1.1\r\n")
      const third = yield* stalled(service, "")
      const closed = yield* Effect.callback<boolean>((resume) => {
        third.once("close", () => resume(Effect.succeed(true)))
        third.resume()
      })
      expect(closed).toBe(true)
    })
  ))

it("sends the large pages without a key to a few clients at once", () =>
  run(
    Effect.gen(function* () {
      const service = yield* stubService({}, { idleTimeout: "200 millis" })
      expect((yield* send(service, "/docs")).status).toBe(200)
      const socket = yield* stalled(service, "GET /docs HTTP/1.1\r\nhost: a\r\n\r\n".repeat(20))
      yield* retryUntil(countResponses(service, "/docs"), (count) => count === 21)
      const text = yield* Effect.callback<string>((resume) => {
        const parts: Array<Buffer> = []
        socket.on("data", (part: Buffer) => parts.push(part))
        socket.on("close", () => resume(Effect.succeed(Buffer.concat(parts).toString())))
        socket.resume()
      })
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => status)
      expect(statuses).toEqual([...Array(8).fill("200"), ...Array(12).fill("503")])
      expect((yield* send(service, "/openapi.json")).status).toBe(200)
    })
  ))
