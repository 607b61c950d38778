/**
 * The progress of an import as a line on a terminal.
 */
import type { Import } from "@chemstream/service"
import type { Effect, Scope } from "effect"
import { count } from "../run/summary.ts"
import * as Bar from "./bar.ts"
import { listener } from "./barListener.ts"

/** The line that shows how far an import is after `elapsed` milliseconds, no wider than `columns`. */
export const render = (progress: Import.Progress, elapsed: number, columns: number): string => {
  const { bytes, phase, records, total } = progress
  const rate = elapsed === 0 ? 0 : (records / elapsed) * 1000
  const words =
    phase === "finishing"
      ? `${count(records)} records, bringing indexes and summaries up to date`
      : `${count(records)} records, ${count(Math.round(rate))}/s`
  if (total === undefined) return Bar.render(undefined, words, columns)
  const share = total === 0 ? 1 : Math.min(bytes / total, 1)
  return Bar.render(share, `${Math.floor(share * 100)} %, ${words}`, columns)
}

/** What to tell an import to draw a line on standard error, which is closed with the scope. */
export const bar: Effect.Effect<(progress: Import.Progress) => void, never, Scope.Scope> = listener(
  render,
  ({ phase }) => phase === "finishing"
)
