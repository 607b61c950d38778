/** Potencies, the endpoints of a substance, and the points of a record. `hitCall.test.ts` tests the rule of activity. */
import { BioactivityData } from "@chemstream/api"
import { describe, expect, it } from "vitest"

const active = { hitc: 1, nconc: 8 }

describe("the AC50 of a record", () => {
  it.each([
    ["its own field", { ac50: 3 }, 3],
    ["its parameters of level 5", { mc5Param: { ac50: 4 } }, 4],
    ["the winning model of level 4", { modl: "hill", mc4Param: { hill_ac50: 5, gnls_ac50: 6 } }, 5],
    [
      "the first of them that is above 0",
      { ac50: 0, mc5Param: { ac50: -1 }, modl: "hill", mc4Param: { hill_ac50: 7 } },
      7
    ],
    ["its own field before its parameters", { ac50: 3, mc5Param: { ac50: 4 } }, 3],
    ["no text", { ac50: "3" }, undefined],
    ["no number that is not finite", { ac50: Number.POSITIVE_INFINITY }, undefined],
    ["no other model", { modl: "cnst", mc4Param: { hill_ac50: 5 } }, undefined],
    ["nothing", { ac50: null, mc4Param: null, mc5Param: null }, undefined]
  ])("is read from %s", (_, record, expected) => {
    expect(BioactivityData.ac50(record)).toBe(expected)
  })
})

describe("the records by potency", () => {
  it("are the active ones of several concentrations with an AC50, the lowest first", () => {
    const found = BioactivityData.byPotency([
      { aeid: 1, ...active, mc5Param: { ac50: 20 } },
      { aeid: 2, ...active, mc5Param: { ac50: 3 } },
      { aeid: 3, ...active },
      { aeid: 4, hitc: 0.5, nconc: 8, mc5Param: { ac50: 1 } },
      { aeid: 5, hitc: 1, nconc: 1, mc5Param: { ac50: 1 } },
      { aeid: 6, ...active, mc5Param: { ac50: 100 } }
    ])
    expect(found.map(({ ac50, record }) => [record.aeid, ac50])).toEqual([
      [2, 3],
      [1, 20],
      [6, 100]
    ])
  })

  it("with the same AC50 have the highest hit call first", () => {
    const records = [0.91, 1, 0.95, 1.1].map((hitc) => ({ hitc, nconc: 8, mc5Param: { ac50: 2 } }))
    const found = BioactivityData.byPotency(records)
    expect(found.map(({ record }) => record.hitc)).toEqual([1.1, 1, 0.95, 0.91])
  })
})

describe("the endpoints of a substance", () => {
  it("have the lowest AC50 of their active records, the most potent first, and those without one last", () => {
    const found = BioactivityData.endpoints([
      { aeid: 10, hitc: 0, nconc: 8, ac50: 0.1 },
      { aeid: 11, ...active, ac50: 9 },
      { aeid: 12, ...active },
      { aeid: 13, ...active, ac50: 2 },
      { aeid: 11, ...active, ac50: 5 },
      { aeid: 11, ...active, ac50: 7 },
      { aeid: 11, hitc: 0.2, nconc: 8, ac50: 1 },
      { aeid: 12, ...active }
    ])
    expect(found).toEqual([
      { aeid: 13, isActive: true, ac50: 2 },
      { aeid: 11, isActive: true, ac50: 5 },
      { aeid: 10, isActive: false, ac50: undefined },
      { aeid: 12, isActive: true, ac50: undefined }
    ])
  })

  it("are numbers, also if a record writes them as text", () => {
    expect(BioactivityData.endpoints([{ aeid: "704", ...active, ac50: 1 }])).toEqual([
      { aeid: 704, isActive: true, ac50: 1 }
    ])
  })

  it("leave out records of one concentration, and those without a number of an endpoint", () => {
    const numbers = [undefined, null, "", "x", 1.5, Number.NaN]
    const records = numbers.map((aeid) => ({ aeid, ...active, ac50: 1 }))
    expect(BioactivityData.endpoints([...records, { aeid: 704, hitc: 1, nconc: 1, ac50: 1 }])).toEqual([])
  })
})

describe("the concentrations of a record", () => {
  it.each([
    [{ conc: [0.5, 100] }, [0.5, 100]],
    [{ logc: [-1, 0, 2] }, [0.1, 1, 100]],
    [{ conc: [3], logc: [2] }, [3]],
    [{ conc: [1, null, "2"] }, [1, 0, 0]],
    [{ logc: [0, null, "2"] }, [1, 0, 0]],
    [{ conc: "1" }, []],
    [null, []],
    [undefined, []]
  ])("of %j are %j", (mc3Param, expected) => {
    expect(BioactivityData.concentrations({ mc3Param })).toEqual(expected)
  })
})
