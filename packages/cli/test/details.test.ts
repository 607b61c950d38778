import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { Dtxsid } from "@chemstream/api"
import { Bundled } from "@chemstream/service"
import { describe, expect, it } from "vitest"
import { cleanUp, command, environment, folder, run, serve, sharedService, start, twice } from "./process.ts"
import { scripted } from "./scripted.ts"

const bisphenolA = "DTXSID7020182"
const benzene = "DTXSID3039242"
const unknown = "DTXSID00999999999"

const parseLines = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe("chemstream details", { concurrent: true }, () => {
  it("writes one line for each record, in the order of the input, and the summary to standard error", async () => {
    const { env } = await sharedService()
    const ended = await run(["details", benzene, bisphenolA, "--projection", "compact"], { env })
    expect(ended).toMatchObject({ code: 0 })
    expect(parseLines(ended.stdout)).toMatchObject([
      { dtxsid: benzene, molFormula: "C6H6" },
      { dtxsid: bisphenolA, preferredName: "Bisphenol A" }
    ])
    expect(ended.stderr).toContain("read 2 = 2 found + 0 missing + 0 failed + 0 duplicates + 0 invalid")
  })

  it("reads standard input, and accounts for every line in the errors file and the JSON summary", async () => {
    const { env } = await sharedService()
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
      blank: 1,
      comments: 1,
      records: 1,
      surplus: 0,
      truncated: 0,
      ambiguous: 0,
      conflict: 0,
      requests: 1,
      singleWords: 0,
      singleMasses: 0,
      retries: 0,
      batches: 1,
      batchSizes: { smallest: 1000, largest: 1000 },
      bytes: expect.any(Number),
      seconds: expect.any(Number),
      complete: true
    })
  })

  it("reads a compressed file of identifiers, and refuses a truncated one", async () => {
    const { env } = await sharedService()
    const at = folder()
    for (const pack of [gzipSync, zstdCompressSync]) {
      const packed = pack(`${benzene}\n${bisphenolA}\n`)
      writeFileSync(join(at, "ids"), packed)
      const ended = await run(["details", "--input", join(at, "ids"), "-q"], { env })
      expect(ended).toMatchObject({ code: 0 })
      expect(parseLines(ended.stdout)).toMatchObject([{ dtxsid: benzene }, { dtxsid: bisphenolA }])
      writeFileSync(join(at, "ids"), packed.subarray(0, -1))
      const refused = await run(["details", "--input", join(at, "ids")], { env })
      expect(refused).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/cannot read .*is cut off after/)
      })
    }
  })

  it("sends batches of the given size, and writes the same lines for any size", async () => {
    const { env } = await sharedService()
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

  it("exits with 1 for a missing or invalid identifier only with the option", async () => {
    const { env } = await sharedService()
    expect(await run(["details", unknown], { env })).toMatchObject({ code: 0, stdout: "" })
    for (const option of ["--fail-on=missing", "--fail-on=invalid,missing", "--fail-on-missing"])
      expect(await run(["details", unknown, option], { env })).toMatchObject({ code: 1 })
    const some = ["details", unknown, "nonsense"]
    expect(await run(some, { env })).toMatchObject({ code: 0 })
    for (const option of ["--fail-on=invalid", "--fail-on-invalid"])
      expect(await run([...some, option], { env })).toMatchObject({ code: 1 })
    const refused = await run([...some, "--fail-on", "lost"], { env })
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain("missing, ambiguous, conflict, invalid, truncated")
  })

  it("says of an unknown identifier when its check digit is wrong", async () => {
    const { env } = await sharedService()
    const errors = join(folder(), "errors")
    const newest = Dtxsid.fromNumber(999999999)
    await run(["details", "DTXSID1020182", newest, "--errors", errors, "-q"], { env })
    expect(parseLines(readFileSync(errors, "utf8"))).toMatchObject([
      { error: { message: "the service does not know DTXSID1020182: its check digit is wrong" } },
      { error: { message: `the service does not know ${newest}` } }
    ])
  })

  it("refuses a wrong check digit under --strict-ids, and suggests no correction", async () => {
    const { env } = await sharedService()
    const errors = join(folder(), "errors")
    const ended = await run(["details", "DTXSID1020182", "--strict-ids", "--errors", errors], { env })
    expect(ended.stderr).toContain("read 1 = 0 found + 0 missing + 0 failed + 0 duplicates + 1 invalid")
    expect(parseLines(readFileSync(errors, "utf8"))).toMatchObject([
      {
        outcome: "invalid",
        error: { reason: "check-digit", message: expect.not.stringContaining(bisphenolA) }
      }
    ])
  })

  it("exits with 1 when the reader closes its output while its input is open, and keeps the errors file", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "ids"), `80-05-7\n${readFileSync(Bundled.identifiers, "utf8")}`)
    const pipe = `{ cat ids; exec sleep 60; } | { "$0" "$1" details --batch-size 1 --errors errors --quiet; echo "code $?" >&2; } | head -n 1`
    const shell = spawn("sh", ["-c", pipe, process.execPath, command], {
      cwd: at,
      env: environment(env),
      detached: true
    })
    cleanUp(() => {
      try {
        process.kill(-(shell.pid ?? 0), "SIGKILL")
      } catch {}
    })
    let said = ""
    for await (const part of shell.stderr) {
      said += part
      if (said.includes("code")) break
    }
    expect(said).toMatch(/the reader of standard output has closed it[\s\S]*\ncode 1\n$/)
    expect(parseLines(readFileSync(join(at, "errors.partial"), "utf8"))[0]).toMatchObject({ id: "80-05-7" })
  })

  it("prints one line for each reason of failed and invalid identifiers, and only failures when quiet", async () => {
    const { env, url } = await sharedService()
    const wrongPath = { ...env, CHEMSTREAM_BASE_URL: `${url}/typo` }
    const nowhere = await run(["details", bisphenolA, benzene, "80-05-7", "--quiet"], { env: wrongPath })
    expect(nowhere).toMatchObject({ code: 4, stdout: "" })
    expect(nowhere.stderr).toMatch(/^chemstream: the service has no such path \(404\).*base URL\n$/)
    const older = await scripted(() => ({ status: 404, body: '{"detail":"No static resource hazard."}' }))
    const without = await run(["hazard", "toxval", bisphenolA, benzene], { env: older.env })
    expect(without).toMatchObject({ code: 4, stdout: "" })
    expect(without.stderr).toMatch(
      /^chemstream: the service has no endpoint hazard\.toxval \(404: .*base URL\n$/m
    )
    const broken = await scripted(() => ({ status: 501, body: "" }))
    const failed = await run(["details", bisphenolA, benzene, "80-05-7", "--quiet"], { env: broken.env })
    expect(failed).toMatchObject({ code: 1, stdout: "" })
    expect(failed.stderr).toBe("2 failed: ServiceFailure: the service failed (501)\n")
    const loud = await run(["details", bisphenolA, "80-05-7"], { env })
    expect(loud).toMatchObject({ code: 0 })
    expect(loud.stderr).toContain('1 invalid, the first in line 2: "80-05-7" is not a DTXSID')
  })

  it("continues after a value that a gateway blocks with a page, and stops if it blocks all of them", async () => {
    const at = folder()
    const words = Array.from({ length: 100 }, (_, number) =>
      number === 50 ? "DROP TABLE" : `word ${number}`
    )
    writeFileSync(join(at, "words"), `${words.join("\n")}\n`)
    const page = { status: 403, body: "<html><title>Request Rejected</title></html>" }
    const one = await scripted(({ ids, path }) =>
      path.includes("DROP") || ids.length > 0 ? page : { body: '[{"dtxsid":"DTXSID7020182"}]' }
    )
    const args = ["search", "equal", "-i", "words", "-o", "out.csv", "--errors", "errors"]
    const blocked = await run(args, { cwd: at, env: one.env })
    expect(blocked).toMatchObject({ code: 1 })
    expect(blocked.stderr).toContain("read 100 = 99 found + 0 missing + 1 failed")
    // The blocked word is also requested in a batch of one, because a gateway may block only the path.
    expect(one.requests).toHaveLength(101)
    expect(parseLines(readFileSync(join(at, "errors"), "utf8"))).toMatchObject([
      {
        id: "DROP TABLE",
        line: 51,
        error: {
          message: "a gateway in front of the service rejected the request (403): Request Rejected"
        }
      }
    ])

    const all = await scripted(() => page)
    const stopped = await run([...args, "--wait", "1s"], { cwd: at, env: all.env })
    expect(stopped).toMatchObject({ code: 4 })
    expect(stopped.stderr).toMatch(
      /none of the first \d+ requests has succeeded: a gateway .*Request Rejected/
    )
    // 18 words and those in flight, each also in a batch of one.
    expect(all.requests.length).toBeLessThanOrEqual(2 * (18 + 4))
  })

  it("writes directly to a named pipe, follows a link, and keeps the permissions of a replaced file", async () => {
    const { env } = await sharedService()
    const at = folder()
    const [link, real, pipe] = ["link", "real", "pipe"].map((name) => join(at, name)) as [
      string,
      string,
      string
    ]
    writeFileSync(real, "older\n", { mode: 0o600 })
    symlinkSync(real, link)
    execFileSync("mkfifo", [pipe])
    const reader = spawn("cat", [pipe])
    const readAll = once(reader, "close")
    let read = ""
    reader.stdout.on("data", (text) => {
      read += text
    })
    const ended = await run(["details", bisphenolA, unknown, "-o", link, "--errors", pipe, "-q"], { env })
    await readAll
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(parseLines(readFileSync(real, "utf8"))).toMatchObject([{ dtxsid: bisphenolA }])
    expect(statSync(real).mode & 0o777).toBe(0o600)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(parseLines(read)).toMatchObject([{ id: unknown }])
    expect(lstatSync(pipe).isFIFO()).toBe(true)
    expect(readdirSync(at).sort()).toEqual(["link", "pipe", "real"])
  })

  it("fails with 1 and the reason when the disk is full", async () => {
    const { env } = await sharedService()
    const ended = await run(["details", bisphenolA, "-o", "/dev/full", "-q"], { env })
    expect(ended).toMatchObject({ code: 1, stdout: "" })
    expect(ended.stderr).toMatch(/^chemstream: cannot write \/dev\/full: no space left on device[^\n]*\n$/)
    expect(lstatSync("/dev/full").isCharacterDevice()).toBe(true)
  })

  it("counts only written records when the key is revoked during the run", async () => {
    const answered: Array<string> = []
    const server = createHttpServer((request, response) => {
      let body = ""
      request.on("data", (text) => {
        body += text
      })
      request.on("end", () => {
        const [id = ""] = JSON.parse(body)
        if (answered.push(id) > 2) response.writeHead(401).end()
        else response.writeHead(200).end(JSON.stringify([{ dtxsid: id }]))
      })
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    cleanUp(() => void server.close())
    const summary = join(folder(), "summary")
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ended = await run(
      [
        "details",
        "-i",
        Bundled.identifiers,
        "--base-url",
        url,
        "--batch-size",
        "1",
        "--concurrency",
        "1",
        "--json-summary",
        summary
      ],
      { env: { CHEMSTREAM_API_KEY: "k" } }
    )
    expect(ended.code).toBe(3)
    expect(parseLines(ended.stdout)).toHaveLength(2)
    expect(JSON.parse(readFileSync(summary, "utf8"))).toMatchObject({ found: 2, records: 2, failed: 0 })
  })

  it("decompresses compressed responses", async () => {
    const server = createHttpServer((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(`[{"dtxsid":"${bisphenolA}"}]`))
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    cleanUp(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ended = await run(["details", bisphenolA, "--base-url", url, "-q"], {
      env: { CHEMSTREAM_API_KEY: "k" }
    })
    expect(ended).toEqual({ code: 0, stdout: `{"dtxsid":"${bisphenolA}"}\n`, stderr: "" })
  })

  it("keeps an older output unchanged, and leaves no other file, when the run fails", async () => {
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

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129]
  ] as const)(
    "exits on a second %s with code %i and a message, and leaves no file if there was no response",
    async (signal, code) => {
      const silent = createServer().listen(0, "127.0.0.1")
      await once(silent, "listening")
      cleanUp(() => void silent.close())
      const at = folder()
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
      const details = start(["details", bisphenolA, "--base-url", url, "-o", "out", "--errors", "errors"], {
        cwd: at,
        env: { CHEMSTREAM_API_KEY: "k" }
      })
      await once(silent, "connection")
      details.child.kill(signal)
      await details.says(/stopping, after 1 request in flight \(again to stop at once\)\n/)
      await twice(details, signal)
      const { code: ended, stderr, stdout } = await details.ended
      expect({ code: ended, stdout }).toEqual({ code, stdout: "" })
      expect(stderr).toMatch(/^[^\n]+\nchemstream: stopping at once\nchemstream: interrupted\n$/)
      expect(readdirSync(at)).toEqual([])
    }
  )

  it("neither stops nor changes its exit code if standard error is closed", async () => {
    const { env } = await sharedService()
    const script = `"$0" "$1" details -i "$2" 2>/dev/full; echo "code $?"; "$0" "$1" details --help 2>&1 | true`
    const { stdout } = await promisify(execFile)(
      "sh",
      ["-c", script, process.execPath, command, Bundled.identifiers],
      {
        env: environment(env),
        maxBuffer: 16 * 1024 * 1024
      }
    )
    const lines = stdout.trimEnd().split("\n")
    expect(lines.at(-1)).toBe("code 0")
    expect(lines.length).toBeGreaterThan(200)
  })
})

describe("bad input", { concurrent: true }, () => {
  const oneLine = /^chemstream: [^\n]+\n$/

  it.each<[string, ReadonlyArray<string>, number, RegExp]>([
    [
      "an unknown option",
      ["details", "--projektion", "x"],
      2,
      /unknown option --projektion \(did you mean --projection\?\); see chemstream details --help\n/
    ],
    [
      "an option that is given twice",
      ["details", "--wait", "1h", "--wait", "2h"],
      2,
      /^chemstream: --wait is given more than once: give it once\n/
    ],
    [
      "an unknown projection",
      ["details", "--projection", "x"],
      2,
      /"x" is not allowed: use one of chemicaldetailstandard, .*compact/
    ],
    [
      "a projection with a slip",
      ["details", "--projection", "compct"],
      2,
      /--projection "compct" is not allowed \(did you mean compact\?\): use one of chemicaldetailstandard, /
    ],
    ...[["--api-key", "k-1234"], ["--api-key=k-1234"]].map(
      (args): [string, ReadonlyArray<string>, number, RegExp] => [
        `a key as an option (${args.length} words)`,
        ["details", bisphenolA, ...args],
        2,
        /^chemstream: (?!.*k-1234)there is no option --api-key, .*--api-key-file FILE, CHEMSTREAM_API_KEY, or chemstream config set api-key/
      ]
    ),
    [
      "an unknown command",
      ["detials"],
      2,
      /unknown command "detials" \(did you mean details\?\); see chemstream --help\n/
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
      /The option baseUrl, from --base-url, cannot be used. Give an http:\/\/ or https:\/\/ address/
    ],
    ["a database that is not there", ["serve", "--database", "/does/not/exist"], 2, /\/does\/not\/exist/],
    ["an import without a file", ["import"], 2, /FILE/],
    [
      "an import without a kind",
      ["import", "x", "--database", "y"],
      2,
      /--kind is missing; see chemstream import --help/
    ],
    [
      "an unknown option of the command itself",
      ["--foo"],
      2,
      /--foo is not an option of chemstream itself: put it after the command, as in chemstream details --foo/
    ],
    [
      "two outputs of the same name",
      ["details", bisphenolA, "-o", "x", "--errors", "./x"],
      2,
      /--output and --errors name the same file/
    ],
    [
      "a summary over the records",
      ["details", bisphenolA, "-o", "x", "--json-summary", "x"],
      2,
      /name the same file/
    ],
    ["an output that is a folder", ["details", bisphenolA, "-o", "/"], 2, /it is a folder/],
    [
      "an output in a folder that is not there",
      ["details", bisphenolA, "-o", "/nope/x"],
      2,
      /cannot write --output "\/nope\/x"/
    ],
    ["an output without a name", ["details", bisphenolA, "-o", ""], 2, /it must name a file/],
    ["errors on standard output", ["details", bisphenolA, "--errors", "-"], 2, /it must name a file/],
    ["a host without a name", ["serve", "--host", ""], 2, /--host "" is not allowed/],
    ["a number that is none", ["msready", "mass", "228", "--tolerance", "abc"], 2, /use a number/],
    [
      "a time without a unit",
      ["details", bisphenolA, "--timeout", "60"],
      2,
      /use a time of 1ms or more: 500ms, 30s/
    ]
  ])("%s prints one line and has its exit code", async (_, args, code, line) => {
    const needsKey = ["--base-url", "-o", "--errors", "--json-summary"].some((option) =>
      args.includes(option)
    )
    const ended = await run(args, { cwd: folder(), env: needsKey ? { CHEMSTREAM_API_KEY: "k" } : {} })
    expect(ended).toMatchObject({ code, stdout: "" })
    expect(ended.stderr).toMatch(oneLine)
    expect(ended.stderr).toMatch(line)
  })

  it("a wrong key prints one line without the key, and exits with 3", async () => {
    const { env } = await sharedService()
    const ended = await run(["details", bisphenolA], { env: { ...env, CHEMSTREAM_API_KEY: "wrong-key-7" } })
    expect(ended).toMatchObject({ code: 3, stdout: "" })
    expect(ended.stderr).toMatch(oneLine)
    expect(ended.stderr).not.toContain("wrong-key-7")
  })

  it("an unreachable service prints one line with the address, and exits with 4", async () => {
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

  it("a malformed line in an imported file prints its line number and the reason, and nothing is imported", async () => {
    const at = folder()
    const [good, bad, database] = ["good", "bad", "db"].map((name) => join(at, name)) as [
      string,
      string,
      string
    ]
    writeFileSync(good, `{"dtxsid":"${bisphenolA}","casrn":"80-05-7"}\n`)
    writeFileSync(bad, `{"dtxsid":"${benzene}","casrn":null}\n{"dtxsid":\n`)
    const ended = await run(["import", good, bad, "--kind", "details", "--database", database])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(oneLine)
    expect(ended.stderr).toMatch(/bad.*line 2/i)
    expect(readdirSync(at).sort()).toEqual(["bad", "good"])
    await run(["import", good, "--kind", "details", "--database", database])
    expect((await run(["import", bad, "--kind", "details", "--database", database])).code).toBe(2)
    const { env } = await serve("--database", database)
    const ended2 = await run(["details", bisphenolA, benzene, "--quiet"], { env })
    expect(parseLines(ended2.stdout)).toEqual([{ dtxsid: bisphenolA, casrn: "80-05-7" }])
  })

  it("a malformed line has the number that a text editor shows, for any lines before it", async () => {
    const at = folder()
    const odd = join(at, "odd")
    writeFileSync(
      odd,
      `{"dtxsid":"${bisphenolA}","casrn":null}\n \r \n\n{"dtxsid":"${benzene}","casrn":null}\n\u00a0\n`
    )
    const ended = await run(["import", odd, "--kind", "details", "--database", join(at, "db")])
    expect(ended.stderr).toMatch(/odd, line 5: /)
  })
})

describe("real input", { concurrent: true }, () => {
  const recorded = (name: string): string =>
    fileURLToPath(new URL(`../../../../shared/real/${name}`, import.meta.url))

  it.skipIf(!existsSync(recorded("details-163.json")))(
    "is deeply equal and in order after import, serve and details (skipped without the recordings)",
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
