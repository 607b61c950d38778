/**
 * Time that only ever goes on, at its own pace: what waits and time-outs are measured with. The wall clock is set while
 * programs run, by people and by time servers.
 */
import { Clock, Effect } from "effect"

/** Milliseconds since some moment. */
export const now = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/** Milliseconds since some moment. */
export const currentMillis: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => now(clock)))

/** A store that keeps moments in the memory of this process, with the steady time for the wall's. */
export const steadily = <S extends object>(store: S): S =>
  Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      (argument: unknown) =>
        Effect.clockWith((clock) =>
          Effect.provideService(method(argument) as Effect.Effect<unknown>, Clock.Clock, steady(clock))
        )
    ])
  ) as S

const steady = (clock: Clock.Clock): Clock.Clock => ({
  currentTimeMillisUnsafe: () => Math.floor(now(clock)),
  currentTimeMillis: Effect.sync(() => Math.floor(now(clock))),
  currentTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  currentTimeNanos: clock.monotonicTimeNanos,
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  sleep: (duration) => clock.sleep(duration)
})
