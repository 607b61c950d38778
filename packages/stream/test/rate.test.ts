import { Rate } from "@chemstream/stream"
import { Effect, Schedule, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, TestClock.layer()))

describe("a meter", () => {
  it("has the rate of what passes, over its window", async () => {
    const rates = await run(
      Effect.gen(function* () {
        const meter = Rate.make({ window: "10 seconds" })
        const seen: Array<number> = []
        yield* Stream.range(1, 1000).pipe(
          Stream.rechunk(1),
          Stream.schedule(Schedule.spaced("100 millis")),
          (stream) => Rate.of(stream, meter),
          Stream.runDrain,
          Effect.forkChild({ startImmediately: true })
        )
        for (let second = 0; second < 60; second++) {
          yield* TestClock.adjust("1 second")
          seen.push(yield* meter.rate)
        }
        return seen
      })
    )
    for (const rate of rates) expect(Math.abs(rate - 10)).toBeLessThanOrEqual(1.2)
    expect(rates).toHaveLength(60)
  })

  it("follows a stream that slows down, and falls to 0 while nothing passes", async () => {
    const rates = await run(
      Effect.gen(function* () {
        const meter = Rate.make({ window: "10 seconds" })
        const pass = (perSecond: number) =>
          Effect.forEach(Array.from({ length: 20 }), () =>
            Effect.andThen(meter.add(perSecond), TestClock.adjust("1 second"))
          )
        const before = yield* meter.rate
        yield* pass(1000)
        const fast = yield* meter.rate
        yield* pass(10)
        const slow = yield* meter.rate
        yield* TestClock.adjust("10 seconds")
        const still = yield* meter.rate
        yield* TestClock.adjust("1 day")
        yield* pass(50)
        return { before, fast, slow, still, again: yield* meter.rate }
      })
    )
    expect(rates).toMatchObject({ before: 0, still: 0 })
    expect(Math.abs(rates.fast - 1000)).toBeLessThanOrEqual(100)
    expect(Math.abs(rates.slow - 10)).toBeLessThanOrEqual(1)
    expect(Math.abs(rates.again - 50)).toBeLessThanOrEqual(5)
  })

  it("takes the time since the first element while that is shorter than its window", async () => {
    const rate = await run(
      Effect.gen(function* () {
        const meter = Rate.make()
        yield* TestClock.adjust("1 hour")
        yield* meter.add(30)
        yield* TestClock.adjust("2 seconds")
        return yield* meter.rate
      })
    )
    expect(rate).toBe(15)
  })

  it("has the rate of several streams together, and leaves each as it is", async () => {
    const result = await run(
      Effect.gen(function* () {
        const meter = Rate.make()
        const one = yield* Stream.runCollect(Rate.of(Stream.make(1, 2, 3), meter))
        const other = yield* Effect.flip(Stream.runDrain(Rate.of(Stream.fail("gone"), meter)))
        const last = yield* Stream.runCollect(Rate.of(Stream.make(4), meter))
        yield* TestClock.adjust("1 second")
        return [one, other, last, yield* meter.rate]
      })
    )
    expect(result).toEqual([[1, 2, 3], "gone", [4], 4])
  })
})
