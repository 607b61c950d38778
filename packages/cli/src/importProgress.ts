/**
 * The progress of an import as a line on a terminal, redrawn in place.
 */
import type { Import } from "@chemstream/service"
import { Clock, Effect, type Scope } from "effect"
import { count } from "./summary.ts"

/** The milliseconds between two drawings: at most ten a second. */
const redrawEvery = 100

const widestBar = 30

/** The line that shows how far an import is after `elapsed` milliseconds, no wider than `columns`. */
export const render = (progress: Import.Progress, elapsed: number, columns: number): string => {
  const { bytes, phase, records, total } = progress
  const rate = elapsed === 0 ? 0 : (records / elapsed) * 1000
  const text =
    phase === "finishing"
      ? `${count(records)} records, bringing indexes and summaries up to date`
      : `${count(records)} records, ${count(Math.round(rate))}/s`
  const width = Math.min(widestBar, columns - text.length - 10)
  if (total === undefined || width < 5) return text.slice(0, columns - 1)
  const share = total === 0 ? 1 : Math.min(bytes / total, 1)
  const filled = Math.floor(share * width)
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${Math.floor(share * 100)} %, ${text}`
}

/** What to tell an import to draw a line on standard error, which is closed with the scope. */
export const bar: Effect.Effect<(progress: Import.Progress) => void, never, Scope.Scope> = Effect.gen(
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
      if (now - drawn < redrawEvery && progress.phase === "reading") return
      drawn = now
      process.stderr.write(`\r\u001b[2K${render(progress, now - started, process.stderr.columns || 80)}`)
    }
  }
)
