/**
 * Checks the counts in the summary of a stopped run, and in that of the run that continues it.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { answerTo, setUp } from "./checkpointed.ts"
import { folder, run } from "./process.ts"
import { scripted } from "./scripted.ts"

const firstLine = (text: string): string => text.split("\n").find((line) => line.startsWith("read ")) ?? ""

describe("the summary of a continued run", { concurrent: true }, () => {
  it("counts invalid and suspicious values once, and names the part of the run of the reasons", async () => {
    const { at, ids } = setUp(40)
    // Most of these identifiers have a wrong check digit.
    const mixed = ids.map((id, index) => (index % 5 === 0 ? `nonsense ${index}` : id))
    writeFileSync(join(at, "ids"), `\n# a comment\n${mixed.join("\n")}\n`)
    let isRevoked = true
    const { env } = await scripted(({ ids: asked }, number) =>
      isRevoked && number > 2 ? { status: 401, body: "{}" } : { body: answerTo(asked) }
    )
    const common = ["details", "-i", "ids", "--batch-size", "4", "--concurrency", "2", "--retries", "0"]
    const args = [...common, "-o", "out.ndjson", "--json-summary", "counts"]
    const stopped = await run(args, { cwd: at, env })
    expect(stopped).toMatchObject({ code: 3 })
    expect(firstLine(stopped.stderr)).toMatch(/^read \d+, settled (\d+) = \d+ found /)
    expect(stopped.stderr).toMatch(
      /^left out 1 blank line, 1 comment: \d+ lines read until the run stopped$/m
    )
    const counts = () => JSON.parse(readFileSync(join(at, "counts"), "utf8"))
    expect(counts()).toMatchObject({ complete: false })
    isRevoked = false
    const rest = await run(args, { cwd: at, env })
    expect(rest.stderr).toMatch(/^[1-7] invalid in this part of the run, the first in line \d+: /m)
    const continued = counts()
    const whole = await run([...common, "-o", "whole", "--json-summary", "counts"], { cwd: at, env })
    expect(whole.stderr).toMatch(/^8 invalid, the first in line 3: /m)
    const suspicious = /^28 identifiers with a wrong check digit, requested anyway/m
    expect(whole.stderr).toMatch(suspicious)
    expect(rest.stderr).toMatch(suspicious)
    expect(firstLine(rest.stderr)).toBe(firstLine(whole.stderr))
    const { found, invalid, missing, read } = counts()
    expect(continued).toMatchObject({ found, invalid, missing, read, complete: true })
  })

  it("names the part of the run with the first truncated value", async () => {
    const at = folder()
    writeFileSync(join(at, "words.txt"), "a\nb\nc\n")
    let isRevoked = true
    const { env } = await scripted(({ path }) => {
      const isRefused = isRevoked && /c$/.test(path.split("?")[0] ?? "")
      return isRefused
        ? { status: 401, body: "{}" }
        : { body: '[{"dtxsid":"DTXSID7020182"}]', headers: { "x-total-capped": "true" } }
    })
    const args = ["search", "contain", "-i", "words.txt", "-o", "hits.ndjson", "--concurrency", "1"]
    const stopped = await run(args, { cwd: at, env })
    expect(stopped.stderr).toMatch(/^2 values truncated, the first is "a": /m)
    isRevoked = false
    const rest = await run(args, { cwd: at, env })
    expect(rest.stderr).toMatch(/^3 values truncated, the first in an earlier part of the run: /m)
  })
})
