import { Ledger, Progress } from "@chemstream/stream"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

/** Returns this many snapshots after the first, of a ledger that finds so many identifiers between them. */
const watch = (between: (step: number) => number, steps: number, total: number | undefined, seconds = 1) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const ledger = Ledger.make()
      const fiber = yield* Progress.snapshots(ledger, { total, every: `${seconds} seconds` }).pipe(
        Stream.take(steps + 1),
        Stream.runCollect,
        Effect.forkChild({ startImmediately: true })
      )
      for (let step = 0; step < steps; step++) {
        ledger.found += between(step)
        yield* TestClock.adjust(`${seconds} seconds`)
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

  it.each([
    [0, [1000, 0, 0, 0]],
    [1, [1000, 1000, 0, 0]],
    [2, [1000, 1000, 1000, 0]]
  ])("counts 10,000 identifiers of second %i for ten seconds", async (second, rates) => {
    const seen = await watch((at) => (at === second ? 10_000 : 0), 13, undefined)
    expect(seen.slice(10).map(({ rate }) => rate)).toEqual(rates)
  })

  it.each([11, 60])("every %i seconds has the rate since the snapshot before", async (every) => {
    const seen = await watch((at) => (at + 1) * every, 4, 20 * every, every)
    expect(seen.map(({ elapsed, rate, remaining }) => [elapsed, rate, remaining])).toEqual([
      [0, 0, undefined],
      [every * 1000, 1, 19 * every * 1000],
      [2 * every * 1000, 2, (17 * every * 1000) / 2],
      [3 * every * 1000, 3, (14 * every * 1000) / 3],
      [4 * every * 1000, 4, (10 * every * 1000) / 4]
    ])
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
