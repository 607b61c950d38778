import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Availability, type ChemClient, type Limits, Pace, RetryPolicy } from "@chemstream/client"
import { Deferred, type Duration, Effect, Fiber, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { bisphenolA, settings, withClient } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

type Client = ChemClient.ChemClient["Service"]

const withTestClock = <A, E>(body: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provide(body, TestClock.layer()))

const withLimits = (
  service: Virtual.VirtualService,
  limits: Limits.Limits,
  use: (client: Client) => Effect.Effect<unknown, unknown>
) =>
  withClient(settings("http://127.0.0.1:1", { limits, retry: RetryPolicy.defaultPolicy }), use, service.layer)

const getRecord = (client: Client) => client.details.byDtxsid(bisphenolA)

/** Runs a program while this time passes on the test clock, and returns its result. */
const after = <A, E>(time: Duration.Input, program: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(program)
    yield* TestClock.adjust(time)
    return yield* Fiber.join(fiber)
  })

/** Makes `count` calls in as many fibers. */
const calls = (count: number) => (client: Client) =>
  Effect.forEach(Array(count).fill(client), getRecord, { concurrency: "unbounded", discard: true })

const serviceWithDelay = (milliseconds: number, reply: Virtual.Reply = Virtual.record) =>
  Virtual.make(() => Effect.as(Effect.sleep(milliseconds), reply))

describe("requestsPerSecond", () => {
  it("spaces the requests of all fibers evenly", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = serviceWithDelay(0)
        yield* after("1 minute", withLimits(service, { requestsPerSecond: 5 }, calls(8)))
        expect(service.times).toEqual([0, 200, 400, 600, 800, 1000, 1200, 1400])
      })
    ))

  it("allows a tenth of the rate at once", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = serviceWithDelay(0)
        const limits = { requestsPerSecond: 1_000, inFlight: 1_000 }
        yield* after("1 minute", withLimits(service, limits, calls(300)))
        const until = (time: number) => service.times.filter((at) => at <= time).length
        expect([until(0), until(100), until(200)]).toEqual([100, 200, 300])
      })
    ))

  it("is met within a tenth, for any rate", () =>
    withTestClock(
      Effect.gen(function* () {
        // From 10 on, the limiter divides the rate by ten. Up to 30, each remainder occurs twice.
        const rates = [
          ...Array.from({ length: 30 }, (_, n) => n + 1),
          ...[0.3, 2.5, 9.99, 10.01, 33.3],
          ...[37, 64, 99, 100, 101, 128, 129, 499]
        ]
        for (const requestsPerSecond of rates) {
          const service = serviceWithDelay(0)
          const count = Math.ceil(2 * requestsPerSecond) + 2
          const limits = { requestsPerSecond, inFlight: 2_000 }
          yield* after("1 minute", withLimits(service, limits, calls(count)))
          const first = service.times[0] ?? 0
          const seconds = ((service.times.at(-1) ?? 0) - first) / 1000
          // The calls allowed at once take no time.
          const atOnce = Math.max(1, requestsPerSecond / 10)
          expect
            .soft((count - atOnce) / seconds, `${requestsPerSecond}/s`)
            .toBeGreaterThan(0.9 * requestsPerSecond)
          expect
            .soft((count - 1 - atOnce) / seconds, `${requestsPerSecond}/s`)
            .toBeLessThan(1.1 * requestsPerSecond)
        }
      })
    ))

  it("may be less than 1", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = serviceWithDelay(0)
        yield* after("1 minute", withLimits(service, { requestsPerSecond: 0.1 }, calls(3)))
        expect(service.times).toEqual([0, 10_000, 20_000])
      })
    ))

  it("may divide a second into parts that are not whole milliseconds", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = serviceWithDelay(0)
        yield* after("1 minute", withLimits(service, { requestsPerSecond: 3 }, calls(4)))
        for (const [index, time] of service.times.entries()) expect(time).toBeCloseTo((index * 1000) / 3, 6)
      })
    ))

  it("loses at most one place to calls that are interrupted while they wait", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = Virtual.scripted(Virtual.record)
        yield* withLimits(service, { requestsPerSecond: 1 }, (client) =>
          Effect.gen(function* () {
            const waiting = yield* Effect.forkChild(calls(5)(client), { startImmediately: true })
            yield* TestClock.adjust(100)
            yield* Fiber.interrupt(waiting)
            const last = yield* Effect.forkChild(getRecord(client), { startImmediately: true })
            yield* TestClock.adjust("1 minute")
            yield* Fiber.join(last)
          })
        )
        expect(service.times).toEqual([0, 2000])
      })
    ))
})

describe("inFlight", () => {
  it("bounds the requests in flight, 32 by default, and sends calls in order", () =>
    withTestClock(
      Effect.gen(function* () {
        for (const [limits, most] of [
          [{ inFlight: 3 }, 3],
          [{}, 32]
        ] as const) {
          const service = serviceWithDelay(100)
          const ids = Array.from({ length: 100 }, (_, index) => `DTXSID${1_000_000 + index}`)
          yield* after(
            "1 minute",
            withLimits(service, limits, (client) =>
              Effect.forEach(ids, (id) => client.details.byDtxsid(id), { concurrency: "unbounded" })
            )
          )
          expect(service.takePeak()).toBe(most)
          expect(service.urls.map((url) => url.split("/").at(-1))).toEqual(ids)
        }
      })
    ))

  it("gives the place of an interrupted call to the next, before and after its request", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = Virtual.make(({ index }) =>
          index === 0 ? Effect.never : Effect.succeed(Virtual.record)
        )
        const program = withLimits(service, { inFlight: 1 }, (client) =>
          Effect.gen(function* () {
            const sent = yield* Effect.forkChild(getRecord(client), { startImmediately: true })
            const waiting = yield* Effect.forkChild(getRecord(client), { startImmediately: true })
            const last = yield* Effect.forkChild(getRecord(client), { startImmediately: true })
            yield* Effect.yieldNow
            expect(service.times).toHaveLength(1)
            yield* Fiber.interrupt(waiting)
            yield* Fiber.interrupt(sent)
            yield* Fiber.join(last)
            expect(service.times).toHaveLength(2)
          })
        )
        yield* program
      })
    ))
})

describe("a stop signal", () => {
  it.each<[string, Limits.Limits, number]>([
    ["a place in flight", { inFlight: 1 }, 1],
    ["the rate", { requestsPerSecond: 1 }, 1],
    ["neither", {}, 3]
  ])("lets the requests in flight end, and fails the calls that wait for %s", (_, limits, sent) =>
    withTestClock(
      Effect.gen(function* () {
        const service = serviceWithDelay(500)
        const controller = new AbortController()
        const program = withLimits(service, limits, (client) =>
          Effect.forEach(Array(3).fill(client), (one) => Effect.result(getRecord(one)), {
            concurrency: "unbounded"
          })
        ).pipe(Effect.provideService(Availability.Stop, Availability.stopOf(controller.signal)))
        const fiber = yield* Effect.forkChild(program)
        yield* TestClock.adjust(100)
        controller.abort()
        yield* TestClock.adjust("1 minute")
        const results = yield* Fiber.join(fiber)
        const success = { _tag: "Success", success: { dtxsid: bisphenolA } }
        const stopped = { _tag: "Failure", failure: { _tag: "ServiceUnavailable", attempts: 0 } }
        expect(results).toMatchObject([0, 1, 2].map((index) => (index < sent ? success : stopped)))
        expect(service.times).toEqual(Array(sent).fill(0))
      })
    )
  )
})

describe("a 429", () => {
  const refusal = (retryAfter?: string): Virtual.Reply => ({
    status: 429,
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter }
  })

  /** Refuses requests before this time, and has it in `Retry-After`. */
  const throttlingUntil = (time: number) =>
    Virtual.make(({ at }) =>
      Effect.as(Effect.sleep(50), at < time ? refusal(`${time / 1000}`) : Virtual.record)
    )

  it("pauses all fibers for its Retry-After, so that only requests in flight are refused", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = throttlingUntil(10_000)
        yield* after("5 minutes", withLimits(service, {}, calls(100)))
        expect(service.times.filter((time) => time < 10_000)).toHaveLength(32)
        expect(service.times).toHaveLength(132)
      })
    ))

  it("without Retry-After pauses all fibers for a second", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = Virtual.scripted(refusal(), Virtual.record)
        yield* after("5 minutes", withLimits(service, { inFlight: 1 }, calls(3)))
        expect(service.times[1]).toBe(1_000)
      })
    ))

  it.each<[string, RetryPolicy.Retries, ReadonlyArray<number>]>([
    ["twice the base delay of numbers, then doubled", { attempts: 5, baseDelay: 100 }, [0, 200, 600, 1400]],
    ["at most twice their largest delay", { attempts: 5, baseDelay: 100, maxDelay: 150 }, [0, 200, 500, 800]],
    [
      "at most a second at first, and 5 later",
      { attempts: 5, baseDelay: 600 },
      [0, 1000, 3000, 7000, 12_000]
    ],
    ["no time", () => 0, [0, 0, 0, 0]],
    ["no time but that of a schedule", Schedule.spaced(70), [0, 70, 140, 210]],
    ["no time but that of a function", () => 70, [0, 70, 140, 210]]
  ])("without Retry-After pauses a call with a policy for %s", (_, retry, times) =>
    withTestClock(
      Effect.gen(function* () {
        const service = Virtual.scripted(...times.slice(1).map(() => refusal()), Virtual.record)
        yield* after(
          "5 minutes",
          withClient(settings("http://127.0.0.1:1", { retry }), getRecord, service.layer)
        )
        // The jitter of the policy adds at most a millisecond to each wait.
        const late = service.times.map((time, at) => time - (times[at] ?? Number.NaN))
        expect(late.map((millis, at) => millis >= 0 && millis <= at)).toEqual(times.map(() => true))
      })
    )
  )

  it("also pauses calls that wait for the rate or for an earlier pause", () =>
    withTestClock(
      Effect.gen(function* () {
        // The second request is refused during the pause of the first, with a longer wait.
        const service = Virtual.make(({ index }) => {
          if (index > 1) return Effect.succeed(Virtual.record)
          return index === 0
            ? Effect.as(Effect.sleep(1_500), refusal("5"))
            : Effect.as(Effect.sleep(3_000), refusal("60"))
        })
        const limits = { requestsPerSecond: 1, inFlight: 10 }
        yield* after("5 minutes", withLimits(service, limits, calls(5)))
        expect(service.times.slice(0, 2)).toEqual([0, 1_000])
        expect(service.times[2]).toBe(64_000)
        expect(service.times[4]).toBeGreaterThan(64_500)
        expect(service.times).toHaveLength(7)
      })
    ))

  it("with a Retry-After of a year fails every call at once, without a request, until that time", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = Virtual.scripted(refusal("31536000"), Virtual.record)
        yield* withLimits(service, { inFlight: 1 }, (client) =>
          Effect.gen(function* () {
            expect(yield* Effect.flip(getRecord(client))).toMatchObject({ _tag: "RateLimited" })
            expect(yield* Effect.flip(getRecord(client))).toMatchObject({
              _tag: "ServiceUnavailable",
              until: expect.any(Number),
              message: expect.stringMatching(/^the service asks to wait until /)
            })
            expect(service.times).toHaveLength(1)
            yield* TestClock.adjust("366 days")
            yield* getRecord(client)
            expect(service.times).toHaveLength(2)
          })
        )
      })
    ))

  it.each([
    ["a number beyond the last date", "8640000000000"],
    ["a number of 400 digits", "9".repeat(400)],
    ["a date in a distant year", "Fri, 31 Dec 275759 23:59:59 GMT"]
  ])("with a Retry-After of %s fails every call until the end of the year 9999", async (_, wait) => {
    await withTestClock(
      withLimits(Virtual.scripted(refusal(wait), Virtual.record), { inFlight: 1 }, (client) =>
        Effect.gen(function* () {
          expect(yield* Effect.flip(getRecord(client))).toMatchObject({ _tag: "RateLimited" })
          expect(yield* Effect.flip(getRecord(client))).toMatchObject({
            _tag: "ServiceUnavailable",
            message: expect.stringMatching(/^the service asks to wait until 9999-12-31T00:00:00Z /)
          })
        })
      )
    )
  })

  it("lowers the rate to what was accepted, unless the rate is fixed, and a 503 does not", () =>
    withTestClock(
      Effect.gen(function* () {
        for (const [status, isSlower, adaptive] of [
          [429, true, undefined],
          [429, false, false],
          [503, false, true]
        ] as const) {
          const service = Virtual.make(({ index }) =>
            Effect.succeed(index === 10 ? { status, headers: { "retry-after": "1" } } : Virtual.record)
          )
          yield* after(
            "5 minutes",
            withLimits(service, { requestsPerSecond: 10, inFlight: 1, adaptive }, calls(15))
          )
          const [, next = 0, last = 0] = service.times.slice(-3)
          // Ten requests were accepted in the two seconds up to the end of the wait.
          if (isSlower) expect(last - next).toBeGreaterThan(150)
          else expect(last - next).toBe(100)
        }
      })
    ))

  it("lets the first request after its wait pass before its place in the rate", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = Virtual.make(({ index }) =>
          Effect.as(Effect.sleep(500), index === 1 ? refusal("15") : Virtual.record)
        )
        const limits = { requestsPerSecond: 0.1, adaptive: false }
        yield* after("5 minutes", withLimits(service, limits, calls(4)))
        // The place of 20 s was reserved before the wait, and that of 30 s is of the first request after it.
        expect(service.times).toEqual([0, 10_000, 25_500, 40_000, 50_000])
      })
    ))

  it.each([
    ["is kept after an error of one request", false, false],
    ["is kept after an error of one request, also if the service was unavailable before", true, false],
    ["is forgotten when the service is back after it was unavailable", false, true]
  ])("lowers the rate, which %s", (_, wasUnavailable, isForgotten) =>
    withTestClock(
      Effect.gen(function* () {
        let isRefusing = false
        let isMissing = false
        let downUntil = 0
        const service = Virtual.make(({ at }) => {
          if (at < downUntil) return Effect.succeed({ status: 502 })
          return Effect.succeed(
            isRefusing ? refusal("1") : isMissing ? { status: 404, body: "{}" } : Virtual.record
          )
        })
        const program = withClient(
          settings("http://127.0.0.1:1", {
            limits: { requestsPerSecond: 10, inFlight: 1 },
            availability: { wait: "5 minutes" }
          }),
          (client) =>
            Effect.gen(function* () {
              const waitForOutage = Effect.suspend(() => {
                downUntil = (service.times.at(-1) ?? 0) + 5_000
                return getRecord(client)
              })
              yield* getRecord(client)
              if (wasUnavailable) yield* waitForOutage
              yield* calls(10)(client)
              isRefusing = true
              const refused = yield* Effect.forkChild(getRecord(client), { startImmediately: true })
              yield* Effect.sleep(500)
              isRefusing = false
              yield* Fiber.join(refused)
              isMissing = true
              yield* Effect.flip(getRecord(client))
              isMissing = false
              if (isForgotten) yield* waitForOutage
              yield* calls(3)(client)
            }),
          service.layer
        )
        yield* after("10 minutes", program)
        const [before = 0, last = 0] = service.times.slice(-2)
        if (isForgotten) expect(last - before).toBe(100)
        else expect(last - before).toBeGreaterThan(150)
      })
    )
  )

  it("does not lower the rate if no request was accepted before", () =>
    withTestClock(
      Effect.gen(function* () {
        const service = throttlingUntil(10_000)
        yield* after("1 minute", withLimits(service, { requestsPerSecond: 10 }, calls(50)))
        expect(service.times.at(-1)).toBeLessThan(16_000)
      })
    ))

  it("costs a real service only the requests in flight, for a hundred fibers", () =>
    Effect.gen(function* () {
      // Refuses requests for 0.9 s, each with a wait of one second.
      let started = 0
      const refusals = { early: 0, late: 0 }
      let successes = 0
      const server = yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<ReturnType<typeof createServer>>((resolve) => {
              const server = createServer((_, response) => {
                started ||= performance.now()
                if (performance.now() - started < 900) {
                  refusals.early++
                  response.writeHead(429, { "retry-after": "1" }).end()
                } else {
                  successes++
                  response.writeHead(200).end(Virtual.record.body)
                }
              }).listen(0, "127.0.0.1", () => resolve(server))
            })
        ),
        (server) =>
          Effect.promise(() => {
            server.closeAllConnections()
            return new Promise((resolve) => server.close(resolve))
          })
      )
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      yield* withClient(settings(url, { retry: RetryPolicy.defaultPolicy }), calls(100))
      expect(successes).toBe(100)
      expect(refusals.early).toBeGreaterThan(0)
      expect(refusals.early).toBeLessThanOrEqual(32)
    }).pipe(Effect.scoped, Effect.runPromise))
})

describe("a shared store", () => {
  /** Runs two clients, each with its own service, as two processes. */
  const runTwoClients = (
    limits: Limits.Limits,
    services: readonly [Virtual.VirtualService, Virtual.VirtualService],
    use: (client: Client) => Effect.Effect<unknown, unknown>
  ) =>
    Effect.forEach(services, (service) => withLimits(service, limits, use), { concurrency: 2 }).pipe(
      Effect.provideService(Pace.Store, Pace.memory())
    )

  it("makes two clients share one rate", () =>
    withTestClock(
      Effect.gen(function* () {
        const services = [serviceWithDelay(0), serviceWithDelay(0)] as const
        yield* after("1 minute", runTwoClients({ requestsPerSecond: 5 }, services, calls(4)))
        const times = services.flatMap((service) => service.times).sort((a, b) => a - b)
        expect(times).toEqual([0, 200, 400, 600, 800, 1000, 1200, 1400])
      })
    ))

  it("is told each accepted request, also if several responses come between two requests", () =>
    withTestClock(
      Effect.gen(function* () {
        // The first 20 responses come together. Then the last request but one takes the next place, and the last one waits for its own.
        const service = Virtual.make(({ index }) =>
          Effect.as(Effect.sleep(Math.max(0, 9900 - 500 * index)), Virtual.record)
        )
        const paces = Pace.memory()
        let last: Pace.State | undefined
        const observed: Pace.Store = {
          modify: (key, change) =>
            paces.modify(key, (state, now) => {
              const changed = change(state, now)
              last = changed[0]
              return changed
            })
        }
        yield* after(
          "1 minute",
          Effect.provideService(
            withLimits(service, { requestsPerSecond: 2, inFlight: 20 }, calls(22)),
            Pace.Store,
            observed
          )
        )
        expect(last?.recent.accepted).toBe(21)
      })
    ))

  it.each<[string, Record<string, string>, number]>([
    ["when one is throttled", { "retry-after": "10" }, 10_000],
    ["for a second when one is throttled without a time", {}, 1000]
  ])("pauses both clients %s, and then spaces their requests", (_, headers, until) =>
    withTestClock(
      Effect.gen(function* () {
        const throttling = Virtual.scripted({ status: 429, headers }, Virtual.record)
        const other = serviceWithDelay(0)
        const firstRequest = yield* Deferred.make<void>()
        yield* after(
          "1 minute",
          runTwoClients({ requestsPerSecond: 4, adaptive: false }, [throttling, other], (client) =>
            Effect.gen(function* () {
              const isFirst = yield* Deferred.complete(firstRequest, Effect.void)
              if (!isFirst) yield* Effect.sleep(500)
              yield* getRecord(client)
            })
          )
        )
        expect(throttling.times[0]).toBe(0)
        expect([throttling.times[1], ...other.times].toSorted()).toEqual([until, until + 250])
      })
    )
  )
})

describe("unusable limits", () => {
  it.each<[Limits.Limits, string]>([
    [{ requestsPerSecond: 0 }, "The option limits.requestsPerSecond is 0. Give a number above 0."],
    [{ requestsPerSecond: Number.NaN }, "The option limits.requestsPerSecond is NaN. Give a number above 0."],
    [{ inFlight: 0.5 }, "The option limits.inFlight is 0.5. Give a whole number of at least 1."]
  ])("of %j are refused when the client is made", async (limits, message) => {
    const error = await Effect.runPromise(Effect.flip(withLimits(serviceWithDelay(0), limits, getRecord)))
    expect(error).toMatchObject({ _tag: "InvalidOption", message })
  })
})
