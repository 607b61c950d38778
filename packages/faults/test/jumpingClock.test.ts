import { JumpingClock } from "@chemstream/faults"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"

it("a jumping clock changes the wall clock, but neither sleeping nor the monotonic time", async () => {
  const jumps = [
    { after: 100, by: -1_000 },
    { after: 200, by: 5_000 }
  ]
  const times = await Effect.gen(function* () {
    const clock = yield* JumpingClock.make(jumps)
    const seen: Array<readonly [wall: number, nanos: number, monotonic: number]> = []
    for (let step = 0; step < 3; step++) {
      seen.push([
        yield* clock.currentTimeMillis,
        Number(yield* clock.currentTimeNanos) / 1e6,
        Number(yield* clock.monotonicTimeNanos) / 1e6
      ])
      yield* TestClock.adjust(100)
    }
    return seen
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
  expect(times).toEqual([
    [0, 0, 0],
    [-900, -900, 100],
    [4_200, 4_200, 200]
  ])
})

it("a jumping clock is the clock of its program", async () => {
  const hour = 3_600_000
  const program = Effect.provide(Clock.currentTimeMillis, JumpingClock.layer([{ after: 0, by: hour }]))
  const now = await Effect.runPromise(Effect.provide(program, TestClock.layer()))
  expect(now).toBe(hour)
})
