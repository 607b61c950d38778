/**
 * Measures runs of the stream package against a hand-written loop, with a server of precomputed responses. Ratios are medians of
 * alternating rounds in one run. Memory is the median of separate processes.
 */
import { loadavg } from "node:os"
import * as child from "./child.ts"
import { served } from "./recordsService.ts"
import type { Figures } from "./report.ts"
import { alternate, timed } from "./rounds.ts"
import { say } from "./say.ts"
import { median, quotients, short } from "./statistics.ts"
import { type Run, run, type Way } from "./streamRun.ts"

const rounds = 7

/** The programs whose memory is measured. */
const processes = 3

/** Runs the benchmark, and reports its progress on standard error. */
export const measureStream = async (): Promise<Figures> => ({
  "load average of the machine": short(loadavg()[0] ?? 0),
  ...(await speed()),
  ...(await latency()),
  ...(await memory())
})

const speed = (): Promise<Figures> =>
  served({ records: "full", latency: 0 }, async (url) => {
    say("20,000 full records, 1,000 a batch, 4 in flight")
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
  served({ records: "small", latency: 150 }, async (url) => {
    say("small records at 150 ms latency, 8 in flight")
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
  served({ records: "full", latency: 0 }, async (url) => {
    const figures: Record<string, number> = {}
    for (const count of [10_000, 1_000_000]) {
      const name = `${count.toLocaleString("en")} identifiers`
      const peaks: Array<number> = []
      const seconds: Array<number> = []
      for (let process = 0; process < processes; process++) {
        say(`${name}, for the memory`)
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
      figures[`${name}, memory at most (MiB)`] = median(peaks)
      figures[`${name} (s)`] = short(median(seconds))
    }
    return figures
  })

/** Measures the duration of each program, in seconds. */
const compare = <W extends Way>(options: Run, ways: ReadonlyArray<W>): Promise<Record<W, Array<number>>> =>
  alternate(
    Object.fromEntries(ways.map((way) => [way, () => timed(() => runWhole(way, options))])) as Record<
      W,
      () => Promise<number>
    >,
    rounds
  )

const runWhole = async (way: Way, options: Run): Promise<void> => {
  const records = await run(way, options)
  if (records !== options.count) throw new Error(`${records} records of ${options.count} (${way})`)
}
