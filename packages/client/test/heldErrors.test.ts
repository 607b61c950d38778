import { inspect } from "node:util"
import { ChemClient, ChemError, PromiseClient, RetryPolicy } from "@chemstream/client"
import { Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { describe, expect, expectTypeOf, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, key, settings, withClient, withService } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

/** The rejection of a call of a promise client that sends with this `fetch`. */
const rejectionWith = async (
  fetch: typeof globalThis.fetch,
  more: Partial<ChemClient.Settings> = {}
): Promise<unknown> => {
  const layer = ChemClient.layer(settings("http://127.0.0.1:9", more)).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch))
  )
  await using client = await PromiseClient.fromLayer(layer)
  return await client.details.byDtxsid(bisphenolA).then(
    () => undefined,
    (error: unknown) => error
  )
}

describe("the errors of calls", () => {
  const call = { endpoint: "details.byDtxsid", attempts: 1, message: "refused", status: 500 }
  const all = [
    new ChemError.Unauthorized(call),
    new ChemError.NotFound({ ...call, suggestions: [] }),
    new ChemError.InvalidRequest(call),
    new ChemError.BatchTooLarge({ ...call, batchSize: 1 }),
    new ChemError.RateLimited(call),
    new ChemError.ServiceFailure(call),
    new ChemError.RequestTimeout({ ...call, phase: "body" }),
    new ChemError.ConnectionFailed({ ...call, address: "http://host", phase: "connect" }),
    new ChemError.MalformedResponse({ ...call, path: "" }),
    new ChemError.ServiceUnavailable(call)
  ] satisfies ReadonlyArray<ChemError.ChemError>

  it.each(all.map((error) => [error._tag, error] as const))("have one base class: %s", (tag, error) => {
    expect(error).toBeInstanceOf(ChemError.CallError)
    expect(error).toBeInstanceOf(Error)
    expect(ChemError.isChemError(error)).toBe(true)
    expect(error).toMatchObject({ _tag: tag, name: tag, endpoint: "details.byDtxsid", attempts: 1 })
    expect(error.message).toBe("refused")
  })

  it("are told from other values", () => {
    const [first] = all
    const others = [
      undefined,
      null,
      "RateLimited",
      { ...first },
      new Error("refused"),
      { _tag: "RateLimited" }
    ]
    expect(others.map(ChemError.isChemError)).toEqual(others.map(() => false))
    const narrow = (error: unknown) => {
      if (ChemError.isChemError(error)) expectTypeOf(error).toEqualTypeOf<ChemError.ChemError>()
      if (error instanceof ChemError.CallError) expectTypeOf(error.retryable).toEqualTypeOf<boolean>()
    }
    narrow(first)
  })
})

describe("the cause of an error", () => {
  it("is the error of the transport, with its code", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" })
    const error = await rejectionWith(() => Promise.reject(new TypeError("fetch failed", { cause: refused })))
    expect(error).toMatchObject({
      _tag: "ConnectionFailed",
      code: "ECONNREFUSED",
      cause: {
        name: "TypeError",
        message: "fetch failed",
        cause: { message: "connect ECONNREFUSED 127.0.0.1:9", code: "ECONNREFUSED" }
      }
    })
  })

  it("has that of the first address, if the transport has tried several", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED ::1:9"), { code: "ECONNREFUSED" })
    const all = new AggregateError([refused, new Error("connect ETIMEDOUT 10.0.0.1:9")], "all failed")
    const cause = { message: "all failed", cause: { message: refused.message, code: "ECONNREFUSED" } }
    expect(await rejectionWith(() => Promise.reject(all))).toMatchObject({ code: "ECONNREFUSED", cause })
    const own = new AggregateError([refused], "all failed", { cause: new Error("no route") })
    expect(await rejectionWith(() => Promise.reject(own))).toMatchObject({
      cause: { message: "all failed", cause: { message: "no route" } }
    })
  })

  it("is not enumerable, so that it is in no log or file of the error's fields", async () => {
    const error = (await rejectionWith(() => Promise.reject(new Error("broken")))) as Error
    expect(error.cause).toMatchObject({ message: "broken" })
    expect(Object.keys(error)).not.toContain("cause")
    expect(JSON.stringify(error)).not.toContain("broken")
  })

  it("is that of the last attempt", async () => {
    let attempts = 0
    const error = await rejectionWith(() => Promise.reject(new Error(`attempt ${++attempts}`)), {
      retry: { attempts: 3, baseDelay: 0 }
    })
    expect(error).toMatchObject({ attempts: 3, cause: { message: "attempt 3" } })
  })

  it.each([
    ["in its message", () => new Error(`header x-api-key: ${key}`)],
    ["in the message of its own cause", () => new Error("failed", { cause: new Error(`sent ${key}`) })],
    [
      "in its fields",
      () => Object.assign(new Error("failed"), { request: { headers: { "x-api-key": key } } })
    ],
    ["in errors of several addresses", () => new AggregateError([new Error(key)], "all failed")],
    ["as a text", () => `no ${key}`]
  ])("never has the key: %s", async (_, failure) => {
    const error = await rejectionWith(() => Promise.reject(failure()))
    expect(error).toMatchObject({ _tag: "ConnectionFailed" })
    expect((error as Error).cause).toBeDefined()
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(key)
  })

  it("ends after some levels if it is its own cause", async () => {
    const loop = new Error("round and round")
    loop.cause = loop
    expect(await rejectionWith(() => Promise.reject(loop))).toMatchObject({
      cause: { message: loop.message }
    })
  })
})

describe("a mistake in the fetch of a program", () => {
  it.each([
    ["ReferenceError", () => new ReferenceError("headres is not defined")],
    ["TypeError", () => new TypeError("Cannot read properties of undefined (reading 'get')")],
    ["TypeError", () => new TypeError("response.jsn is not a function")],
    ["SyntaxError", () => new SyntaxError("Unexpected token")],
    ["RangeError", () => new RangeError("Invalid status code")]
  ])("is rejected as it is, and not repeated: %s", async (_, make) => {
    let sent = 0
    const mistake = make()
    const error = await rejectionWith(
      () => {
        sent++
        throw mistake
      },
      { retry: { attempts: 3, baseDelay: 0 } }
    )
    expect(error).toBe(mistake)
    expect(sent).toBe(1)
  })

  it.each([
    ["of a browser without a connection", () => new TypeError("Failed to fetch")],
    ["of Safari", () => new TypeError("Load failed")],
    ["of a proxy of the program", () => new Error("the tunnel is closed")]
  ])("is not the failure %s", async (_, make) => {
    expect(await rejectionWith(() => Promise.reject(make()))).toMatchObject({ _tag: "ConnectionFailed" })
  })
})

describe("the retries of a client", () => {
  const failures = (retry: RetryPolicy.Retries) =>
    withService(
      Array.from({ length: 6 }, () => Scripted.problem(500, "broken")),
      (service) =>
        Effect.gen(function* () {
          const call = withClient(settings(service.url, { retry }), (client) =>
            Effect.flip(client.details.byDtxsid(bisphenolA))
          )
          const error = yield* call
          expect(error).toMatchObject({ _tag: "ServiceFailure", attempts: service.requests.length })
          return service.requests.length
        })
    )

  it.each([
    [1, 1],
    [{ attempts: 3, baseDelay: 0 }, 3],
    [{ attempts: undefined, baseDelay: 0, maxElapsed: undefined }, 5],
    [Schedule.recurs(1), 2],
    [(_: ChemError.ChemError, { attempt }: RetryPolicy.State) => (attempt < 4 ? 0 : undefined), 4]
  ] as const)("%j make %i requests", async (retry, requests) => {
    expect(await failures(retry as RetryPolicy.Retries)).toBe(requests)
  })

  it.each([
    ["a schedule", Schedule.spaced("20 millis")],
    ["numbers", { baseDelay: "20 millis", maxDelay: "20 millis" }],
    ["a function", () => "20 millis"]
  ] as const)("wait as %s says after a 429 without a time", async (_, retry) => {
    const service = Virtual.make(({ index }) => Effect.succeed(index < 3 ? { status: 429 } : Virtual.record))
    const call = withClient(
      settings("http://127.0.0.1:9", { retry }),
      (client) => client.details.byDtxsid(bisphenolA),
      service.layer
    )
    await Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(call, { startImmediately: true })
      for (let step = 0; step < 10; step++) yield* TestClock.adjust(20)
      yield* Fiber.join(fiber)
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
    expect(service.times).toHaveLength(4)
    expect(Math.max(...service.times)).toBeLessThanOrEqual(200)
  })

  it("have the defaults where a number is not given", () => {
    expect(RetryPolicy.complete({})).toEqual(RetryPolicy.defaultPolicy)
    expect(RetryPolicy.complete(2)).toEqual({ ...RetryPolicy.defaultPolicy, attempts: 2 })
  })

  it.each([[0], ["3"], [{ attempts: 0 }], [{ tries: 3 }], [[3]]])("are refused: %j", async (retry) => {
    const client = PromiseClient.createClient({
      baseUrl: "http://127.0.0.1:9",
      apiKey: Redacted.make(key),
      retry: retry as number
    })
    await expect(client).rejects.toMatchObject({
      _tag: "InvalidOption",
      option: expect.stringMatching(/^retry/)
    })
  })
})
