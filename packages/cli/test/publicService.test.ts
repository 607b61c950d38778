/**
 * Runs every lookup in both dialects, each against `serve` in the same dialect, over the same database. It finds the
 * same records, with a known number of requests, and no request fails.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { cleanUp, environment, folder, run } from "./process.ts"
import { type Dialect, dialects, serving } from "./servedDialects.ts"

const bisphenolA = "DTXSID7020182"
const compound = "DTXCID30182"

describe("a lookup", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, object]> = [
    ["details by dtxsid", ["details", bisphenolA], { dtxsid: bisphenolA, molFormula: "C15H16O2" }],
    [
      "details by dtxcid",
      ["details", "--by", "dtxcid", compound, "-p", "chemicalidentifier"],
      { dtxsid: bisphenolA, casrn: "80-05-7" }
    ],
    ["search equal", ["search", "equal", "80-05-7"], { dtxsid: bisphenolA, searchName: "CASRN" }],
    ["search equal --batch", ["search", "equal", "--batch", "bisphenol a"], { dtxsid: bisphenolA }],
    ["search start-with", ["search", "start-with", "bisphenol a"], { dtxsid: bisphenolA }],
    ["search contain", ["search", "contain", "isphenol a"], { dtxsid: bisphenolA }],
    ["formula exact", ["formula", "exact", "C15H16O2"], { dtxsid: bisphenolA }],
    ["formula exact --count", ["formula", "exact", "C15H16O2", "--count"], { count: 1 }],
    ["formula msready", ["formula", "msready", "C15H16O2"], { dtxsid: bisphenolA }],
    ["formula msready --count", ["formula", "msready", "C15H16O2", "--count"], { count: expect.any(Number) }],
    ["msready dtxcid", ["msready", "dtxcid", compound], { query: compound, dtxsid: bisphenolA }],
    ["msready formula", ["msready", "formula", "C15H16O2"], { dtxsid: bisphenolA }],
    [
      "msready mass",
      ["msready", "mass", "228.11", "--tolerance", "0.01"],
      { query: "228.11", dtxsid: bisphenolA }
    ],
    ["msready mass --range", ["msready", "mass", "--range", "228.1,228.2"], { dtxsid: bisphenolA }],
    ["synonyms", ["synonyms", bisphenolA], { dtxsid: bisphenolA, good: expect.arrayContaining(["BPA"]) }],
    ["synonyms -p ccd-synonyms", ["synonyms", bisphenolA, "-p", "ccd-synonyms"], { synonym: "BPA" }],
    ["all", ["all", "-p", "all-ids"], { dtxsid: bisphenolA, dtxcid: compound }]
  ]
  it.each(dialects)("finds the records under %s", async (dialect) => {
    const { ask } = await serving(dialect)
    for (const [name, args, record] of cases) {
      const ended = await ask([...args, "--quiet"])
      expect(ended, name).toMatchObject({ code: 0, stderr: "" })
      expect(ended.records, name).toContainEqual(expect.objectContaining(record))
      expect(
        ended.requests.filter(({ status }) => status !== 200),
        name
      ).toEqual([])
    }
  })

  it.each(dialects)("distinguishes missing from failed identifiers under %s", async (dialect) => {
    const { ask } = await serving(dialect)
    for (const args of [
      ["details", "DTXSID5032381"],
      ["details", "--by", "dtxcid", "DTXCID1012345"],
      ["search", "equal", "no such name"],
      ["search", "equal", "--batch", "no such name"],
      ["search", "start-with", "no such name"],
      ["search", "contain", "no such name"],
      ["synonyms", "DTXSID5032381"],
      ["bioactivity", "summary", "DTXSID5032381"],
      ["bioactivity", "data", "DTXSID5032381"],
      ["bioactivity", "data", "--by", "m4id", "1"],
      ["bioactivity", "summary", "--by", "aeid", "1"],
      ["bioactivity", "aed", "DTXSID5032381"]
    ]) {
      const ended = await ask(args)
      expect(ended.stderr, args.join(" ")).toContain("read 1 = 0 found + 1 missing + 0 failed")
      expect(ended.requests, args.join(" ")).toHaveLength(1)
    }
  })
})

describe("a service without compression, entity tags and compact JSON", () => {
  it("is read like any other: one line for each record, from a chunked body", async () => {
    const { ask, env, url } = await serving("ctx")
    const response = await fetch(`${url}/chemical/detail/search/by-dtxsid/${bisphenolA}`, {
      headers: { "x-api-key": `${env["CHEMSTREAM_API_KEY"]}`, "accept-encoding": "gzip" }
    })
    for (const name of ["content-encoding", "etag", "retry-after", "content-length"]) {
      expect(response.headers.get(name), name).toBe(null)
    }
    const text = await response.text()
    expect(text.split("\n").length).toBeGreaterThan(70)
    const { code, stdout } = await ask(["details", bisphenolA, "--quiet"])
    expect(code).toBe(0)
    expect(stdout.trimEnd()).not.toContain("\n")
    expect(JSON.parse(stdout)).toEqual(JSON.parse(text))
  })
})

describe("300 values", () => {
  const runs: ReadonlyArray<
    readonly [
      name: string,
      args: ReadonlyArray<string>,
      input: string,
      requests: { readonly [D in Dialect]: number }
    ]
  > = [
    ["search equal --batch", ["search", "equal", "--batch"], "words", { specification: 2, ctx: 3 }],
    // The public service accepts only whole ppm, so each of 289 masses takes two, of 199 in a request. A window that is
    // 32 times as wide as another one, here that of the mass 1, has a request of its own.
    ["msready mass", ["msready", "mass"], "masses", { specification: 1, ctx: 4 }],
    ["msready mass --ppm", ["msready", "mass", "--ppm", "2.5"], "masses", { specification: 2, ctx: 3 }],
    ["synonyms", ["synonyms"], "dtxsids", { specification: 1, ctx: 1 }],
    ["bioactivity summary", ["bioactivity", "summary"], "dtxsids", { specification: 300, ctx: 300 }],
    ["bioactivity data", ["bioactivity", "data"], "dtxsids", { specification: 1, ctx: 2 }],
    [
      "bioactivity data --by aeid",
      ["bioactivity", "data", "--by", "aeid"],
      "aeids",
      { specification: 1, ctx: 2 }
    ],
    ["bioactivity aed", ["bioactivity", "aed"], "dtxsids", { specification: 1, ctx: 2 }]
  ]

  it("have the same records under both dialects, and no failed request under ctx", async () => {
    const at = folder()
    const database = join(at, "db")
    expect(
      await run(["generate", "--count", "400", "--seed", "7", "--database", database, "-q"])
    ).toMatchObject({ code: 0 })
    const found: { [name: string]: { [D in Dialect]?: string } } = {}
    for (const dialect of dialects) {
      const { ask } = await serving(dialect, "--database", database, "--page-size", "100")
      const all = await ask(["all", "-q"])
      expect(all).toMatchObject({ code: 0, stderr: "" })
      expect(all.records).toHaveLength(400)
      // Four pages, and an empty one.
      expect(all.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const records = all.records.slice(0, 300)
      const inputs: Record<string, ReadonlyArray<unknown>> = {
        words: records.map((record) => record["preferredName"]),
        dtxsids: records.map((record) => record["dtxsid"]),
        masses: records.map((record) => Number(record["monoisotopicMass"] ?? 1).toFixed(3)),
        aeids: records.map((_, n) => n + 1)
      }
      for (const [name, args, input, requests] of runs) {
        const file = join(at, input)
        if (!existsSync(file)) writeFileSync(file, `${inputs[input]?.join("\n")}\n`)
        const ended = await ask([...args, "--input", file])
        expect(ended.code, name).toBe(0)
        expect(ended.requests.length, name).toBe(requests[dialect])
        const failed = ended.requests.filter(({ status }) => status >= 400)
        // A service with the dialect of the contract responds to an unknown substance with 404.
        if (dialect === "ctx" || name !== "bioactivity summary") expect(failed, name).toEqual([])
        const [ledger = ""] = /^read .*$/m.exec(ended.stderr) ?? []
        expect(ledger, name).toMatch(/^read 300 = /)
        found[name] = { ...found[name], [dialect]: `${ended.records.length} records; ${ledger}` }
      }
    }
    for (const [name, { ctx, specification }] of Object.entries(found)) expect(ctx, name).toBe(specification)
  }, 300_000)
})

describe("scripts/live-smoke.mjs", () => {
  const script = fileURLToPath(new URL("../../../scripts/live-smoke.mjs", import.meta.url))
  const smoke = async (url: string, dialect: Dialect, key: string) => {
    const child = spawn(process.execPath, [script, url, dialect], {
      env: environment({ CHEMSTREAM_API_KEY: key })
    })
    let text = ""
    child.stdout.on("data", (chunk) => {
      text += chunk
    })
    const [code] = await once(child, "close")
    return { code, text }
  }

  it.each(dialects)(
    "passes for a service in the dialect %s, and reports each difference",
    async (dialect) => {
      const { url } = await serving(dialect)
      const same = await smoke(url, dialect, "test-key")
      expect(same.code).toBe(0)
      expect(same.text.match(/ same$/gm)).toHaveLength(12)
      const refused = await smoke(url, dialect, "wrong-key")
      expect(refused.code).toBe(1)
      expect(refused.text.match(/ DIFFERS$/gm)).toHaveLength(12)
      expect(refused.text).not.toContain("wrong-key")
    }
  )

  it("repeats a request after the service has closed the connection", async () => {
    const used = new WeakSet<Socket>()
    const server = createServer((request, response) => {
      if (used.has(request.socket)) return request.socket.destroy()
      used.add(request.socket)
      return response.writeHead(404).end()
    }).listen(0, "127.0.0.1")
    cleanUp(() => server.close())
    await once(server, "listening")
    const { text } = await smoke(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "ctx", "a-key")
    expect(text.match(/ 404,.* DIFFERS$/gm)).toHaveLength(12)
  })
})
