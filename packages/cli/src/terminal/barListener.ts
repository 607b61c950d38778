/**
 * The bar of a job that reports its progress: drawn anew when it is time. What comes before main, such as a warning, needs
 * the bar without this, and without the client's clock.
 */
import { MonotonicClock } from "@chemstream/client"
import { Clock, Effect, type Scope } from "effect"
import * as Bar from "./bar.ts"

/**
 * What to tell a job that reports its progress to draw a line, which ends with the scope. `isLast` says of what is
 * drawn however short the time since.
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
