/** Checks the counts of requests for one value, in runs that send batches. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Dialect } from "@chemstream/client"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"

/** Runs a command. Returns the counts of its summary, and the line about its requests. */
const counted = async (args: ReadonlyArray<string>, env: Record<string, string>) => {
  const at = folder()
  const options = ["--output", "out.ndjson", "--json-summary", "counts"]
  const ended = await run([...args, ...options], { env, cwd: at })
  expect(ended.code).toBe(0)
  const [line = ""] = /^.*\d requests? \(.*$/m.exec(ended.stderr) ?? []
  const counts = JSON.parse(readFileSync(join(at, "counts"), "utf8"))
  return { counts, line }
}

describe.each(Dialect.names)("the summary in the dialect %s", (dialect) => {
  it("counts the windows of mass that no batch can have", async () => {
    const { env } = await sharedService("--dialect", dialect)
    const args = ["suspects", "229.1223", "195.0877", "--adducts", "[M+H]+", "--dialect", dialect]
    const batched = await counted(args, env)
    expect(batched.counts).toMatchObject({ singleMasses: 0, singleWords: 0 })
    expect(batched.line).toContain("(0 retries)")
    // The neutral mass is almost 0.
    const { counts, line } = await counted([...args, "1.00728"], env)
    expect(counts).toMatchObject({ singleMasses: 1, singleWords: 0 })
    expect(line).toContain("(0 retries, 1 for single masses)")
  })

  it("counts the requests that check a synonym", async () => {
    const { env } = await sharedService("--dialect", dialect)
    const args = ["resolve", "BPA", "Bisphenol A", "--as", "name", "--dialect", dialect]
    const checked = await counted(args, env)
    const checks = dialect === "ctx" ? 1 : 0
    expect(checked.counts).toMatchObject({ found: 2, requests: 1 + checks, singleWords: checks })
    expect(checked.line).toContain(checks === 1 ? "(0 retries, 1 for single words)" : "(0 retries)")
    const unchecked = await counted([...args, "--check-synonyms", "never"], env)
    expect(unchecked.counts).toMatchObject({ requests: 1, singleWords: 0 })
  })
})
