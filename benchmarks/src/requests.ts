/**
 * Counts the requests of each command for 2,000 generated substances in a dialect, against the fewest that the contract allows. Requests
 * that only check a synonym or settle a window of mass are counted apart, and are not in the ratio.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Dialect } from "@chemstream/client"
import { argsOf, pathsOf, type Work, works } from "../../packages/cli/test/requestCounts.ts"
import { command } from "./job.ts"
import { log } from "./log.ts"
import type { Figures } from "./report.ts"
import { short } from "./statistics.ts"
import * as WholeProcess from "./wholeProcess.ts"

const count = 2000

const key = "benchmark"

/** The figure that has a target. */
export const largestRatio = "largest ratio"

/** Returns the names of the works for which figures have more requests than earlier figures. */
export const regressions = (figures: Figures, earlier: Figures): ReadonlyArray<string> =>
  Object.keys(figures).filter(
    (name) => name.endsWith(": requests") && Number(figures[name]) > Number(earlier[name] ?? Number.NaN)
  )

/** Counts the requests of all commands in a dialect. */
export const measureRequests = async (dialect: Dialect.Name): Promise<Figures> => {
  const folder = await mkdtemp(join(tmpdir(), "chemstream-benchmark-"))
  try {
    const generate = ["generate", "--count", String(count), "--no-fingerprints", "--quiet"]
    const database = join(folder, "substances.sqlite")
    await runCommand(folder, {}, [...generate, "--database", database])
    await runCommand(folder, {}, [...generate, "--output", folder])
    const records = async (name: string) =>
      (await readFile(join(folder, name), "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    const m4ids = (await records("bioactivity.ndjson")).slice(0, count).map(({ m4id }) => String(m4id))
    const service = await serve(database, dialect)
    try {
      const figures: Record<string, number | string> = { dialect }
      let largest = 0
      for (const work of works(await records("details.ndjson"), m4ids)) {
        log(`${dialect}: ${work.name}`)
        const { checks, requests } = await counted(work, folder, service)
        const fewest = work.fewest[dialect]
        const ratio = short((requests - checks) / fewest)
        figures[`${work.name}: fewest`] = fewest
        figures[`${work.name}: requests`] = requests
        if (work.checks !== undefined) figures[`${work.name}: checks`] = checks
        figures[`${work.name}: ratio`] = ratio
        largest = Math.max(largest, ratio)
      }
      return { ...figures, [largestRatio]: largest }
    } finally {
      service.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A running service. */
export interface Served {
  readonly env: WholeProcess.Environment
  /** The paths of the requests so far. */
  readonly paths: () => Promise<ReadonlyArray<string>>
  readonly stop: () => void
}

/** Starts the service. Its log has the paths. */
export const serve = (database: string, dialect: Dialect.Name): Promise<Served> =>
  new Promise((resolve, reject) => {
    const args = [command, "serve", "--port", "0", "--database", database, "--dialect", dialect]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, CHEMSTREAM_API_KEYS: key },
      stdio: ["ignore", "ignore", "pipe"]
    })
    let text = ""
    child.on("close", () => reject(new Error(`the service ended: ${text}`)))
    let marks = 0
    child.stderr.setEncoding("utf8").on("data", (more: string) => {
      text += more
      const [, url] = /serves at (http:\S+)/.exec(text) ?? []
      if (url === undefined) return
      resolve({
        env: { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: key, CHEMSTREAM_DIALECT: dialect },
        paths: async () => {
          // The log has all earlier requests once it has this one.
          const mark = `/mark-${++marks}`
          await fetch(`${url}${mark}`)
          while (!text.includes(`"path":"${mark}"`)) await once(child.stderr, "data")
          return pathsOf(text).filter((path) => !path.startsWith("/mark-"))
        },
        stop: () => child.kill()
      })
    })
  })

/** Runs the command in a folder. */
export const runCommand = (folder: string, env: WholeProcess.Environment, args: ReadonlyArray<string>) =>
  WholeProcess.run([process.execPath, command, ...args], { cwd: folder, env, output: join(folder, "stdout") })

/** Runs the command for a work. The log of the service has its requests, which a JSON summary must equal. */
const counted = async (
  work: Work,
  folder: string,
  { env, paths }: Served
): Promise<{ readonly checks: number; readonly requests: number }> => {
  const { checks, hasSummary = true, input = "lines", lines = [] } = work
  await writeFile(join(folder, input), lines.join("\n"))
  const before = (await paths()).length
  const options = hasSummary ? ["--json-summary", "summary.json", "--quiet"] : []
  await runCommand(folder, env, [...argsOf(work), ...options])
  const own = (await paths()).slice(before)
  if (hasSummary) {
    const { requests } = JSON.parse(await readFile(join(folder, "summary.json"), "utf8"))
    if (requests !== own.length)
      throw new Error(`the summary has ${requests} requests, but ${own.length} were sent`)
  }
  return {
    requests: own.length,
    checks: checks === undefined ? 0 : own.filter((path) => checks.test(path)).length
  }
}
