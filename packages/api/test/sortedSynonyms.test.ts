import { SynonymRecord } from "@chemstream/api"
import { describe, expect, it } from "vitest"

const none = { valid: [], good: [], other: [], alternateCasrn: [], deletedCasrn: [], beilstein: [] }
const names = ["Bisphenol A", "4,4'-Isopropylidenediphenol"]
const casrns = ["137885-53-1", "80-05-7"]
const numbers = ["1107700", "BRN 1107700", "4-06-00-06717", "4-06-00-06717 (Beilstein Handbook Reference)"]

describe("the synonyms of a record", () => {
  it("keep the kinds that have one name in each deployment", () => {
    expect(SynonymRecord.sort({ dtxsid: "DTXSID7020182", valid: ["a"], good: ["b", "c"] })).toEqual({
      ...none,
      valid: ["a"],
      good: ["b", "c"]
    })
  })

  it("have the further CAS numbers of both names", () => {
    const record = { alternateCasrn: ["80-05-7"], alternate: ["71-43-2"] }
    expect(SynonymRecord.sort(record)).toEqual({ ...none, alternateCasrn: ["80-05-7", "71-43-2"] })
  })

  it.each(["other", "beilstein", "deleted"])(
    "in the list %j are of the kind that all their texts have",
    (list) => {
      expect(SynonymRecord.sort({ [list]: casrns })).toEqual({ ...none, deletedCasrn: casrns })
      expect(SynonymRecord.sort({ [list]: numbers })).toEqual({ ...none, beilstein: numbers })
      expect(SynonymRecord.sort({ [list]: names })).toEqual({ ...none, other: names })
    }
  )

  it("are names if some of their list are no numbers, or have a wrong check digit", () => {
    for (const other of [
      [...casrns, "Benzene"],
      [...numbers, "Benzene"],
      ["80-05-8"],
      [...casrns, ...numbers]
    ])
      expect(SynonymRecord.sort({ other })).toEqual({ ...none, other })
  })

  it("are joined if several lists are of one kind", () => {
    const record = { deletedCasrn: ["80-05-7"], other: ["137885-53-1"], beilstein: ["x"], deleted: ["y"] }
    expect(SynonymRecord.sort(record)).toEqual({
      ...none,
      deletedCasrn: ["80-05-7", "137885-53-1"],
      other: ["x", "y"]
    })
  })

  it("lack blank texts, and lists that are none", () => {
    expect(SynonymRecord.sort({ valid: ["a", "", " ", null, 1], good: null, other: "x" })).toEqual({
      ...none,
      valid: ["a"]
    })
  })
})
