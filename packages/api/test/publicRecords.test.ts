/** Forms of records that services of different ages send, and of which no response is recorded. */
import { AssayRecords, ListRecords, PropertyRecords } from "@chemstream/api"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

const readsAsSent = (record: () => Schema.Top, value: unknown): void => {
  const decode = Schema.decodeUnknownSync(record() as Schema.Codec<unknown>)
  expect(decode(value)).toEqual(value)
}

describe("a record of the public service", () => {
  it("of a fate property may have null in place of values of one kind", () => {
    const predicted = { id: 1, prop_name: "Biodeg. Half-Life", prop_value: 4.9, prop_unit: "days" }
    const measured = { id: 2, dataset: "exp_prop_BIODEG_v1", prop_value: 30, exp_details_ph: null }
    for (const lists of [
      { experimentalFateData: [null], predictedFateData: [predicted] },
      { experimentalFateData: [measured], predictedFateData: [null] },
      { experimentalFateData: [], predictedFateData: null }
    ]) {
      const property = { propName: "Biodeg. Half-Life", ...lists }
      readsAsSent(PropertyRecords.FateProperty, property)
      readsAsSent(PropertyRecords.Fate, { dtxsid: "DTXSID9020112", properties: [property] })
    }
  })

  it("of an assay endpoint may have one gene, list or publication, or lists of them", () => {
    const gene = { geneSymbol: "NR3C1", entrezGeneId: 2908 }
    const citation = { pmid: 26781511, doi: "" }
    const assayList = { name: "EDSP steroidogenesis" }
    readsAsSent(AssayRecords.Annotation, { aeid: 891, gene, assayList, citations: citation })
    readsAsSent(AssayRecords.Annotation, { aeid: 891, gene: [gene], assayList: [], citations: [citation] })
    readsAsSent(AssayRecords.Annotation, { aeid: 891, gene: null, assayList: null, citations: null })
  })

  it("of a list may have its members in one text with commas, or in a list", () => {
    const members = ["DTXSID0020078", "DTXSID0020103"]
    readsAsSent(ListRecords.ListWithMembers, { listName: "CWA311HS", dtxsids: members })
    readsAsSent(ListRecords.ListWithMembers, { listName: "CWA311HS", dtxsids: members.join(",") })
  })

  it("is refused where a field has another type", () => {
    expect(() => readsAsSent(PropertyRecords.FateProperty, { predictedFateData: [1] })).toThrow()
    expect(() => readsAsSent(AssayRecords.Annotation, { gene: "NR3C1" })).toThrow()
  })
})
