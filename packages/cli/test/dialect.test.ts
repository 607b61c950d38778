import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const unauthorized = { status: 401, body: '{"title":"API Key Not Found","detail":"Key k not found."}' }

describe("a run in a dialect", { concurrent: true }, () => {
  it("is continued only in the same dialect", async () => {
    const ids = ["DTXSID7020182", "DTXSID3039242"]
    let isOpen = false
    const { env } = await scripted(({ ids }) =>
      isOpen || ids[0] === "DTXSID7020182"
        ? { body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))) }
        : unauthorized
    )
    const output = join(folder(), "details.ndjson")
    const details = (...more: ReadonlyArray<string>) =>
      run(["details", ...ids, "--batch-size", "1", "--concurrency", "1", "--output", output, ...more], {
        env
      })
    expect(await details()).toMatchObject({ code: 3 })
    isOpen = true
    const refused = await details("--dialect", "ctx")
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain("dialect")
    expect(await details("--dialect", "specification")).toMatchObject({ code: 0 })
    expect(lines(readFileSync(output, "utf8"))).toEqual(ids.map((dtxsid) => ({ dtxsid })))
  })

  it("reads the whole list of a service with cursors, and continues after a stop", async () => {
    const records = [3, 20, 25, 31, 40].map((id) => ({ id, dtxsid: `DTXSID${id}` }))
    let isOpen = false
    const { env, requests } = await scripted(({ path }) => {
      const after = Number(new URL(path, "http://x").searchParams.get("next"))
      if (after >= 20 && !isOpen) return unauthorized
      const data = records.filter(({ id }) => id > after).slice(0, 2)
      return { body: JSON.stringify({ size: 2, total: 9, next: data.at(-1)?.id ?? 1, data }) }
    })
    const output = join(folder(), "all.ndjson")
    const all = () => run(["all", "--dialect", "ctx", "--output", output], { env })
    expect(await all()).toMatchObject({ code: 3 })
    isOpen = true
    expect(await all()).toMatchObject({ code: 0 })
    expect(lines(readFileSync(output, "utf8"))).toEqual(records)
    expect(requests.map(({ path }) => path.replace("/chemical/all?next=", ""))).toEqual([
      "0",
      "20",
      "20",
      "31",
      "40"
    ])
  })

  it("requests 300 endpoints of ctx without a failed request", async () => {
    const { env, requests } = await scripted(({ ids }) =>
      ids.length > 200
        ? { status: 500, body: '{"timestamp":"x","status":500,"error":"Internal Server Error","path":"/x"}' }
        : { body: JSON.stringify(ids.map((aeid) => ({ aeid: Number(aeid) }))) }
    )
    const aeids = Array.from({ length: 300 }, (_, at) => String(at + 1))
    const ended = await run(["bioactivity", "data", "--by", "aeid", "--dialect", "ctx"], {
      env,
      input: aeids.join("\n")
    })
    expect(ended.code).toBe(0)
    expect(lines(ended.stdout).map(({ aeid }) => String(aeid))).toEqual(aeids)
    expect(requests.map(({ ids }) => ids.length)).toEqual([200, 100])
  })
})

describe("the fields of a dialect", { concurrent: true }, () => {
  const record = { dtxsid: "DTXSID7020182", averageMass: 228.3, toxcastSelect: "236/981" }

  it("are the allowed names of --fields", async () => {
    const { env } = await scripted(() => ({ body: JSON.stringify([record]) }))
    const details = (...more: ReadonlyArray<string>) => run(["details", "DTXSID7020182", ...more], { env })
    const found = await details("--dialect", "ctx", "--fields", "toxcastSelect,averageMass")
    expect(found).toMatchObject({ code: 0, stdout: '{"toxcastSelect":"236/981","averageMass":228.3}\n' })
    const refused = await details("--fields", "averageMass")
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain('the contract has no field "averageMass"')
    const renamed = await details("--dialect", "ctx", "--fields", "assaySelect")
    expect(renamed).toMatchObject({ code: 2, stdout: "" })
    expect(renamed.stderr).toContain('the public service has no field "assaySelect"')
  })

  it("are the columns of a table", async () => {
    const { env } = await scripted(() => ({ body: JSON.stringify([record]) }))
    const output = join(folder(), "details.csv")
    const ended = await run(["details", "DTXSID7020182", "--dialect", "ctx", "--output", output], { env })
    expect(ended.code).toBe(0)
    const [header = "", row = ""] = readFileSync(output, "utf8").split(/\r?\n/)
    const cells = new Map(header.split(",").map((name, at) => [name, row.split(",")[at]]))
    expect(cells.get("toxcastSelect")).toBe("236/981")
    expect(cells.get("averageMass")).toBe("228.3")
    expect(cells.has("assaySelect")).toBe(false)
  })

  it("must include the requested identifier; a projection without it is refused", async () => {
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    const compounds = ["details", "--by", "dtxcid", "DTXCID30182", "--projection"]
    const refused = await run([...compounds, "compact", "--dialect", "ctx"], { env })
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain(
      "the records of the projection compact have no dtxcid in the dialect ctx, so they cannot be matched; use chemicaldetailall or chemicaldetailstandard or"
    )
    const unknown = await run(["details", "DTXSID7020182", "-p", "ccdassaydetails", "--dialect", "ctx"], {
      env
    })
    expect(unknown).toMatchObject({ code: 2, stdout: "" })
    expect(unknown.stderr).toContain(
      "the dialect ctx has no projection ccdassaydetails; use chemicaldetailall or"
    )
    expect(requests).toEqual([])
    expect((await run([...compounds, "compact"], { env })).stderr).toContain("0 found + 1 missing")
    expect((await run([...compounds, "ntatoolkit", "--dialect", "ctx"], { env })).stderr).toContain(
      "0 found + 1 missing"
    )
  })

  it("do not count a projection that the service refuses", async () => {
    const env = { CHEMSTREAM_DIALECT: "ctx" }
    const listed = await run(["help", "fields", "details"], { env })
    expect(listed.stdout).toContain("compact")
    expect(listed.stdout).not.toContain("ccdassaydetails")
    expect((await run(["help", "fields", "details"])).stdout).toContain("ccdassaydetails")
    const schema = await run(["schema", "details", "--projection", "ccdassaydetails", "--dialect", "ctx"])
    expect(schema).toMatchObject({ code: 2, stdout: "" })
    expect(schema.stderr).toMatch(/has the projections (?!.*ccdassaydetails)/)
    const { env: served } = await scripted(() => ({ body: "[]" }))
    const fields = ["details", "DTXSID7020182", "-p", "compact", "--fields", "percentAssays"]
    const advised = await run([...fields, "--dialect", "ctx"], { env: served })
    expect(advised.code).toBe(2)
    expect(advised.stderr).toContain("--projection chemicaldetailstandard or ntatoolkit or")
    expect(advised.stderr).not.toContain("ccdassaydetails")
  })

  it("of a service that mixes both are all in the table", async () => {
    const mixed = { ...record, assaySelect: "1/2" }
    const { env } = await scripted(() => ({ body: JSON.stringify([mixed]) }))
    const ended = await run(["details", "DTXSID7020182", "--format", "csv"], { env })
    const [header = "", row = ""] = ended.stdout.split(/\r?\n/)
    const cells = new Map(header.split(",").map((name, at) => [name, row.split(",")[at]]))
    expect([cells.get("toxcastSelect"), cells.get("assaySelect")]).toEqual(["236/981", "1/2"])
  })

  it("are all requested by show", async () => {
    const { env, requests } = await scripted(() => ({ body: JSON.stringify([record]) }))
    await run(["show", "DTXSID7020182", "--dialect", "ctx"], { env })
    await run(["show", "DTXSID7020182"], { env })
    expect(requests.flatMap(({ path }) => /projection=(\w+)/.exec(path)?.[1] ?? [])).toEqual([
      "chemicaldetailall",
      "ccdchemicaldetails"
    ])
  })
})

describe("the wrong dialect", { concurrent: true }, () => {
  it.each([
    ["all"],
    ["search", "equal", "--batch", "benzene", "80-05-7"],
    ["bioactivity", "data", "DTXSID7020182", "--projection", "assay-summary-plot"]
  ])("is reported by %s %s %s with the service of the contract", async (...args) => {
    const { env } = await sharedService()
    const ended = await run([...args, "--dialect", "ctx"], { env })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain("set the dialect to specification (--dialect specification")
  })

  it("changes the fields that help lists", async () => {
    const listed = await run(["help", "fields", "details"], { env: { CHEMSTREAM_DIALECT: "ctx" } })
    expect(listed.stdout).toContain("in the dialect ctx")
    expect(listed.stdout).toMatch(/^ {2}toxcastSelect /m)
    expect(listed.stdout).not.toMatch(/^ {2}assaySelect .*1/m)
    expect((await run(["help", "fields", "details"])).stdout).toMatch(/^ {2}assaySelect /m)
  })
})
