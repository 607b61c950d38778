import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { ChemicalApi } from "@chemstream/api"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as ContractRequest from "../src/run/contractRequest.ts"
import { folder, run, sharedService } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const id = "DTXSID7020182"
const batch = "/chemical/detail/search/by-dtxsid/"

describe("chemstream api", { concurrent: true }, () => {
  it("sends a request of the contract with the key, and writes the response unchanged", async () => {
    const { env } = await sharedService()
    const one = await run(["api", "GET", `${batch}${id}?projection=compact`], { env })
    expect(one).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(one.stdout)).toMatchObject({ dtxsid: id, casrn: "80-05-7" })
    const search = await run(["api", "GET", "/chemical/search/equal/bisphenol%20A"], { env })
    expect(JSON.parse(search.stdout)).toMatchObject([{ dtxsid: id }])
    const mass = await run(["api", "GET", "/chemical/msready/search/by-mass/228.1/228.2"], { env })
    expect(JSON.parse(mass.stdout)).toContain(id)
    const page = await run(["api", "GET", "/chemical/all?next=2"], { env })
    expect(page.code).toBe(0)
  })

  it("accepts a body as an argument, from a file and from standard input", async () => {
    const { env } = await sharedService()
    const at = folder()
    const body = JSON.stringify([id])
    writeFileSync(join(at, "ids.json"), body)
    for (const data of [body, "@ids.json", "@-"]) {
      const ended = await run(["api", "POST", batch, "--data", data], { env, cwd: at, input: body })
      expect(ended).toMatchObject({ code: 0, stderr: "" })
      expect(JSON.parse(ended.stdout)).toMatchObject([{ dtxsid: id }])
    }
  })

  it("accepts every endpoint of the contract", () => {
    const examples: Readonly<Record<string, string>> = {
      dtxsid: id,
      dtxcid: "DTXCID30182",
      start: "1",
      end: "2"
    }
    const all = Object.values(ChemicalApi.ChemicalApi.groups).flatMap(({ endpoints }) =>
      Object.values(endpoints)
    )
    expect(all.length).toBeGreaterThan(30)
    for (const { method, path } of all) {
      const filled = path.replace(/:(\w+)/g, (_: string, name: string) => examples[name] ?? "7")
      const parsed = ContractRequest.parse(method, filled, method === "GET" ? undefined : [])
      // A parameter may be refused, but the endpoint is found.
      if (Result.isFailure(parsed)) expect(parsed.failure, filled).not.toContain("the contract has no")
    }
  })

  it("retries as every command does, and logs each attempt with --verbose, never the key", async () => {
    const { env, requests } = await scripted((_, number) =>
      number === 1 ? { status: 503, body: "" } : { body: JSON.stringify([{ dtxsid: id }]) }
    )
    const args = ["POST", batch, "--data", `["${id}"]`, "--verbose"]
    const ended = await run(["api", ...args], { env: { ...env, CHEMSTREAM_API_KEY: "top-secret" } })
    expect(ended).toMatchObject({ code: 0, stdout: `[{"dtxsid":"${id}"}]\n` })
    expect(requests).toHaveLength(2)
    const told = ended.stderr.split("\n").map((line) => line.replace(/\d+ ms/, "N ms"))
    const request = `chemstream: POST ${env.CHEMSTREAM_BASE_URL}${batch} (17 bytes)`
    expect(told).toEqual([`${request}: 503 in N ms, attempt 1`, `${request}: 200 in N ms, attempt 2`, ""])
    expect(ended.stderr).not.toContain("top-secret")
  })

  it.each<[string, ReadonlyArray<string>, RegExp]>([
    [
      "a path with a slip",
      ["GET", `/chemical/detail/serch/by-dtxsid/${id}`],
      /did you mean GET \/chemical\/detail\/search\/by-dtxsid\/:dtxsid\?/
    ],
    [
      "a path without its final slash",
      ["POST", batch.slice(0, -1), "--data", `["${id}"]`],
      /did you mean POST \/chemical\/detail\/search\/by-dtxsid\/\?/
    ],
    [
      "a path that is near no other",
      ["GET", "/health"],
      /^chemstream: the contract has no GET \/health\. See/
    ],
    [
      "a misspelt query parameter",
      ["GET", "/chemical/all?nxt=2"],
      /GET \/chemical\/all has no query parameter "nxt" \(did you mean next\?\); it takes next, projection/
    ],
    [
      "a misspelt query parameter with --dry-run",
      ["GET", "/chemical/all?projecton=all-ids", "--dry-run"],
      /has no query parameter "projecton" \(did you mean projection\?\)/
    ],
    [
      "a query parameter of a path without any",
      ["GET", "/chemical/msready/search/by-mass/228.1/228.2?page=1"],
      /has no query parameter "page"; it takes no query parameters/
    ],
    ["a repeated query parameter", ["GET", "/chemical/all?next=1&next=2"], /"next" is given twice/],
    [
      "a missing method, with an example",
      [],
      /METHOD is missing, as in chemstream api GET \/chemical\/detail\/\S+.*; see chemstream api --help/
    ],
    ["the other method", ["POST", "/chemical/all", "--data", "1"], /\/chemical\/all takes GET, not POST/],
    ["a body that is none", ["POST", batch, "--data", "[DTXSID]"], /--data is not JSON/],
    ["no body", ["POST", batch], /takes a body: --data JSON/],
    ["a body for GET", ["GET", "/chemical/all", "--data", "1"], /takes no --data/],
    ["a malformed identifier", ["GET", `${batch}DTXSID1`], /Expected a DTXSID/],
    ["no path", ["GET", "chemical/all"], /is not a path: a path starts with \//],
    [
      "a file that is not there",
      ["POST", batch, "--data", "@none"],
      /cannot read --data: no such file or directory/
    ]
  ])("refuses %s before any request", async (_, args, says) => {
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    const ended = await run(["api", ...args], { env })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(says)
    expect(requests).toEqual([])
  })

  it("exits with 1 for a value that the service does not have", async () => {
    const { env } = await sharedService()
    const ended = await run(["api", "GET", `${batch}DTXSID00999999999`], { env })
    expect(ended).toMatchObject({ code: 1, stdout: "" })
    expect(ended.stderr).toMatch(/^chemstream: [^\n]+\n$/)
  })
})

describe("--dry-run", () => {
  it("prints the request of api", async () => {
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    const ended = await run(["api", "POST", batch, "--data", ` [ "${id}" ]`, "--dry-run"], { env })
    expect(ended).toEqual({
      code: 0,
      stdout: `POST ${env.CHEMSTREAM_BASE_URL}${batch}\n["${id}"]\n`,
      stderr: ""
    })
    expect(requests).toEqual([])
  })
})

describe("--verbose", () => {
  it("logs the requests of a run beside its records", async () => {
    const { env } = await scripted(({ ids }) => ({ body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))) }))
    const ended = await run(["details", id, "-q", "--verbose"], { env })
    expect(lines(ended.stdout)).toEqual([{ dtxsid: id }])
    expect(ended.stderr).toMatch(/^chemstream: POST http:\S+ \(17 bytes\): 200 in \d+ ms, attempt 1\n$/)
  })
})
