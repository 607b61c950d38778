/**
 * Measures how the time of the command grows with its input, from ten thousand to a million full records. A growth exponent of 1 means
 * linear growth.
 */
import { byCommand, withJob } from "./job.ts"
import { log } from "./log.ts"
import type { Figures, Measured } from "./report.ts"
import { mediansOf, short } from "./statistics.ts"
import * as WholeProcess from "./wholeProcess.ts"

const sizes = [10_000, 100_000, 1_000_000]
const rounds = 5

/** Runs the benchmark, and reports its progress on standard error. */
export const measureScale = async (): Promise<Measured> => {
  const raw: Record<string, Array<number>> = {}
  for (const size of sizes) {
    log(`${size} full records`)
    await withJob(size, { records: "full", latency: 0 }, async (job) => {
      for (let round = 0; round < rounds; round++) {
        const { seconds, usage } = await WholeProcess.run(byCommand(job), {
          env: job.env,
          output: "/dev/null",
          usage: true
        })
        for (const [unit, value] of [
          ["(s)", seconds],
          ["processor (s)", usage?.processor],
          ["peak memory (MiB)", usage?.memory]
        ] as const) {
          const name = `${size.toLocaleString("en")} identifiers: ${unit}`
          raw[name] = [...(raw[name] ?? []), value ?? Number.NaN]
        }
      }
    })
  }
  const medians = mediansOf(raw)
  const exponent = (what: string): number =>
    short(
      slope(
        sizes.map((size) => [
          size,
          medians[`${size.toLocaleString("en")} identifiers: ${what}`] ?? Number.NaN
        ])
      )
    )
  const figures: Figures = {
    ...medians,
    "growth exponent of the time": exponent("(s)"),
    "growth exponent of the processor time": exponent("processor (s)"),
    "growth exponent of the peak memory": exponent("peak memory (MiB)")
  }
  return { figures, raw }
}

/** Returns the slope of the line through the logarithms of points, by least squares. */
const slope = (points: ReadonlyArray<readonly [number, number]>): number => {
  const logarithms = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const)
  const mean = (of: 0 | 1): number => logarithms.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const covariance = logarithms.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return covariance / logarithms.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}
