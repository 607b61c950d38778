import { request } from "node:http"
import { type AccessLog, type ApiKeys, Bundled, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { key, path, run } from "./serving.ts"

const known = "DTXSID7020182"

interface Answer {
  readonly status: number | undefined
  readonly headers: Record<string, unknown>
  readonly body: string
}

// `fetch` asks for compression, as browsers do; a plain client asks for nothing, and is answered on the direct way.
const get = (url: string, target: string, headers: Record<string, string>): Effect.Effect<Answer> =>
  Effect.callback((resume) => {
    const sent = request(
      `${url}${target}`,
      { headers: { "x-api-key": key, ...headers }, agent: false },
      (incoming) => {
        const parts: Array<Buffer> = []
        incoming.on("data", (part: Buffer) => parts.push(part))
        incoming.on("end", () => {
          const { date: _, "x-request-id": id, ...rest } = incoming.headers
          const headers = { ...rest, hasId: typeof id === "string" }
          const body = Buffer.concat(parts).toString()
          resume(Effect.succeed({ status: incoming.statusCode, headers, body }))
        })
      }
    )
    sent.on("error", (cause) => resume(Effect.die(cause)))
    sent.end()
  })

const serving = (accessLog?: AccessLog.Write) =>
  Service.make({ database: Bundled.database, keys: [Redacted.make(key)], accessLog })

it.each([
  ["a record", `${path}${known}`],
  ["a projection of it", `${path}${known}?projection=compact`],
  ["a record by its compound", "/chemical/detail/search/by-dtxcid/DTXCID30182"],
  ["the hits of a name", "/chemical/search/equal/Bisphenol%20A"],
  ["the synonyms of a substance", `/chemical/synonym/search/by-dtxsid/${known}`],
  ["an unknown substance", `${path}DTXSID9020112`],
  ["a word that is no identifier", `${path}BPA`],
  ["a name that nothing has", "/chemical/search/equal/nothing%20has%20this%20name"],
  ["an unknown projection", `${path}${known}?projection=none`],
  ["an unknown path", "/chemical/nothing"],
  ["a record, with an empty query", `${path}${known}?`]
])("answers %s alike to a client that accepts no compression and to one that says nothing", (_, target) =>
  run(
    Effect.gen(function* () {
      const { url } = yield* serving()
      const plain = yield* get(url, target, {})
      expect(plain).toEqual(yield* get(url, target, { "accept-encoding": "identity" }))
      const refused = { "x-api-key": "another" }
      expect((yield* get(url, target, refused)).status).toBe(
        target.includes("nothing") && !target.includes("search") ? 404 : 401
      )
      const etag = plain.headers["etag"]
      if (typeof etag === "string") {
        const again = yield* get(url, target, { "if-none-match": etag })
        expect(again.status).toBe(304)
        expect(again).toEqual(
          yield* get(url, target, { "if-none-match": etag, "accept-encoding": "identity" })
        )
      }
    })
  )
)

it("counts and logs a request on the direct way as any other, by the id that it came with", () =>
  run(
    Effect.gen(function* () {
      const lines: Array<string> = []
      const { url } = yield* serving((line) => lines.push(line))
      for (const encoding of [{}, { "accept-encoding": "identity" }]) {
        yield* get(url, `${path}${known}?projection=compact`, { "x-request-id": "an-id", ...encoding })
      }
      const [direct, usual] = lines.map((line) => {
        const { milliseconds, time, ...rest } = JSON.parse(line)
        expect(milliseconds).toBeGreaterThan(0)
        expect(typeof time).toBe("string")
        return rest
      })
      expect(direct).toEqual(usual)
      expect(direct).toMatchObject({ requestId: "an-id", status: 200, path: `${path}${known}` })
      const { body } = yield* get(url, "/metrics", {})
      expect(body).toContain(`http_requests_total{method="GET",route="${path}:dtxsid",status="200"} 2`)
      expect(body).toContain("http_requests_in_flight 1")
    })
  ))

it("lets a key through on the direct way as long as it is among those of the source", () =>
  run(
    Effect.gen(function* () {
      let keys = [Redacted.make("one"), Redacted.make(key)]
      const source: ApiKeys.Source = { current: Effect.sync(() => keys) }
      const { url } = yield* Service.make({ database: Bundled.database, keys: source })
      const statusOf = (key: string) =>
        Effect.map(get(url, `${path}${known}`, { "x-api-key": key }), ({ status }) => status)
      expect(yield* statusOf(key)).toBe(200)
      expect(yield* statusOf("one")).toBe(200)
      for (const other of ["", "on", "onee", "One", "on\u00e9", "one".repeat(1000)]) {
        expect(yield* statusOf(other)).toBe(401)
      }
      keys = [Redacted.make("one")]
      expect(yield* statusOf(key)).toBe(401)
      expect(yield* statusOf("one")).toBe(200)
      keys = []
      expect(yield* statusOf("one")).toBe(401)
    })
  ))

it("leaves to the usual way a request whose keys are still being asked for", () =>
  run(
    Effect.gen(function* () {
      const source: ApiKeys.Source = { current: Effect.as(Effect.sleep(1), [Redacted.make(key)]) }
      const { url } = yield* Service.make({ database: Bundled.database, keys: source })
      expect((yield* get(url, `${path}${known}`, {})).status).toBe(200)
      expect((yield* get(url, `${path}${known}`, { "x-api-key": "another" })).status).toBe(401)
    })
  ))

it("counts the requests of a key against its rate whether they come on the direct way or not", () =>
  run(
    Effect.gen(function* () {
      const { url } = yield* Service.make({
        database: Bundled.database,
        keys: [Redacted.make(key)],
        rateLimit: { requests: 2, per: "1 hour" }
      })
      const statuses: Array<number | undefined> = []
      for (const encoding of [{}, { "accept-encoding": "identity" }, {}]) {
        statuses.push((yield* get(url, `${path}${known}`, encoding)).status)
      }
      expect(statuses).toEqual([200, 200, 429])
    })
  ))
