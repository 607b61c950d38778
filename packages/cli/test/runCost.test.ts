import { once } from "node:events"
import { readdirSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cleanUp, folder, run, start } from "./process.ts"
import { scripted } from "./scripted.ts"

const ids = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020182", "80-05-7", "DTXSID0027480"]

/** A port that counts its connections. */
const counting = async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, "127.0.0.1")
  cleanUp(() => server.close())
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, connections: () => connections }
}

/** The lines of a plan, without those of time and files. */
const planned = (identifiers: string, requests: string): string =>
  `identifiers: ${identifiers}\nrequests: ${requests}\n`

const list = "substances 3; duplicates 1; invalid 1"

const more = "; the responses decide how many more"

describe("--dry-run", { concurrent: true }, () => {
  it.each([
    ["postgres://ada:s3cret@127.0.0.1:1/db#t", "postgres://ada:…@127.0.0.1:1/db#t"],
    ["postgres://ada:s3/cret@s3cret@127.0.0.1:1/db#t", "postgres://ada:…@127.0.0.1:1/db#t"],
    ["postgres://127.0.0.1:1/db?password=s3cret&x=1#t", "postgres://127.0.0.1:1/db?password=…&x=1#t"]
  ])("prints the output %s without its password", async (output, printed) => {
    const { env } = await scripted(() => ({ body: "[]" }))
    const { stderr, stdout } = await run(["details", "DTXSID7020182", "--dry-run", "--output", output], {
      env
    })
    expect(stderr).toBe("")
    expect(stdout).toContain(`files: ${printed}\n`)
  })

  it.each<readonly [command: string, identifiers: string, requests: string]>([
    ["details -p compact --batch-size 2 --input ids", list, "2"],
    ["search equal benzene toluene", "names or identifiers 2", "2"],
    ["formula msready C6H6 --count", "formulas 1", "1"],
    ["msready dtxcid DTXCID30182 DTXCID90182 --dialect ctx", "compounds 2", "2"],
    ["synonyms --input ids", list, "1"],
    ["bioactivity summary --input ids", list, "3"],
    ["resolve 80-05-7 benzene DTXSID7020182", "CAS numbers 1, names 1, DTXSIDs 1", "2"],
    [
      "resolve 80-05-7 benzene --dialect ctx --fields molFormula",
      "CAS numbers 1, names 1",
      "at least 1, at most 3"
    ],
    ["suspects 229.1223 --adducts [M+H]+", "features 1", `at least 1${more}`],
    ["all", "those of the service", `at least 1${more}`],
    ["report --input ids", list, `at least 5${more}`],
    ["report --chapters all --input ids", list, `at least 6${more}`],
    ["show --input ids", list, "5"],
    ["plot bioactivity --input ids", list, `at least 5${more}`],
    ["plot curve 1842410", "M4IDs 1", `at least 1${more}`],
    ["retry errors -- details", "substances 1", "1"],
    ["harvest start h --output out --chunk-size 2 --input ids", list, "2"],
    ["harvest start h --mirror m --input ids", list, "at least 0, at most 1"],
    ["harvest start h --output out --all", "those of the service", `at least 1${more}`]
  ])(
    "of %s prints the plan, connects to no service and writes no file",
    async (command, identifiers, requests) => {
      const { connections, url } = await counting()
      const at = folder()
      writeFileSync(join(at, "ids"), ids.join("\n"))
      writeFileSync(
        join(at, "errors"),
        `{"id":"${ids[0]}","line":1,"outcome":"failed","error":{"message":"no"}}\n`
      )
      const ended = await run([...command.split(" "), "--rate", "30/min", "--dry-run"], {
        env: { CHEMSTREAM_BASE_URL: url },
        cwd: at
      })
      expect(ended).toMatchObject({ code: 0, stderr: "" })
      expect(ended.stdout).toContain(planned(identifiers, requests))
      expect(ended.stdout).toMatch(
        /^time: .*\d+ s.* at 30\/min\nfiles: \S.*\nnothing was sent \(--dry-run\)\n$/m
      )
      expect(connections()).toBe(0)
      expect(readdirSync(at)).toEqual(["errors", "ids"])
    }
  )
})

const names = (count: number): string => Array.from({ length: count }, (_, at) => `name ${at + 1}`).join("\n")

/** A service that knows no name. */
const unknowing = () =>
  scripted(({ ids: words }) => ({
    body: JSON.stringify(words.map((searchValue) => ({ searchValue, suggestions: [] })))
  }))

describe("harvest worker", () => {
  it("plans the rest of the running harvests with --dry-run, and says that they take long", async () => {
    const { connections, url } = await counting()
    const options = { cwd: folder(), env: { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: "k" } }
    const harvest = ["--output", "out", "--chunk-size", "1", "--detach", "--quiet"]
    await run(["harvest", "start", "h", ...ids.slice(0, 2), ...harvest], options)
    const ended = await run(["harvest", "worker", "--rate", "1/min", "--dry-run"], options)
    expect(ended).toMatchObject({
      code: 0,
      stdout: `${planned("2 of h", "2")}time: 2 min at 1/min\nfiles: ${join(options.cwd, "out")}, chemstream-harvests.db\nnothing was sent (--dry-run)\n`
    })
    expect(connections()).toBe(0)
    const worker = start(["harvest", "worker", "--rate", "1/min"], options)
    await worker.says(/^chemstream: 2 requests: 2 min at 1\/min \(--dry-run prints the plan\)$/m)
    worker.child.kill("SIGTERM")
    await worker.ended
  })
})

describe("a run of more than a minute", { concurrent: true }, () => {
  const said =
    "chemstream: at least 3, at most 303 requests: at least 1 s, at most 2 min at 3/s (--dry-run prints the plan)\n"

  it.each([
    ["a table", ["--key", "name"], "name\n"],
    ["a list", [], ""]
  ])("says so before the first request, for %s", async (_, args, header) => {
    const { env, requests } = await unknowing()
    const at = folder()
    writeFileSync(join(at, "names.csv"), header + names(300))
    const all = ["resolve", "--input", "names.csv", ...args, "--dialect", "ctx", "--rate", "3/s"]
    const ended = await run([...all, "--output", "out.csv"], { env, cwd: at })
    expect(ended.code).toBe(0)
    const read = header === "" ? "" : 'names.csv: header in row 1, columns "name", separator ,\n'
    expect(ended.stderr.slice(0, read.length + said.length)).toBe(read + said)
    expect(requests).toHaveLength(3)
    const quiet = await run([...all, "--quiet", "--output", "quiet.csv"], { env, cwd: at })
    expect(quiet.stderr).not.toContain("requests:")
  })

  it("is not announced if it is shorter, has no rate, or reads a pipe", async () => {
    const { env } = await unknowing()
    const input = names(50)
    for (const args of [["--rate", "50/s"], []]) {
      const ended = await run(["resolve", ...input.split("\n"), "--dialect", "ctx", ...args], { env })
      expect(ended.stderr).not.toContain("at least")
    }
    const piped = await run(["resolve", "--dialect", "ctx", "--rate", "1/s"], { env, input })
    expect(piped.stderr).not.toContain("at least")
  })
})

describe("the progress line of a run", () => {
  it("shows the requests sent of those expected", async () => {
    const { env } = await unknowing()
    const at = folder()
    writeFileSync(join(at, "names"), names(300))
    const args = ["search", "equal", "--batch", "--input", "names", "--output", "out.ndjson"]
    const ended = await run([...args, "--progress", "plain"], { env, cwd: at })
    expect(ended.stderr).toMatch(/^\[#+\] 300\/300 ids, [\d,]+\/s, 2\/2 requests$/m)
  })
})
