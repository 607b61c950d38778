/**
 * The time-outs of one attempt: so long for the headers of the answer, and then so long for its body.
 *
 * One watch for both phases, because a race costs a small call 25 µs.
 */

import { MonotonicClock } from "@chemstream/batch"
import { Clock, Duration, Effect } from "effect"

/** What an attempt is waiting for. */
export type Phase = "headers" | "body"

/** How long each phase may take, in milliseconds. */
export type Limits = Readonly<Record<Phase, number>>

/**
 * Runs an attempt that says when it begins to wait for the body; it is interrupted, and what `late` gives is the failure,
 * when a phase takes longer than its limit.
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
    // Never sleeps beyond the end of a body phase that begins meanwhile.
    const longest = Math.min(limits.headers, limits.body)
    const watch: Effect.Effect<never, E> = Effect.suspend(() => {
      const left = end - MonotonicClock.now(clock)
      return left <= 0
        ? Effect.fail(late(phase))
        : Effect.andThen(clock.sleep(Duration.millis(Math.min(left, longest))), watch)
    })
    return Effect.raceFirst(attempt(onHeaders), watch)
  })
