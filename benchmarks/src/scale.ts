/**
 * Measures how the time of the command grows with its input, from ten thousand to a million full records. A growth exponent of 1 means
 * linear growth.
 */
import { byCommand, withJob } from "./job.ts"
import { log } from "./log.ts"
import type { Figures, Measured } from "./report.ts"
import { mediansOf, short, slope } from "./statistics.ts"
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
