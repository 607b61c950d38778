/**
 * Shows the progress of `chemstream import` on a terminal.
 */
import type { Import } from "@chemstream/service"
import type { Effect, Scope } from "effect"
import { listener } from "./jobProgress.ts"
import * as ProgressBar from "./progressBar.ts"
import { count } from "./quantities.ts"

/** Returns the progress after `elapsed` milliseconds as a line of at most `columns`. */
export const render = (progress: Import.Progress, elapsed: number, columns: number): string => {
  const { bytes, phase, records, total } = progress
  const rate = elapsed === 0 ? 0 : (records / elapsed) * 1000
  const words =
    phase === "finishing"
      ? `${count(records)} records, updating indexes and summaries`
      : `${count(records)} records, ${count(Math.round(rate))}/s`
  if (total === undefined) return ProgressBar.render(undefined, words, columns)
  const share = total === 0 ? 1 : Math.min(bytes / total, 1)
  return ProgressBar.render(share, `${Math.floor(share * 100)} %, ${words}`, columns)
}

/** A progress listener that draws a line on standard error until the scope closes. */
export const bar: Effect.Effect<(progress: Import.Progress) => void, never, Scope.Scope> = listener(
  render,
  ({ phase }) => phase === "finishing"
)
