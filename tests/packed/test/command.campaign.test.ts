import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest"
import * as BatchService from "../src/BatchService.ts"
import * as NodeRelease from "../src/NodeRelease.ts"
import * as Project from "../src/Project.ts"

const apiKey = "packed-key"

const records = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("the packed command", () => {
  const project = Project.create(inject("tarballs"))
  const chemstream = Project.command(project, "chemstream")
  beforeAll(() => Project.install(project, "chemstream"))
  afterAll(() => Project.remove(project))

  /** Starts the command, and kills it when the test finishes. */
  const start = (version: string, args: ReadonlyArray<string>, { cwd, env }: Project.Surroundings) => {
    const child = spawn(chemstream, args, {
      cwd: cwd ?? project.folder,
      env: { ...Project.environment(project, version), ...env },
      stdio: ["ignore", "ignore", "pipe"]
    })
    const closed = once(child, "close")
    onTestFinished(async () => {
      child.kill("SIGKILL")
      await closed
    })
    return { child, closed }
  }

  describe.each(NodeRelease.versions)("on Node %s", (version) => {
    it("finds this Node first in PATH", async () => {
      expect(await Project.run(project, version, "node", ["--version"])).toBe(`v${version}\n`)
    })

    it("writes the records of the demo", async () => {
      const cwd = Project.makeFolder(project, `demo-${version}`)
      await Project.run(project, version, chemstream, ["demo"], { cwd })
      const details = records(readFileSync(join(cwd, "out", "details.ndjson"), "utf8"))
      expect(details.map(({ dtxsid }) => dtxsid)).toContain("DTXSID7020182")
    })

    it("looks up identifiers at the service that it serves", async () => {
      const serving = start(version, ["serve", "--port", "0", "--no-access-log"], {
        env: { CHEMSTREAM_API_KEYS: apiKey }
      })
      let url: string | undefined
      for await (const line of createInterface({ input: serving.child.stderr })) {
        url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
        if (url !== undefined) break
      }
      const args = ["details", "DTXSID7020182", "DTXSID3039242", "--projection", "compact"]
      const output = await Project.run(project, version, chemstream, args, {
        env: { CHEMSTREAM_BASE_URL: url ?? "", CHEMSTREAM_API_KEY: apiKey }
      })
      expect(records(output).map(({ preferredName }) => preferredName)).toEqual(["Bisphenol A", "Benzene"])
    })

    it("continues a killed run from its checkpoint and writes the output of an uninterrupted run", async () => {
      const cwd = Project.makeFolder(project, `resume-${version}`)
      const ids = Array.from({ length: 400 }, (_, index) => `DTXSID${1_000_000 + index}`)
      writeFileSync(join(cwd, "ids.txt"), ids.map((id) => `${id}\n`).join(""))
      const checkpoint = join(cwd, "run.json")

      // Once a checkpoint is on disk, the service sends no responses, so the run cannot finish before the kill.
      let isInterrupting = false
      const pending = Promise.withResolvers<string>()
      const service = await BatchService.start(() => {
        if (!isInterrupting || !existsSync(checkpoint)) return true
        pending.resolve("a request has no response")
        return false
      })
      onTestFinished(service.stop)
      const env = { CHEMSTREAM_BASE_URL: service.url, CHEMSTREAM_API_KEY: apiKey }
      const common = ["details", "--input", "ids.txt", "--batch-size", "10", "--concurrency", "1", "--quiet"]
      await Project.run(project, version, chemstream, [...common, "--output", "whole.ndjson"], { cwd, env })
      const whole = service.batches.length

      // The rate stretches the run beyond the second between two checkpoints.
      const args = [...common, "--rate", "10/s", "--output", "out.ndjson", "--checkpoint", "run.json"]
      isInterrupting = true
      const killed = start(version, args, { cwd, env })
      const finished = killed.closed.then(() => "the run has finished")
      expect(await Promise.race([pending.promise, finished])).toBe("a request has no response")
      killed.child.kill("SIGKILL")
      expect(await killed.closed).toEqual([null, "SIGKILL"])
      expect(existsSync(join(cwd, "out.ndjson"))).toBe(false)

      isInterrupting = false
      const before = service.batches.length
      await Project.run(project, version, chemstream, args, { cwd, env })
      expect(service.batches.length - before).toBeLessThan(whole)
      expect(existsSync(checkpoint)).toBe(false)
      expect(readFileSync(join(cwd, "out.ndjson"), "utf8")).toBe(
        readFileSync(join(cwd, "whole.ndjson"), "utf8")
      )
      expect(records(readFileSync(join(cwd, "out.ndjson"), "utf8"))).toHaveLength(ids.length)
    })
  })
})
