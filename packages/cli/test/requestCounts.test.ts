import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Dialect } from "@chemstream/client"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { type Substance, type Work, works } from "./requestCounts.ts"

const count = 450

let made: Promise<{ readonly database: string; readonly substances: ReadonlyArray<Substance> }> | undefined

const generated = () =>
  (made ??= (async () => {
    const at = folder()
    const database = join(at, "substances.sqlite")
    const args = ["generate", "--count", String(count), "--no-fingerprints", "--quiet"]
    await run([...args, "--database", database])
    await run([...args, "--output", at])
    const lines = readFileSync(join(at, "details.ndjson"), "utf8").trimEnd().split("\n")
    return { database, substances: lines.map((line) => JSON.parse(line)) }
  })())

/** The requests of a work, and the line of its plan about them. */
const counted = async ({ args, lines }: Work, dialect: Dialect.Name, database: string) => {
  const { env } = await sharedService("--database", database, "--dialect", dialect, "--no-access-log")
  const at = folder()
  writeFileSync(join(at, "lines"), lines.join("\n"))
  const whole = [...args, "--input", "lines", "--dialect", dialect, "--output", "out.ndjson"]
  const ended = await run([...whole, "--json-summary", "summary", "--quiet"], { env, cwd: at })
  expect(ended).toMatchObject({ code: 0, stderr: "" })
  const plan = await run([...whole, "--dry-run"], { env, cwd: at })
  const [, least, most] = /^requests: (?:at least )?(\d+)(?:, at most (\d+))?/m.exec(plan.stdout) ?? []
  const { requests } = JSON.parse(readFileSync(join(at, "summary"), "utf8"))
  return {
    requests: Number(requests),
    least: Number(least),
    most: most === undefined ? undefined : Number(most)
  }
}

/** The works that send more requests than the fewest: a batch that is too large is halved, and windows of unlike width are apart. */
const today: Readonly<Record<string, Partial<Record<Dialect.Name, number>>>> = {
  "suspects of a quarter, 2 adducts": { specification: 5, ctx: 7 }
}

const multiple = [
  "bioactivity data",
  "search equal --batch",
  "resolve names",
  "resolve names --fields molFormula",
  "resolve mixed, a tenth unknown",
  "suspects of a quarter, 2 adducts"
]

describe.each(Dialect.names)("the requests of the dialect %s", (dialect) => {
  it.each(multiple)("are as few as recorded for %s, and within the plan", async (name) => {
    const { database, substances } = await generated()
    const work = works(substances).find((one) => one.name === name) as Work
    const { least, most = Number.POSITIVE_INFINITY, requests } = await counted(work, dialect, database)
    expect(requests).toBe(today[name]?.[dialect] ?? work.fewest[dialect])
    expect(requests).toBeGreaterThanOrEqual(least)
    expect(requests).toBeLessThanOrEqual(most)
  })
})
