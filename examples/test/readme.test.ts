import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { json } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { apiKey, folder, listen, makeDatabase, runProgram, type Server, serve } from "./running.ts"

const root = join(folder, "..")
const readme = readFileSync(join(folder, "README.md"), "utf8")
const scripts = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "vitest.config.ts")

/** The command of each script: an item of a list begins with the name of a script and ends with its command. */
const commands = new Map(
  [...readme.matchAll(/^- \[([\w-]+\.ts)\]\(\1\): (?:.|\n)+?^ {2}`(.+)`$/gm)].map(
    ([, script = "", command = ""]) => [script, command]
  )
)

/** The command that does the same as a script, in its first comment. */
const sameCommands = new Map(
  scripts.flatMap((script) => {
    const [, command] = /^ \*.*: (chemstream .+)$/m.exec(readFileSync(join(folder, script), "utf8")) ?? []
    return command === undefined ? [] : [[script, command] as const]
  })
)

describe("an example", () => {
  it("begins with the command that does the same, where there is one", () => {
    const without = ["books.ts", "inclusion-list.ts", "new-only.ts", "telemetry.ts"]
    expect(scripts.filter((script) => !sameCommands.has(script)).toSorted()).toEqual(without)
  })

  it.each(scripts)("%s has at most 60 lines, and an entry with a command in the README", (script) => {
    expect(readFileSync(join(folder, script), "utf8").split("\n").length).toBeLessThanOrEqual(61)
    expect(commands.get(script)).toContain(`node examples/${script}`)
  })

  it("is listed in the README only if it exists", () => {
    expect([...commands.keys()].toSorted()).toEqual(scripts.toSorted())
  })
})

describe.concurrent("a command of the README", () => {
  let cwd: string
  let service: Server
  let books: Server
  let collector: Server

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), "examples-readme-"))
    symlinkSync(folder, join(cwd, "examples"))
    mkdirSync(join(cwd, "data"))
    for (const file of readdirSync(join(folder, "data"))) {
      symlinkSync(join(folder, "data", file), join(cwd, "data", file))
    }
    service = await serve(await makeDatabase(cwd, []))
    books = await listen(async (request, response) => {
      const isbns = (await json(request)) as ReadonlyArray<string>
      response.end(JSON.stringify(isbns.filter((isbn) => !isbn.includes("00000")).map((isbn) => ({ isbn }))))
    })
    collector = await listen((_, response) => response.end("{}"))
  }, 60_000)

  afterAll(async () => {
    await Promise.all([service.stop(), books.stop(), collector.stop()])
    rmSync(cwd, { recursive: true })
  })

  const environment = () => ({
    PATH: [dirname(process.execPath), join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
    CHEMSTREAM_BASE_URL: service.url,
    CHEMSTREAM_API_KEY: apiKey,
    BOOKS_URL: books.url,
    BOOKS_KEY: "a-key",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url
  })

  it.for([...sameCommands])("%s does the same as %s", async ([, command]) => {
    const { code, stderr } = await runProgram("sh", ["-c", command], {
      cwd: join(cwd, "data"),
      env: environment()
    })
    expect({ code, stderr }).toMatchObject({ code: 0 })
  })

  it.for([...commands])("%s: %s", async ([, command]) => {
    const { code, stderr, stdout } = await runProgram("sh", ["-c", command], { cwd, env: environment() })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const [, output] =
      /(?:> ?|ta\.ts |mirror\.ts |nightly\.ts \S+ )([\w.-]+\.(?:csv|tsv|ndjson|sqlite))/.exec(command) ?? []
    expect(output === undefined ? stdout : readFileSync(join(cwd, output), "latin1")).not.toBe("")
  })
})
