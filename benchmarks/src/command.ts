/**
 * Measures the whole process of the command against scripts for the same job, with a server of precomputed responses. All of them must
 * write the same bytes.
 */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { byCommand, byPeer, command, type Job, withJob } from "./job.ts"
import { log } from "./log.ts"
import type { Measured } from "./report.ts"
import { alternate } from "./rounds.ts"
import { median, mediansOf, quotients, short } from "./statistics.ts"
import * as WholeProcess from "./wholeProcess.ts"

const count = 40_000
const rounds = 7

/** The rounds of starts. There are more, because a start takes little time. */
const starts = 15

/** Runs the benchmark, and reports its progress on standard error. */
export const measureCommand = async (): Promise<Measured> => {
  const all = { records: "full", latency: 0, remember: true } as const
  const parts = [
    await withJob(count, { ...all, someUnknown: true }, (job) => speed("a tenth unknown", job)),
    await withJob(count, all, (job) => speed("all found", job)),
    await withJob(count, all, againstLibraries),
    await withJob(0, all, startUp)
  ]
  return {
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)),
    raw: Object.assign({}, ...parts.map(({ raw }) => raw))
  }
}

const timed = (job: Job, name: string, program: WholeProcess.Program) => async (): Promise<number> => {
  const { seconds } = await WholeProcess.run(program, { env: job.env, output: outputOf(job, name) })
  return seconds
}

const outputOf = ({ folder }: Job, name: string): string => join(folder, `${name}.ndjson`)

/** Fails unless all programs have written the same bytes. */
const checkSame = async (job: Job, [first = "", ...others]: ReadonlyArray<string>): Promise<void> => {
  const expected = await WholeProcess.digest(outputOf(job, first))
  for (const name of others) {
    if ((await WholeProcess.digest(outputOf(job, name))) !== expected)
      throw new Error(`${name} wrote other bytes`)
  }
}

const ratio = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number =>
  short(median(quotients(one, other)))

/** Measures the command, a simple hand-written loop, and the lower bound, which copies the bodies without parsing. */
const speed = async (title: string, job: Job): Promise<Measured> => {
  log(`${count} identifiers, ${title}, by the command, by hand and by a bare copy`)
  const raw = await alternate(
    {
      [`${title}: command (s)`]: timed(job, "command", byCommand(job)),
      [`${title}: by hand (s)`]: timed(job, "byHand", byPeer(process.execPath, "byHand.mjs", job)),
      [`${title}: bare copy (s)`]: timed(job, "bareCopy", byPeer(process.execPath, "bareCopy.mjs", job))
    },
    rounds
  )
  await checkSame(job, ["byHand", "command"])
  const [command = [], hand = [], bare = []] = Object.values(raw)
  return {
    figures: {
      "records of 3 kB": count,
      ...mediansOf(raw),
      [`${title}: command / by hand`]: ratio(command, hand),
      [`${title}: command / bare copy`]: ratio(command, bare)
    },
    raw
  }
}

const againstLibraries = async (job: Job): Promise<Measured> => {
  log(`${count} full records by the command and by scripts of libraries`)
  const raw = await alternate(
    {
      "command, against libraries (s)": timed(job, "command", byCommand(job)),
      "split2, p-map and ndjson (s)": timed(job, "composed", byPeer(process.execPath, "composed.mjs", job)),
      "stream-json and ndjson (s)": timed(job, "streamed", byPeer(process.execPath, "streamed.mjs", job))
    },
    5
  )
  await checkSame(job, ["command", "composed", "streamed"])
  const command = raw["command, against libraries (s)"]
  return {
    figures: {
      ...mediansOf(raw),
      "command / split2, p-map and ndjson": ratio(command, raw["split2, p-map and ndjson (s)"]),
      "command / stream-json and ndjson": ratio(command, raw["stream-json and ndjson (s)"])
    },
    raw
  }
}

const startUp = async ({ env, folder }: Job): Promise<Measured> => {
  log("starts")
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
  // Each start has an empty compile cache.
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
