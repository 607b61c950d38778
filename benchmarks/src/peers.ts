/**
 * Measures the job of the command as public clients in R and Python do it, at several latencies. They send sequential batches, of 200 in R
 * and 1,000 in Python. Missing programs are skipped.
 */
import { createReadStream } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { byCommand, byPeer, withJob } from "./job.ts"
import { log } from "./log.ts"
import type { Figures, Measured } from "./report.ts"
import { alternate } from "./rounds.ts"
import { mediansOf } from "./statistics.ts"
import * as WholeProcess from "./wholeProcess.ts"

const count = 10_000
const rounds = 5
const latencies = [0, 50, 150]

/** Python interpreters. The first one with the packages is used. */
const pythons = ["python3", "/usr/bin/python3"]

/** Runs the benchmark, and reports its progress on standard error. */
export const measurePeers = async (): Promise<Measured> => {
  const python = await first(pythons, ["-c", "import pandas, requests"])
  const r = await first(
    ["Rscript"],
    ["-e", "for (name in c('httr', 'jsonlite', 'data.table')) library(name, character.only = TRUE)"]
  )
  let figures: Figures = { "records of 3 kB": count }
  let raw: Measured["raw"] = {}
  for (const latency of latencies) {
    log(`${count} full records at ${latency} ms latency`)
    const name = (program: string): string => `${latency} ms latency: ${program} (s)`
    const peers = {
      "command, batches of 1,000, 4 in flight": { program: process.execPath, script: undefined },
      "by hand, batches of 1,000, 4 in flight": { program: process.execPath, script: "byHand.mjs" },
      "requests and pandas, batches of 1,000": { program: python, script: "tables.py" },
      "httr, jsonlite and data.table, batches of 200": { program: r, script: "tables.R" }
    }
    const present = Object.entries(peers).filter(([, { program }]) => program !== undefined)
    const seconds = await withJob(count, { records: "full", latency, remember: true }, (job) =>
      alternate(
        Object.fromEntries(
          present.map(([who, { program = "", script }]) => [
            name(who),
            async () => {
              const output = join(job.folder, "out.ndjson")
              const { seconds } = await WholeProcess.run(
                script === undefined ? byCommand(job) : byPeer(program, script, job),
                { env: job.env, output }
              )
              const lines = await linesOf(output)
              if (lines !== count) throw new Error(`${who} wrote ${lines} lines of ${count}`)
              return seconds
            }
          ])
        ),
        rounds
      )
    )
    const absent = Object.keys(peers).filter((who) => !present.some(([other]) => other === who))
    figures = {
      ...figures,
      ...mediansOf(seconds),
      ...Object.fromEntries(absent.map((who) => [name(who), "not installed"]))
    }
    raw = { ...raw, ...seconds }
  }
  return { figures, raw }
}

const first = async (
  candidates: ReadonlyArray<string>,
  args: ReadonlyArray<string>
): Promise<string | undefined> => {
  for (const program of candidates) if (await WholeProcess.works([program, ...args])) return program
  return undefined
}

const linesOf = async (file: string): Promise<number> => {
  let lines = 0
  for await (const _ of createInterface({ input: createReadStream(file) })) lines++
  return lines
}
