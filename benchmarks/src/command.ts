/**
 * What the command costs as a whole: from the start of its process to its end, against scripts that do the same, from a
 * server of precomputed answers. Every pair of runs must write the same bytes.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as child from "./child.ts"
import { dtxsids } from "./identifiers.ts"
import type { Measured } from "./report.ts"
import { median, quotients, short } from "./statistics.ts"
import * as WholeProcess from "./wholeProcess.ts"

const count = 40_000
const rounds = 7

/** The processes of a start take little time, so there can be more. */
const starts = 15

/** The command as it is installed. */
export const command = fileURLToPath(new URL("../../packages/cli/bin/chemstream.js", import.meta.url))

const peer = (name: string): string => fileURLToPath(new URL(`../peers/${name}`, import.meta.url))

/** What a run works with. */
export interface Job {
  /** Where the service is. */
  readonly url: string
  /** The file of the identifiers. */
  readonly ids: string
  /** Where files may be written. */
  readonly folder: string
  readonly env: WholeProcess.Environment
}

/** Measures; tells on standard error what it is doing. */
export const measureCommand = async (): Promise<Measured> => {
  const all = { recordBytes: 3000, latency: 0, remember: true }
  const whole = await withJob(count, all, speed)
  const start = await withJob(0, all, startUp)
  return { figures: { ...whole.figures, ...start.figures }, raw: { ...whole.raw, ...start.raw } }
}

/** The command over the identifiers of a job, or a script of `peers/`. */
export const programs = {
  command: ({ ids }: Job): WholeProcess.Program => [
    process.execPath,
    command,
    "details",
    "--quiet",
    "--input",
    ids
  ],
  script: (name: string, { ids, url }: Job): WholeProcess.Program => [process.execPath, peer(name), url, ids],
  other: (program: string, name: string, { ids, url }: Job): WholeProcess.Program => [
    program,
    peer(name),
    url,
    ids
  ]
}

const speed = async (job: Job): Promise<Measured> => {
  say(`${count} full records by the command and by scripts`)
  const output = (name: string): string => join(job.folder, `${name}.ndjson`)
  const timed = (name: string, program: WholeProcess.Program) => async () => {
    const { seconds } = await WholeProcess.run(program, { env: job.env, output: output(name) })
    return seconds
  }
  const hand = "by hand (s)"
  const pairs = await WholeProcess.alternate(
    {
      "command (s)": timed("command", programs.command(job)),
      [hand]: timed("byHand", programs.script("byHand.mjs", job))
    },
    rounds
  )
  const composed = await WholeProcess.alternate(
    {
      "beside the composed ones: command (s)": timed("command", programs.command(job)),
      "split2, p-map and ndjson (s)": timed("composed", programs.script("composed.mjs", job)),
      "stream-json and ndjson (s)": timed("streamed", programs.script("streamed.mjs", job))
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
  const raw = await WholeProcess.alternate(
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

/** The medians of measurements. */
export const mediansOf = (
  measurements: Readonly<Record<string, ReadonlyArray<number>>>
): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(measurements).map(([name, values]) => [name, short(median(values))]))

/** Does a job over so many identifiers, with a server of its own. */
export const withJob = async <A>(
  identifiers: number,
  server: { readonly recordBytes: number; readonly latency: number; readonly remember?: boolean },
  use: (job: Job) => Promise<A>
): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "chemstream-benchmark-"))
  const { child: process_, first: url } = await child.start<string>("./recordsProcess.ts", server)
  try {
    const ids = join(folder, "ids.txt")
    await writeFile(ids, dtxsidLines(identifiers))
    const env = {
      CHEMSTREAM_BASE_URL: url,
      CHEMSTREAM_API_KEY: "benchmark",
      XDG_CACHE_HOME: join(folder, "cache"),
      XDG_CONFIG_HOME: join(folder, "settings")
    }
    return await use({ url, ids, folder, env })
  } finally {
    await child.stop(process_)
    await rm(folder, { recursive: true, force: true })
  }
}

const dtxsidLines = function* (identifiers: number): Generator<string> {
  for (const id of dtxsids(identifiers)) yield `${id}\n`
}

/** Tells what is being done. */
export const say = (text: string): void => {
  process.stderr.write(`${text} …\n`)
}
