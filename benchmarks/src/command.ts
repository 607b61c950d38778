/**
 * What the command costs as a whole: from the start of its process to its end, against scripts that do the same, from a
 * server of precomputed answers. Every pair of runs must write the same bytes.
 */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { byCommand, byPeer, command, type Job, withJob } from "./job.ts"
import type { Measured } from "./report.ts"
import { alternate } from "./rounds.ts"
import { say } from "./say.ts"
import { median, mediansOf, quotients, short } from "./statistics.ts"
import * as WholeProcess from "./wholeProcess.ts"

const count = 40_000
const rounds = 7

/** The processes of a start take little time, so there can be more. */
const starts = 15

/** Measures; tells on standard error what it is doing. */
export const measureCommand = async (): Promise<Measured> => {
  const all = { recordBytes: 3000, latency: 0, remember: true }
  const whole = await withJob(count, all, speed)
  const start = await withJob(0, all, startUp)
  return { figures: { ...whole.figures, ...start.figures }, raw: { ...whole.raw, ...start.raw } }
}

const speed = async (job: Job): Promise<Measured> => {
  say(`${count} full records by the command and by scripts`)
  const output = (name: string): string => join(job.folder, `${name}.ndjson`)
  const timed = (name: string, program: WholeProcess.Program) => async () => {
    const { seconds } = await WholeProcess.run(program, { env: job.env, output: output(name) })
    return seconds
  }
  const hand = "by hand (s)"
  const pairs = await alternate(
    {
      "command (s)": timed("command", byCommand(job)),
      [hand]: timed("byHand", byPeer(process.execPath, "byHand.mjs", job))
    },
    rounds
  )
  const composed = await alternate(
    {
      "beside the composed ones: command (s)": timed("command", byCommand(job)),
      "split2, p-map and ndjson (s)": timed("composed", byPeer(process.execPath, "composed.mjs", job)),
      "stream-json and ndjson (s)": timed("streamed", byPeer(process.execPath, "streamed.mjs", job))
    },
    5
  )
  const wanted = await WholeProcess.digest(output("byHand"))
  for (const name of ["command", "composed", "streamed"]) {
    if ((await WholeProcess.digest(output(name))) !== wanted) throw new Error(`${name} wrote something else`)
  }
  const raw = { ...pairs, ...composed }
  const ratio = (one: keyof typeof raw, other: keyof typeof raw): number =>
    short(median(quotients(raw[one] as Array<number>, raw[other] as Array<number>)))
  return {
    figures: {
      "records of 3 kB": count,
      ...mediansOf(pairs),
      "command / by hand": ratio("command (s)", hand),
      ...mediansOf(composed),
      "command / split2, p-map and ndjson": ratio(
        "beside the composed ones: command (s)",
        "split2, p-map and ndjson (s)"
      ),
      "command / stream-json and ndjson": ratio(
        "beside the composed ones: command (s)",
        "stream-json and ndjson (s)"
      )
    },
    raw
  }
}

const startUp = async ({ env, folder }: Job): Promise<Measured> => {
  say("starts")
  const cache = join(folder, "cache")
  const timed =
    (...args: ReadonlyArray<string>) =>
    async () => {
      const program = [process.execPath, ...args] as const
      const { seconds } = await WholeProcess.run(program, {
        env: { ...env, XDG_CACHE_HOME: cache },
        output: join(folder, "start")
      })
      return seconds * 1000
    }
  const version = timed(command, "--version")
  // Each into a cache of its own: nothing is compiled before.
  const first: Array<number> = []
  for (let n = 0; n < 5; n++) {
    await rm(cache, { recursive: true, force: true })
    first.push(await version())
  }
  const raw = await alternate(
    {
      "chemstream --version (ms)": version,
      "chemstream details --help (ms)": timed(command, "details", "--help"),
      "node -e 0 (ms)": timed("-e", "0")
    },
    starts
  )
  return {
    figures: { ...mediansOf(raw), "chemstream --version, the first time (ms)": short(median(first)) },
    raw: { ...raw, "chemstream --version, the first time (ms)": first }
  }
}
