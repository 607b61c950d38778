/**
 * The progress of a generation as a line on a terminal, redrawn in place.
 */
import type { Generate } from "@chemstream/service"
import { Clock, Effect, type Scope } from "effect"
import { count } from "./summary.ts"

/** The milliseconds between two drawings: at most ten a second. */
const redrawEvery = 100

const widestBar = 30

/** The line that shows how far a generation is after `elapsed` milliseconds, no wider than `columns`. */
export const render = (progress: Generate.Progress, elapsed: number, columns: number): string => {
  const { phase, substances, total } = progress
  const rate = elapsed === 0 ? 0 : (substances / elapsed) * 1000
  const text =
    phase === "finishing"
      ? `${count(substances)} substances, bringing indexes and summaries up to date`
      : `${count(substances)}/${count(total)} substances, ${count(Math.round(rate))}/s`
  const width = Math.min(widestBar, columns - text.length - 4)
  if (width < 5) return text.slice(0, columns - 1)
  const filled = Math.floor((substances / total) * width)
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${text}`
}

/** What to tell a generation to draw a line on standard error, which is closed with the scope. */
export const bar: Effect.Effect<(progress: Generate.Progress) => void, never, Scope.Scope> = Effect.gen(
  function* () {
    const clock = yield* Clock.Clock
    const started = clock.currentTimeMillisUnsafe()
    let drawn = Number.NEGATIVE_INFINITY
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        if (drawn > Number.NEGATIVE_INFINITY) process.stderr.write("\n")
      })
    )
    return (progress) => {
      const now = clock.currentTimeMillisUnsafe()
      const last = progress.phase === "finishing" || progress.substances === progress.total
      if (now - drawn < redrawEvery && !last) return
      drawn = now
      process.stderr.write(`\r\u001b[2K${render(progress, now - started, process.stderr.columns || 80)}`)
    }
  }
)
