// Tests the lookups of facts: their records are made of several parts, of which some are unknown or fail.
import { RawRecord } from "@chemstream/ndjson"
import { ExposureRatio, TopActivity } from "@chemstream/stream"
import { describe, expect, it } from "vitest"
import { ok, outcomesOf, type Respond, type ScriptedResponse } from "./lookupService.ts"

const [a, b, c] = ["DTXSID7020182", "DTXSID3039242", "DTXSID7020637"] as const

type Records = Readonly<Record<string, ReadonlyArray<object>>>

/** A service with these records by a part of the path. Parts that `fails` names refuse a substance. */
const serviceOf = (
  records: Readonly<Record<string, Records>>,
  fails: Readonly<Record<string, ScriptedResponse>> = {}
) => {
  const asked: Array<string> = []
  const respond: Respond = ({ body, url }) => {
    const [path = ""] = url.split("?")
    const ids = Array.isArray(body) ? body.map(String) : [path.slice(path.lastIndexOf("/") + 1)]
    const part = Object.keys(records).find((one) => path.includes(`/${one}/`)) ?? ""
    asked.push(`${part} ${ids.join()}`)
    const failure = fails[part]
    if (failure !== undefined && ids.includes(a)) return failure
    const found = ids.flatMap((id) => records[part]?.[id] ?? [])
    if (part !== "summary") return ok(JSON.stringify(found))
    return found.length === 0 ? { status: 404, body: '{"status":404}' } : ok(JSON.stringify(found[0]))
  }
  return { respond, asked }
}

const refused: ScriptedResponse = { status: 400, body: '{"status":400,"detail":"no"}' }

const facts = (
  outcome: Awaited<ReturnType<typeof outcomesOf<RawRecord.RawRecord>>>[number] | undefined
): unknown =>
  outcome?._tag === "Found"
    ? outcome.records.map((record) => JSON.parse(RawRecord.toText(record)))
    : outcome?._tag

describe("TopActivity.lookup", () => {
  const curve = (dtxsid: string, aeid: number, ac50: number, hitc = 0.95) => ({
    ...{ dtxsid, aeid, hitc, nconc: 8 },
    mc5Param: { ac50 }
  })
  const records = {
    summary: { [a]: [{ dtxsid: a, cytotoxLowerUm: 9.5 }] },
    assay: {
      2: [{ aeid: 2, assayComponentEndpointName: "ATG_ERa", gene: { geneSymbol: "ESR1" } }],
      4: [{ aeid: 4, assayComponentEndpointName: "TOX21_AR" }]
    },
    data: { [a]: [curve(a, 1, 12), curve(a, 2, 0.4)], [b]: [curve(b, 3, 5, 0.1), curve(b, 4, 7)] }
  }

  it("makes the facts of each substance from its own data, summary and endpoint", async () => {
    const { asked, respond } = serviceOf(records)
    const outcomes = await outcomesOf(respond, TopActivity.lookup(), [b, c, a])
    expect(outcomes.map(facts)).toMatchObject([
      [
        {
          ...{ dtxsid: b, aeid: 4, endpoint: "TOX21_AR", gene: null, ac50: 7 },
          ...{ activeEndpoints: 1, testedEndpoints: 2, cytotoxicity: null, cytotoxLowerUm: null }
        }
      ],
      "Missing",
      [
        {
          ...{ dtxsid: a, aeid: 2, endpoint: "ATG_ERa", gene: "ESR1", ac50: 0.4 },
          ...{ activeEndpoints: 2, testedEndpoints: 2, cytotoxicity: "below", cytotoxLowerUm: 9.5 }
        }
      ]
    ])
    const named = asked.filter((one) => one.startsWith("assay ")).flatMap((one) => one.slice(6).split(","))
    expect(named.toSorted()).toEqual(["2", "4"])
  })

  it("has facts without names if the service has no assays", async () => {
    const { respond } = serviceOf({ ...records, assay: {} })
    const [outcome] = await outcomesOf(respond, TopActivity.lookup(), [a])
    expect(facts(outcome)).toMatchObject([{ aeid: 2, endpoint: null, gene: null, ac50: 0.4 }])
  })

  it.each([
    ["data", { data: refused }, "bioactivity.byDtxsidBatch"],
    ["summary", { summary: refused }, "bioactivity.summaryByDtxsid"],
    ["data and summary", { data: refused, summary: refused }, "bioactivity.byDtxsidBatch"]
  ])("fails a substance with the error of its first failed part: %s", async (_, fails, endpoint) => {
    const outcomes = await outcomesOf(serviceOf(records, fails).respond, TopActivity.lookup(), [a, b])
    expect(outcomes[0]).toMatchObject({ _tag: "Failed", error: { _tag: "InvalidRequest", endpoint } })
    expect(facts(outcomes[1])).toMatchObject([{ dtxsid: b, ac50: 7 }])
  })
})

describe("ExposureRatio.lookup", () => {
  const records = {
    aed: {
      [a]: [{ dtxsid: a, aenm: "E", aedVal: [4, 0.5], aedValUnit: ["mg/kg/day", "mg/kg/day"] }],
      [b]: [{ dtxsid: b, aenm: "F", aedVal: [3], aedValUnit: ["mg/kg/day"] }]
    },
    seem: {
      [a]: [
        { dtxsid: a, demographic: "Total", predictor: "SEEM3 Consensus", u95: 0.0025, units: "mg/kg/day" }
      ],
      [c]: [{ dtxsid: c, demographic: "Total", predictor: "SEEM3 Consensus", u95: 2, units: "mg/kg/day" }]
    }
  }

  it("has what it knows of a substance without doses or without predictions, and is missing without both", async () => {
    const unknown = "DTXSID5020601"
    const outcomes = await outcomesOf(serviceOf(records).respond, ExposureRatio.lookup(), [c, unknown, b, a])
    expect(outcomes.map(facts)).toMatchObject([
      [{ dtxsid: c, ratio: null, aed: null, exposure: 2 }],
      "Missing",
      [{ dtxsid: b, ratio: null, aed: 3, exposure: null }],
      [{ dtxsid: a, ratio: 200, aed: 0.5, exposure: 0.0025 }]
    ])
  })

  it.each([
    ["doses", { aed: refused }, "bioactivity.aedByDtxsidBatch"],
    ["predictions", { seem: refused }, "exposure.seemDemographicBatch"],
    ["doses and predictions", { aed: refused, seem: refused }, "bioactivity.aedByDtxsidBatch"]
  ])("fails a substance whose %s fail, although it has other records", async (_, fails, endpoint) => {
    const outcomes = await outcomesOf(serviceOf(records, fails).respond, ExposureRatio.lookup(), [a, b])
    expect(outcomes).toMatchObject([
      { _tag: "Failed", error: { _tag: "InvalidRequest", endpoint } },
      { _tag: "Found" }
    ])
  })
})
