/**
 * Sets the wall clock to another time while calls are in flight, which must not change them.
 */
import { RetryPolicy } from "@chemstream/client"
import { JumpingClock } from "@chemstream/faults"
import { Effect, type Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { bisphenolA, settings, withClient } from "./testClient.ts"
import * as Virtual from "./virtualService.ts"

const hour = 3_600_000

/** Returns the result of a call after a minute. The clock jumps 10 ms after the start. */
const callWithJump = (
  service: Virtual.VirtualService,
  byMillis: number,
  more: Parameters<typeof settings>[1] = {}
): Promise<Exit.Exit<unknown, unknown> | undefined> =>
  Effect.gen(function* () {
    const call = withClient(
      settings("http://127.0.0.1:1", more),
      (client) => client.details.byDtxsid(bisphenolA),
      service.layer
    ).pipe(Effect.provide(JumpingClock.layer([{ after: "10 millis", by: byMillis }])))
    const fiber = yield* Effect.forkChild(call, { startImmediately: true })
    // Small steps make the clock jump while the call waits.
    for (let step = 0; step < 600; step++) yield* TestClock.adjust(100)
    const exit = fiber.pollUnsafe()
    yield* Fiber.interrupt(fiber)
    return exit
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)

const succeeds = { _tag: "Success" }

const fails = (tag: string) =>
  expect.objectContaining({
    _tag: "Failure",
    cause: expect.toSatisfy((cause: unknown) => String(cause).includes(tag))
  })

describe.each([
  { byMillis: hour, title: "forward" },
  { byMillis: -hour, title: "back" }
])("a wall clock set $title by an hour", ({ byMillis }) => {
  it("does not time out a response that arrives in time", async () => {
    const service = Virtual.make(() => Effect.as(Effect.sleep(500), Virtual.record))
    expect(await callWithJump(service, byMillis)).toMatchObject(succeeds)
  })

  it("does not move a timeout", async () => {
    const service = Virtual.make(() => Effect.never)
    const exit = await callWithJump(service, byMillis, { timeouts: { headers: 5_000 } })
    expect(exit).toEqual(fails("RequestTimeout"))
  })

  it("does not change the time for retries", async () => {
    const service = Virtual.scripted({ status: 500 }, { status: 500 }, Virtual.record)
    const retry = RetryPolicy.make({ baseDelay: 500, maxElapsed: 30_000 })
    expect(await callWithJump(service, byMillis, { retry })).toMatchObject(succeeds)

    const down = Virtual.scripted({ status: 500 })
    const patient = RetryPolicy.make({
      attempts: 1_000,
      baseDelay: 2_000,
      maxDelay: 2_000,
      maxElapsed: 10_000
    })
    expect(await callWithJump(down, byMillis, { retry: patient })).toEqual(fails("ServiceFailure"))
    expect(down.times.length).toBeGreaterThan(4)
  })

  it("does not change the wait that a service demands", async () => {
    const service = Virtual.scripted({ status: 429, headers: { "retry-after": "2" } }, Virtual.record)
    const retry = RetryPolicy.make({ baseDelay: 1 })
    expect(await callWithJump(service, byMillis, { retry })).toMatchObject(succeeds)
    const [first = 0, second = 0] = service.times
    expect(second - first - byMillis).toBeGreaterThanOrEqual(2_000)
    expect(second - first - byMillis).toBeLessThan(2_500)
  })

  it("does not change the wait for an unavailable service", async () => {
    const down = { status: 503 }
    const service = Virtual.scripted(...Array(6).fill(down), Virtual.record)
    const retry = RetryPolicy.never
    const availability = { wait: "30 seconds" } as const
    expect(await callWithJump(service, byMillis, { retry, availability })).toMatchObject(succeeds)
    expect(await callWithJump(Virtual.scripted(down), byMillis, { retry, availability })).toEqual(
      fails("ServiceUnavailable")
    )
  })
})

describe("a wrong wall clock", () => {
  it("does not change the wait for a Retry-After date if the response has a Date header", async () => {
    for (const byMillis of [hour, -hour]) {
      const service = Virtual.scripted(
        {
          status: 503,
          headers: { date: "Sat, 21 Nov 2026 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:00:03 GMT" }
        },
        Virtual.record
      )
      const retry = RetryPolicy.make({ baseDelay: 1 })
      expect(await callWithJump(service, byMillis, { retry })).toMatchObject(succeeds)
      const [first = 0, second = 0] = service.times
      const apart = second - first - byMillis
      expect(apart).toBeGreaterThanOrEqual(3_000)
      expect(apart).toBeLessThan(4_000)
    }
  })
})
