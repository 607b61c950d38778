import { once } from "node:events"
import { request } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { DetailProjection, Details, Dtxsid } from "@chemstream/api"
import { HttpListener, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import {
  databaseOf,
  key,
  path,
  run,
  send,
  sendBatch,
  serviceOf,
  sharedService,
  type TextResponse
} from "./testService.ts"

const known = "DTXSID7020182"
const unknown = "DTXSID9020112"
const record = `{"dtxsid":"${known}","preferredName":"Bisphenol A"}`
const limit = Details.byDtxsid.batch.limit

const shared = sharedService({ details: [record] })

const problem = (response: TextResponse): Record<string, unknown> => {
  expect(response.headers.get("content-type")).toBe("application/problem+json")
  const body = JSON.parse(response.text)
  expect(Object.keys(body)).toEqual(["type", "title", "status", "detail", "instance"])
  expect(body.type).toBe("about:blank")
  expect(body.status).toBe(response.status)
  return body
}

describe("a GET by dtxsid", () => {
  it("returns the record as JSON", () =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* shared, `${path}${known}`)
        expect(response.status).toBe(200)
        expect(response.headers.get("content-type")).toBe("application/json")
        expect(response.text).toBe(record)
      })
    ))

  it("responds 404 and names the unknown identifier", () =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* shared, `${path}${unknown}`)
        expect(response.status).toBe(404)
        const { title, detail, instance } = problem(response)
        expect(title).toBe("Not Found")
        expect(detail).toContain(unknown)
        expect(instance).toBe(`${path}${unknown}`)
      })
    ))

  it("responds 400 and quotes the malformed identifier, even a long or unusual one", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        for (const value of ["BPA", "dtxsid7020182", "%00", "a%2Fb", "..%2F..", "%CE%B1", "x".repeat(9000)]) {
          const response = yield* send(service, `${path}${value}`)
          expect(response.status).toBe(400)
          expect(problem(response)["detail"]).toContain("a DTXSID, e.g. DTXSID7020182, got ")
          expect(String(problem(response)["detail"]).length).toBeLessThan(200)
        }
      })
    ))

  it("responds 400 to an unknown projection or two projections, and lists the known ones", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        for (const query of ["projection=all", "projection=compact&projection=compact", "projection="]) {
          const response = yield* send(service, `${path}${known}?${query}`)
          expect(response.status).toBe(400)
          for (const name of DetailProjection.names)
            expect(problem(response)["detail"]).toContain(`"${name}"`)
        }
      })
    ))

  it("responds to HEAD as to GET, without the body", () =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* shared, `${path}${known}`, { method: "HEAD" })
        expect(response.status).toBe(200)
        expect(response.headers.get("content-length")).toBe(String(record.length))
        expect(response.text).toBe("")
      })
    ))
})

describe("a POST of a batch", () => {
  it("returns each known identifier once, without unknown ones", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const response = yield* sendBatch(service, JSON.stringify([known, unknown, known]))
        expect(response.status).toBe(200)
        expect(response.headers.get("content-type")).toBe("application/json")
        expect(response.text).toBe(`[${record}]`)
        expect((yield* sendBatch(service, JSON.stringify([unknown]))).text).toBe("[]")
      })
    ))

  it("accepts a full batch, and responds 413 with limit and size to a larger one", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const batch = Array.from({ length: limit + 1 }, (_, i) => Dtxsid.fromNumber(100_000 + i))
        expect((yield* sendBatch(service, JSON.stringify(batch.slice(1)))).status).toBe(200)
        const response = yield* sendBatch(service, JSON.stringify(batch))
        expect(response.status).toBe(413)
        expect(problem(response)["detail"]).toContain("1001")
        expect(problem(response)["detail"]).toContain("at most 1000")
      })
    ))

  it("responds 400 to an empty list", () =>
    run(
      Effect.gen(function* () {
        const response = yield* sendBatch(yield* shared, "[]")
        expect(response.status).toBe(400)
        expect(problem(response)["detail"]).toContain("empty")
      })
    ))

  it("responds 400 with the index and the value of a malformed element", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const cases: ReadonlyArray<readonly [unknown, string]> = [
          ["BPA", '"BPA"'],
          [7020182, "7020182"],
          [null, "null"],
          [{ dtxsid: known }, "an object"],
          [[known], "an array"]
        ]
        for (const [value, quoted] of cases) {
          const response = yield* sendBatch(service, JSON.stringify([known, value]))
          expect(response.status).toBe(400)
          expect(problem(response)["detail"]).toContain("Element 1 ")
          expect(problem(response)["detail"]).toContain(`got ${quoted}`)
        }
      })
    ))

  it("responds 400 (Failed to read request) to a body that is not a JSON list", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        for (const body of ["", "{", "nothing", "null", "{}", `"${known}"`, "7", `["${known}",]`]) {
          const response = yield* sendBatch(service, body)
          expect(response.status).toBe(400)
          expect(problem(response)["detail"]).toMatch(/^Failed to read request/)
        }
      })
    ))

  it("responds 400 to a list nested as deeply as a body can be", () =>
    run(
      Effect.gen(function* () {
        const depth = Service.defaults.maxBodyBytes / 2
        const response = yield* sendBatch(yield* shared, "[".repeat(depth) + "]".repeat(depth))
        expect(response.status).toBe(400)
        problem(response)
      })
    ))

  it("responds 413 to a body one byte over the limit", () =>
    run(
      Effect.gen(function* () {
        const body = JSON.stringify([known])
        const service = yield* serviceOf([record], { maxBodyBytes: body.length })
        expect((yield* sendBatch(service, body)).status).toBe(200)
        const response = yield* sendBatch(service, `${body} `)
        expect(response.status).toBe(413)
        expect(problem(response)["detail"]).toContain(`${body.length} bytes`)
      })
    ))

  it("responds 415 to a body with another content type", () =>
    run(
      Effect.gen(function* () {
        const response = yield* sendBatch(yield* shared, "[]", "", { "content-type": "text/plain" })
        expect(response.status).toBe(415)
        expect(problem(response)["detail"]).toContain("application/json")
      })
    ))
})

describe("paths and methods", () => {
  it.each([
    ["GET", path, 405, "POST"],
    ["PUT", path, 405, "POST"],
    ["DELETE", `${path}${known}`, 405, "GET"],
    ["POST", `${path}${known}`, 405, "GET"],
    ["POST", "/health", 405, "GET"],
    ["POST", path.slice(0, -1), 404, null],
    ["GET", path.slice(0, -1), 404, null],
    ["GET", `/${path}${known}`, 404, null],
    ["GET", `${path}${known}/`, 404, null],
    ["GET", `${path.toUpperCase()}${known}`, 404, null],
    ["GET", "/chemical/nothing?x=1", 404, null],
    ["GET", `${path}%zz`, 400, null]
  ] as const)("responds to %s %s with %i", (method, target, status, allow) =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* shared, target, { method })
        expect(response.status).toBe(status)
        expect(response.headers.get("allow")).toBe(allow)
        const { detail, instance } = problem(response)
        expect(instance).toBe(target.split("?")[0])
        if (status === 404) expect(detail).toMatch(/^No static resource /)
      })
    )
  )

  it("responds to /health without a key", () =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* shared, "/health", { headers: { "x-api-key": "" } })
        expect(response.status).toBe(200)
        expect(response.text).toBe('{"status":"ok"}')
      })
    ))

  it("responds to a request line that is too long, and to one that is not HTTP, with problems", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const answers = yield* Effect.promise(() =>
          Promise.all([
            raw(service.port, `GET /${"x".repeat(100_000)} HTTP/1.1\r\n\r\n`),
            raw(service.port, "hello\r\n\r\n")
          ])
        )
        expect(answers[0]).toMatch(/^HTTP\/1.1 431 /)
        expect(answers[1]).toMatch(/^HTTP\/1.1 400 /)
        for (const response of answers) expect(response).toContain("application/problem+json")
        expect((yield* send(service, "/health")).status).toBe(200)
      })
    ))
})

describe("access", () => {
  it.each([
    ["no key", {}],
    ["an empty key", { "x-api-key": "" }],
    ["a wrong key", { "x-api-key": "the-wrong-key" }],
    ["the beginning of a key", { "x-api-key": key.slice(0, -1) }],
    ["a key in another header", { authorization: `Bearer ${key}` }]
  ])("responds 401 to %s, whatever else is wrong with the request", (_, headers) =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        for (const init of [
          { target: `${path}${known}` },
          { target: `${path}BPA?projection=x` },
          { target: path, body: "{" }
        ]) {
          const status = yield* Effect.promise(() => statusOf(service, init, headers))
          expect(status).toBe(401)
        }
      })
    )
  )

  it("accepts any of several keys", () =>
    run(
      Effect.gen(function* () {
        const service = yield* serviceOf([record], { keys: [Redacted.make("one"), Redacted.make("two")] })
        for (const [value, status] of [
          ["one", 200],
          ["two", 200],
          ["one,two", 401]
        ] as const) {
          const response = yield* send(service, `${path}${known}`, { headers: { "x-api-key": value } })
          expect(response.status).toBe(status)
        }
      })
    ))

  it("names the missing header in the 401, and does not repeat the key", () =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* shared, `${path}${known}`, {
          headers: { "x-api-key": "s3cret-guess" }
        })
        expect(problem(response)["detail"]).toContain("x-api-key")
        expect(response.text).not.toContain("s3cret-guess")
      })
    ))
})

describe("a service without a port", () => {
  it("responds like one with a port", () =>
    run(
      Effect.gen(function* () {
        const database = yield* databaseOf([record])
        const handle = yield* Service.webHandler({ database, keys: [Redacted.make(key)] })
        const get = (target: string, value: string) =>
          Effect.promise(() =>
            handle(new Request(`http://service${target}`, { headers: { "x-api-key": value } }))
          )
        const found = yield* get(`${path}${known}`, key)
        expect(found.status).toBe(200)
        expect(yield* Effect.promise(() => found.text())).toBe(record)
        const refused = yield* get(`${path}${known}`, "no")
        expect(refused.status).toBe(401)
        expect(refused.headers.get("content-type")).toBe("application/problem+json")
        expect((yield* get("/nothing", key)).status).toBe(404)
      })
    ))
})

const raw = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let response = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(text))
    socket.setEncoding("utf8")
    socket.on("data", (data) => {
      response += data
    })
    socket.on("close", () => resolve(response))
    socket.on("error", reject)
  })

// With `node:http`, which adds only the headers named here.
const statusOf = (
  service: Service.Service["Service"],
  { target, body }: { readonly target: string; readonly body?: string },
  headers: Record<string, string>
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${service.url}${target}`,
      { method: body === undefined ? "GET" : "POST", headers, agent: false },
      (response) => {
        response.resume()
        response.on("end", () => resolve(response.statusCode))
      }
    )
    sent.on("error", reject)
    sent.end(body)
  })

describe("a request that almost fits the contract", () => {
  it.each([
    [`${path}${known}?projektion=compact`, '"projektion"', "projection"],
    [`${path}${known}?projection=compact&a=1&b=2`, '"a", "b"', "projection"],
    ["/chemical/all?page=2", '"page"', "next, projection"],
    ["/chemical/search/equal/Bisphenol%20A?limit=1", '"limit"', "takes none"]
  ])(
    "is 400 with an unknown query parameter; the response names it and the allowed ones: %s",
    (target, names, allowed) =>
      run(
        Effect.gen(function* () {
          const response = yield* send(yield* shared, target)
          expect(response.status).toBe(400)
          const detail = String(problem(response)["detail"])
          expect(detail).toContain(names)
          expect(detail).toContain(allowed)
        })
      )
  )

  it("is 400 with many unknown query parameters; the response names some of them and quotes no value", () =>
    run(
      Effect.gen(function* () {
        const query = Array.from({ length: 1000 }, (_, n) => `p${n}=s3cret`).join("&")
        const detail = String(problem(yield* send(yield* shared, `${path}${known}?${query}`))["detail"])
        expect(detail).toContain('"p0"')
        expect(detail.length).toBeLessThan(200)
        expect(detail).not.toContain("s3cret")
      })
    ))

  it.each([";foo", ";projection=compact", "%3Bfoo"])(
    "may have a semicolon in a value of its path: %s",
    (rest) =>
      run(
        Effect.gen(function* () {
          const lines: Array<string> = []
          const service = yield* serviceOf([record], { accessLog: (line) => lines.push(line) })
          const word = `/chemical/search/equal/Bisphenol%20A`
          expect((yield* send(service, word)).status).toBe(200)
          const response = yield* send(service, `${word}${rest}`)
          expect(response.status).toBe(400)
          expect(JSON.parse(response.text).detail).toContain(`'Bisphenol A${decodeURIComponent(rest)}'`)
          expect(JSON.parse(lines[1] ?? "")).toMatchObject({
            path: `${word}${rest}`,
            route: "/chemical/search/equal/:word"
          })
          expect((yield* send(service, `${path}${known}${rest}`)).status).toBe(400)
        })
      )
  )
})

it("a request is answered although it arrives between the begin of listening and the application", () =>
  Effect.gen(function* () {
    const server = yield* HttpListener.make({})
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
    const { port } = server.address() as AddressInfo
    const exchanges = ["/first", "/second"].map(async (path) => {
      const socket = connect(port, "127.0.0.1")
      socket.setEncoding("utf8")
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`
      )
      // The server has read the request.
      const [interim] = await once(socket, "data")
      return { interim, rest: once(socket, "data").then(([text]) => text) }
    })
    const arrived = yield* Effect.promise(() => Promise.all(exchanges))
    server.on("request", ({ url }, response) => response.end(`the answer to ${url}`))
    const [first, second] = yield* Effect.promise(() => Promise.all(arrived.map(({ rest }) => rest)))
    expect(arrived.map(({ interim }) => interim)).toEqual(Array(2).fill("HTTP/1.1 100 Continue\r\n\r\n"))
    expect(first).toMatch(/200 OK.*the answer to \/first/s)
    expect(second).toMatch(/200 OK.*the answer to \/second/s)
  }).pipe(Effect.scoped, Effect.runPromise))
