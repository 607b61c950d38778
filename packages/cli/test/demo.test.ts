import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Bundled } from "@chemstream/service"
import { describe, expect, it } from "vitest"
import { folder, run, start } from "./process.ts"

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    (response) => response.ok,
    () => false
  )

describe("chemstream demo", { concurrent: true }, () => {
  it("accounts for every bundled identifier, prints samples and next commands, and stops its server", async () => {
    const at = folder()
    const ended = await run(["demo"], { cwd: at })
    expect(ended).toMatchObject({ code: 0, stdout: "" })

    const law =
      /read (\d+) = (\d+) found \+ (\d+) missing \+ (\d+) failed \+ (\d+) duplicates \+ (\d+) invalid/.exec(
        ended.stderr
      )
    const [read = 0, found = 0, missing = 0, failed = 0, duplicates = 0, invalid = 0] = (law ?? [])
      .slice(1)
      .map(Number)
    const given = readFileSync(Bundled.identifiers, "utf8")
      .split("\n")
      .filter((line) => line !== "")
    expect(read).toBe(given.length)
    expect(read).toBe(found + missing + failed + duplicates + invalid)
    expect([failed, invalid]).toEqual([0, 1])
    expect(Math.min(found - 200, missing, duplicates)).toBeGreaterThan(0)

    const records = readFileSync(join(at, "out", "details.ndjson"), "utf8")
      .trimEnd()
      .split("\n")
    expect(records).toHaveLength(found)
    const problems = readFileSync(join(at, "out", "problems.ndjson"), "utf8")
      .trimEnd()
      .split("\n")
    expect(problems).toHaveLength(missing + invalid)

    const samples = ended.stderr
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line))
    expect(samples).toHaveLength(3)
    for (const sample of samples)
      expect(sample).toMatchObject({ dtxsid: expect.any(String), molFormula: expect.any(String) })
    expect(ended.stderr).toContain(
      "a wrong check digit: this demo sets --strict-ids, which makes it an error"
    )
    expect(ended.stderr).toContain("to try next:")
    expect(ended.stderr).not.toContain("\u001b")

    const [, url = ""] = /runs at (http:\S+),/.exec(ended.stderr) ?? []
    expect(await answers(url)).toBe(false)
  })

  it("exits with 130 on Ctrl-C, and leaves no server and no partial file", async () => {
    const at = folder()
    const demo = start(["demo"], { cwd: at })
    const [, url = ""] = await demo.says(/runs at (http:\S+),/)
    demo.child.kill("SIGINT")
    expect(await demo.ended).toMatchObject({ code: 130 })
    expect(await answers(url)).toBe(false)
    expect(readdirSync(join(at, "out"))).toEqual([])
  })
})
