/**
 * Runs that stop early: files of other formats, whose records are kept as `FILE.partial.ndjson`, and standard output, which cannot be
 * continued.
 */
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { tableFromIPC } from "apache-arrow"
import { parquetReadObjects } from "hyparquet"
import { describe, expect, it } from "vitest"
import { answerTo, isKnown, setUp, signal } from "./checkpointed.ts"
import { command, environment, run, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const common = ["details", "-i", "ids", "--batch-size", "10", "--concurrency", "1", "--fields", "dtxsid"]

/** The identifiers of a file, read by its format. */
const identifiersOf = async (format: string, bytes: Uint8Array): Promise<ReadonlyArray<unknown>> => {
  const text = new TextDecoder().decode(bytes)
  switch (format) {
    case "json":
      return JSON.parse(text).map(({ dtxsid }: { readonly dtxsid: string }) => dtxsid)
    case "parquet": {
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
      return (await parquetReadObjects({ file })).map(({ dtxsid }) => dtxsid)
    }
    case "arrow":
      return [...(tableFromIPC(bytes).getChild("dtxsid") ?? [])]
    default:
      return text.trimEnd().split(/\r?\n/).slice(1)
  }
}

const filesIn = (at: string): ReadonlyArray<string> =>
  readdirSync(at)
    .filter((name) => name !== "ids")
    .sort()

const partialOf = (at: string, output: string) =>
  lines(readFileSync(join(at, `${output}.partial.ndjson`), "utf8"))

describe("a run into a file of another format", { concurrent: true }, () => {
  it.each(["csv", "tsv", "json", "parquet", "arrow", "csv.gz"])(
    "keeps the records as received when its key is revoked, and is continued: %s",
    async (ending) => {
      const { at, ids } = setUp(60)
      let isRevoked = true
      const { env, requests } = await scripted(({ ids: asked }, number) =>
        isRevoked && number > 4 ? { status: 401, body: "{}" } : { body: answerTo(asked) }
      )
      const output = `out.${ending}`
      const args = [...common, "-o", output, "--errors", "errors"]
      const stopped = await run(args, { cwd: at, env })
      expect(stopped).toMatchObject({ code: 3, stdout: "" })
      expect(stopped.stderr.split("\n").slice(-3)).toEqual([
        expect.stringMatching(/^chemstream: the service refused the API key \(401\)/),
        `chemstream: kept 36 records in ${output}.partial.ndjson and errors.part, the position in ${output}.checkpoint. Run the same command to continue, or add --no-resume to start over`,
        ""
      ])
      expect(filesIn(at)).toEqual(["errors.part", `${output}.checkpoint`, `${output}.partial.ndjson`])
      expect(partialOf(at, output).map(({ dtxsid }) => dtxsid)).toEqual(ids.slice(0, 40).filter(isKnown))
      isRevoked = false
      requests.length = 0
      expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
      expect(requests).toHaveLength(2)
      expect(filesIn(at)).toEqual(["errors", output])
      const format = ending.replace(".gz", "")
      const bytes = readFileSync(join(at, output))
      const read = await identifiersOf(format, ending === format ? bytes : gunzipSync(bytes))
      expect(read).toEqual(ids.filter(isKnown))
      expect(lines(readFileSync(join(at, "errors"), "utf8")).map(({ id }) => id)).toEqual(
        ids.filter((id) => !isKnown(id))
      )
    }
  )

  it("finishes the requests in flight on one Ctrl-C, and keeps their results", async () => {
    const { at, ids } = setUp(60)
    const asked = signal()
    const held = signal()
    const { env } = await scripted(({ ids: batch }, number) => {
      if (number === 3) asked.open()
      return { body: answerTo(batch), ...(number === 3 ? { until: held.opened } : {}) }
    })
    const details = start([...common, "-o", "out.csv"], { cwd: at, env })
    await asked.opened
    details.child.kill("SIGINT")
    await details.says(/stopping, after 1 request in flight/)
    held.open()
    const { code, stderr } = await details.ended
    expect(code).toBe(130)
    expect(stderr).toContain("chemstream: kept 27 records in out.csv.partial.ndjson, ")
    expect(partialOf(at, "out.csv").map(({ dtxsid }) => dtxsid)).toEqual(ids.slice(0, 30).filter(isKnown))
    const converted = await run(["convert", "out.csv.partial.ndjson", "early.csv"], { cwd: at })
    expect(converted).toMatchObject({ code: 0, stderr: "" })
    expect(await identifiersOf("csv", readFileSync(join(at, "early.csv")))).toEqual(
      ids.slice(0, 30).filter(isKnown)
    )
  })

  it.each(["csv", "json", "parquet"])(
    "keeps the records if the file itself may not grow: %s",
    async (format) => {
      const { at, ids } = setUp(600)
      const text = "x".repeat(500)
      const { env, requests } = await scripted(({ ids: asked }) => ({
        body: JSON.stringify(asked.map((dtxsid, index) => ({ dtxsid, text: `${text}${index}` })))
      }))
      const args = [
        ...common.slice(0, -2),
        "--fields",
        "dtxsid,text",
        "--any-fields",
        "-q",
        "-o",
        `out.${format}`
      ]
      // In blocks of 1024 bytes: about half of the records.
      const { stdout } = await promisify(execFile)(
        "bash",
        ["--norc", "-c", `ulimit -f 150; "$0" "$@" 2>&1; echo "code $?"`, process.execPath, command, ...args],
        { cwd: at, env: environment(env) }
      )
      expect(stdout).toMatch(
        new RegExp(
          `^chemstream: cannot write out\\.${format}: [^\\n]+\\nchemstream: kept \\d+ records in out\\.${format}\\.partial\\.ndjson, [^\\n]+\\ncode 1\\n$`
        )
      )
      const before = partialOf(at, `out.${format}`).length
      expect(before).toBeGreaterThan(100)
      expect(before).toBeLessThan(600)
      requests.length = 0
      expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
      expect(requests.length).toBeLessThan(60 - before / 10 + 1)
      expect(filesIn(at)).toEqual([`out.${format}`])
      const rows = await identifiersOf(format, readFileSync(join(at, `out.${format}`)))
      expect(rows.map((row) => String(row).slice(0, ids[0]?.length))).toEqual(ids)
    }
  )

  it("leaves no file without any outcome", async () => {
    const { at } = setUp(20)
    const { env } = await scripted(() => ({ status: 401, body: "{}" }))
    const ended = await run([...common, "-o", "out.csv"], { cwd: at, env })
    expect(ended.stderr).toMatch(/^chemstream: the service refused the API key \(401\)[^\n]*\n$/)
    expect(filesIn(at)).toEqual([])
  })
})

describe("a run to standard output that stops early", { concurrent: true }, () => {
  it("has written all responses, and keeps its errors file", async () => {
    const { at, ids } = setUp(40)
    const { env } = await scripted(({ ids: asked }, number) =>
      number > 2 ? { status: 401, body: "{}" } : { body: answerTo(asked) }
    )
    const ended = await run([...common, "--errors", "errors"], { cwd: at, env })
    expect(ended.code).toBe(3)
    expect(lines(ended.stdout).map(({ dtxsid }) => dtxsid)).toEqual(ids.slice(0, 20).filter(isKnown))
    expect(ended.stderr).toContain(
      "chemstream: kept the errors so far in errors.partial; the first 20 values of the input"
    )
    expect(filesIn(at)).toEqual(["errors.partial"])
  })

  it("stops at once on Ctrl-C without files", async () => {
    const { at } = setUp(40)
    const asked = signal()
    const { env } = await scripted(({ ids }, number) => {
      if (number === 2) asked.open()
      return { body: answerTo(ids), ...(number === 2 ? { until: new Promise<void>(() => {}) } : {}) }
    })
    const details = start(common, { cwd: at, env })
    await details.prints(/\n/)
    await asked.opened
    details.child.kill("SIGINT")
    const { code, stderr, stdout } = await details.ended
    expect({ code, records: lines(stdout).length }).toEqual({ code: 130, records: 9 })
    expect(stderr).not.toContain("stopping")
  })
})
