/**
 * Many scenarios, several at once: `npm run faults -- --count 50000 --seed 1`.
 *
 * Looks besides at what no single run shows: unhandled rejections, and memory and handles that grow.
 */
import { Effect } from "effect"
import * as Aftermath from "./Aftermath.ts"
import * as Growth from "./Growth.ts"
import { type Report, run } from "./run.ts"

/** Scenarios at a time: most of them wait. */
const atOnce = 64

/** What is run. */
export interface Options {
  /** The first seed; the next ones follow it. */
  readonly seed: number
  readonly count: number
  /** Is told from time to time how far the campaign is. */
  readonly onProgress?: ((done: number, failing: ReadonlyArray<Report>) => void) | undefined
}

/** What a campaign showed. */
export interface Summary extends Aftermath.Aftermath {
  readonly scenarios: number
  readonly identifiers: number
  readonly requests: number
  readonly faulted: number
  readonly failed: number
  readonly ended: number
  readonly seconds: number
  readonly growth: Growth.Growth
  /** The reports with breaches. */
  readonly failing: ReadonlyArray<Report>
}

/** Runs the scenarios of so many seeds. */
export const campaign = (options: Options): Promise<Summary> => Aftermath.of(() => runAll(options))

const runAll = async ({
  count,
  onProgress,
  seed
}: Options): Promise<Omit<Summary, keyof Aftermath.Aftermath>> => {
  const started = performance.now()
  const growth = Growth.follow()
  const failing: Array<Report> = []
  const sum = { scenarios: 0, identifiers: 0, requests: 0, faulted: 0, failed: 0, ended: 0 }
  const step = Math.max(10, Math.floor(count / 40))
  const enter = (report: Report): void => {
    sum.scenarios++
    sum.identifiers += report.identifiers
    sum.requests += report.requests
    sum.faulted += report.faulted
    sum.failed += report.failed
    sum.ended += report.isEnded ? 1 : 0
    if (report.breaches.length > 0) failing.push(report)
    if (sum.scenarios % step !== 0) return
    growth.add(Growth.sample())
    onProgress?.(sum.scenarios, failing)
  }
  const seeds = Array.from({ length: count }, (_, n) => seed + n)
  await Effect.runPromise(
    Effect.forEach(seeds, (one) => Effect.map(run(one), enter), { concurrency: atOnce, discard: true })
  )
  return { ...sum, seconds: (performance.now() - started) / 1000, growth: growth.result(), failing }
}
