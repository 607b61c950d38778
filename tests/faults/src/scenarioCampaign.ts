/**
 * Runs many scenarios, several at once: `npm run faults -- --count 50000 --seed 1`.
 *
 * It also detects unhandled rejections, and growth of memory and handles.
 */
import { Effect } from "effect"
import * as Growth from "./ProcessGrowth.ts"
import * as Leaks from "./ProcessLeaks.ts"
import { type Report, run } from "./runScenario.ts"

/** The number of concurrent scenarios. They mostly wait. */
const concurrency = 64

/** The scenarios of a campaign. */
export interface Options {
  /** The first seed. The others are consecutive. */
  readonly seed: number
  readonly count: number
  /** Called with the progress after every 40th part of the scenarios. */
  readonly onProgress?: ((done: number, failing: ReadonlyArray<Report>) => void) | undefined
}

/** The result of a campaign. */
export interface Summary extends Leaks.Leaks {
  readonly scenarios: number
  readonly identifiers: number
  readonly requests: number
  readonly faulted: number
  readonly failed: number
  readonly stoppedEarly: number
  readonly seconds: number
  readonly growth: Growth.Growth
  /** The reports with breaches. */
  readonly failing: ReadonlyArray<Report>
}

/** Runs the scenarios of consecutive seeds. */
export const campaign = (options: Options): Promise<Summary> => Leaks.detect(() => runAll(options))

const runAll = async ({ count, onProgress, seed }: Options): Promise<Omit<Summary, keyof Leaks.Leaks>> => {
  const started = performance.now()
  const growth = Growth.makeRecorder()
  const failing: Array<Report> = []
  const sum = { scenarios: 0, identifiers: 0, requests: 0, faulted: 0, failed: 0, stoppedEarly: 0 }
  const step = Math.max(10, Math.floor(count / 40))
  const add = (report: Report): void => {
    sum.scenarios++
    sum.identifiers += report.identifiers
    sum.requests += report.requests
    sum.faulted += report.faulted
    sum.failed += report.failed
    sum.stoppedEarly += report.hasStoppedEarly ? 1 : 0
    if (report.breaches.length > 0) failing.push(report)
    if (sum.scenarios % step !== 0) return
    growth.add(Growth.sample())
    onProgress?.(sum.scenarios, failing)
  }
  const seeds = Array.from({ length: count }, (_, n) => seed + n)
  await Effect.runPromise(
    Effect.forEach(seeds, (one) => Effect.map(run(one), add), { concurrency, discard: true })
  )
  return { ...sum, seconds: (performance.now() - started) / 1000, growth: growth.result(), failing }
}
