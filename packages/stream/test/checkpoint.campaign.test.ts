/**
 * Kills processes that write a checkpoint, at many instants, and checks that the continued run loses and repeats nothing.
 *
 * `checkpoint.test.ts` covers the other ends of a run: errors, full disks, changed inputs.
 */
import { spawn } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

/** The processes killed per mode. */
const kills = process.env["CHEMSTREAM_TIER"] === "thorough" ? 100 : 3

const driver = new URL("checkpointedRun.ts", import.meta.url).pathname

/** How one process ended. */
interface Ending {
  readonly output: string
  readonly isComplete: boolean
}

/** Runs the driver; with `killAfter`, kills it this many milliseconds after its first batch. */
const drive = (folder: string, ordered: boolean, killAfter?: number): Promise<Ending> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [driver, folder, String(ordered), "4000"], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let output = ""
    let timer: NodeJS.Timeout | undefined
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      if (killAfter !== undefined && output.includes("started")) {
        timer ??= setTimeout(() => child.kill("SIGKILL"), killAfter)
      }
    })
    child.on("error", reject)
    child.on("close", () => {
      clearTimeout(timer)
      resolve({ output, isComplete: output.includes("complete") })
    })
  })

interface Outputs {
  readonly records: string
  readonly problems: string
}

const outputs = async (folder: string): Promise<Outputs> => ({
  records: await readFile(join(folder, "records.txt"), "utf8"),
  problems: await readFile(join(folder, "problems.txt"), "utf8")
})

const sorted = (text: string): ReadonlyArray<string> => text.split("\n").sort()

const countsIn = ({ output }: Ending): unknown => JSON.parse(output.slice(output.indexOf("{")))

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "checkpoint-"))

describe("a run that is killed at any moment and resumed", () => {
  let expected: { readonly files: Outputs; readonly counts: unknown }
  const folders: Array<string> = []

  beforeAll(async () => {
    const folder = await makeFolder()
    folders.push(folder)
    const undisturbed = await drive(folder, true)
    expect(undisturbed.isComplete).toBe(true)
    expected = { files: await outputs(folder), counts: countsIn(undisturbed) }
  })

  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

  it.concurrent.each([
    { ordered: true, mode: "ordered", outcome: "byte for byte" },
    { ordered: false, mode: "unordered", outcome: "line for line, in any order," }
  ])(
    "writes $outcome the output of an undisturbed run, in $mode mode",
    { timeout: 900_000 },
    async ({ ordered }) => {
      const folder = await makeFolder()
      folders.push(folder)
      let killed = 0
      for (let run = 0; killed < kills; run++) {
        let ending: Ending
        do {
          // Spreads the kills over 100 ms without a pattern. A run that finishes before its kill does not count.
          ending = await drive(folder, ordered, killed < kills ? (killed * 37 + run * 11) % 101 : undefined)
          if (!ending.isComplete) killed++
        } while (!ending.isComplete)
        const actual = await outputs(folder)
        if (ordered) expect(actual).toEqual(expected.files)
        else {
          expect(sorted(actual.records)).toEqual(sorted(expected.files.records))
          expect(sorted(actual.problems)).toEqual(sorted(expected.files.problems))
        }
        expect(countsIn(ending)).toEqual(expected.counts)
        expect((await readdir(folder)).sort()).toEqual(["problems.txt", "records.txt"])
        for (const name of await readdir(folder)) await rm(join(folder, name))
      }
    }
  )
})
