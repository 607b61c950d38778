/**
 * The monotonic clock, which never goes back. Waits, timeouts and durations use it, because people and time servers
 * set the wall clock.
 */
import { Clock, Effect } from "effect"
import { type AnyKind, effect as anEffect, argument, instance } from "./Options.ts"

/** Returns the milliseconds since an arbitrary moment, by this clock. */
export const now = (clock: Clock.Clock): number =>
  Number(argument("clock", clockKind, clock).monotonicTimeNanosUnsafe()) / 1e6

const clockKind: AnyKind = /* @__PURE__ */ instance("a clock of Effect", "monotonicTimeNanosUnsafe")

/**
 * The milliseconds since an arbitrary moment.
 *
 * @example
 *
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

/** Runs an effect on the monotonic clock. */
export const provide = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(argument("effect", anEffect, effect), Clock.Clock, (clock) => {
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
