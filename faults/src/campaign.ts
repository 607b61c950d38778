/**
 * Many scenarios, several at once: `npm run faults -- --count 50000 --seed 1`.
 *
 * Looks besides at what no single run shows: unhandled rejections, and memory and handles that grow.
 */
import { Effect } from "effect"
import * as Growth from "./Growth.ts"
import { type Report, run } from "./run.ts"

/** Scenarios at a time: most of them wait. */
const atOnce = 24

/** What is run. */
export interface Options {
  /** The first seed; the next ones follow it. */
  readonly seed: number
  readonly count: number
  /** Is told from time to time how far the campaign is. */
  readonly onProgress?: ((done: number, failing: ReadonlyArray<Report>) => void) | undefined
}

/** What a campaign showed. */
export interface Summary {
  readonly scenarios: number
  readonly identifiers: number
  readonly requests: number
  readonly spoilt: number
  readonly failed: number
  readonly ended: number
  readonly seconds: number
  readonly growth: Growth.Growth
  readonly rejections: ReadonlyArray<string>
  /** The reports with breaches. */
  readonly failing: ReadonlyArray<Report>
}

/** Runs the scenarios of so many seeds. */
export const campaign = async ({ count, onProgress, seed }: Options): Promise<Summary> => {
  const rejections: Array<string> = []
  const onRejection = (reason: unknown): void => {
    rejections.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason))
  }
  process.on("unhandledRejection", onRejection)
  const started = performance.now()
  const growth = Growth.make()
  const failing: Array<Report> = []
  const sum = { scenarios: 0, identifiers: 0, requests: 0, spoilt: 0, failed: 0, ended: 0 }
  const slice = Math.max(50, Math.ceil(count / 40))
  for (let from = seed; from < seed + count; from += slice) {
    const seeds = Array.from({ length: Math.min(slice, seed + count - from) }, (_, n) => from + n)
    const reports = await Effect.runPromise(Effect.forEach(seeds, run, { concurrency: atOnce }))
    for (const report of reports) {
      sum.scenarios++
      sum.identifiers += report.identifiers
      sum.requests += report.requests
      sum.spoilt += report.spoilt
      sum.failed += report.failed
      sum.ended += report.isEnded ? 1 : 0
      if (report.breaches.length > 0) failing.push(report)
    }
    // Between the slices nothing runs: what is there then stays.
    growth.sample()
    onProgress?.(sum.scenarios, failing)
  }
  process.off("unhandledRejection", onRejection)
  return {
    ...sum,
    seconds: (performance.now() - started) / 1000,
    growth: growth.result(),
    rejections,
    failing
  }
}
