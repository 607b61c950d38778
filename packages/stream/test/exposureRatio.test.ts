// Tests which dose and which prediction make the ratio of bioactivity and exposure, and the note of a substance without one.
import { RawRecord } from "@chemstream/ndjson"
import { ExposureRatio } from "@chemstream/stream"
import { describe, expect, it } from "vitest"

const id = "DTXSID7020182"

const dose = (aed: number | null, unit: string | null = "mg/kg/day"): ExposureRatio.DoseRecord => ({
  aenm: "ATG_ERa_TRANS_up",
  aedVal: [aed],
  aedValUnit: [unit]
})

const predicted = (changes: ExposureRatio.ExposureRecord = {}): ExposureRatio.ExposureRecord => ({
  demographic: "Total",
  predictor: "SEEM3 Consensus",
  u95: 0.01,
  units: "mg/kg/day",
  ...changes
})

const noteOf = (ratio: ExposureRatio.ExposureRatio): string | null =>
  ExposureRatio.facts.noteOf(RawRecord.fromText(JSON.stringify(ratio)))

describe("ExposureRatio.of", () => {
  it("has the lowest dose above 0 of all records, with what belongs to it", () => {
    const doses: ReadonlyArray<ExposureRatio.DoseRecord> = [
      { aenm: "A", aedVal: [4, 2], aedValUnit: ["mg/kg/day", "mg/kg/day"], httkModel: ["pbtk", "3compss"] },
      {
        aenm: "B",
        aedVal: [0, null, 0.5, -1],
        aedValUnit: [null, null, "mg/kg/day", null],
        httkModel: ["a", "b", "pbtk", "d"],
        interindividualVarPerc: [1, 2, 95, 4]
      },
      { aenm: "C", aedVal: null },
      {}
    ]
    expect(ExposureRatio.of(id, { doses, exposures: [predicted()] })).toEqual({
      dtxsid: id,
      ratio: 50,
      aed: 0.5,
      aedUnit: "mg/kg/day",
      endpoint: "B",
      httkModel: "pbtk",
      percentile: 95,
      exposure: 0.01,
      exposureUnit: "mg/kg/day"
    })
  })

  it("has null for what a dose does not say", () => {
    expect(
      ExposureRatio.of(id, { doses: [{ aedVal: [2], aedValUnit: ["mg/kg/day"] }], exposures: [predicted()] })
    ).toMatchObject({ ratio: 200, aed: 2, endpoint: null, httkModel: null, percentile: null })
  })

  it.each<readonly [string, ExposureRatio.ExposureRecord]>([
    ["of another predictor", predicted({ predictor: "SHEDS Direct", u95: 0.5 })],
    ["for another population", predicted({ demographic: "Females", u95: 0.5 })],
    ["without an upper bound", predicted({ u95: null })],
    ["without any value", {}]
  ])("leaves out a prediction %s", (_, other) => {
    const records = { doses: [dose(2)], exposures: [other, predicted(), predicted({ u95: 0.7 })] }
    expect(ExposureRatio.of(id, records)).toMatchObject({ ratio: 200, exposure: 0.01 })
    const ratio = ExposureRatio.of(id, { doses: [dose(2)], exposures: [other] })
    expect(ratio).toMatchObject({ ratio: null, aed: 2, exposure: null, exposureUnit: null })
    expect(noteOf(ratio)).toBe("no exposure predicted by SEEM3 Consensus")
  })

  it.each(["mg/kg-day", "mg/kg bw/day", "MG/KG/D", "mg/kg_bw/day", "mg per kg per day", "mg/kg-bw-day"])(
    "reads the unit %j as mg/kg/day",
    (units) => {
      const ratioWith = (unit: string, other: string) =>
        ExposureRatio.of(id, { doses: [dose(2, unit)], exposures: [predicted({ units: other })] })
      expect(ratioWith("mg/kg/day", units)).toMatchObject({ ratio: 200, exposureUnit: units })
      expect(ratioWith(units, "mg/kg/day")).toMatchObject({ ratio: 200, aedUnit: units })
    }
  )

  it("prefers the lowest dose in the unit of the exposure to a lower one in another unit", () => {
    const doses = [dose(0.1, "µM"), dose(3), dose(2), dose(0.2, null)]
    expect(ExposureRatio.of(id, { doses, exposures: [predicted()] })).toMatchObject({ ratio: 200, aed: 2 })
  })

  it.each([
    ["another unit", { units: "mg/L" }, 0.01],
    ["no unit", { units: null }, 0.01]
  ] as const)("has the lowest dose and no ratio with an exposure in %s", (_, changes, exposure) => {
    const doses = [dose(3), dose(0.1, "µM"), dose(0.2, null)]
    const ratio = ExposureRatio.of(id, { doses, exposures: [predicted(changes)] })
    expect(ratio).toMatchObject({ ratio: null, aed: 0.1, aedUnit: "µM", exposure })
    expect(noteOf(ratio)).toBe("the doses have different units")
  })

  it.each([0, -1])("has no ratio with an exposure of %s", (u95) => {
    const ratio = ExposureRatio.of(id, { doses: [dose(2)], exposures: [predicted({ u95 })] })
    expect(ratio).toMatchObject({ ratio: null, aed: 2, exposure: u95 })
    if (u95 === 0) expect(noteOf(ratio)).toBe("the predicted exposure is 0")
  })

  it("has no dose without records of doses", () => {
    const ratio = ExposureRatio.of(id, { doses: [dose(null)], exposures: [predicted()] })
    expect(ratio).toMatchObject({ ratio: null, aed: null, aedUnit: null, endpoint: null, exposure: 0.01 })
    expect(noteOf(ratio)).toBe("no equivalent dose (AED)")
  })

  it("has four significant digits", () => {
    const ratioOf = (aed: number, u95: number) =>
      ExposureRatio.of(id, { doses: [dose(aed)], exposures: [predicted({ u95 })] }).ratio
    expect([ratioOf(1, 3), ratioOf(200_000, 3)]).toEqual([0.3333, 66_670])
  })

  it("says nothing about a substance with a ratio", () => {
    expect(noteOf(ExposureRatio.of(id, { doses: [dose(2)], exposures: [predicted()] }))).toBe(null)
  })
})
