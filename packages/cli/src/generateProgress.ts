/**
 * The progress of a generation as a line on a terminal.
 */
import type { Generate } from "@chemstream/service"
import type { Effect, Scope } from "effect"
import * as Bar from "./bar.ts"
import { listener } from "./barListener.ts"
import { count } from "./summary.ts"

/** The line that shows how far a generation is after `elapsed` milliseconds, no wider than `columns`. */
export const render = (progress: Generate.Progress, elapsed: number, columns: number): string => {
  const { phase, substances, total } = progress
  const rate = elapsed === 0 ? 0 : (substances / elapsed) * 1000
  const words =
    phase === "finishing"
      ? `${count(substances)} substances, bringing indexes and summaries up to date`
      : `${count(substances)}/${count(total)} substances, ${count(Math.round(rate))}/s`
  return Bar.render(substances / total, words, columns)
}

/** What to tell a generation to draw a line on standard error, which is closed with the scope. */
export const bar: Effect.Effect<(progress: Generate.Progress) => void, never, Scope.Scope> = listener(
  render,
  ({ phase, substances, total }) => phase === "finishing" || substances === total
)
