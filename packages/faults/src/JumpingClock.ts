/**
 * A clock whose wall time jumps while a program runs, as when an administrator or a time server sets it.
 *
 * Sleeping and monotonic time do not change, so a program that measures durations with the wall clock fails.
 */
import { Clock, Duration, Effect, Layer } from "effect"
import { argument } from "./internal/checkArgument.ts"
import { Scenario } from "./Scenario.ts"

/** Wraps the current clock with these jumps. Their times count from now. */
export const make = (jumps: Scenario["clockJumps"]): Effect.Effect<Clock.Clock> =>
  Effect.clockWith((clock) =>
    Effect.sync(() => {
      const checked = argument("jumps", Scenario.fields.clockJumps, jumps)
      const started = clock.monotonicTimeNanosUnsafe()
      const offset = (): number => {
        const elapsed = Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
        return checked.reduce(
          (sum, { after, by }) => (elapsed >= Duration.toMillis(after) ? sum + Duration.toMillis(by) : sum),
          0
        )
      }
      const millis = (): number => clock.currentTimeMillisUnsafe() + offset()
      const nanos = (): bigint => clock.currentTimeNanosUnsafe() + BigInt(Math.round(offset() * 1e6))
      return {
        currentTimeMillisUnsafe: millis,
        currentTimeMillis: Effect.sync(millis),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      }
    })
  )

/**
 * Provides the clock as a layer.
 *
 * @example
 *
 * ```ts
 * import { JumpingClock } from "@chemstream/faults"
 * import { Clock, Effect } from "effect"
 *
 * const yesterday = JumpingClock.layer([{ after: 0, by: "-1 day" }])
 * const now = await Effect.runPromise(Effect.provide(Clock.currentTimeMillis, yesterday))
 * Math.round((Date.now() - now) / 86_400_000) // => 1
 * ```
 */
export const layer = (jumps: Scenario["clockJumps"]): Layer.Layer<never> =>
  Layer.effect(Clock.Clock, make(jumps))
