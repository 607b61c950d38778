/**
 * Tells the time that only goes on to what asks for that of the wall, which people and time servers set while the
 * service runs.
 */
import { Clock, Effect } from "effect"

/** The same, with the steady time: milliseconds and nanoseconds since some moment. */
export const steadily = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => Effect.provideService(effect, Clock.Clock, steady(clock)))

const steady = (clock: Clock.Clock): Clock.Clock => {
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
}
