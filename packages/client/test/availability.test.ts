import { type Availability, type ChemClient, RetryPolicy } from "@chemstream/client"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { bisphenolA, key, settings, withClient } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

type Client = ChemClient.ChemClient["Service"]

const getRecord = (client: Client) => client.details.byDtxsid(bisphenolA)

const fiveMinutes: Availability.Options = { wait: "5 minutes" }

/** Uses a client of a service for two hours of the test clock. */
const withVirtualClient = <A, E>(
  service: Virtual.VirtualService,
  availability: Availability.Options | undefined,
  use: (client: Client) => Effect.Effect<A, E>,
  retry: RetryPolicy.RetryPolicy | RetryPolicy.Decide = RetryPolicy.never
): Promise<A> =>
  Effect.gen(function* () {
    const client = settings("http://127.0.0.1:1", { availability, retry })
    const fiber = yield* Effect.forkChild(withClient(client, use, service.layer))
    yield* TestClock.adjust("2 hours")
    return yield* Fiber.join(fiber)
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)

/** Makes calls one after the other. Returns the tag of each error, `ok` for a success. */
const outcomes = (count: number, client: Client) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(Effect.result(getRecord(client)), (result) =>
      Result.isFailure(result) ? result.failure._tag : "ok"
    )
  )

const page: Virtual.Reply = { status: 403, body: "<html><title>Request Rejected</title></html>" }

describe("a service that becomes unavailable", () => {
  it.each<[string, Virtual.Reply | Virtual.Broken]>([
    ["a gateway says so", { status: 503 }],
    ["connections fail", Virtual.unreachable]
  ])(
    "is probed by one call at a time, after 1, 2, 4, 5 and 5 s, while all others wait: %s",
    async (_, reply) => {
      const service = Virtual.make(({ at, index }) =>
        Effect.succeed(index > 0 && at < 17_000 ? reply : Virtual.record)
      )
      const results = await withVirtualClient(service, fiveMinutes, (client) =>
        Effect.andThen(
          getRecord(client),
          Effect.forEach(Array.from({ length: 20 }), () => Effect.result(getRecord(client)), {
            concurrency: 20
          })
        )
      )
      expect(results.every(Result.isSuccess)).toBe(true)
      const waited = service.times.slice(1).filter((time) => time <= 17_000)
      // A request and a probe, then only probes until one succeeds, then all calls at once.
      expect(waited).toEqual([0, 0, 1000, 3000, 7000, 12_000, ...Array(21).fill(17_000)])
    }
  )

  it("gets all attempts of a call again when it is back", async () => {
    const service = Virtual.make(({ at, index }) =>
      Effect.succeed(index > 0 && at < 100_000 ? { status: 502 } : Virtual.record)
    )
    const tags = await withVirtualClient(
      service,
      fiveMinutes,
      (client) => outcomes(2, client),
      RetryPolicy.make({ attempts: 3 })
    )
    expect(tags).toEqual(["ok", "ok"])
  })

  it("fails calls with ServiceUnavailable after their wait, and gets almost no requests meanwhile", async () => {
    const service = Virtual.make(({ index }) =>
      Effect.succeed(index === 0 ? Virtual.record : { status: 502, body: `No upstream for ${key}.` })
    )
    const errors = await withVirtualClient(service, { wait: "10 seconds" }, (client) =>
      Effect.andThen(
        getRecord(client),
        Effect.forEach(Array.from({ length: 30 }), () => Effect.flip(getRecord(client)))
      )
    )
    for (const error of errors) {
      expect(error).toMatchObject({
        _tag: "ServiceUnavailable",
        attempts: 0,
        endpoint: "details.byDtxsid",
        retryable: true,
        message: expect.stringMatching(
          /^the service has been unavailable for \d+s: the service failed \(502\): No upstream for/
        )
      })
      expect(JSON.stringify(error)).not.toContain(key)
    }
    expect(service.times.length).toBeLessThan(12)
  })

  it("is probed by the next call when the probing call is interrupted", () =>
    Effect.gen(function* () {
      const service = Virtual.make(({ index }) =>
        index === 3 ? Effect.never : Effect.succeed(index < 1 || index > 3 ? Virtual.record : { status: 503 })
      )
      yield* withClient(
        settings("http://127.0.0.1:1", { availability: fiveMinutes }),
        (client) =>
          Effect.gen(function* () {
            yield* getRecord(client)
            const probing = yield* Effect.forkChild(getRecord(client), { startImmediately: true })
            yield* TestClock.adjust("1 second")
            expect(service.times).toHaveLength(4)
            const waiting = yield* Effect.forkChild(getRecord(client), { startImmediately: true })
            yield* Fiber.interrupt(probing)
            yield* Fiber.join(waiting)
          }),
        service.layer
      )
      expect(service.times).toHaveLength(6)
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("gets the full wait, even if it was unavailable an hour ago", async () => {
    const service = Virtual.make(({ at, index }) =>
      Effect.succeed(index > 0 && at % 3_600_000 < 10_000 ? { status: 503 } : Virtual.record)
    )
    const tags = await withVirtualClient(service, { wait: "1 minute" }, (client) =>
      Effect.gen(function* () {
        yield* getRecord(client)
        yield* Effect.timeoutOption(getRecord(client), "2 seconds")
        yield* Effect.sleep(3_600_000 - 2000)
        return yield* outcomes(1, client)
      })
    )
    expect(tags).toEqual(["ok"])
  })

  it.each([400, 401, 404, 413, 500])("stays available when it responds with %i", async (status) => {
    const service = Virtual.make(({ index }) => Effect.succeed(index === 0 ? Virtual.record : { status }))
    const tags = await withVirtualClient(service, fiveMinutes, (client) => outcomes(20, client))
    expect(tags).not.toContain("ServiceUnavailable")
    expect(service.times).toHaveLength(20)
  })

  it("is waited for when it responds with 429, for at most the wait, and then calls fail without a request", async () => {
    const service = Virtual.make(({ index }) =>
      Effect.succeed(index === 0 ? Virtual.record : { status: 429, headers: { "retry-after": "60" } })
    )
    const tags = await withVirtualClient(service, fiveMinutes, (client) => outcomes(20, client))
    expect(tags).toEqual(["ok", ...Array(19).fill("ServiceUnavailable")])
    // One request after each minute, until the next one would come after five minutes.
    const gaps = service.times.slice(2).map((time, at) => time - (service.times[at + 1] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000)
    expect(gaps.length).toBeGreaterThan(1)
    expect(service.times.at(-1)).toBeLessThanOrEqual(300_000)
  })

  it("is not assumed when it was never reached: calls fail at once", async () => {
    const service = Virtual.scripted(Virtual.unreachable)
    const tags = await withVirtualClient(service, fiveMinutes, (client) => outcomes(3, client))
    expect(tags).toEqual(Array(3).fill("ConnectionFailed"))
    expect(service.times).toHaveLength(3)
  })

  it.each<[boolean, string, Virtual.Reply | Virtual.Broken]>([
    [true, "a record of another shape", { status: 200, body: '{"dtxsid":5}' }],
    [true, "a refusal of the identifier", { status: 404, body: "{}" }],
    [true, "a connection that is reset", { code: "ECONNRESET" }],
    [true, "a connection that closes", { code: "UND_ERR_SOCKET" }],
    [true, "a request to wait", { status: 429 }],
    [false, "a connection that is refused", Virtual.unreachable],
    [false, "a name that has no address", { code: "ENOTFOUND" }],
    [false, "a gateway", { status: 502 }]
  ])("has responded or accepted a connection (%s) after %s", async (hasResponded, _, reply) => {
    const service = Virtual.scripted(reply)
    const responded = await withVirtualClient(service, undefined, (client) =>
      Effect.map(Effect.ignore(getRecord(client)), () => client.availability.hasResponded())
    )
    expect(responded).toBe(hasResponded)
  })

  it("has not responded if a page comes in its place", async () => {
    const service = Virtual.scripted(
      { status: 200, body: "<!doctype html><title>Sign in</title>" },
      Virtual.record
    )
    const responded = await withVirtualClient(service, undefined, (client) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(getRecord(client))).toMatchObject({
          _tag: "MalformedResponse",
          page: "Sign in"
        })
        const first = client.availability.hasResponded()
        yield* getRecord(client)
        return [first, client.availability.hasResponded()]
      })
    )
    expect(responded).toEqual([false, true])
  })

  it("gets no wait by default: a call fails with its own error after its attempts", async () => {
    const service = Virtual.scripted(Virtual.record, { status: 503 })
    const error = await withVirtualClient(
      service,
      undefined,
      (client) => Effect.andThen(getRecord(client), Effect.flip(getRecord(client))),
      RetryPolicy.make({ attempts: 9 })
    )
    expect(error).toMatchObject({ _tag: "ServiceFailure", attempts: 9 })
    expect(service.times).toHaveLength(10)
  })
})

describe("a gateway that refuses every request with a page", () => {
  it("makes the service unavailable after 20 refusals in a row, and then gets almost no requests", async () => {
    const service = Virtual.scripted(page)
    const tags = await withVirtualClient(service, undefined, (client) => outcomes(100, client))
    expect(tags.slice(0, 19)).toEqual(Array(19).fill("InvalidRequest"))
    expect(tags.slice(19)).toEqual(Array(81).fill("ServiceUnavailable"))
    // One probe after the 20th refusal, and at most one more an hour later.
    expect(service.times.length).toBeLessThanOrEqual(22)
  })

  it("does not make the service unavailable if another response comes within 20 refusals", async () => {
    const service = Virtual.make(({ index }) => Effect.succeed(index % 20 === 19 ? Virtual.record : page))
    const tags = await withVirtualClient(service, undefined, (client) => outcomes(100, client))
    expect(tags).not.toContain("ServiceUnavailable")
    expect(service.times).toHaveLength(100)
  })
})
