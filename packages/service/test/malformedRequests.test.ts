/** Malformed requests get a response, a log line and a count like all others. */
import { connect } from "node:net"
import type { Service } from "@chemstream/service"
import { Effect, type Scope } from "effect"
import { describe, expect, it } from "vitest"
import { knownId, queriesWith, stubService } from "./stubService.ts"
import { key, path, retryUntil, run, send } from "./testService.ts"

interface Logged {
  readonly service: Service.Service["Service"]
  readonly lines: ReadonlyArray<string>
}

const logged = (options: Partial<Service.Options> = {}): Effect.Effect<Logged, never, Scope.Scope> => {
  const lines: Array<string> = []
  const queries = queriesWith(JSON.stringify({ dtxsid: knownId }))
  return Effect.map(
    stubService(queries, { ...options, accessLog: (line) => lines.push(line) }),
    (service) => ({ service, lines })
  )
}

/** Sends text, and returns everything received until the server closes the connection. */
const exchange = ({ port }: { readonly port: number }, text: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(text))
    socket.setEncoding("utf8")
    socket.on("data", (part) => {
      received += part
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
  })

const idOf = (response: string): string | undefined => /^x-request-id: (\S+)\r$/im.exec(response)?.[1]

const get = `GET ${path}${knownId} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n`

describe("a malformed request", () => {
  it.each([
    ["that is not HTTP", 400, "nothing of the kind\r\n\r\n"],
    ["whose header has no name", 400, "GET / HTTP/1.1\r\nhost: a\r\n: x\r\n\r\n"],
    ["whose headers are too large", 431, `${get}x: ${"x".repeat(40_000)}\r\n\r\n`],
    ["whose headers do not arrive", 408, get]
  ])("%s gets a response with an id, a log line and a count", (_, status, text) =>
    run(
      Effect.gen(function* () {
        const { lines, service } = yield* logged({ requestTimeout: "200 millis" })
        const response = yield* exchange(service, text)
        expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
        const [line = "", ...others] = lines
        expect(others).toEqual([])
        expect(JSON.parse(line)).toMatchObject({
          status,
          requestId: idOf(response),
          method: null,
          path: null,
          route: null,
          remote: "127.0.0.1"
        })
        expect(JSON.parse(line).bytes).toBe(
          Buffer.byteLength(response.slice(response.indexOf("\r\n\r\n") + 4))
        )
        const metrics = yield* send(service, "/metrics")
        expect(metrics.text).toContain(
          `http_requests_total{method="other",route="unknown",status="${status}"} 1`
        )
        expect(metrics.text).toContain("http_requests_in_flight 1")
      })
    )
  )

  it("whose body does not arrive has one log line, with the id and the status of its response", () =>
    run(
      Effect.gen(function* () {
        const { lines, service } = yield* logged({ requestTimeout: "200 millis" })
        const response = yield* exchange(
          service,
          `POST ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\nx-request-id: an-id\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n[`
        )
        expect(response).toMatch(/^HTTP\/1.1 408 /)
        expect(idOf(response)).toBe("an-id")
        yield* retryUntil(
          Effect.sync(() => lines.length),
          (count) => count > 0
        )
        expect(lines.map((line) => JSON.parse(line))).toMatchObject([
          { status: 408, requestId: "an-id", method: "POST", path }
        ])
      })
    ))

  it("without a host header is 400 with a log line", () =>
    run(
      Effect.gen(function* () {
        const { lines, service } = yield* logged()
        const response = yield* exchange(service, "GET /health HTTP/1.1\r\nconnection: close\r\n\r\n")
        expect(response).toMatch(/^HTTP\/1.1 400 /)
        expect(response).toContain("no host header")
        expect(lines.map((line) => JSON.parse(line))).toMatchObject([
          { status: 400, requestId: idOf(response) }
        ])
      })
    ))

  it.each([
    ["an unknown expectation", "expect: more"],
    ["an unsupported upgrade", "connection: upgrade\r\nupgrade: websocket"]
  ])("with %s gets a response and a log line like one without", (_, header) =>
    run(
      Effect.gen(function* () {
        const { lines, service } = yield* logged({ idleTimeout: "100 millis" })
        const response = yield* exchange(service, `${get}${header}\r\n\r\n`)
        expect(response).toMatch(/^HTTP\/1.1 200 /)
        expect(lines.map((line) => JSON.parse(line))).toMatchObject([
          { status: 200, requestId: idOf(response) }
        ])
      })
    )
  )

  it("after another one on its connection does not change the first response", () =>
    run(
      Effect.gen(function* () {
        const { lines, service } = yield* logged()
        const response = yield* exchange(service, `${get}\r\n{`)
        expect(response).toMatch(/^HTTP\/1.1 200 /)
        expect(lines.length).toBeLessThanOrEqual(2)
      })
    ))
})
