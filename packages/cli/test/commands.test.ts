import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzipSync, gzipSync, zstdDecompressSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import * as RequestRate from "../src/flags/requestRate.ts"
import { command, environment, folder, run, serve, sharedService, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const bisphenolA = "DTXSID7020182"
const compound = "DTXCID30182"
const benzene = "DTXSID3039242"

describe("the commands over the endpoints", { concurrent: true }, () => {
  it("write one line for each record, over the bundled substances", async () => {
    const { env } = await sharedService()
    const hit = { dtxsid: bisphenolA, searchName: "CASRN", searchValue: "80-05-7" }
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, object]> = [
      [["details", "--by", "dtxcid", compound, "-p", "compact"], { dtxsid: bisphenolA, dtxcid: compound }],
      [["search", "equal", "80-05-7"], hit],
      [["search", "equal", "--batch", "80-05-7"], hit],
      [["search", "start-with", "80-05-"], hit],
      [["search", "contain", "0-05-7"], hit],
      [["formula", "exact", "H16C15O2"], { query: "H16C15O2", dtxsid: bisphenolA }],
      [["formula", "exact", "C15H16O2", "--count"], { query: "C15H16O2", count: 1 }],
      [["formula", "msready", "C15H16O2"], { query: "C15H16O2", dtxsid: bisphenolA }],
      [["formula", "msready", "C15H16O2", "--count"], { query: "C15H16O2", count: expect.any(Number) }],
      [["msready", "dtxcid", compound], { query: compound, dtxsid: bisphenolA }],
      [["msready", "formula", "C15H16O2"], { query: "C15H16O2", dtxsid: bisphenolA }],
      [["msready", "mass", "228.11"], { query: "228.11", dtxsid: bisphenolA }],
      [["msready", "mass", "228.1150", "--ppm", "1"], { query: "228.1150", dtxsid: bisphenolA }],
      [["msready", "mass", "--range", "228.1,228.2"], { query: "228.1,228.2", dtxsid: bisphenolA }],
      [["synonyms", bisphenolA], { dtxsid: bisphenolA, good: expect.arrayContaining(["BPA"]) }],
      [
        ["synonyms", bisphenolA, "-p", "ccd-synonyms"],
        { dtxsid: bisphenolA, synonym: "BPA", quality: "Good" }
      ]
    ]
    const answers = cases.map(async ([args, record]) => {
      const tolerance = args.includes("228.11") ? ["--tolerance", "0.01"] : []
      return [args, record, await run([...args, ...tolerance, "--quiet"], { env })] as const
    })
    for (const [args, record, ended] of await Promise.all(answers)) {
      expect(ended, args.join(" ")).toMatchObject({ code: 0, stderr: "" })
      expect(lines(ended.stdout), args.join(" ")).toContainEqual(expect.objectContaining(record))
    }
  })

  it("write bioactivity data, summaries and exposure data of a generated service", async () => {
    const at = folder()
    const database = join(at, "db")
    const made = await run(["generate", "--count", "40", "--seed", "7", "--database", database, "-q"])
    expect(made).toMatchObject({ code: 0 })
    const { env } = await serve("--database", database)
    const ids = (await run(["all", "-p", "all-ids", "-q"], { env })).stdout
    const data = await run(["bioactivity", "data", "-q"], { env, input: ids })
    const [first] = lines(data.stdout)
    expect(first).toMatchObject({ dtxsid: expect.any(String), aeid: expect.any(Number) })
    const own = { dtxsid: first?.["dtxsid"], aeid: first?.["aeid"] }
    const answers = ["dtxsid", "aeid", "spid", "m4id"].map(
      async (by) =>
        [by, await run(["bioactivity", "data", "--by", by, `${first?.[by]}`, "-q"], { env })] as const
    )
    for (const [by, ended] of await Promise.all(answers)) {
      expect(ended, by).toMatchObject({ code: 0, stderr: "" })
      expect(lines(ended.stdout)).toContainEqual(first)
    }
    const plot = await run(["bioactivity", "data", `${own.dtxsid}`, "-p", "assay-summary-plot", "-q"], {
      env
    })
    expect(lines(plot.stdout).length).toBeGreaterThan(0)
    const summary = await run(["bioactivity", "summary", `${own.dtxsid}`, "-q"], { env })
    expect(lines(summary.stdout)).toMatchObject([{ dtxsid: own.dtxsid }])
    const endpoint = await run(["bioactivity", "summary", "--by", "aeid", `${own.aeid}`, "-q"], { env })
    expect(lines(endpoint.stdout)).toMatchObject([{ aeid: own.aeid }])
    const tissue = ["bioactivity", "summary", "--by", "tissue", "--tissue", "liver"]
    const inTissue = await run(tissue, { env, input: ids })
    expect(inTissue).toMatchObject({ code: 0 })
    expect(lines(inTissue.stdout).length).toBeGreaterThan(0)
    const aed = await run(["bioactivity", "aed", "-q"], { env, input: ids })
    expect(lines(aed.stdout)[0]).toMatchObject({ dtxsid: expect.any(String), aedVal: expect.any(Array) })
  })

  it("sends one word in one request, and many with --batch", async () => {
    const { env } = await sharedService()
    const at = folder()
    for (const [batch, requests] of [
      [[], 3],
      [["--batch"], 1]
    ] as const) {
      const summary = join(at, `summary-${requests}`)
      const args = ["search", "equal", "80-05-7", "Benzene", "no such name", "--json-summary", summary, "-q"]
      expect(await run([...args, ...batch], { env })).toMatchObject({ code: 0 })
      expect(JSON.parse(readFileSync(summary, "utf8"))).toMatchObject({
        read: 3,
        found: 2,
        missing: 1,
        requests
      })
    }
  })

  it.each([
    [["bioactivity", "data", "DTXSID7020182"], "the service has no bioactivity data of DTXSID7020182"],
    [["bioactivity", "data", "--by", "m4id", "5"], "the service has no data record 5"],
    [["bioactivity", "aed", "DTXSID7020182"], "the service has no AED data of DTXSID7020182"],
    [
      ["hazard", "toxval", "DTXSID2099900001"],
      "the service has no records of DTXSID2099900001 (toxicity values), or does not know it"
    ],
    [["lists", "show", "NOSUCHLIST"], "the service does not know NOSUCHLIST"],
    [["formula", "exact", "C99H2"], "the service has no substance of the formula C99H2"],
    [["details", "DTXSID2099900001"], "the service does not know DTXSID2099900001"]
  ])("reports for a missing value that the service has no data of the kind: %j", async (args, message) => {
    const { env } = await sharedService()
    const errors = join(folder(), "errors.ndjson")
    expect(await run([...args, "-q", "--errors", errors], { env })).toMatchObject({ code: 0, stdout: "" })
    expect(lines(readFileSync(errors, "utf8"))).toMatchObject([{ outcome: "missing", error: { message } }])
  })

  it.each([
    ["alone", []],
    ["in a batch", ["--batch"]]
  ])("writes the suggestions of the service for an unknown word, requested %s", async (_, args) => {
    const { env } = await sharedService()
    const errors = join(folder(), "errors.ndjson")
    const ended = await run(["search", "equal", "Bisphenol", "-q", "--errors", errors, ...args], { env })
    expect(ended).toMatchObject({ code: 0 })
    const [problem] = lines(readFileSync(errors, "utf8"))
    expect(problem).toMatchObject({
      id: "Bisphenol",
      outcome: "missing",
      error: { tag: "Missing", suggestions: expect.arrayContaining(["Bisphenol A"]) }
    })
    expect((problem as { error: { message: string } }).error.message).toContain("; similar name")
  })

  it.each<
    [
      what: string,
      refusals: number,
      headers: Record<string, string>,
      wait: string,
      code: number,
      says: string
    ]
  >([
    ["waits for a service that becomes unavailable", 2, {}, "1m", 0, "2 pages"],
    [
      "exits with 4 if the service is unavailable for longer than --wait",
      99,
      {},
      "500ms",
      4,
      "is unavailable"
    ],
    [
      "exits with 4 if the service asks to wait for longer",
      99,
      { "retry-after": "3600" },
      "1s",
      4,
      "wait until"
    ]
  ])("of pages %s", async (_, refusals, headers, wait, code, says) => {
    let left = refusals
    const { env } = await scripted(({ path }) => {
      const at = Number(path.split("=")[1])
      if (at === 2 && left-- > 0) return { status: 503, body: "", headers }
      return { body: JSON.stringify({ data: [{ dtxsid: `DTXSID${at}` }], pageNumber: at, totalPages: 2 }) }
    })
    const ended = await run(["all", "--retries", "0", "--wait", wait], { env })
    expect(ended.stderr).toContain(says)
    expect([ended.code, lines(ended.stdout).length]).toEqual([code, code === 0 ? 2 : 1])
  })

  it("lists every chemical page after page, from any page, and pipes into details", async () => {
    const { env } = await sharedService("--page-size", "100")
    const at = folder()
    const summary = join(at, "summary")
    const all = await run(["all", "--projection", "all-ids", "--json-summary", summary], { env })
    const ids = lines(all.stdout)
    const pages = Math.ceil(ids.length / 100)
    expect(pages).toBeGreaterThan(2)
    expect(JSON.parse(readFileSync(summary, "utf8"))).toMatchObject({
      read: pages,
      found: pages,
      records: ids.length,
      requests: pages + 1
    })
    expect(all.stderr).toContain(`${pages} pages\n`)
    const rest = await run(["all", "--projection", "all-ids", "--from-page", "3", "-q"], { env })
    expect(lines(rest.stdout)).toEqual(ids.slice(200))

    const pipe = `"$0" "$1" all --projection all-ids -q | "$0" "$1" details --fields dtxsid -q`
    const { stdout } = await promisify(execFile)("sh", ["-c", pipe, process.execPath, command], {
      env: environment(env)
    })
    expect(lines(stdout)).toEqual(ids.map(({ dtxsid }) => ({ dtxsid })))
  })

  it("shows an example in the help of every command, and describes each", async () => {
    const names = [
      "details",
      "search",
      "search equal",
      "search start-with",
      "search contain",
      "formula",
      "formula exact",
      "formula msready",
      "msready",
      "msready dtxcid",
      "msready formula",
      "msready mass",
      "synonyms",
      "bioactivity",
      "bioactivity data",
      "bioactivity summary",
      "bioactivity aed",
      "all",
      "serve",
      "import",
      "generate",
      "demo"
    ]
    const helps = names.map(async (name) => [name, await run([...name.split(" "), "--help"])] as const)
    for (const [name, { code, stdout }] of await Promise.all(helps)) {
      expect(code, name).toBe(0)
      expect(stdout).toMatch(new RegExp(`EXAMPLES[^]*chemstream ${name}`))
      expect(stdout).toMatch(/^[A-Z][^\n]+\n/)
    }
  })
})

describe("the output", { concurrent: true }, () => {
  it("has only the requested fields, in this order, with null for a missing one", async () => {
    const { env } = await sharedService()
    const ended = await run(["details", bisphenolA, "--fields", "casrn,nope, dtxsid", "--any-fields", "-q"], {
      env
    })
    expect(ended.stdout).toBe(`{"casrn":"80-05-7","nope":null,"dtxsid":"${bisphenolA}"}\n`)
  })

  it("is compressed as the extension says, even without records, and has the same content as an uncompressed one", async () => {
    const { env } = await sharedService()
    const at = folder()
    const plain = await run(["details", bisphenolA, benzene, "-q"], { env })
    for (const more of [[], ["--checkpoint", join(at, "checkpoint")]]) {
      const of = (name: string): Buffer => readFileSync(join(at, name))
      const files = ["-o", join(at, "out.gz"), "--errors", join(at, "errors.zst"), ...more]
      expect(await run(["details", bisphenolA, benzene, "-q", ...files], { env })).toMatchObject({ code: 0 })
      expect(gunzipSync(of("out.gz")).toString()).toBe(plain.stdout)
      expect(zstdDecompressSync(of("errors.zst")).toString()).toBe("")
    }
  })

  it("depends on --on-failure for a failed batch", async () => {
    const { env, requests, url } = await scripted(({ ids }) =>
      ids.includes(benzene)
        ? { status: 500, body: "{}" }
        : { body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))) }
    )
    const ask = (mode: string) =>
      run(["details", bisphenolA, benzene, "-q", "--retries", "0", "--on-failure", mode], { env })
    expect(url).toContain("127.0.0.1")
    const isolated = await ask("isolate")
    expect(isolated).toMatchObject({ code: 1, stdout: `{"dtxsid":"${bisphenolA}"}\n` })
    expect(isolated.stderr).toMatch(/^1 failed: ServiceFailure/)
    // The batch, each value, the control, and both again: a value fails alone twice, with successes in between and afterwards.
    expect(requests.splice(0)).toHaveLength(6)
    const batch = await ask("fail-batch")
    expect(batch).toMatchObject({ code: 1, stdout: "" })
    expect(batch.stderr).toMatch(/^2 failed: ServiceFailure/)
    expect(requests.splice(0)).toHaveLength(1)
    const aborted = await ask("abort")
    expect(aborted).toMatchObject({ code: 1, stdout: "" })
    expect(aborted.stderr).toMatch(/^chemstream: [^\n]+\n$/)
  })
})

describe("a rate", { concurrent: true }, () => {
  it("is a number of requests per time, and the same per second", () => {
    const perSecond = (text: string) => {
      const rate = RequestRate.parse(text)
      return rate && RequestRate.perSecond(rate)
    }
    expect(["5/s", "300/min", "1800/h", "5", "0/s"].map(perSecond)).toEqual([5, 5, 0.5, undefined, undefined])
  })

  it("delays requests", async () => {
    const { env, requests } = await scripted(() => ({ body: '[{"dtxsid":"x"}]', after: 50 }))
    const search = start(["search", "equal", "a", "b", "c", "--rate", "1/h"], { env })
    await search.prints(/\n/)
    search.child.kill("SIGINT")
    expect(await search.ended).toMatchObject({ code: 130 })
    expect(requests).toHaveLength(1)
  })
})

describe("options that exclude each other", { concurrent: true }, () => {
  it.each<[ReadonlyArray<string>, RegExp]>([
    [["bioactivity", "summary", "--by", "tissue", bisphenolA], /--by tissue needs --tissue NAME/],
    [["bioactivity", "summary", "--tissue", "liver", bisphenolA], /--tissue NAME needs --by tissue/],
    [
      ["bioactivity", "data", "--by", "aeid", "1", "-p", "assay-summary-plot"],
      /cannot be used with --by aeid/
    ],
    [["msready", "mass", "--range", "2,1"], /its start is above its end/],
    [["msready", "mass", "--range", "1"], /"1" is not a mass range/],
    [["msready", "mass", "--range", "1,2", "228"], /give --range or values, not both/],
    [["msready", "mass", "--range", "1,2", "--tolerance", "1"], /--range has no tolerance/],
    [["msready", "mass", "--range", "1,2", "--ppm", "1"], /--range has no tolerance: omit --ppm/],
    [["msready", "mass", "1", "--ppm", "1", "--tolerance", "1"], /give --ppm or --tolerance, not both/],
    [["search", "equal", "x", "--batch-size", "2"], /search.equal takes at most one value in one request/],
    [["search", "contain", "x", "--batch-size", "2"], /the endpoint takes one value in one request/],
    [["details", bisphenolA, "--fields", "a,,b"], /names separated by commas, each once/],
    [["details", bisphenolA, "--fields", "a,b,a", "-f", "csv"], /names separated by commas, each once/],
    [["details", bisphenolA, "--rate", "fast"], /5\/s, 300\/min or 1000\/h/],
    [["details", bisphenolA, "--checkpoint", "c"], /--checkpoint needs --output FILE/],
    [["details", bisphenolA, "--checkpoint", "c", "-o", "c"], /name the same file/],
    [
      ["details", bisphenolA, "--checkpoint", "c", "-o", "/dev/null"],
      /--checkpoint needs --output FILE, both of them regular files/
    ],
    [["all", "--from-page", "0"], /a whole number of 1 or more/]
  ])("%j prints one line and exits with 2", async (args, line) => {
    const ended = await run(args, { cwd: folder(), env: { CHEMSTREAM_API_KEY: "k" } })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(/^chemstream: [^\n]+\n$/)
    expect(ended.stderr).toMatch(line)
  })
})

it.concurrent("a compressed input is decompressed by its first bytes, and a truncated one exits with 2", async () => {
  const { env } = await sharedService()
  const at = folder()
  const file = join(at, "ids.gz")
  writeFileSync(file, gzipSync(`${bisphenolA}\n`))
  const ended = await run(["details", "-i", file, "--fields", "dtxsid", "-q"], { env })
  expect(ended).toEqual({ code: 0, stdout: `{"dtxsid":"${bisphenolA}"}\n`, stderr: "" })
  writeFileSync(file, gzipSync(`${bisphenolA}\n`).subarray(0, -4))
  const broken = await run(["details", "-i", file], { env })
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot read .*ids\.gz: /) })
})
