import { ChemError, RetryPolicy } from "@chemstream/client"
import { Effect, Exit, Fiber, Option, Random, Schedule } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseRetryAfter } from "../src/errors/internal/retryAfter.ts"
import { bisphenolA, settings, withClient } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

const failure = (retryAfter?: number): ChemError.ServiceFailure =>
  new ChemError.ServiceFailure({
    endpoint: "details.byDtxsid",
    attempts: 1,
    status: 503,
    message: "",
    ...(retryAfter === undefined ? {} : { retryAfter })
  })

const notRetryable = new ChemError.InvalidRequest({
  endpoint: "details.byDtxsid",
  attempts: 1,
  status: 400,
  message: ""
})

describe("RetryPolicy.nextDelay", () => {
  it("is at least half of the base delay, and at most the doubled base delay within maxDelay", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 2, max: 100_000 }),
        fc.integer({ min: 2, max: 100_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, baseDelay, maxDelay, random) => {
          const policy = RetryPolicy.make({ attempts: 100, baseDelay, maxDelay })
          const delay =
            RetryPolicy.nextDelay(policy, failure(), { attempt, elapsed: 0, random }) ?? Number.NaN
          expect(delay).toBeGreaterThanOrEqual(Math.min(maxDelay, baseDelay / 2))
          expect(delay).toBeLessThanOrEqual(Math.min(maxDelay, baseDelay * 2 ** Math.max(0, attempt - 1)))
        }
      )
    )
  })

  it("is undefined after the last attempt, and for an error that is not retryable", () => {
    const state = { elapsed: 0, random: 0.5 }
    const { defaultPolicy, nextDelay } = RetryPolicy
    expect(nextDelay(defaultPolicy, failure(), { ...state, attempt: 5 })).toBeUndefined()
    expect(nextDelay(defaultPolicy, failure(), { ...state, attempt: 4 })).toBeDefined()
    expect(nextDelay(defaultPolicy, notRetryable, { ...state, attempt: 1 })).toBeUndefined()
    expect(nextDelay(RetryPolicy.never, failure(), { ...state, attempt: 1 })).toBeUndefined()
  })

  it("is at least Retry-After, and at least the delay of the policy", () => {
    const state = { attempt: 1, elapsed: 0, random: 0.5 }
    expect(RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(7000), state)).toBe(7000)
    expect(RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(0), state)).toBe(375)
  })

  it("is undefined if the next attempt would start after maxElapsed", () => {
    const next = (elapsed: number) =>
      RetryPolicy.nextDelay(RetryPolicy.defaultPolicy, failure(), { attempt: 1, random: 0, elapsed })
    expect(next(599_750)).toBe(250)
    expect(next(599_751)).toBeUndefined()
  })
})

/** Returns the result of a call after an hour. */
const callResult = (service: Virtual.VirtualService, retry: RetryPolicy.Retries) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(
      Effect.exit(
        withClient(
          settings("http://127.0.0.1:1", { retry }),
          (client) => client.details.byDtxsid(bisphenolA),
          service.layer
        )
      )
    )
    yield* TestClock.adjust("1 hour")
    const exit = yield* Fiber.join(fiber)
    return Exit.isFailure(exit) ? Option.getOrUndefined(Exit.findErrorOption(exit)) : exit.value
  }).pipe(Random.withSeed("a seed"), Effect.provide(TestClock.layer()), Effect.runPromise)

const gaps = ({ times }: Virtual.VirtualService): ReadonlyArray<number> =>
  times.slice(1).map((time, index) => time - (times[index] ?? 0))

const unavailable: Virtual.Reply = { status: 503 }

describe("the attempts of a call", () => {
  it("are as many as the policy says, with delays within its bounds", async () => {
    const service = Virtual.scripted(unavailable)
    await callResult(service, RetryPolicy.make({ attempts: 6, baseDelay: 1_000, maxDelay: 5_000 }))
    expect(service.times).toHaveLength(6)
    const ceilings = [1_000, 2_000, 4_000, 5_000, 5_000]
    gaps(service).forEach((gap, index) => {
      expect(gap).toBeGreaterThanOrEqual(500)
      expect(gap).toBeLessThanOrEqual(ceilings[index] ?? 0)
    })
    expect(new Set(gaps(service)).size).toBe(5)
  })

  it("end at maxElapsed, even if more attempts are left", async () => {
    const service = Virtual.scripted(unavailable)
    await callResult(service, RetryPolicy.make({ attempts: 1_000, maxDelay: 1_000, maxElapsed: 60_000 }))
    expect(Math.max(...service.times)).toBeLessThanOrEqual(60_000)
    expect(Math.max(...service.times)).toBeGreaterThan(58_000)
  })

  it.each([
    ["seconds", "7", 7_000],
    ["a date", new Date(90_000).toUTCString(), 90_000]
  ])("wait for a Retry-After in %s", async (_, retryAfter, wait) => {
    const service = Virtual.scripted({ status: 429, headers: { "retry-after": retryAfter } }, Virtual.record)
    await callResult(service, RetryPolicy.defaultPolicy)
    expect(service.times).toEqual([0, wait])
  })

  it.each(["0", "-7", new Date(-90_000).toUTCString()])(
    "keep the smallest delay of the policy when Retry-After is %s",
    async (retryAfter) => {
      const service = Virtual.scripted({ status: 503, headers: { "retry-after": retryAfter } })
      await callResult(service, RetryPolicy.make({ baseDelay: 1_000 }))
      expect(service.times).toHaveLength(5)
      expect(Math.min(...gaps(service))).toBeGreaterThanOrEqual(500)
    }
  )

  it("end at once when Retry-After is a year, and the error says so", async () => {
    const service = Virtual.scripted({ status: 429, headers: { "retry-after": "31536000" } })
    const error = await callResult(service, RetryPolicy.defaultPolicy)
    expect(service.times).toEqual([0])
    expect(error).toMatchObject({
      _tag: "RateLimited",
      attempts: 1,
      message: expect.stringContaining("365 days")
    })
  })

  it("accept durations in any unit", async () => {
    const service = Virtual.scripted(unavailable)
    const policy = { attempts: 1_000, baseDelay: "1 second", maxDelay: "1 second", maxElapsed: "1 minute" }
    await callResult(service, policy as RetryPolicy.RetryPolicy)
    expect(Math.max(...service.times)).toBeLessThanOrEqual(60_000)
    expect(Math.max(...service.times)).toBeGreaterThan(58_000)
  })

  it("follow a schedule, which restarts for each call", async () => {
    const schedule = Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 3 }))
    for (const service of [Virtual.scripted(unavailable), Virtual.scripted(unavailable)]) {
      expect(await callResult(service, schedule)).toMatchObject({ _tag: "ServiceFailure", attempts: 4 })
      expect(gaps(service)).toEqual([1_000, 2_000, 4_000])
    }
  })

  it("with a schedule obey Retry-After, and end at an error that is not retryable", async () => {
    const schedule = Schedule.spaced("1 second")
    const throttling = Virtual.scripted({ status: 429, headers: { "retry-after": "7" } }, Virtual.record)
    await callResult(throttling, schedule)
    expect(throttling.times).toEqual([0, 7_000])
    const rejecting = Virtual.scripted({ status: 400 })
    expect(await callResult(rejecting, schedule)).toMatchObject({ _tag: "InvalidRequest", attempts: 1 })
  })

  it("follow a custom policy", async () => {
    const states: Array<RetryPolicy.State> = []
    const service = Virtual.scripted({ status: 400 })
    await callResult(service, (error, state) => {
      states.push(state)
      return error._tag === "InvalidRequest" && state.attempt < 3 ? state.attempt * 100 : undefined
    })
    expect(service.times).toEqual([0, 100, 300])
    expect(states.map(({ attempt, elapsed }) => [attempt, elapsed])).toEqual([
      [1, 0],
      [2, 100],
      [3, 300]
    ])
    expect(states.every(({ random }) => random >= 0 && random < 1)).toBe(true)
  })

  it.each([undefined, Number.NaN])("end when a custom policy returns %s", async (delay) => {
    const service = Virtual.scripted(unavailable)
    expect(await callResult(service, () => delay)).toMatchObject({ _tag: "ServiceFailure", attempts: 1 })
    expect(service.times).toEqual([0])
  })

  it("do not count the time in the queue as elapsed", async () => {
    const service = Virtual.make(({ url, index }) =>
      index === 0
        ? Effect.as(Effect.sleep("30 minutes"), Virtual.ok)
        : Effect.succeed(url.endsWith(bisphenolA) && index === 1 ? unavailable : Virtual.record)
    )
    await Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        withClient(
          settings("http://127.0.0.1:1", {
            retry: RetryPolicy.defaultPolicy,
            timeouts: { headers: 3_600_000 },
            limits: { inFlight: 1 }
          }),
          (client) =>
            Effect.all(
              [client.details.byDtxsidBatch(["DTXSID3039242"]), client.details.byDtxsid(bisphenolA)],
              {
                concurrency: 2
              }
            ),
          service.layer
        )
      )
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
    expect(service.times).toHaveLength(3)
  })
})

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z")

  it.each<[string | undefined, number | undefined]>([
    ["7", 7000],
    ["1.5", 1500],
    ["0", 0],
    ["-5", 0],
    ["31536000", 31_536_000_000],
    ["Thu, 01 Jan 2026 00:00:10 GMT", 10_000],
    ["Thu, 01 Jan 2015 00:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined]
  ])("%j is a wait of %j milliseconds", (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected)
  })
})
