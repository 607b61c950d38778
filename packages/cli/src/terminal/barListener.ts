/**
 * Draws the bar of a job that reports its progress. It is apart from `bar.ts`, so that a warning before the start needs no clock
 * of the client.
 */
import { MonotonicClock } from "@chemstream/client"
import { Clock, Effect, type Scope } from "effect"
import * as Bar from "./bar.ts"

/**
 * Returns a progress listener that draws a line until the scope closes. States for which `isLast` is true are always drawn; others at
 * most once per interval.
 */
export const listener = <Progress>(
  lineOf: (progress: Progress, elapsed: number, columns: number) => string,
  isLast: (progress: Progress) => boolean
): Effect.Effect<(progress: Progress) => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const started = MonotonicClock.now(clock)
    let drawn = Number.NEGATIVE_INFINITY
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        if (drawn > Number.NEGATIVE_INFINITY) Bar.end()
      })
    )
    return (progress) => {
      const now = MonotonicClock.now(clock)
      if (now - drawn < Bar.redrawEvery && !isLast(progress)) return
      drawn = now
      Bar.draw(lineOf(progress, now - started, Bar.columns()))
    }
  })
