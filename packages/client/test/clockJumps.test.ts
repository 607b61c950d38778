/**
 * The wall clock is set to another time while calls are under way: none of them notices.
 */
import { RetryPolicy } from "@chemstream/client"
import { JumpingClock } from "@chemstream/faults"
import { Effect, type Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { bisphenolA, settings, using } from "./against.ts"
import * as Virtual from "./virtualService.ts"

const hour = 3_600_000

/** What a call comes to within a minute, where the clock jumps ten milliseconds after the start. */
const callWithJump = (
  service: Virtual.VirtualService,
  byMillis: number,
  more: Parameters<typeof settings>[1] = {}
): Promise<Exit.Exit<unknown, unknown> | undefined> =>
  Effect.gen(function* () {
    const call = using(
      settings("http://127.0.0.1:1", more),
      (client) => client.details.byDtxsid(bisphenolA),
      service.layer
    ).pipe(Effect.provide(JumpingClock.layer([{ after: "10 millis", by: byMillis }])))
    const fiber = yield* Effect.forkChild(call, { startImmediately: true })
    // In steps: the clock around must have jumped while the call waits.
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
])("a clock that is set $title by an hour", ({ byMillis }) => {
  it("is no time-out of an answer that comes in time", async () => {
    const service = Virtual.make(() => Effect.as(Effect.sleep(500), Virtual.record))
    expect(await callWithJump(service, byMillis)).toMatchObject(succeeds)
  })

  it("leaves a time-out where it was", async () => {
    const service = Virtual.make(() => Effect.never)
    const exit = await callWithJump(service, byMillis, { timeouts: { headers: 5_000 } })
    expect(exit).toEqual(fails("RequestTimeout"))
  })

  it("leaves the time for retries as it was", async () => {
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

  it("leaves the pause that a service has asked for as it was", async () => {
    const service = Virtual.scripted({ status: 429, headers: { "retry-after": "2" } }, Virtual.record)
    const retry = RetryPolicy.make({ baseDelay: 1 })
    expect(await callWithJump(service, byMillis, { retry })).toMatchObject(succeeds)
    const [first = 0, second = 0] = service.times
    expect(second - first - byMillis).toBeGreaterThanOrEqual(2_000)
    expect(second - first - byMillis).toBeLessThan(2_500)
  })

  it("leaves the time for which an unavailable service is waited for as it was", async () => {
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

describe("a clock that is wrong", () => {
  it("does not change how long a Retry-After date is away, where the answer says what time it is there", async () => {
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
