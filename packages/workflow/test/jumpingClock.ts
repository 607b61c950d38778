// A clock that a test sets forward. Short sleeps take real time. Sleeps of a minute or more end when the clock passes
// their end.
import { Clock, Duration, Effect } from "effect"

/** The shortest sleep that ends only by a jump, in milliseconds. */
const long = 60_000

export interface JumpingClock {
  readonly clock: Clock.Clock
  /** Sets the clock forward. */
  readonly jump: (duration: Duration.Input) => Effect.Effect<void>
}

export const make: Effect.Effect<JumpingClock> = Effect.map(Clock.Clock, (live) => {
  let offset = 0
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  const nanos = (): bigint => live.monotonicTimeNanosUnsafe() + BigInt(offset) * 1_000_000n
  const now = (): number => Number(nanos()) / 1e6
  const wall = (): number => live.currentTimeMillisUnsafe() + offset
  const wallNanos = (): bigint => live.currentTimeNanosUnsafe() + BigInt(offset) * 1_000_000n
  const sleepLong = (milliseconds: number) =>
    Effect.callback<void>((resume) => {
      const sleeper = { until: now() + milliseconds, wake: () => resume(Effect.void) }
      sleepers.add(sleeper)
      return Effect.sync(() => sleepers.delete(sleeper))
    })
  return {
    clock: {
      currentTimeMillisUnsafe: wall,
      currentTimeMillis: Effect.sync(wall),
      currentTimeNanosUnsafe: wallNanos,
      currentTimeNanos: Effect.sync(wallNanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) =>
        Duration.toMillis(duration) < long ? live.sleep(duration) : sleepLong(Duration.toMillis(duration))
    },
    jump: (duration) =>
      Effect.sync(() => {
        offset += Duration.toMillis(duration)
        for (const sleeper of sleepers) {
          if (sleeper.until > now()) continue
          sleepers.delete(sleeper)
          sleeper.wake()
        }
      })
  }
})
