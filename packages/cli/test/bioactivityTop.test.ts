import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const active = "DTXSID7020182"
const quiet = "DTXSID3039242"
const unknown = "DTXSID9020584"

/** A record of bioactivity data. */
const record = (dtxsid: string, aeid: number, hitc: number, ac50: number, nconc = 8) => ({
  ...{ dtxsid, aeid, hitc, nconc, modl: "hill", m4id: aeid },
  mc5Param: { ac50, top: 50 }
})

const data: Readonly<Record<string, ReadonlyArray<object>>> = {
  [active]: [
    record(active, 10, 0.99, 12),
    record(active, 20, 0.9, 0.5),
    record(active, 20, 0.2, 0.1),
    // Nearly active, and active at one concentration.
    record(active, 30, 0.8999, 0.01),
    record(active, 40, 1, 0.001, 1)
  ],
  [quiet]: [record(quiet, 10, 0.1, 3)]
}

const assays = [
  { aeid: 10, assayComponentEndpointName: "ATG_PXRE_CIS_up", gene: null },
  {
    ...{ aeid: 20, assayComponentEndpointName: "ATG_ERa_TRANS_up" },
    gene: [{ officialSymbol: "ESR1" }, { officialSymbol: "ESR2" }]
  }
]

/** A service with these records. Without `names`, it has no family of assays. */
const service = (names = true) =>
  scripted(({ ids, path }) => {
    if (path.startsWith("/bioactivity/assay/"))
      return names ? { body: JSON.stringify(assays) } : { status: 404, body: "{}" }
    if (path.includes("/summary/")) {
      const isActive = path.endsWith(active)
      return isActive
        ? { body: JSON.stringify({ dtxsid: active, cytotoxLowerUm: 3.5 }) }
        : { status: 404, body: "{}" }
    }
    if (path.includes("/by-m4id/")) return { body: JSON.stringify([record(active, 20, 0.9, 0.5)]) }
    return { body: JSON.stringify(ids.flatMap((id) => data[id] ?? [])) }
  })

const blank = { aeid: null, endpoint: null, gene: null, ac50: null, ac50Unit: null, hitCall: null }

describe("bioactivity top", { concurrent: true }, () => {
  it("writes the active endpoint with the lowest AC50 at several concentrations, with its name and genes", async () => {
    const { env, requests } = await service()
    const ended = await run(["bioactivity", "top", active, quiet, unknown, "-q"], { env })
    expect(lines(ended.stdout)).toEqual([
      {
        ...{ dtxsid: active, aeid: 20, endpoint: "ATG_ERa_TRANS_up", gene: "ESR1; ESR2" },
        ...{ ac50: 0.5, ac50Unit: "µM", hitCall: 0.9, activeEndpoints: 2, testedEndpoints: 3 },
        ...{ cytotoxicity: "below", cytotoxLowerUm: 3.5, activityNote: null }
      },
      {
        ...{ dtxsid: quiet, ...blank, activeEndpoints: 0, testedEndpoints: 1 },
        ...{ cytotoxicity: null, cytotoxLowerUm: null, activityNote: "no active endpoint" }
      },
      {
        ...{ dtxsid: unknown, ...blank, activeEndpoints: null, testedEndpoints: null },
        ...{ cytotoxicity: null, cytotoxLowerUm: null },
        activityNote: `the service has no bioactivity data of ${unknown}`
      }
    ])
    // Data, three summaries, and the names once.
    expect(requests.length).toBe(5)
  })

  it("keeps the columns and rows of a table, whose column it finds", async () => {
    const { env } = await service()
    const at = folder()
    const table = `sample,DTXSID,gene\ns1,${active},mine\ns2,nonsense,\n`
    writeFileSync(join(at, "in.csv"), table)
    const ended = await run(["bioactivity", "top", "-i", "in.csv", "-o", "out.csv", "-q"], { cwd: at, env })
    expect(ended).toMatchObject({ code: 0, stdout: "" })
    const rows = readFileSync(join(at, "out.csv"), "utf8").trimEnd().split("\r\n")
    expect(rows).toEqual([
      "sample,DTXSID,gene,aeid,endpoint,gene_found,ac50,ac50Unit,hitCall,activeEndpoints,testedEndpoints,cytotoxicity,cytotoxLowerUm,activityNote",
      `s1,${active},mine,20,ATG_ERa_TRANS_up,ESR1; ESR2,0.5,µM,0.9,2,3,below,3.5,`,
      's2,nonsense,,,,,,,,,,,,"""nonsense"" is not a DTXSID: it must start with DTXSID"'
    ])
    const piped = await run(["bioactivity", "top", "-q", "--format", "csv"], { env, input: table })
    expect(piped.stdout.trimEnd().split("\r\n")).toEqual(rows)
    const objects = `{"id":1,"dtxsid":"${active}"}\n`
    const [first] = lines((await run(["bioactivity", "top", "-q"], { env, input: objects })).stdout)
    expect(first).toMatchObject({ id: 1, dtxsid: active, aeid: 20 })
  })

  it("says how a damaged identifier was read, in its row and at the end", async () => {
    const { env } = await service()
    const input = `sample,dtxsid\ns1,${active.toLowerCase()}\ns2,"${quiet} "\n`
    const { stderr, stdout } = await run(["bioactivity", "top", "--format", "csv"], { env, input })
    const rows = stdout.trimEnd().split("\r\n")
    expect(rows[1]).toMatch(/^s1,dtxsid7020182,20,.*,read as DTXSID7020182 \(letter case\)$/)
    expect(rows[2]).toMatch(/,no active endpoint$/)
    expect(stderr).toContain("\n1 repaired, the first in line 2: read as DTXSID7020182 (letter case)\n")
    const damaged = await run(["bioactivity", "top", "DTXSID 3039242"], { env })
    expect(lines(damaged.stdout)).toMatchObject([
      {
        dtxsid: quiet,
        activityNote: expect.stringMatching(/^read as DTXSID3039242 \(.*\); no active endpoint$/)
      }
    ])
  })

  it("works without names, and counts its requests before it sends them", async () => {
    const { env, requests } = await service(false)
    const plan = await run(["bioactivity", "top", active, "--dry-run"], { env })
    expect(plan.stdout).toMatch(/^requests: 3$/m)
    expect(requests).toEqual([])
    const ended = await run(["bioactivity", "top", active, "-q"], { env })
    expect(lines(ended.stdout)).toMatchObject([{ aeid: 20, endpoint: null, gene: null }])
    expect(requests.length).toBe(3)
  })

  it("puts the names of endpoints into plots and reports", async () => {
    const { env } = await service()
    const plot = await run(["plot", "bioactivity", active], { env })
    expect(plot.stdout).toContain("assay endpoint 20: ATG_ERa_TRANS_up")
    const curve = await run(["plot", "curve", "20"], { env })
    expect(curve.stdout).toContain("assay endpoint 20: ATG_ERa_TRANS_up")
    const at = folder()
    await run(["report", active, "--chapters", "all", "-o", "r.html", "-q"], { cwd: at, env })
    const html = readFileSync(join(at, "r.html"), "utf8")
    expect(html).toContain("ATG_ERa_TRANS_up, AC50 0.5 µM")
    expect(html).toContain("<td>20 ATG_ERa_TRANS_up</td>")
  })
})

describe("bioactivity exposure-ratio", { concurrent: true }, () => {
  const doses = (dtxsid: string, aedVal: ReadonlyArray<number>, unit = "mg/kg/day") => ({
    ...{ dtxsid, aeid: 1, aenm: "ATG_ERa_TRANS_up", aedVal, aedValUnit: aedVal.map(() => unit) },
    ...{ httkModel: aedVal.map(() => "pbtk"), interindividualVarPerc: aedVal.map(() => 95) }
  })
  const exposure = (dtxsid: string, u95: number, demographic = "Total", predictor = "SEEM3 Consensus") => ({
    ...{ dtxsid, demographic, predictor, u95, units: "mg/kg/day" }
  })
  const [ratio, dose, exposed, otherUnit, nothing] = [
    ...["DTXSID7020182", "DTXSID3039242", "DTXSID9020584", "DTXSID0020232", "DTXSID2021315"]
  ] as [string, string, string, string, string]
  const records: Readonly<Record<string, ReadonlyArray<{ readonly dtxsid: string }>>> = {
    aed: [doses(ratio, [4, 0.5]), doses(ratio, [2]), doses(dose, [1]), doses(otherUnit, [1], "uM")],
    seem: [
      exposure(ratio, 0.00001, "Male"),
      exposure(ratio, 0.0001, "Total", "SEEM2 Heuristic"),
      exposure(ratio, 0.0025),
      exposure(exposed, 1),
      exposure(otherUnit, 1)
    ]
  }
  const answers = () =>
    scripted(({ ids, path }) => ({
      body: JSON.stringify(
        (records[path.includes("/seem/") ? "seem" : "aed"] ?? []).filter(({ dtxsid }) => ids.includes(dtxsid))
      )
    }))

  it("divides the lowest dose by the upper bound of exposure, and says why a substance has no ratio", async () => {
    const { env } = await answers()
    const ids = [ratio, dose, exposed, otherUnit, nothing]
    const ended = await run(["bioactivity", "exposure-ratio", ...ids, "-q"], { env })
    expect(ended.code).toBe(0)
    expect(lines(ended.stdout)).toMatchObject([
      {
        dtxsid: ratio,
        ratio: 200,
        aed: 0.5,
        endpoint: "ATG_ERa_TRANS_up",
        exposure: 0.0025,
        ratioNote: null
      },
      { dtxsid: dose, ratio: null, aed: 1, ratioNote: "no exposure predicted by SEEM3 Consensus" },
      { dtxsid: exposed, ratio: null, exposure: 1, ratioNote: "no equivalent dose (AED)" },
      { dtxsid: otherUnit, ratio: null, aedUnit: "uM", ratioNote: "the doses have different units" },
      { dtxsid: nothing, ratio: null, ratioNote: expect.stringContaining("neither equivalent doses") }
    ])
  })

  it("keeps the rows and columns of a table", async () => {
    const { env } = await answers()
    // `resolve` writes a column `note`, which must not hide why a row has no ratio.
    const input = `sample,dtxsid,ratio,note\ns1,${ratio},mine,read as a CASRN\ns2,${dose},,\n`
    const { stdout } = await run(["bioactivity", "exposure-ratio", "-q", "--format", "csv"], { env, input })
    expect(stdout.split("\r\n").slice(0, 3)).toEqual([
      "sample,dtxsid,ratio,note,ratio_found,aed,aedUnit,endpoint,httkModel,percentile,exposure,exposureUnit,ratioNote",
      `s1,${ratio},mine,read as a CASRN,200,0.5,mg/kg/day,ATG_ERa_TRANS_up,pbtk,95,0.0025,mg/kg/day,`,
      `s2,${dose},,,,1,mg/kg/day,ATG_ERa_TRANS_up,pbtk,95,,,no exposure predicted by SEEM3 Consensus`
    ])
  })
})
