import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { Dialect } from "@chemstream/client"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { argsOf, pathsOf, type Substance, type Work, works } from "./requestCounts.ts"

const count = 450

interface Made {
  readonly database: string
  readonly substances: ReadonlyArray<Substance>
  readonly m4ids: ReadonlyArray<string>
}

let made: Promise<Made> | undefined

const generated = () =>
  (made ??= (async () => {
    const at = folder()
    const database = join(at, "substances.sqlite")
    const args = ["generate", "--count", String(count), "--no-fingerprints", "--quiet"]
    await run([...args, "--database", database])
    await run([...args, "--output", at])
    const records = (name: string) =>
      readFileSync(join(at, name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    const m4ids = records("bioactivity.ndjson").map(({ m4id }) => String(m4id))
    return { database, substances: records("details.ndjson"), m4ids: m4ids.slice(0, count) }
  })())

let marks = 0

/** The number of requests so far. The log of the service has all of them once it has the mark. */
const logged = async ({ service, url }: Awaited<ReturnType<typeof sharedService>>): Promise<number> => {
  const mark = `/mark-${++marks}`
  await fetch(`${url}${mark}`)
  while (!service.stderr().includes(`"path":"${mark}"`)) await once(service.child.stderr as Readable, "data")
  return pathsOf(service.stderr()).filter((path) => !path.startsWith("/mark-")).length
}

/** The requests of a work, and the line of its plan about them. */
const counted = async (work: Work, dialect: Dialect.Name, database: string) => {
  const shared = await sharedService("--database", database, "--dialect", dialect)
  const { hasSummary = true, input = "lines", lines = [] } = work
  const options = { env: shared.env, cwd: folder() }
  writeFileSync(join(options.cwd, input), lines.join("\n"))
  const whole = [...argsOf(work), "--dialect", dialect]
  const before = await logged(shared)
  const [ended, plan] = await Promise.all([
    run([...whole, ...(hasSummary ? ["--json-summary", "summary", "-q"] : [])], options),
    run([...whole, "--dry-run"], options)
  ])
  expect(ended.code).toBe(0)
  if (hasSummary) expect(ended.stderr).toBe("")
  const requests = (await logged(shared)) - before
  if (hasSummary)
    expect(JSON.parse(readFileSync(join(options.cwd, "summary"), "utf8"))).toMatchObject({ requests })
  const [, least, most] =
    /^requests: (?:at least )?([\d,]+)(?:, at most ([\d,]+))?/m.exec(plan.stdout)?.map(toNumber) ?? []
  return { requests, least, most }
}

const toNumber = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text.replaceAll(",", ""))

/**
 * The works that send more requests than the fewest: windows of unlike width are apart, a batch of a picture has all its parts in
 * memory, and the endpoints of a hundred pictures are named at once.
 */
const today: Readonly<Record<string, Partial<Record<Dialect.Name, number>>>> = {
  "suspects of a quarter, 2 adducts": { specification: 5, ctx: 7 },
  report: { specification: 462, ctx: 462 },
  "plot curve of 400": { specification: 3, ctx: 3 }
}

const multiple = [
  "bioactivity data",
  "search equal --batch",
  "msready mass --ppm",
  "resolve names",
  "resolve names --fields molFormula",
  "resolve CAS numbers and names",
  "resolve mixed, a tenth unknown",
  "suspects of a quarter, 2 adducts",
  "report",
  "plot bioactivity of 100",
  "plot curve of 400",
  "all",
  "harvest of-two-kinds"
]

describe.each(Dialect.names)("the requests of the dialect %s", (dialect) => {
  it.each(multiple)("are as few as recorded for %s, and within the plan", async (name) => {
    const { database, m4ids, substances } = await generated()
    const work = works(substances, m4ids).find((one) => one.name === name) as Work
    const { least, most = Number.POSITIVE_INFINITY, requests } = await counted(work, dialect, database)
    expect(requests).toBe(today[name]?.[dialect] ?? work.fewest[dialect])
    expect(requests).toBeGreaterThanOrEqual(least ?? Number.NaN)
    expect(requests).toBeLessThanOrEqual(most)
  })
})
