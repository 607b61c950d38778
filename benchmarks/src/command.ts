/**
 * Measures the whole process of the command against scripts that do the same job, with a server of precomputed responses. Every pair of
 * runs must write the same bytes.
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

/** More rounds for starts, because they take little time. */
const starts = 15

/** Runs the benchmark, and reports its progress on standard error. */
export const measureCommand = async (): Promise<Measured> => {
  const all = { records: "full", latency: 0, remember: true } as const
  const parts = [
    await withJob(count, { ...all, someUnknown: true }, (job) => speed("a tenth unknown", job)),
    await withJob(count, all, (job) => speed("all found", job)),
    await withJob(count, all, besideLibraries),
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
  const wanted = await WholeProcess.digest(outputOf(job, first))
  for (const name of others) {
    if ((await WholeProcess.digest(outputOf(job, name))) !== wanted)
      throw new Error(`${name} wrote something else`)
  }
}

const ratio = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number =>
  short(median(quotients(one, other)))

/** The command, a simple hand-written loop, and the lower bound: a copy of the bodies without parsing. */
const speed = async (what: string, job: Job): Promise<Measured> => {
  say(`${count} identifiers, ${what}, by the command, by hand and by a bare copy`)
  const raw = await alternate(
    {
      [`${what}: command (s)`]: timed(job, "command", byCommand(job)),
      [`${what}: by hand (s)`]: timed(job, "byHand", byPeer(process.execPath, "byHand.mjs", job)),
      [`${what}: bare copy (s)`]: timed(job, "bareCopy", byPeer(process.execPath, "bareCopy.mjs", job))
    },
    rounds
  )
  await checkSame(job, ["byHand", "command"])
  const [command = [], hand = [], bare = []] = Object.values(raw)
  return {
    figures: {
      "records of 3 kB": count,
      ...mediansOf(raw),
      [`${what}: command / by hand`]: ratio(command, hand),
      [`${what}: command / bare copy`]: ratio(command, bare)
    },
    raw
  }
}

const besideLibraries = async (job: Job): Promise<Measured> => {
  say(`${count} full records by the command and by scripts made of libraries`)
  const raw = await alternate(
    {
      "beside the composed ones: command (s)": timed(job, "command", byCommand(job)),
      "split2, p-map and ndjson (s)": timed(job, "composed", byPeer(process.execPath, "composed.mjs", job)),
      "stream-json and ndjson (s)": timed(job, "streamed", byPeer(process.execPath, "streamed.mjs", job))
    },
    5
  )
  await checkSame(job, ["command", "composed", "streamed"])
  const command = raw["beside the composed ones: command (s)"]
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
  // Each has its own compile cache, which is empty.
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
