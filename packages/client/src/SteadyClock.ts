/**
 * Time that only ever goes on, at its own pace: what waits, time-outs and durations are measured with. The wall clock is
 * set while programs run, by people and by time servers.
 */
import { type Clock, Effect } from "effect"

/** Milliseconds since some moment, by this clock. */
export const now = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/**
 * Milliseconds since some moment.
 *
 * @example
 * ```ts
 * import { SteadyClock } from "@chemstream/client"
 * import { Effect } from "effect"
 *
 * const elapsed = Effect.gen(function* () {
 *   const started = yield* SteadyClock.currentMillis
 *   yield* Effect.sleep("20 millis")
 *   return (yield* SteadyClock.currentMillis) - started
 * })
 * ;(await Effect.runPromise(elapsed)) > 10 // => true
 * ```
 */
export const currentMillis: Effect.Effect<number> = Effect.clockWith((clock) => Effect.sync(() => now(clock)))
