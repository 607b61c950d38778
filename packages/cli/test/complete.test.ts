/** A run is complete if it reached the end of its input and its files have their names. Everything else is kept, and continued. */
import { execFile } from "node:child_process"
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { answerTo, isKnown, setUp } from "./checkpointed.ts"
import { command, environment, run } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const common = ["details", "-i", "ids", "--batch-size", "10", "--concurrency", "1", "--fields", "dtxsid"]
const preload = `--import=${new URL("recordedFiles.mjs", import.meta.url).href}`

const filesIn = (at: string): ReadonlyArray<string> =>
  readdirSync(at)
    .filter((name) => name !== "ids")
    .sort()

const summaryIn = (at: string) => JSON.parse(readFileSync(join(at, "summary"), "utf8"))

/** Runs the command with a reader that leaves after its first line. Returns the exit code and standard error. */
const withLeavingReader = async (args: ReadonlyArray<string>, at: string, env: Record<string, string>) => {
  const script = `{ "$NODE" "$COMMAND" "$@"; echo "$?" > code; } 2> log | head -1 > first`
  await promisify(execFile)("bash", ["--norc", "-c", script, "bash", ...args, "--json-summary", "summary"], {
    cwd: at,
    env: environment({ ...env, NODE: process.execPath, COMMAND: command })
  })
  const text = (name: string) => readFileSync(join(at, name), "utf8")
  const ended = { code: Number(text("code")), stderr: text("log"), summary: summaryIn(at) }
  return ended
}

/** A service that knows no identifier, slow enough for the reader to leave. */
const nothingKnown = () => scripted((_, number) => ({ body: "[]", after: number > 3 ? 100 : 0 }))

const besides = ["code", "first", "log", "summary"]

describe("a reader of standard output that leaves", { concurrent: true }, () => {
  it.each([
    ["out.ndjson", ["out.ndjson.checkpoint", "out.ndjson.part"]],
    ["out.sqlite#t", ["out.sqlite"]]
  ])(
    "publishes no file: %s is kept with exit code 1, and the same command completes it",
    async (output, kept) => {
      const { at, ids } = setUp(300)
      const { env, requests } = await nothingKnown()
      const args = [...common, "-o", output, "--errors", "/dev/stdout"]
      const left = await withLeavingReader(args, at, env)
      expect(left).toMatchObject({ code: 1, summary: { complete: false } })
      expect(left.stderr).toContain(
        "chemstream: the reader of standard output has closed it before the end of the run\n"
      )
      expect(left.stderr).toMatch(
        /chemstream: kept 0 records in out\.[^\n]* Run the same command to continue/
      )
      // Answers that have arrived but are not yet in the output are kept, too, if there are any.
      const files = filesIn(at).filter((name) => name !== "out.ndjson.received")
      expect(files).toEqual([...besides, ...kept].sort())
      expect(left.summary.read).toBeLessThan(300)
      const before = requests.length
      const rest = await run([...args, "--json-summary", "summary"], { cwd: at, env })
      expect(rest).toMatchObject({ code: 0 })
      expect(summaryIn(at)).toMatchObject({ complete: true, read: 300, missing: 300 })
      expect(requests.length - before).toBeLessThan(30)
      if (output === "out.sqlite#t") {
        const database = new DatabaseSync(join(at, "out.sqlite"))
        expect(database.prepare("SELECT count(*) AS n FROM t_outcomes").get()).toEqual({ n: ids.length })
        database.close()
      }
    }
  )

  it("ends a run without files with exit code 0, and its summary is not complete", async () => {
    const { at } = setUp(300)
    const { env } = await scripted(({ ids }, number) => ({
      body: answerTo(ids),
      after: number > 3 ? 100 : 0
    }))
    const left = await withLeavingReader(common, at, env)
    expect(left).toMatchObject({ code: 0, summary: { complete: false } })
    expect(left.summary.read).toBeLessThan(300)
    expect(filesIn(at)).toEqual(besides)
  })

  it("keeps an errors file as partial, with exit code 1", async () => {
    const { at } = setUp(300)
    const { env } = await scripted(({ ids }, number) => ({
      body: answerTo(ids),
      after: number > 3 ? 100 : 0
    }))
    const left = await withLeavingReader([...common, "--errors", "errors"], at, env)
    expect(left).toMatchObject({ code: 1, summary: { complete: false } })
    expect(filesIn(at)).toEqual([...besides, "errors.partial"].sort())
  })
})

describe("an input that breaks in the middle", { concurrent: true }, () => {
  it.each(["out.ndjson", "out.csv", "out.sqlite#t"])(
    "is a failure of the run, which is kept: %s",
    async (output) => {
      const { at, ids } = setUp(100)
      // Comments, so that some identifiers are read before the damage.
      const padding = `# ${"x".repeat(1000)}\n`.repeat(1000)
      const whole = gzipSync(`${ids.map((id) => `${id}\n`).join("")}${padding}`, { level: 0 })
      const { env, requests } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
      const args = common.map((arg) => (arg === "ids" ? "-" : arg))
      const input = whole.subarray(0, whole.length - 5000)
      const broken = await run([...args, "-o", output, "--json-summary", "summary"], { cwd: at, env, input })
      expect(requests.length).toBeGreaterThan(1)
      expect(broken).toMatchObject({ code: 1 })
      expect(broken.stderr).toMatch(/chemstream: cannot read [^\n]*\nchemstream: kept /)
      expect(summaryIn(at)).toMatchObject({ complete: false })
      expect(filesIn(at)).not.toContain(output)
    }
  )
})

describe("a file that cannot get its name at the end", { concurrent: true }, () => {
  const refuse = (pattern: string) => ({ NODE_OPTIONS: preload, REFUSED_RENAME: pattern })

  it.each(["out.ndjson", "errors.ndjson"])(
    "is named, and the same command only repeats this: %s",
    async (file) => {
      const { at, ids } = setUp(30)
      const { env, requests } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
      const args = [...common, "-o", "out.ndjson", "--errors", "errors.ndjson", "--json-summary", "summary"]
      const refused = await run(args, { cwd: at, env: { ...env, ...refuse(`/${file}$`) } })
      expect(refused).toMatchObject({ code: 1 })
      expect(refused.stderr).toContain(`chemstream: cannot write ${file}: permission denied`)
      expect(refused.stderr).toContain(`${file}.part`)
      expect(summaryIn(at)).toMatchObject({ complete: false })
      const before = requests.length
      const again = await run(args, { cwd: at, env })
      expect(again).toMatchObject({ code: 0 })
      expect(requests).toHaveLength(before)
      expect(summaryIn(at)).toMatchObject({ complete: true, read: 30 })
      expect(filesIn(at)).toEqual(["errors.ndjson", "out.ndjson", "summary"])
      const text = (name: string) => readFileSync(join(at, name), "utf8")
      expect(lines(text("out.ndjson")).map(({ dtxsid }) => dtxsid)).toEqual(ids.filter(isKnown))
      expect(lines(text("errors.ndjson")).map(({ id }) => id)).toEqual(ids.filter((id) => !isKnown(id)))
    }
  )

  it("does not hide that the input has changed since: new lines are requested, another input is refused", async () => {
    const { at, ids } = setUp(40)
    const { env, requests } = await scripted(({ ids: asked }) => ({ body: answerTo(asked) }))
    const args = [...common, "-o", "out.ndjson", "--errors", "errors.ndjson", "-q"]
    const all = readFileSync(join(at, "ids"), "utf8")
    writeFileSync(
      join(at, "ids"),
      ids
        .slice(0, 30)
        .map((id) => `${id}\n`)
        .join("")
    )
    const options = { cwd: at, env: { ...env, ...refuse("/errors.ndjson$") } }
    expect(await run(args, options)).toMatchObject({ code: 1 })
    const before = filesIn(at)
    writeFileSync(
      join(at, "ids"),
      ids
        .slice(1)
        .map((id) => `${id}\n`)
        .join("")
    )
    const other = await run(args, { cwd: at, env })
    expect(other).toMatchObject({ code: 2 })
    expect(other.stderr).toContain("the input differs from that of the run to continue")
    expect(filesIn(at)).toEqual(before)
    writeFileSync(
      join(at, "ids"),
      ids
        .slice(0, 30)
        .map((id) => `${id}\n`)
        .join("")
    )
    appendFileSync(
      join(at, "ids"),
      ids
        .slice(30)
        .map((id) => `${id}\n`)
        .join("")
    )
    expect(readFileSync(join(at, "ids"), "utf8")).toBe(all)
    requests.length = 0
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    expect(requests.flatMap((one) => one.ids)).toEqual(ids.slice(30))
    const text = (name: string) => readFileSync(join(at, name), "utf8")
    expect(lines(text("out.ndjson")).map(({ dtxsid }) => dtxsid)).toEqual(ids.filter(isKnown))
    expect(lines(text("errors.ndjson")).map(({ id }) => id)).toEqual(ids.filter((id) => !isKnown(id)))
  })
})
