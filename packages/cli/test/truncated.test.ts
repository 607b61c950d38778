import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { lines } from "./scripted.ts"

/** A service that sends at most two hits of a search. */
const capping = () => sharedService("--max-hits", "2")

describe("a truncated search", { concurrent: true }, () => {
  it("is counted and named in the summary", async () => {
    const { env } = await capping()
    const at = folder()
    const args = ["search", "contain", "phenol", "benzene", "no such name", "--json-summary", "summary"]
    const ended = await run(args, { cwd: at, env })
    expect(ended.code).toBe(0)
    expect(lines(ended.stdout)).toHaveLength(4)
    expect(ended.stderr).toContain(
      '2 values truncated, the first is "phenol": the service has more hits than it sent. Search for longer words\n'
    )
    expect(JSON.parse(readFileSync(join(at, "summary"), "utf8"))).toMatchObject({ found: 2, truncated: 2 })
  })

  it("exits with 1 under --fail-on truncated, after the output is complete", async () => {
    const { env } = await capping()
    const at = folder()
    const args = ["search", "contain", "phenol", "--fail-on", "truncated", "-q", "-o", "out"]
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 1, stdout: "", stderr: "" })
    expect(lines(readFileSync(join(at, "out"), "utf8"))).toHaveLength(2)
  })

  it("does not include a search with all its hits", async () => {
    const { env } = await capping()
    const at = folder()
    const args = ["search", "equal", "80-05-7", "--fail-on-truncated", "--json-summary", "summary"]
    const ended = await run(args, { cwd: at, env })
    expect(ended.code).toBe(0)
    expect(ended.stderr).not.toContain("truncated")
    expect(JSON.parse(readFileSync(join(at, "summary"), "utf8"))).toMatchObject({ found: 1, truncated: 0 })
  })
})
