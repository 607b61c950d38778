/**
 * Applies the timeouts of an attempt: one for the headers of the response, then one for its body.
 *
 * One timer serves both phases, because each race takes time of a small call.
 */

import { MonotonicClock } from "@chemstream/batch"
import { Clock, Duration, Effect } from "effect"

/** The part of a response that an attempt waits for. */
export type Phase = "headers" | "body"

/** The timeout of each phase, in milliseconds. */
export type Limits = Readonly<Record<Phase, number>>

/**
 * Runs an attempt, which calls `onHeaders` when the headers have arrived. If a phase takes longer than its timeout,
 * the attempt is interrupted, and the error is that of `late`.
 */
export const within = <A, E>(
  limits: Limits,
  attempt: (onHeaders: () => void) => Effect.Effect<A, E>,
  late: (phase: Phase) => E
): Effect.Effect<A, E> =>
  Clock.clockWith((clock) => {
    let phase: Phase = "headers"
    let end = MonotonicClock.now(clock) + limits.headers
    const onHeaders = (): void => {
      phase = "body"
      end = MonotonicClock.now(clock) + limits.body
    }
    // Sleeps at most until a body phase that begins meanwhile would end.
    const longest = Math.min(limits.headers, limits.body)
    const watch: Effect.Effect<never, E> = Effect.suspend(() => {
      const left = end - MonotonicClock.now(clock)
      return left <= 0
        ? Effect.fail(late(phase))
        : Effect.andThen(clock.sleep(Duration.millis(Math.min(left, longest))), watch)
    })
    return Effect.raceFirst(attempt(onHeaders), watch)
  })
