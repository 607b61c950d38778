import { Ledger, Progress } from "@chemstream/stream"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

/** Returns the snapshots of a ledger that finds this many identifiers a second, for this many seconds. */
const watch = (perSecond: (second: number) => number, seconds: number, total: number | undefined) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const ledger = Ledger.make()
      const fiber = yield* Progress.snapshots(ledger, { total, every: "1 second" }).pipe(
        Stream.take(seconds + 1),
        Stream.runCollect,
        Effect.forkChild({ startImmediately: true })
      )
      for (let second = 0; second < seconds; second++) {
        ledger.found += perSecond(second)
        yield* TestClock.adjust("1 second")
      }
      return yield* Fiber.join(fiber)
    }).pipe(Effect.provide(TestClock.layer()))
  )

describe("Progress.snapshots", () => {
  it("has the identifiers done, the rate, and the remaining time", async () => {
    const seen = await watch(() => 50, 3, 400)
    expect(seen.map(({ done, elapsed, rate, remaining }) => ({ done, elapsed, rate, remaining }))).toEqual([
      { done: 0, elapsed: 0, rate: 0, remaining: undefined },
      { done: 50, elapsed: 1000, rate: 50, remaining: 7000 },
      { done: 100, elapsed: 2000, rate: 50, remaining: 6000 },
      { done: 150, elapsed: 3000, rate: 50, remaining: 5000 }
    ])
  })

  it("measures the rate over the last ten seconds, so that it follows a slower service", async () => {
    const seen = await watch((second) => (second < 60 ? 1000 : 10), 80, undefined)
    expect(seen[60]).toMatchObject({ rate: 1000 })
    expect(seen[75]).toMatchObject({ rate: 10, remaining: undefined })
  })

  it("has no remaining time when there are more identifiers than the total", async () => {
    expect((await watch(() => 10, 2, 5)).at(-1)).toMatchObject({ done: 20, remaining: 0 })
  })

  it.each([0, -1, Number.NaN, "soon" as never])("refuses %s as `every`", async (every) => {
    const watched = Stream.runDrain(Progress.snapshots(Ledger.make(), { every }))
    expect(await Effect.runPromise(Effect.flip(watched))).toMatchObject({
      _tag: "InvalidOption",
      option: "every"
    })
  })
})
