/**
 * Measures runs of the stream package against a hand-written loop, with a server of precomputed responses. Ratios are medians of
 * alternating rounds in one run. Memory is the median of separate processes.
 */
import { loadavg } from "node:os"
import * as child from "./child.ts"
import { log } from "./log.ts"
import { withRecordsService } from "./recordsService.ts"
import type { Figures } from "./report.ts"
import { alternate, timed } from "./rounds.ts"
import { median, quotients, short } from "./statistics.ts"
import { type Program, type Run, run } from "./streamRun.ts"

const rounds = 7

/** The number of processes whose memory is measured. */
const processes = 3

/** Runs the benchmark, and reports its progress on standard error. */
export const measureStream = async (): Promise<Figures> => ({
  "load average of the machine": short(loadavg()[0] ?? 0),
  ...(await speed()),
  ...(await latency()),
  ...(await memory())
})

const speed = (): Promise<Figures> =>
  withRecordsService({ records: "full", latency: 0 }, async (url) => {
    log("20,000 full records, batches of 1,000, 4 in flight")
    const one = { url, count: 20_000, batch: 1000, concurrency: 4 }
    const seconds = await compare(one, ["by hand", "text", "values"])
    return {
      "by hand (records/s)": short(one.count / median(seconds["by hand"])),
      "records as text (records/s)": short(one.count / median(seconds.text)),
      "records as text / by hand": short(median(quotients(seconds["by hand"], seconds.text))),
      "records as checked values (records/s)": short(one.count / median(seconds.values)),
      "records as checked values / by hand": short(median(quotients(seconds["by hand"], seconds.values)))
    }
  })

const latency = (): Promise<Figures> =>
  withRecordsService({ records: "small", latency: 150 }, async (url) => {
    log("small records at 150 ms latency, 8 in flight")
    const one = { url, count: 128_000, batch: 1000, concurrency: 8 }
    const seconds = await compare(one, ["by hand", "text"])
    const ideal = (one.count / one.batch / one.concurrency) * 0.15
    return {
      "at 150 ms latency, 8 in flight, by hand: share of the ideal": short(
        ideal / median(seconds["by hand"])
      ),
      "at 150 ms latency, 8 in flight: share of the ideal": short(ideal / median(seconds.text))
    }
  })

const memory = (): Promise<Figures> =>
  withRecordsService({ records: "full", latency: 0 }, async (url) => {
    const figures: Record<string, number> = {}
    for (const count of [10_000, 1_000_000]) {
      const name = `${count.toLocaleString("en")} identifiers`
      const peaks: Array<number> = []
      const seconds: Array<number> = []
      for (let process = 0; process < processes; process++) {
        log(`${name}, for the memory`)
        const options: Run = { url, count, batch: 1000, concurrency: 4 }
        const started = performance.now()
        const { first } = await child.start<{ readonly records: number; readonly memory: child.Memory }>(
          "./streamProcess.ts",
          options
        )
        if (first.records !== count) throw new Error(`${first.records} records of ${count}`)
        peaks.push(first.memory.peak)
        seconds.push((performance.now() - started) / 1000)
      }
      figures[`${name}, peak memory (MiB)`] = median(peaks)
      figures[`${name} (s)`] = short(median(seconds))
    }
    return figures
  })

/** Measures the duration of each program, in seconds. */
const compare = <W extends Program>(
  options: Run,
  programs: ReadonlyArray<W>
): Promise<Record<W, Array<number>>> =>
  alternate(
    Object.fromEntries(
      programs.map((program) => [program, () => timed(() => runWhole(program, options))])
    ) as Record<W, () => Promise<number>>,
    rounds
  )

const runWhole = async (program: Program, options: Run): Promise<void> => {
  const records = await run(program, options)
  if (records !== options.count) throw new Error(`${records} records of ${options.count} (${program})`)
}
