/** The keys, errors, layout, headers and connections of the public service. */
import { once } from "node:events"
import { connect } from "node:net"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { key, run, send } from "../testService.ts"
import { a, publicServices, requestValue, unknown } from "./substances.ts"

const makeService = publicServices()

const service = makeService()
const detail = `/chemical/detail/search/by-dtxsid/${a}?projection=compact`

/** Returns the bytes received on one connection until the server closes it. */
const exchange = (url: string, requests: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
    })
    socket.write(requests)
    await once(socket, "close")
    return text
  })

const get = (path: string, more = ""): string =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n${more}\r\n`

const forKeys = {
  none: {
    title: "API Header Not Found",
    detail:
      "Every API call should pass assigned API key through custom http header or query parameter. Request is missing x-api-key."
  },
  wrong: {
    title: "API Key Not Found",
    detail: "Please contact API admin for requesting a valid API key. Key wrong_key not found."
  }
}

describe("a key", () => {
  it.each([
    ["none", "/nowhere", ""],
    ["wrong", "/nowhere", "wrong_key"],
    ["wrong", `${detail}&x-api-key=wrong_key`, undefined],
    ["none", "/bioactivity/data/search/by-aeid/1", undefined]
  ] as const)("that is %s is refused first at %s, and the response repeats it", (which, target, sent) =>
    run(
      Effect.gen(function* () {
        const { url } = yield* service
        const headers: Record<string, string> = sent === undefined ? {} : { "x-api-key": sent }
        const response = yield* Effect.promise(() => fetch(`${url}${target}`, { headers }))
        expect(response.status).toBe(401)
        expect(response.headers.get("content-type")).toBe("application/json")
        expect(yield* Effect.promise(() => response.json())).toEqual(forKeys[which])
      })
    )
  )

  it("may be a query parameter", () =>
    run(
      Effect.gen(function* () {
        const { url } = yield* service
        const response = yield* Effect.promise(() => fetch(`${url}${detail}&x-api-key=${key}`))
        expect(response.status).toBe(200)
      })
    ))

  const limitedService = makeService({}, { rateLimit: { requests: 2, per: "1 hour" } })
  it("over its rate gets 429, and each request counts once", () =>
    run(
      Effect.gen(function* () {
        const limited = yield* limitedService
        const statuses = []
        for (let n = 0; n < 3; n++) statuses.push((yield* send(limited, detail)).status)
        expect(statuses).toEqual([200, 200, 429])
      })
    ))
})

describe("an error", () => {
  it.each([
    ["GET", "/nowhere", 404, { title: "Not Found", detail: "No static resource nowhere." }],
    [
      "GET",
      "/chemical/msready/search/by-mass/1",
      404,
      {
        detail: "No static resource chemical/msready/search/by-mass/1.",
        instance: "/chemical/msready/search/by-mass/1"
      }
    ],
    ["GET", "/chemical/search/equal/", 405, { detail: "Method 'GET' is not supported." }],
    ["POST", "/chemical/search/equal", 404, { title: "Not Found" }],
    ["POST", "/bioactivity/data/aed/search/by-dtxsid", 404, { status: 404, error: "Not Found" }],
    ["POST", `/bioactivity/data/search/by-dtxsid/${a}`, 405, { status: 405, error: "Method Not Allowed" }]
  ])("of the path, the method or the media type: %s %s", (method, target, status, members) =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* service, target, { method })
        expect(response.status).toBe(status)
        expect(JSON.parse(response.text)).toMatchObject(members)
        if (status === 405) expect(response.headers.get("allow")).toBe(method === "GET" ? "POST" : "GET")
      })
    )
  )

  it("has the members of its family in their order, and the path without a query", () =>
    run(
      Effect.gen(function* () {
        const chemical = yield* requestValue(
          yield* service,
          "/chemical/search/equal/nothing?projection=dtxsidonly"
        )
        expect(chemical.headers.get("content-type")).toBe("application/problem+json")
        expect(Object.keys(chemical.value as object)).toEqual([
          "type",
          "title",
          "status",
          "detail",
          "instance",
          "suggestions"
        ])
        const bioactivity = yield* requestValue(yield* service, "/bioactivity/data/search/by-aeid/x?y=1")
        expect(bioactivity.headers.get("content-type")).toBe("application/json")
        expect(bioactivity.value).toEqual({
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
          status: 400,
          error: "Bad Request",
          path: "/bioactivity/data/search/by-aeid/x"
        })
      })
    ))

  it("of the body depends on its media type and its text", () =>
    run(
      Effect.gen(function* () {
        const batch = "/chemical/detail/search/by-dtxsid/"
        expect((yield* requestValue(yield* service, batch, [a], "text/plain")).status).toBe(415)
        const form = "application/x-www-form-urlencoded"
        expect((yield* requestValue(yield* service, "/chemical/search/equal/", a, form)).status).toBe(415)
        expect((yield* requestValue(yield* service, batch, "{}")).value).toMatchObject({
          detail: "Failed to read request"
        })
        expect((yield* requestValue(yield* service, batch, [[a]])).status).toBe(400)
        expect((yield* requestValue(yield* service, batch, `["${"x".repeat(300_000)}"]`)).status).toBe(413)
      })
    ))

  it.each(["/chemical/search/equal/10%3A2%2F12", "/chemical/search/equal/%E0%A4%A"])(
    "of a path that a gateway refuses is a page: %s",
    (target) =>
      run(
        Effect.gen(function* () {
          const response = yield* send(yield* service, target)
          expect(response.status).toBe(400)
          expect(response.headers.get("content-type")).toMatch(/^text\/html/)
          expect(response.text).toMatch(/^<!DOCTYPE/)
        })
      )
  )

  it("of a path with a doubly encoded slash names it encoded once", () =>
    run(
      Effect.gen(function* () {
        const response = yield* requestValue(yield* service, "/chemical/search/equal/10%252F12")
        expect(response.value).toMatchObject({
          detail: "Searched by Synonym: Found 0 results for '10%2F12'."
        })
      })
    ))
})

describe("a response", () => {
  it("is formatted, in chunks, without compression and without a tag", () =>
    run(
      Effect.gen(function* () {
        const { url } = yield* service
        const text = yield* exchange(
          url,
          get(detail, "accept-encoding: gzip\r\nif-none-match: *\r\nconnection: close\r\n")
        )
        const [head = "", body = ""] = text.split("\r\n\r\n", 2)
        expect(head).toMatch(/^HTTP\/1\.1 200 OK/)
        expect(head.toLowerCase()).toContain("transfer-encoding: chunked")
        expect(head).not.toMatch(/content-length|content-encoding|etag|retry-after|ratelimit/i)
        // A header with a character that is not ASCII.
        expect(head).toMatch(/strict-transport-security: .*preload\u00e2\u0080\u009d/i)
        expect(body).toContain(
          `{\n  "dtxsid" : "${a}",\n  "casrn" : "80-05-7",\n  "preferredName" : "Bisphenol A"\n}`
        )
      })
    ))

  it("writes a double with its decimal, and other numbers as they are stored", () =>
    run(
      Effect.gen(function* () {
        const { text } = yield* send(yield* service, `/chemical/detail/search/by-dtxsid/${a}`)
        expect(text).toContain(`"percentAssays" : 24.0,`)
        expect(text).toContain(`"pubmedCount" : 3850.0,`)
        expect(text).toContain(`"henrysLawAtm" : 7.45153E-4,`)
        const summary = yield* send(yield* service, `/bioactivity/data/summary/search/by-dtxsid/${a}`)
        expect(summary.text).toMatch(/"ntested" : \d+\.0,\n/)
      })
    ))

  it("of an operation is not changed", () =>
    run(
      Effect.gen(function* () {
        const response = yield* send(yield* service, "/health")
        expect(response.text).toBe(`{"status":"ok"}`)
        expect(response.headers.get("content-length")).not.toBeNull()
      })
    ))
})

describe("the connection", () => {
  const miss = `/chemical/detail/search/by-dtxsid/${unknown}`
  const keepService = makeService({ connection: "keep" })
  const closeService = makeService({ connection: "close" })

  it("is closed after a miss, with a renamed header", () =>
    run(
      Effect.gen(function* () {
        const { url } = yield* service
        const text = yield* exchange(url, get(detail) + get(miss) + get(detail))
        const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)
        expect(statuses).toEqual(["200", "400"])
        const last = text.slice(text.lastIndexOf("HTTP/1.1"))
        expect(last).toMatch(/^nncoection: close\r$/m)
        expect(last).not.toMatch(/^connection:/im)
      })
    ))

  it("is closed with the usual header, or kept open, in other variants", () =>
    run(
      Effect.gen(function* () {
        const closed = yield* exchange((yield* closeService).url, get(miss) + get(detail))
        expect(closed).toMatch(/^connection: close\r$/im)
        expect(closed.match(/^HTTP/gm)).toHaveLength(1)
        const open = yield* exchange(
          (yield* keepService).url,
          get(miss) + get(detail, "connection: close\r\n")
        )
        expect([...open.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)).toEqual(["400", "200"])
      })
    ))
})
