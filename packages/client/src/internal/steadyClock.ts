/**
 * What asks for the time of the wall, told the steady time (`SteadyClock`) instead.
 */
import { Clock, Effect } from "effect"
import { now } from "../SteadyClock.ts"

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
