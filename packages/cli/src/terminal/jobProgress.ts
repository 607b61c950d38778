/** Draws the bar of a job that reports its progress. This module loads the client's clock; `progressBar.ts` does not. */
import { MonotonicClock } from "@chemstream/client"
import { Clock, Effect, type Scope } from "effect"
import * as ProgressBar from "./progressBar.ts"

/**
 * Returns a progress listener that draws a line until the scope closes. It draws a state if `isLast` is true for it,
 * or if the interval since the last drawing has passed.
 */
export const listener = <Progress>(
  lineOf: (progress: Progress, elapsed: number, columns: number) => string,
  isLast: (progress: Progress) => boolean
): Effect.Effect<(progress: Progress) => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const started = MonotonicClock.now(clock)
    let lastDrawing = Number.NEGATIVE_INFINITY
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        if (lastDrawing > Number.NEGATIVE_INFINITY) ProgressBar.end()
      })
    )
    return (progress) => {
      const now = MonotonicClock.now(clock)
      if (now - lastDrawing < ProgressBar.redrawEvery && !isLast(progress)) return
      lastDrawing = now
      ProgressBar.draw(lineOf(progress, now - started, ProgressBar.columns()))
    }
  })
