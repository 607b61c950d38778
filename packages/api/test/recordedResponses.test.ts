import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { BioactivityData, BioactivitySummary, DetailRecord, SearchHit, SynonymRecord } from "@chemstream/api"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

// Recorded responses of the public service, beside the checkout, if available.
const recorded = join(import.meta.dirname, "../../../../shared/real")
const read = (name: string): unknown => JSON.parse(readFileSync(join(recorded, name), "utf8"))

describe.skipIf(!existsSync(recorded))("a recorded response (skipped without ../shared/real)", () => {
  it.each([
    ["bioactivity-data-aeid-704.json", Schema.Array(BioactivityData.BioactivityData)],
    ["bioactivity-summary-aeid-700.json", BioactivitySummary.EndpointSummary],
    ["synonyms-DTXSID7020182.json", SynonymRecord.SynonymRecord],
    ["synonyms-DTXSID7020182-2026.json", SynonymRecord.SynonymRecord],
    ["detail-DTXSID7020182-2026.json", DetailRecord.schemas.chemicaldetailall],
    ["bioactivity-data-by-m4id-11847245-2025.json", Schema.Array(BioactivityData.BioactivityData)],
    ["search-contain-bisphenol-a.json", Schema.Array(SearchHit.SearchHit)],
    ["search-batch-equal-miss.json", Schema.Array(SearchHit.SearchHit)],
    ["details-163.json", Schema.Array(DetailRecord.schemas.ccdchemicaldetails)],
    ["detail-chemicalidentifier.json", DetailRecord.schemas.chemicalidentifier],
    ["msready-by-formula-CH4.json", Schema.Array(Schema.String)],
    ["msready-by-mass-batch.json", Schema.Record(Schema.String, Schema.Array(Schema.String))]
  ] as const)("%s is valid in the contract and keeps every field", (name, schema) => {
    const response = read(name)
    const decode: (input: unknown) => unknown = Schema.decodeUnknownSync(schema as Schema.Codec<unknown>)
    expect(decode(response)).toEqual(response)
  })

  it("of synonyms gives the same lists by kind, before and after the service renamed its fields", () => {
    const [before, after] = ["synonyms-DTXSID7020182.json", "synonyms-DTXSID7020182-2026.json"].map((name) =>
      SynonymRecord.sort(read(name) as Record<string, unknown>)
    )
    expect(after).toEqual(before)
    expect(after?.deletedCasrn).toContain("137885-53-1")
    expect(after?.other).toHaveLength(204)
  })

  it("of bioactivity data has only fields that the contract describes", () => {
    const fields = new Set(Object.keys(BioactivityData.fields))
    const records = read("bioactivity-data-aeid-704.json") as ReadonlyArray<Record<string, unknown>>
    expect(records.flatMap(Object.keys).filter((key) => !fields.has(key))).toEqual([])
  })
})
