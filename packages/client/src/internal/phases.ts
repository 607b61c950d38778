/**
 * The time-outs of one attempt: so long for the headers of the answer, and then so long for its body.
 *
 * One watch for both phases, because a race costs a small call 25 µs.
 */
import { Clock, Effect } from "effect"

/** What an attempt is waiting for. */
export type Phase = "headers" | "body"

/** How long each phase may take, in milliseconds. */
export type Limits = Readonly<Record<Phase, number>>

/**
 * Runs an attempt that says when it begins to wait for the body; it is interrupted, and what `late` gives is the result,
 * when a phase takes longer than its limit.
 */
export const within = <A, E>(
  limits: Limits,
  attempt: (onHeaders: Effect.Effect<void>) => Effect.Effect<A, E>,
  late: (phase: Phase) => E
): Effect.Effect<A, E> =>
  Effect.flatMap(Clock.currentTimeMillis, (started) => {
    let phase: Phase = "headers"
    let end = started + limits.headers
    const onHeaders = Effect.map(Clock.currentTimeMillis, (now) => {
      phase = "body"
      end = now + limits.body
    })
    // Never sleeps beyond the end of a body phase that begins meanwhile.
    const longest = Math.min(limits.headers, limits.body)
    const watch: Effect.Effect<never, E> = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now >= end
        ? Effect.fail(late(phase))
        : Effect.andThen(Effect.sleep(Math.min(end - now, longest)), watch)
    )
    return Effect.raceFirst(attempt(onHeaders), watch)
  })
