/**
 * The monotonic clock: time that never goes back and runs at its own pace. Waits, timeouts and durations are measured with
 * it, because people and time servers set the wall clock while programs run.
 */
import { Clock, Effect } from "effect"

/** Milliseconds since some moment, by this clock. */
export const now = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/**
 * Milliseconds since some moment.
 *
 * @example
 * ```ts
 * import { MonotonicClock } from "@chemstream/batch"
 * import { Effect } from "effect"
 *
 * const elapsed = Effect.gen(function* () {
 *   const started = yield* MonotonicClock.currentMillis
 *   yield* Effect.sleep("20 millis")
 *   return (yield* MonotonicClock.currentMillis) - started
 * })
 * ;(await Effect.runPromise(elapsed)) > 10 // => true
 * ```
 */
export const currentMillis: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => now(clock)))

/** Runs an effect with the monotonic time in place of the wall clock's. */
export const provide = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(effect, Clock.Clock, (clock) => {
    const millis = (): number => Math.floor(now(clock))
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

/** A store of moments in the memory of this process whose functions run with the monotonic time. */
export const provideStore = <S extends object>(store: S): S =>
  Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      (argument: unknown) => provide(method(argument) as Effect.Effect<unknown>)
    ])
  ) as S
