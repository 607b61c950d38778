import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Bundled } from "@chemstream/service"
import { describe, expect, it, onTestFinished } from "vitest"
import { folder, run, serve, start } from "./process.ts"

const bisphenolA = "DTXSID7020182"
const benzene = "DTXSID3039242"
const unknown = "DTXSID00999999999"

const parseLines = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe("chemstream details", () => {
  it("writes one line a record, in the order asked, and the summary to standard error", async () => {
    const { env } = await serve()
    const ended = await run(["details", benzene, bisphenolA, "--projection", "compact"], { env })
    expect(ended).toMatchObject({ code: 0 })
    expect(parseLines(ended.stdout)).toMatchObject([
      { dtxsid: benzene, molFormula: "C6H6" },
      { dtxsid: bisphenolA, preferredName: "Bisphenol A" }
    ])
    expect(ended.stderr).toContain("read 2 = 2 found + 0 missing + 0 failed + 0 duplicates + 0 invalid")
  })

  it("reads standard input, and accounts for all of it in the errors file and the JSON summary", async () => {
    const { env } = await serve()
    const at = folder()
    const [errors, summary, output] = ["errors", "summary", "out"].map((name) => join(at, name)) as [
      string,
      string,
      string
    ]
    const input = `\uFEFF# a comment\r\n${bisphenolA}\r\n\r\n${unknown}\r\n${bisphenolA.toLowerCase()}\r\n80-05-7\r\n`
    const ended = await run(
      ["details", "--errors", errors, "--json-summary", summary, "--output", output, "--quiet"],
      { env, input }
    )
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(parseLines(readFileSync(output, "utf8"))).toMatchObject([{ dtxsid: bisphenolA }])
    expect(parseLines(readFileSync(errors, "utf8"))).toEqual([
      {
        id: unknown,
        outcome: "missing",
        error: { tag: "Missing", message: expect.stringContaining(unknown) },
        line: 4
      },
      {
        id: "80-05-7",
        outcome: "invalid",
        error: expect.objectContaining({ tag: "InvalidIdentifier", reason: "malformed", value: "80-05-7" }),
        line: 6
      }
    ])
    expect(JSON.parse(readFileSync(summary, "utf8"))).toEqual({
      read: 4,
      found: 1,
      missing: 1,
      failed: 0,
      duplicates: 1,
      invalid: 1,
      records: 1,
      requests: 1,
      retries: 0,
      batches: 1,
      bytes: expect.any(Number),
      seconds: expect.any(Number)
    })
  })

  it("asks in batches of the size given, and gives the same lines in any batching", async () => {
    const { env } = await serve()
    const at = folder()
    const outputs: Array<string> = []
    for (const [size, requests] of [
      [1000, 1],
      [7, undefined],
      [1, undefined]
    ] as const) {
      const summary = join(at, `summary-${size}`)
      const ended = await run(
        [
          "details",
          "--input",
          Bundled.identifiers,
          "--batch-size",
          `${size}`,
          "--json-summary",
          summary,
          "-q"
        ],
        { env }
      )
      expect(ended.code).toBe(0)
      outputs.push(ended.stdout)
      if (requests !== undefined)
        expect(JSON.parse(readFileSync(summary, "utf8"))).toMatchObject({ requests })
    }
    expect(new Set(outputs).size).toBe(1)
    expect(parseLines(outputs[0] ?? "").length).toBeGreaterThan(200)
  })

  it("exits with 1 for a missing identifier only when asked to", async () => {
    const { env } = await serve()
    expect(await run(["details", unknown], { env })).toMatchObject({ code: 0, stdout: "" })
    expect(await run(["details", unknown, "--fail-on-missing"], { env })).toMatchObject({ code: 1 })
  })

  it("names the identifier that was probably meant when identifiers are strict", async () => {
    const { env } = await serve()
    const errors = join(folder(), "errors")
    const ended = await run(["details", "DTXSID1020182", "--strict-ids", "--errors", errors], { env })
    expect(ended.stderr).toContain("read 1 = 0 found + 0 missing + 0 failed + 0 duplicates + 1 invalid")
    expect(parseLines(readFileSync(errors, "utf8"))).toMatchObject([
      { outcome: "invalid", error: { suggestion: bisphenolA } }
    ])
  })

  it("ends quietly with 0 when the reader of its output goes away", async () => {
    const { env } = await serve()
    const command = fileURLToPath(new URL("../bin/chemstream.js", import.meta.url))
    const shell = spawn(
      "sh",
      [
        "-c",
        `{ "$0" "$1" details --input "$2" --batch-size 1 --quiet; echo "code $?" >&2; } | head -n 1`,
        process.execPath,
        command,
        Bundled.identifiers
      ],
      { env: { ...process.env, ...env } }
    )
    let stderr = ""
    shell.stderr.on("data", (text) => {
      stderr += text
    })
    await once(shell, "close")
    expect(stderr).toBe("code 0\n")
  })

  it("leaves an older output as it was, and no other file, when the run fails", async () => {
    const at = folder()
    const output = join(at, "out.ndjson")
    writeFileSync(output, "older\n")
    const ended = await run(
      ["details", bisphenolA, "--output", output, "--base-url", "http://127.0.0.1:1", "--retries", "0"],
      {
        env: { CHEMSTREAM_API_KEY: "k" }
      }
    )
    expect(ended.code).toBe(4)
    expect(readFileSync(output, "utf8")).toBe("older\n")
    expect(readdirSync(at)).toEqual(["out.ndjson"])
  })

  it("exits with 130 when interrupted, and says so", async () => {
    const silent = createServer()
    silent.listen(0, "127.0.0.1")
    await once(silent, "listening")
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const details = start(["details", bisphenolA, "--base-url", `http://127.0.0.1:${port}`], {
      env: { CHEMSTREAM_API_KEY: "k" }
    })
    await once(silent, "connection")
    details.child.kill("SIGINT")
    expect(await details.ended).toEqual({ code: 130, stdout: "", stderr: "chemstream: interrupted\n" })
  })
})

describe("bad input", () => {
  const oneLine = /^chemstream: [^\n]+\n$/

  it.each<[string, ReadonlyArray<string>, number, RegExp]>([
    [
      "an unknown option",
      ["details", "--projektion", "x"],
      2,
      /unknown option --projektion .*--projection, /
    ],
    [
      "an unknown projection",
      ["details", "--projection", "x"],
      2,
      /"x" is not allowed: use one of chemicaldetailstandard, .*compact/
    ],
    [
      "an unknown command",
      ["detials"],
      2,
      /unknown command "detials"; allowed are details, serve, import, demo/
    ],
    ["a batch size over the limit", ["details", "--batch-size", "1001"], 2, /from 1 to 1000/],
    ["an unreadable input", ["details", "--input", "/does/not/exist"], 2, /cannot read \/does\/not\/exist/],
    ["arguments and an input file", ["details", bisphenolA, "--input", "x"], 2, /not both/],
    ["no key", ["details", bisphenolA], 3, /no API key: set CHEMSTREAM_API_KEY/],
    [
      "a key file that is not there",
      ["details", bisphenolA, "--api-key-file", "/nope"],
      2,
      /cannot read the API key/
    ],
    [
      "a base URL that is none",
      ["details", bisphenolA, "--base-url", "localhost"],
      2,
      /must start with http/
    ],
    ["a database that is not there", ["serve", "--database", "/does/not/exist"], 2, /\/does\/not\/exist/],
    ["an import without a file", ["import"], 2, /FILE/]
  ])("%s is one line and its exit code", async (_, args, code, line) => {
    const env = args.includes("--base-url") ? { CHEMSTREAM_API_KEY: "k" } : {}
    const ended = await run(args, { env: env as Record<string, string> })
    expect(ended).toMatchObject({ code, stdout: "" })
    expect(ended.stderr).toMatch(oneLine)
    expect(ended.stderr).toMatch(line)
  })

  it("a wrong key is one line and exit code 3, and the key is not in it", async () => {
    const { env } = await serve()
    const ended = await run(["details", bisphenolA], { env: { ...env, CHEMSTREAM_API_KEY: "wrong-key-7" } })
    expect(ended).toMatchObject({ code: 3, stdout: "" })
    expect(ended.stderr).toMatch(oneLine)
    expect(ended.stderr).not.toContain("wrong-key-7")
  })

  it("a service that cannot be reached is one line that names the address, and exit code 4", async () => {
    const ended = await run(
      ["details", bisphenolA, "--base-url", "http://127.0.0.1:1/api", "--retries", "1"],
      {
        env: { CHEMSTREAM_API_KEY: "k" }
      }
    )
    expect(ended.code).toBe(4)
    expect(ended.stderr).toMatch(oneLine)
    expect(ended.stderr).toContain("http://127.0.0.1:1/api")
  })

  it("a malformed line in an imported file is its line number and the reason, and nothing is imported", async () => {
    const at = folder()
    const [good, bad, database] = ["good", "bad", "db"].map((name) => join(at, name)) as [
      string,
      string,
      string
    ]
    writeFileSync(good, `{"dtxsid":"${bisphenolA}"}\n`)
    writeFileSync(bad, `{"dtxsid":"${benzene}"}\n{"dtxsid":\n`)
    const ended = await run(["import", good, bad, "--kind", "details", "--database", database])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(oneLine)
    expect(ended.stderr).toMatch(/bad.*line 2/i)
    if (existsSync(database)) {
      const { env } = await serve("--database", database)
      expect(await run(["details", bisphenolA, "--quiet"], { env })).toMatchObject({ code: 0, stdout: "" })
    }
  })
})

describe("real input", () => {
  const recorded = (name: string): string =>
    fileURLToPath(new URL(`../../../../shared/real/${name}`, import.meta.url))

  it.skipIf(!existsSync(recorded("details-163.json")))(
    "comes back from import, serve and details deeply equal and in the order asked (skipped where the recordings are absent)",
    async () => {
      const database = join(folder(), "real.sqlite")
      const imported = await run([
        "import",
        recorded("details-163.json"),
        "--kind",
        "details",
        "--database",
        database
      ])
      expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining("imported 163 records") })
      const { env } = await serve("--database", database)
      const ended = await run(["details", "--input", recorded("ids-163.txt"), "--batch-size", "50"], { env })
      expect(ended).toMatchObject({ code: 0 })
      expect(parseLines(ended.stdout)).toEqual(JSON.parse(readFileSync(recorded("details-163.json"), "utf8")))
    }
  )
})
