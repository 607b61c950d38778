/**
 * Kills a process with a checkpoint while its service misbehaves, and checks that the continued run loses nothing.
 */
import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Fault, FaultProxy, Scenario } from "@chemstream/faults"
import { expect, it } from "vitest"
import * as RecordService from "../src/RecordService.ts"

/** The number of processes to kill. */
const kills = process.env["CHEMSTREAM_TIER"] === "thorough" ? 25 : 5

const program = new URL("../src/checkpointProcess.ts", import.meta.url).pathname

/**
 * Runs the process. With `killAfter`, kills it this many milliseconds after its first batch. `onStart` runs after its first
 * batch.
 */
const drive = (
  url: string,
  folder: string,
  onStart: () => void,
  killAfter?: number
): Promise<{ output: string; code: number | null }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, url, folder], { stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    let timer: NodeJS.Timeout | undefined
    child.stdout.on("data", (chunk: Buffer) => {
      const hadStarted = output.includes("started")
      output += chunk.toString()
      if (hadStarted || !output.includes("started")) return
      onStart()
      if (killAfter !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), killAfter)
    })
    child.on("error", reject)
    child.on("close", (code) => {
      clearTimeout(timer)
      resolve({ output, code })
    })
  })

const faults: ReadonlyArray<Fault.Fault> = [
  { _tag: "Status", status: 503, body: "problem" },
  { _tag: "Cut", at: 0.5, how: "reset" },
  { _tag: "Cut", at: "before", how: "close" },
  { _tag: "Truncation", at: 0.7 },
  { _tag: "Page" },
  { _tag: "Shuffle" },
  { _tag: "Drip", bytes: 1000, every: 1 }
]

/** Two faults in turn. A client with ten attempts recovers from both, although it bisects batches. */
const scenario = (seed: number): Scenario.Scenario => ({
  ...Scenario.noFaults,
  seed,
  jitter: 5,
  rules: [seed, seed + 3].map((n) => ({
    fault: faults[n % faults.length] ?? { _tag: "Page" },
    share: 0.2,
    times: 2
  }))
})

const expected = (): { readonly records: string; readonly problems: string } => {
  const ids = Array.from({ length: RecordService.size }, (_, index) => RecordService.substance(index))
  const records = ids.flatMap((id) => RecordService.records("details", id))
  const missing = ids.flatMap((id, at) =>
    RecordService.records("details", id).length > 0 ? [] : [{ outcome: "Missing", id, line: at + 1 }]
  )
  return {
    records: records.map((record) => `${record}\n`).join(""),
    problems: missing.map((one) => `${JSON.stringify(one)}\n`).join("")
  }
}

it(`writes each record of the service once and in order, although it meets faults and is killed ${kills} times`, {
  timeout: 300_000
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "kills-"))
  await using proxy = await FaultProxy.start({ scenario: scenario(0), upstream: RecordService.respond })
  let done = 0
  for (let start = 0; done < kills; ) {
    for (let isComplete = false; !isComplete; start++) {
      // A page or a closed connection as the first response of a run means a wrong address.
      proxy.setScenario(Scenario.noFaults)
      const disturb = (): void => proxy.setScenario(scenario(start))
      // The times of the kills are spread over the run. The last run finishes.
      const killAfter = done < kills ? (start * 37) % 211 : undefined
      const { code, output } = await drive(proxy.url, folder, disturb, killAfter)
      isComplete = output.includes("complete")
      if (!isComplete) {
        expect(code).toBe(null)
        done++
      }
    }
    const [records, problems] = await Promise.all(
      ["records.ndjson", "problems.ndjson"].map((name) => readFile(join(folder, name), "utf8"))
    )
    expect({ records, problems }).toEqual(expected())
    await Promise.all(["records.ndjson", "problems.ndjson"].map((name) => rm(join(folder, name))))
  }
  // Without faults the campaign would test nothing.
  expect(proxy.faults).toBeGreaterThan(kills)
  await rm(folder, { recursive: true })
})
