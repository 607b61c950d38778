// Tests the most potent active endpoint of a substance, and the note of one without any.
import type { BioactivityData } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { TopActivity } from "@chemstream/stream"
import { describe, expect, it } from "vitest"

const id = "DTXSID7020182"

const record = (aeid: number, hitc: number | null, ac50: number | null, nconc: number | null = 8) =>
  ({ aeid, hitc, nconc, mc5Param: ac50 === null ? null : { ac50 } }) as BioactivityData.BioactivityData

describe("TopActivity.of", () => {
  it("is the active record with the lowest AC50, at several concentrations, with the counts of endpoints", () => {
    const data = [
      record(1, 0.99, 12),
      record(2, 0.9, 0.4),
      record(3, 0.8999, 0.01),
      record(4, 1, 0.02, 1),
      record(5, 0.95, null),
      record(2, 0.1, 3),
      record(6, null, 5)
    ]
    const names = new Map([[2, { name: "ATG_ERa_TRANS_up", genes: ["ESR1", "ESR2"] }]])
    expect(TopActivity.of(id, { data }, names)).toEqual({
      dtxsid: id,
      aeid: 2,
      endpoint: "ATG_ERa_TRANS_up",
      gene: "ESR1; ESR2",
      ac50: 0.4,
      ac50Unit: "µM",
      hitCall: 0.9,
      activeEndpoints: 3,
      testedEndpoints: 5,
      cytotoxicity: null,
      cytotoxLowerUm: null
    })
  })

  it.each([
    [9.5, "below", 9.5],
    [0.5, "below", 0.5],
    [0.4, "above", 0.4],
    [0.1, "above", 0.1],
    [0, null, null],
    [-1, null, null],
    [null, null, null],
    [undefined, null, null]
  ])("says for a lower bound of cytotoxicity of %s: %s", (cytotoxLowerUm, cytotoxicity, bound) => {
    const data = [record(2, 0.9, 0.4)]
    expect(TopActivity.of(id, { data, cytotoxLowerUm })).toMatchObject({
      cytotoxicity,
      cytotoxLowerUm: bound,
      endpoint: null,
      gene: null
    })
  })

  it("has no gene if the endpoint has no target", () => {
    const names = new Map([[2, { name: "viability", genes: [] }]])
    expect(TopActivity.of(id, { data: [record(2, 0.9, 0.4)] }, names)).toMatchObject({
      endpoint: "viability",
      gene: null
    })
  })

  it.each([
    ["an active endpoint", [record(2, 0.9, 0.4)], null],
    ["one concentration", [record(2, 0.9, 0.4, 1)], "not tested at several concentrations"],
    ["no data", [], "not tested at several concentrations"],
    ["no active endpoint", [record(2, 0.2, 0.4)], "no active endpoint"],
    ["an active endpoint without an AC50", [record(2, 0.9, null)], "no active endpoint has an AC50"]
  ])("has with %s the note: %s", (_, data, note) => {
    const facts = TopActivity.of(id, { data, cytotoxLowerUm: 5 })
    expect(TopActivity.facts.noteOf(RawRecord.fromText(JSON.stringify(facts)))).toBe(note)
    if (note !== null)
      expect(facts).toMatchObject({
        aeid: null,
        ac50: null,
        ac50Unit: null,
        hitCall: null,
        cytotoxicity: null
      })
  })

  it("names the substance that the service does not know", () => {
    expect(TopActivity.facts.absent(id)).toBe(`the service has no bioactivity data of ${id}`)
  })
})
