import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { answerTo, isKnown, setUp, signal } from "./checkpointed.ts"
import { run, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const kills = process.env["CHEMSTREAM_TIER"] === "thorough" ? 20 : 3
const batchSize = 10

/** The number of batches that get a response in a run that will be killed. */
const batchesPerRun = 6

/** Longer than the interval between two saves of a checkpoint, in milliseconds. */
const pause = 1100

describe("a run with a checkpoint", { concurrent: true, timeout: 60_000 + kills * 20_000 }, () => {
  it.each(["out.ndjson", "out.ndjson.gz"])(
    `that is killed ${kills} times, and started again with the same command, writes %s as an undisturbed one does`,
    async (output) => {
      const { at, ids } = setUp(batchSize * batchesPerRun * (kills + 2))
      const path = (name: string): string => join(at, name)
      const stamp = (): number => (existsSync(path("saved")) ? statSync(path("saved")).mtimeMs : 0)
      let requests = 0
      let stop: { readonly isEarly: boolean; readonly held: () => void } | undefined
      const asked: Array<string> = []
      const never = new Promise<void>(() => {})
      // A run that will be killed gets a few responses. The last two come after the checkpoint is due. The service
      // never responds to later requests, so the run cannot finish before the kill.
      const { env } = await scripted(({ ids: batch }) => {
        asked.push(...batch)
        requests++
        const answer = { body: answerTo(batch) }
        if (stop === undefined) return answer
        if (requests > (stop.isEarly ? 2 : batchesPerRun)) {
          stop.held()
          return { ...answer, until: never }
        }
        return requests > batchesPerRun - 2 ? { ...answer, after: pause } : answer
      })
      const common = ["details", "-i", "ids", "--batch-size", `${batchSize}`, "--concurrency", "2", "-q"]
      const undisturbed = [...common, "-o", `whole-${output}`, "--errors", "whole-errors"]
      expect(await run(undisturbed, { cwd: at, env })).toMatchObject({ code: 0 })
      asked.length = 0

      const args = [...common, "-o", output, "--errors", "errors", "--checkpoint", "saved"]
      args.push("--json-summary", "counts")
      for (let kill = 0; kill < kills; kill++) {
        const held = signal()
        const before = stamp()
        // Every third kill comes after two responses, before the first save.
        const isEarly = kill % 3 === 1
        requests = 0
        stop = { isEarly, held: held.open }
        const details = start(args, { cwd: at, env })
        await Promise.race([held.opened, details.ended])
        while (!isEarly && stamp() === before && details.child.exitCode === null) await setTimeout(5)
        details.child.kill("SIGKILL")
        expect(await details.ended).toMatchObject({ code: null })
        expect(existsSync(path(output))).toBe(false)
      }
      stop = undefined
      expect(await run(args, { cwd: at, env })).toEqual({ code: 0, stdout: "", stderr: "" })
      const text = (name: string): string => {
        const bytes = readFileSync(path(name))
        return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()
      }
      expect(text(output)).toBe(text(`whole-${output}`))
      if (!output.endsWith(".gz")) {
        expect(readFileSync(path(output)).equals(readFileSync(path(`whole-${output}`)))).toBe(true)
      }
      expect(readFileSync(path("errors")).equals(readFileSync(path("whole-errors")))).toBe(true)
      const found = ids.filter(isKnown).length
      expect(lines(text(output))).toHaveLength(found)
      expect(JSON.parse(text("counts"))).toMatchObject({
        read: ids.length,
        found,
        missing: ids.length - found,
        records: found
      })
      // Saved identifiers were not requested again.
      expect(asked.length).toBeLessThan(2 * ids.length)
      expect(new Set(asked)).toEqual(new Set(ids))
      expect(readdirSync(at).sort()).toEqual(
        ["counts", "errors", "ids", output, "whole-errors", `whole-${output}`].sort()
      )
    }
  )
})
