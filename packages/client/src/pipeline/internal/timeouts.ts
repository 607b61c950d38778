/**
 * Applies the timeouts of an attempt: one for the headers of the response, then one for its body. `ChemClient.Timeouts` has their defaults.
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
 * the attempt is interrupted, and the error is that of `onTimeout`.
 */
export const withTimeouts = <A, E>(
  limits: Limits,
  attempt: (onHeaders: () => void) => Effect.Effect<A, E>,
  onTimeout: (phase: Phase) => E
): Effect.Effect<A, E> =>
  Clock.clockWith((clock) => {
    let phase: Phase = "headers"
    let deadline = MonotonicClock.now(clock) + limits.headers
    const onHeaders = (): void => {
      phase = "body"
      deadline = MonotonicClock.now(clock) + limits.body
    }
    // The body phase may begin during a sleep, so no sleep is longer than the shorter timeout.
    const longest = Math.min(limits.headers, limits.body)
    const timer: Effect.Effect<never, E> = Effect.suspend(() => {
      const remaining = deadline - MonotonicClock.now(clock)
      return remaining <= 0
        ? Effect.fail(onTimeout(phase))
        : Effect.andThen(clock.sleep(Duration.millis(Math.min(remaining, longest))), timer)
    })
    return Effect.raceFirst(attempt(onHeaders), timer)
  })
