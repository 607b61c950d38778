/** The schemas of records that a start of the command makes, from the functions that V8 counts. */
import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { command, environment, folder } from "./process.ts"

interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{
      readonly functionName: string
      readonly ranges: ReadonlyArray<{ readonly startOffset: number; readonly count: number }>
    }>
  }>
}

/** Returns the places of offsets in a text, from 0. */
const placesIn = (text: string) => {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (offset: number) => {
    const after = starts.findIndex((start) => start > offset)
    const line = (after === -1 ? starts.length : after) - 1
    return { line, column: offset - (starts[line] ?? 0) }
  }
}

/** The schemas of records that a command has made. */
interface Made {
  /** The number of schemas. */
  readonly schemas: number
  /** The modules of the rows that were asked for the schema of their records. */
  readonly rows: ReadonlyArray<string>
}

/** Returns the functions of sources in a path that a command has called, by the source and their name. */
const callsOf = async function* (args: ReadonlyArray<string>, path: RegExp) {
  const at = folder()
  const env = environment({ NODE_V8_COVERAGE: at, CHEMSTREAM_API_KEY: "k" })
  await promisify(execFile)(process.execPath, [command, ...args], { env, maxBuffer: 2 ** 24 })
  for (const file of readdirSync(at)) {
    const { result }: Coverage = JSON.parse(readFileSync(join(at, file), "utf8"))
    for (const { functions, url } of result) {
      const bundled = url.includes("/dist/bundle/") ? fileURLToPath(url) : ""
      if (!existsSync(`${bundled}.map`)) continue
      const map = JSON.parse(readFileSync(`${bundled}.map`, "utf8"))
      if (!map.sources.some((source: string) => path.test(source))) continue
      const placeOf = placesIn(readFileSync(bundled, "utf8"))
      const sources = new SourceMap(map)
      for (const { functionName: name, ranges } of functions) {
        const [{ count, startOffset } = { count: 0, startOffset: 0 }] = ranges
        if (count === 0) continue
        const { column, line } = placeOf(startOffset)
        const entry = sources.findEntry(line, column)
        const source = "originalSource" in entry ? entry.originalSource : ""
        if (path.test(source)) yield { name, count, source }
      }
    }
  }
}

const madeBy = async (args: ReadonlyArray<string>): Promise<Made> => {
  let schemas = 0
  const rows = new Set<string>()
  for await (const { count, name, source } of callsOf(args, /api\/src\/(endpoints|rows|records|schemas)\//)) {
    // The function in `openStruct` makes the schema.
    if (source.endsWith("/openStruct.ts") && name === "") schemas += count
    if (name === "record") rows.add(basename(source))
  }
  return { schemas, rows: [...rows].sort() }
}

const substance = "DTXSID7020182"

describe("the start of the command", { concurrent: true }, () => {
  it.each([
    "--help",
    "--version",
    "details --help",
    "formula --help",
    "bioactivity data --help",
    "harvest start --help",
    "api --help",
    "schema --help"
  ])("makes no schema of a record for %s", async (args) => {
    expect(await madeBy(args.split(" "))).toEqual({ schemas: 0, rows: [] })
  })

  it("makes for completions only the schemas in the fields that an import compares, and that of the tool search", async () => {
    expect(await madeBy(["--completions", "bash"])).toMatchObject({ schemas: 3 })
  })

  it.each([
    [`synonyms ${substance} --dry-run`, "Synonyms.ts"],
    [`details ${substance} --dry-run`, "Details.ts"],
    [`bioactivity aed ${substance} --dry-run`, "Bioactivity.ts"],
    ["all --dry-run", "Details.ts"],
    ["schema synonyms", "Synonyms.ts"],
    ["help fields bioactivity aed", "Bioactivity.ts"]
  ])("makes for %s only the schemas of its own family", async (args, own) => {
    const { rows, schemas } = await madeBy(args.split(" "))
    expect(rows).toEqual([own])
    expect(schemas).toBeGreaterThan(0)
    expect(schemas).toBeLessThan(4)
  })
})
