/** Clients that occupy connections and places on purpose: the service frees them without their help. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import type { Service } from "@chemstream/service"
import { Effect, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { clientOf } from "../src/internal/server/clientQuota.ts"
import { knownId, queriesWith, stubService } from "./stubService.ts"
import { key, path, retryUntil, run, send } from "./testService.ts"

type Running = Service.Service["Service"]

/** Opens a connection that sends text, never closes its side, and reads only if `isReading`. */
const hostile = (
  { port }: Running,
  text: string,
  { isReading = true }: { readonly isReading?: boolean } = {}
): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
      socket.on("error", () => {})
      if (isReading) socket.resume()
      else socket.pause()
      await once(socket, "connect")
      socket.write(text)
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const get = (target: string, headers = ""): string => `GET ${target} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`

const keyed = (target: string): string => get(target, `x-api-key: ${key}\r\n`)

const health = (service: Running): Effect.Effect<number | string> =>
  Effect.promise(() => fetch(`${service.url}/health`).then(({ status }) => status, String))

const inFlight = (service: Running): Effect.Effect<number> =>
  Effect.map(send(service, "/metrics"), ({ text }) =>
    Number(/^http_requests_in_flight (\d+)$/m.exec(text)?.[1])
  )

/** Everything that a connection receives until it is closed. */
const received = (socket: Socket): Effect.Effect<string> =>
  Effect.promise(async () => {
    const parts: Array<Buffer> = []
    socket.on("data", (part: Buffer) => parts.push(part))
    socket.resume()
    if (!socket.closed && !socket.readableEnded)
      await Promise.race([once(socket, "end"), once(socket, "close")])
    return Buffer.concat(parts).toString()
  })

const statusesOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => status ?? "")

describe("a connection whose request is refused", () => {
  it.each([
    ["408, without a byte", ""],
    ["408, within the headers", "GET /health HTTP/1.1\r\n"],
    [
      "408, within the body",
      `POST ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-length: 9\r\n\r\n[`
    ],
    ["400", "no request\r\n\r\n"],
    ["431", get("/health", `filler: ${"x".repeat(5000)}\r\n`)]
  ])("with %s, is freed although the client keeps its side open", (_, text) =>
    run(
      Effect.gen(function* () {
        const options = { requestTimeout: "300 millis", maxConnections: 8, maxHeaderBytes: 4000 } as const
        const service = yield* stubService(queriesWith("{}"), options)
        for (const isReading of [true, false]) {
          for (let n = 0; n < 8; n++) yield* hostile(service, text, { isReading })
          expect(yield* retryUntil(health(service), (status) => status === 200)).toBe(200)
        }
      })
    )
  )

  it("is closed after 16 refusals in a row before a key", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith("{}"))
        const socket = yield* hostile(service, get(`${path}${knownId}`).repeat(100), { isReading: false })
        const text = yield* received(socket)
        expect(statusesOf(text)).toEqual(Array(16).fill("401"))
        expect(text.match(/connection: close/gi)).toHaveLength(1)
      })
    ))

  it("stays open after refusals to a known key, and after a success in between", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith("{}"))
        const unknown = keyed(`${path}DTXSID9020112`).repeat(40)
        const mixed = `${get(`${path}${knownId}`).repeat(15)}${get("/health")}`.repeat(3)
        const last = get("/health", "connection: close\r\n")
        const text = yield* received(yield* hostile(service, `${unknown}${mixed}${last}`))
        expect(statusesOf(text)).toHaveLength(40 + 48 + 1)
      })
    ))
})

describe("pipelined requests", () => {
  it("of one connection are in progress 32 at a time; then the server reads no further ones", () =>
    run(
      Effect.gen(function* () {
        const waiting = { detail: () => Effect.never, detailRecord: () => Effect.never }
        const service = yield* stubService(waiting, { stopTimeout: "100 millis" })
        yield* hostile(service, keyed(`${path}${knownId}`).repeat(5000), { isReading: false })
        expect(yield* retryUntil(inFlight(service), (count) => count >= 33)).toBe(33)
        expect((yield* send(service, `${path}DTXSID9020112`, { headers: { "x-api-key": "" } })).status).toBe(
          401
        )
        expect(yield* inFlight(service)).toBe(33)
      })
    ))

  it("are all answered in order to a client that reads", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith(`{"dtxsid":"${knownId}"}`))
        const ids = Array.from({ length: 3000 }, (_, n) => (n % 3 === 0 ? knownId : "DTXSID9020112"))
        const text = ids.map((id) => keyed(`${path}${id}`)).join("")
        const last = get("/health", "connection: close\r\n")
        const statuses = statusesOf(yield* received(yield* hostile(service, `${text}${last}`)))
        expect(statuses).toEqual([...ids.map((id) => (id === knownId ? "200" : "404")), "200"])
      })
    ))

  it("without a key take no place of the requests with one", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith("{}"), { maxConcurrent: 4 })
        for (let n = 0; n < 8; n++)
          yield* hostile(service, get(`${path}${knownId}`).repeat(20_000), { isReading: false })
        for (let n = 0; n < 50; n++) expect((yield* send(service, `${path}${knownId}`)).status).toBe(200)
      })
    ))
})

describe("a path without a key", () => {
  const routes = [
    { method: "GET", path: "/page", access: "open", handle: Effect.succeed(HttpServerResponse.text("page")) },
    {
      method: "POST",
      path: "/token",
      access: "open",
      handle: Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
        Effect.map(Effect.orDie(text), (body) => HttpServerResponse.text(body))
      )
    }
  ] as const

  it("is not blocked by bodies that arrive slowly", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith("{}"), { routes })
        const slow = "POST /token HTTP/1.1\r\nhost: a\r\ncontent-length: 40\r\n\r\nx"
        for (let n = 0; n < 80; n++) yield* hostile(service, slow)
        yield* retryUntil(inFlight(service), (count) => count === 81)
        expect((yield* send(service, "/page")).status).toBe(200)
        const token = yield* send(service, "/token", { method: "POST", body: "a token" })
        expect([token.status, token.text]).toEqual([200, "a token"])
      })
    ))

  it("takes a body of at most 1024 bytes", () =>
    run(
      Effect.gen(function* () {
        const service = yield* stubService(queriesWith("{}"), { routes })
        const response = yield* send(service, "/token", { method: "POST", body: "x".repeat(1025) })
        expect([response.status, response.text]).toEqual([413, expect.stringContaining("1024 bytes")])
      })
    ))
})

it("an address has half of the connections, so that another address gets one", () =>
  run(
    Effect.gen(function* () {
      const service = yield* stubService({}, { maxConnections: 20 })
      for (let n = 0; n < 20; n++) yield* hostile(service, "")
      const other = yield* Effect.promise(
        () =>
          new Promise((resolve) => {
            const socket = connect({ port: service.port, host: "127.0.0.1", localAddress: "127.0.0.2" })
            socket.write(get("/health", "connection: close\r\n"))
            socket.on("data", (part) => resolve(String(part).slice(0, 12)))
            socket.on("error", (error) => resolve(error.message))
          })
      )
      expect(other).toBe("HTTP/1.1 200")
    })
  ))

it("the option maxConnectionsPerAddress sets the connections of an address", () =>
  run(
    Effect.gen(function* () {
      const service = yield* stubService({}, { maxConnections: 20, maxConnectionsPerAddress: 1 })
      yield* hostile(service, "")
      const second = yield* hostile(service, "")
      expect(yield* received(second)).toBe("")
    })
  ))

it("a client is an IPv4 address, or a network of IPv6 addresses", () => {
  const addresses = ["::ffff:10.0.0.1", "10.0.0.1", "2001:DB8::1", "2001:db8:0:0:5::", "fe80::1%eth0", "::1"]
  expect(addresses.map(clientOf)).toEqual([
    ...["10.0.0.1", "10.0.0.1", "2001:db8:0:0", "2001:db8:0:0", "fe80:0:0:0", "0:0:0:0"]
  ])
})
