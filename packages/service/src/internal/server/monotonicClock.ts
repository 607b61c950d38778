/** The monotonic clock. The wall clock may be set back while the service runs. */
import { Clock, Effect } from "effect"

/** Runs an effect on the monotonic clock. */
export const provide = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(effect, Clock.Clock, (clock) => {
    const millis = (): number => Math.floor(Number(clock.monotonicTimeNanosUnsafe()) / 1e6)
    return {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      currentTimeNanos: clock.monotonicTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }
  })
