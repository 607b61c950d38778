/**
 * Shows the progress of `chemstream generate` on a terminal.
 */
import type { Effect, Scope } from "effect"
import type { Progress } from "../generate/generation.ts"
import { listener } from "./jobProgress.ts"
import * as ProgressBar from "./progressBar.ts"
import { count } from "./quantities.ts"

/** Returns the progress after `elapsed` milliseconds as a line of at most `columns`. */
export const render = (progress: Progress, elapsed: number, columns: number): string => {
  const { phase, substances, total } = progress
  const rate = elapsed === 0 ? 0 : (substances / elapsed) * 1000
  const words =
    phase === "finishing"
      ? `${count(substances)} substances, updating indexes and summaries`
      : `${count(substances)}/${count(total)} substances, ${count(Math.round(rate))}/s`
  return ProgressBar.render(substances / total, words, columns)
}

/** A progress listener that draws a line on standard error until the scope closes. */
export const bar: Effect.Effect<(progress: Progress) => void, never, Scope.Scope> = listener(
  render,
  ({ phase, substances, total }) => phase === "finishing" || substances === total
)
