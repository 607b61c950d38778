import { Curve } from "@chemstream/figures"
import { describe, expect, it } from "vitest"

/** Parameters and tops of one published record, computed by its pipeline. Its largest concentration was 50 µM. */
const fitted = {
  poly1: { parameters: { a: 0.5150479432537712 }, top: 25.75239716268856 },
  poly2: { parameters: { a: 2323.882444395881, b: 4567.207855100587 }, top: 25.719470980222596 },
  pow: { parameters: { a: 8.051875026642751, p: 0.3000002363252646 }, top: 26.03684923789126 },
  exp2: { parameters: { a: 2586.5273948186914, b: 5061.903524643174 }, top: 25.67555887819936 },
  exp3: {
    parameters: { a: 16.991620306804258, b: 61.307930252068054, p: 0.3000001542012486 },
    top: 26.53564273777775
  }
} as const

/** The same record: parameters and the concentration at half the top. */
const saturating = {
  exp4: { tp: 20.260251446603277, ga: 1.0188231249900932, ac50: 1.0188231249900932 },
  exp5: { tp: 20.7377426492478, ga: 0.4248866702697808, p: 0.41109358960702536, ac50: 0.4248866702697808 },
  hill: { tp: 21.817114896556166, ga: 0.39605546778034006, p: 0.5634498524518311, ac50: 0.39605546778034006 }
} as const

describe("fromRecord", () => {
  it.each(Object.entries(fitted))("reaches the published top with %s", (modl, { parameters, top }) => {
    expect(Curve.fromRecord({ modl, mc5Param: parameters })?.at(50)).toBeCloseTo(top, 4)
  })

  it.each(Object.entries(saturating))(
    "is at half its top at the published AC50 with %s",
    (modl, parameters) => {
      const curve = Curve.fromRecord({ modl, mc5Param: parameters })
      expect(curve?.at(parameters.ac50)).toBeCloseTo(parameters.tp / 2, 8)
    }
  )

  it("rises to the published top and falls to zero with gnls", () => {
    const [tp, ga, p, la, q] = [
      21.81742856245767, 0.3960985797099487, 0.5634256102787089, 4930.779736400695, 7.95
    ]
    const curve = Curve.fromRecord({ modl: "gnls", mc5Param: { tp, ga, p, la, q } })
    expect(curve?.at(1e-6)).toBeCloseTo(0, 1)
    expect(curve?.at(0.3838306742682284)).toBeCloseTo(21.62406269958069 / 2, 1)
    expect(curve?.at(1e8)).toBeCloseTo(0, 8)
  })

  it("is zero everywhere with cnst, and at concentration 0 with every model", () => {
    expect(Curve.fromRecord({ modl: "cnst" })?.at(10)).toBe(0)
    for (const modl of Curve.models) {
      const curve = Curve.fromRecord({ modl, mc5Param: { a: 2, b: 3, tp: 4, ga: 5, p: 1, la: 6, q: 7 } })
      expect(curve?.at(0), modl).toBeCloseTo(0, 12)
    }
  })

  it("takes parameters from mc4Param if mc5Param lacks them", () => {
    expect(Curve.fromRecord({ modl: "hill", mc4Param: { hill_tp: 10, hill_ga: 2, hill_p: 1 } })?.at(2)).toBe(
      5
    )
  })

  it.each([
    [{ modl: null }],
    [{ modl: "none" }],
    [{ modl: "toString" }],
    [{ modl: "hill", mc5Param: null }],
    [{ modl: "hill", mc5Param: { tp: 1, ga: null, p: 1 } }]
  ])("has no curve of %j", (record) => {
    expect(Curve.fromRecord(record)).toBeUndefined()
  })
})

describe("ac50 and top", () => {
  it("are read from a point of the summary plot or from the parameters", () => {
    expect(Curve.ac50({ ac50: 3 })).toBe(3)
    expect(Curve.ac50({ mc5Param: { ac50: 4 } })).toBe(4)
    expect(Curve.ac50({ modl: "hill", mc4Param: { hill_ac50: 5 } })).toBe(5)
    expect(Curve.top({ top: -3 })).toBe(-3)
    expect(Curve.top({ mc5Param: { top: 4 } })).toBe(4)
  })

  it("are undefined if a concentration is not positive", () => {
    expect(Curve.ac50({ ac50: 0 })).toBeUndefined()
    expect(Curve.ac50({ ac50: null })).toBeUndefined()
  })
})
