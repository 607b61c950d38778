/**
 * Recorded responses of a public service of the same shape through lookups. Skipped where ../shared/real is absent.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { RawRecord } from "@chemstream/ndjson"
import { Bioactivity, Details, Ledger, type Lookup, MsReady, Search, Synonyms } from "@chemstream/stream"
import { describe, expect, it } from "vitest"
import { outcomesOf } from "./lookupService.ts"

const folder = join(import.meta.dirname, "../../../../shared/real")
const text = (name: string): string => readFileSync(join(folder, name), "utf8")
const records = (name: string): ReadonlyArray<unknown> => [JSON.parse(text(name))].flat()

const bpa = "DTXSID7020182"
const unknown = "DTXSID5032381"

type Raw = RawRecord.RawRecord
type AnyLookup = Lookup.Lookup<Raw>

describe.skipIf(!existsSync(folder))("a recorded success (skipped where ../shared/real is absent)", () => {
  it.each<[string, AnyLookup, ReadonlyArray<string>]>([
    ["detail-DTXSID7020182-2026.json", Details.byDtxsid(), [bpa]],
    ["details-163.json", Details.byDtxsid({ projection: "chemicaldetailstandard" }), []],
    ["synonyms-DTXSID7020182.json", Synonyms.byDtxsid(), [bpa]],
    ["synonyms-DTXSID7020182-2026.json", Synonyms.byDtxsid(), [bpa]],
    ["bioactivity-summary-dtxsid-2026.json", Bioactivity.summaryByDtxsid(), [bpa]],
    ["bioactivity-summary-aeid-700.json", Bioactivity.summaryByAeid(), ["700"]],
    ["bioactivity-data-aeid-704.json", Bioactivity.byAeid(), ["704"]],
    ["bioactivity-data-by-m4id-11847245-2025.json", Bioactivity.byM4id(), ["11847245"]],
    ["search-contain-bisphenol-a.json", Search.contain(), ["bisphenol a"]]
  ])("%s passes through strict validation as it is", async (name, lookup, given) => {
    const ids = given.length > 0 ? given : text("ids-163.txt").trim().split(/\s+/)
    // A recorded response to one identifier stands for that of a batch of one.
    const body = /^details-163|^bioactivity|^search/.test(name) ? text(name) : `[${text(name)}]`
    const ledger = Ledger.make()
    const outcomes = await outcomesOf(() => ({ status: 200, body }), lookup, ids, {
      ledger,
      validate: "strict"
    })
    const found = outcomes.flatMap((outcome) =>
      outcome._tag === "Found" ? outcome.records.map((one) => JSON.parse(RawRecord.toText(one))) : [outcome]
    )
    expect(found).toHaveLength(records(name).length)
    expect(found).toEqual(expect.arrayContaining([...records(name)]))
    expect(ledger.drift.fields).toEqual([])
  })

  it("a null in a list of identifiers is not a record", async () => {
    const name = "exact-formula-C6H6-2026.json"
    const [outcome] = await outcomesOf(() => ({ status: 200, body: text(name) }), Search.byExactFormula(), [
      "C6H6"
    ])
    const found = outcome?._tag === "Found" ? outcome.records.map(RawRecord.toText) : []
    expect(found).toEqual(
      records(name).flatMap((dtxsid) => (dtxsid === null ? [] : [JSON.stringify({ query: "C6H6", dtxsid })]))
    )
  })

  it("masses are matched as numbers", async () => {
    const name = "msready-by-mass-batch.json"
    const masses = Object.keys(records(name)[0] as object)
    const outcomes = await outcomesOf(() => ({ status: 200, body: text(name) }), MsReady.byMass(), masses)
    expect(outcomes.map(({ _tag }) => _tag)).not.toContain("Failed")
  })

  it("one record for three words stops the run with the dialect to set, and no word is missing", async () => {
    const body = text("search-batch-equal-json-array-2026.json")
    const words = [bpa, unknown, "DTXSID8024291"]
    const outcomes = outcomesOf(() => ({ status: 200, body }), Search.equalBatch(), words)
    await expect(outcomes).rejects.toMatchObject({
      _tag: "MalformedResponse",
      message: expect.stringContaining("set the dialect to ctx")
    })
  })

  it.each<[string, number, AnyLookup, string]>([
    ["detail-miss-dtxsid-2026.problem.json", 400, Details.byDtxsid(), unknown],
    ["synonym-miss-2026.problem.json", 400, Synonyms.byDtxsid({ projection: "ccd-synonyms" }), unknown],
    ["synonym-miss-2026.problem.json", 400, Synonyms.byDtxsid(), unknown],
    ["search-equal-miss.problem.json", 400, Search.equal(), "gvfds"],
    ["search-contain-miss.problem.json", 400, Search.contain(), "gvfdsr7"],
    ["search-batch-equal-miss.json", 200, Search.equalBatch(), "gvfdsr7"]
  ])("%s (%d) is missing", async (name, status, lookup, id) => {
    const outcomes = await outcomesOf(() => ({ status, body: text(name) }), lookup, [id])
    expect(outcomes).toMatchObject([{ _tag: "Missing", id }])
  })
})
