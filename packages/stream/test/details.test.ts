import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Ledger, type Outcome } from "@chemstream/stream"
import { Effect, Layer, Redacted, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"
import { describe, expect, it } from "vitest"

type Answer = (ids: ReadonlyArray<string>) => { readonly status: number; readonly body: string }

/** A service on loopback whose batch endpoint answers as told. */
const serving = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { body, status } = answer(JSON.parse(Buffer.concat(chunks).toString()))
          response.writeHead(status, { "content-type": "application/json" }).end(body)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          })
      )
  )

const run = (answer: Answer, ids: ReadonlyArray<string>, options: Details.Options = {}) =>
  Effect.gen(function* () {
    const server = yield* serving(answer)
    const client = ChemClient.layer({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: Redacted.make("key"),
      retry: RetryPolicy.make({ attempts: 2, baseDelay: 1 })
    }).pipe(Layer.provide(FetchHttpClient.layer))
    return yield* Details.outcomes(Identifiers.fromIterable(ids), options).pipe(
      Stream.runCollect,
      Effect.result,
      Effect.provide(client)
    )
  }).pipe(Effect.scoped, Effect.runPromise)

const outcomesOf = async (answer: Answer, ids: ReadonlyArray<string>, options?: Details.Options) => {
  const result = await run(answer, ids, options)
  if (result._tag === "Failure") throw result.failure
  return result.success
}

const ok = (body: string) => ({ status: 200, body })
const [a, b, c] = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020637"] as const

describe("Details.outcomes", () => {
  it("passes records on as the text they came in, matched by identifier", async () => {
    const ledger = Ledger.make()
    const outcomes = await outcomesOf(
      () => ok(`[ {"x":1.10,"dtxsid":"${b}","n":12345678901234567890} ,\n{"dtxsid" : "${a}"}]`),
      [a, b, c],
      { ledger }
    )
    expect(outcomes.map((outcome) => [outcome._tag, outcome.id])).toEqual([
      ["Found", a],
      ["Found", b],
      ["Missing", c]
    ])
    const texts = outcomes.flatMap((outcome) =>
      outcome._tag === "Found" ? outcome.records.map(RawRecord.toText) : []
    )
    expect(texts).toEqual([`{"dtxsid" : "${a}"}`, `{"x":1.10,"dtxsid":"${b}","n":12345678901234567890}`])
    expect(ledger).toMatchObject({ requests: 1, retries: 0, batches: 1, answers: 1, records: 2 })
  })

  it("asks for identifiers in canonical spelling, and once where they differ only in spelling", async () => {
    const asked: Array<ReadonlyArray<string>> = []
    const answer: Answer = (ids) => {
      asked.push(ids)
      return ok("[]")
    }
    await outcomesOf(answer, [a, a.toLowerCase(), ` ${b}`])
    expect(asked).toEqual([[a, b]])
  })

  it.each([
    ["an error object", '{"error":"slow down"}'],
    ["a list of something without identifiers", '[{"error":"slow down"}]'],
    ["a body cut short", `[{"dtxsid":"${a}"}`],
    ["no JSON down to the last digit", `[{"dtxsid":"${a}","mass":01}]`],
    ["about substances nobody asked for", `[{"dtxsid":"${c}"}]`]
  ])("fails the identifiers, and never calls them missing, when a 200 is %s", async (_, body) => {
    const ledger = Ledger.make()
    const outcomes = await outcomesOf(() => ok(body), [a, b], { ledger })
    expect(outcomes.map((outcome) => outcome._tag)).toEqual(["Failed", "Failed"])
    expect((outcomes[0] as Outcome.Failed<unknown>).error).toMatchObject({
      _tag: "MalformedResponse",
      attempts: 2
    })
    expect(ledger).toMatchObject({ requests: 2, retries: 1, failed: 2, missing: 0 })
  })

  it("takes records whose identifier is spelt otherwise, and an answer with a byte-order mark", async () => {
    const outcomes = await outcomesOf(() => ok(`\uFEFF[{"dtxsid":"${a.toLowerCase()}"}]`), [a])
    expect(outcomes.map((outcome) => outcome._tag)).toEqual(["Found"])
  })

  it("fails only the identifiers that a record without identifier might be of", async () => {
    const ledger = Ledger.make()
    const answer = () => ok(`[{"dtxsid":"${a}"},{"dtxsid":null,"preferredName":"?"}]`)
    const outcomes = await outcomesOf(answer, [a, b], { ledger })
    expect(outcomes).toMatchObject([
      { _tag: "Found", id: a },
      { _tag: "Failed", id: b, error: { _tag: "MalformedResponse" } }
    ])
    expect(ledger).toMatchObject({ surplus: 1, requests: 1 })
  })

  it("says of such a failure how often the service was asked", async () => {
    let requests = 0
    const answer = () =>
      ++requests === 1 ? { status: 503, body: "" } : ok(`[{"dtxsid":null},{"dtxsid":"${a}"}]`)
    const outcomes = await outcomesOf(answer, [a, b])
    expect(outcomes[1]).toMatchObject({ _tag: "Failed", error: { attempts: 2 } })
  })

  it("asks for an identifier with a wrong check digit, and counts it, unless identifiers are strict", async () => {
    const wrong = `DTXSID1${a.slice(7)}`
    const ledger = Ledger.make()
    const lenient = await outcomesOf(() => ok("[]"), [wrong, wrong.toLowerCase()], { ledger })
    const strict = await outcomesOf(() => ok("[]"), [wrong], { strictIds: true })
    expect(lenient.map((outcome) => outcome._tag)).toEqual(["Missing"])
    expect(ledger.suspicious).toBe(1)
    expect(strict).toMatchObject([{ _tag: "Invalid", error: { reason: "check-digit", suggestion: a } }])
  })

  it("ends the run when the key is refused, and asks for nothing more", async () => {
    let requests = 0
    const refuse: Answer = () => {
      requests++
      return { status: 401, body: "" }
    }
    const result = await run(refuse, [a, b, c], { batchSize: 1, concurrency: 1 })
    expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "Unauthorized" } })
    expect(requests).toBe(1)
  })

  it("ends the run when the service cannot be reached at all", async () => {
    const client = ChemClient.layer({
      baseUrl: "http://127.0.0.1:1",
      apiKey: Redacted.make("key"),
      retry: RetryPolicy.never
    }).pipe(Layer.provide(FetchHttpClient.layer))
    const error = await Details.outcomes(Identifiers.fromIterable([a])).pipe(
      Stream.runDrain,
      Effect.flip,
      Effect.provide(client),
      Effect.runPromise
    )
    expect(error).toMatchObject({ _tag: "ConnectionFailed" })
  })

  it("ends the run when no connection to the service comes about in time", async () => {
    const tooSlow = HttpClient.make((request) => {
      const cause = Object.assign(new Error("connect"), { code: "UND_ERR_CONNECT_TIMEOUT" })
      const reason = new HttpClientError.TransportError({ request, cause })
      return Effect.fail(new HttpClientError.HttpClientError({ reason }))
    })
    const client = ChemClient.layer({
      baseUrl: "http://127.0.0.1:1",
      apiKey: Redacted.make("key"),
      retry: RetryPolicy.never
    }).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, tooSlow)))
    const error = await Details.outcomes(Identifiers.fromIterable([a])).pipe(
      Stream.runDrain,
      Effect.flip,
      Effect.provide(client),
      Effect.runPromise
    )
    expect(error).toMatchObject({ _tag: "RequestTimeout", phase: "connect" })
  })

  it("sends no more identifiers in one call than the endpoint takes, whatever batch size is asked for", async () => {
    const sizes: Array<number> = []
    const many = Array.from({ length: 1500 }, (_, index) => `DTXSID00${index + 1}`)
    const answer: Answer = (ids) => {
      sizes.push(ids.length)
      return ok("[]")
    }
    await outcomesOf(answer, many, { batchSize: 5000 })
    expect(sizes.sort()).toEqual([1000, 500].sort())
  })
})
