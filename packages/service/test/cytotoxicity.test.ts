import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as cytotoxicity from "../src/internal/records/cytotoxicity.ts"

const tested = (aeid: number, hitc: number | null, ac50: number | null): cytotoxicity.EndpointResult => ({
  aeid,
  hitc,
  ac50,
  nconc: 8
})

describe("the statistics of cytotoxicity", () => {
  it("are the median and the scaled MAD of log10 AC50 of active endpoints, and a bound three global MADs lower", () => {
    const records = [
      tested(1, 0.95, 10),
      tested(2, 0.9, 100),
      tested(3, 1, 10_000),
      tested(4, 0.8999999999999999, 0.001)
    ]
    expect(cytotoxicity.statistics(records, 0.25)).toEqual({
      cytotoxMedianRaw: 2,
      cytotoxMad: 1.4826,
      globalMad: 0.25,
      cytotoxMedianLog: 2,
      cytotoxMedianUm: 100,
      cytotoxLowerUm: 10 ** 1.25,
      cytotoxLowerLog: 1.25,
      ntested: 4,
      nhit: 3
    })
  })

  it("are null without active endpoints, and count the tested ones", () => {
    expect(cytotoxicity.statistics([tested(1, 0.2, 5), tested(2, null, null)], null)).toEqual({
      cytotoxMedianRaw: null,
      cytotoxMad: null,
      globalMad: null,
      cytotoxMedianLog: null,
      cytotoxMedianUm: null,
      cytotoxLowerUm: null,
      cytotoxLowerLog: null,
      ntested: 2,
      nhit: 0
    })
  })

  it("have a median but neither MAD nor cytotoxicity point with one active endpoint", () => {
    expect(cytotoxicity.statistics([tested(1, 0.99, 10)], 0.25)).toMatchObject({
      cytotoxMedianRaw: 1,
      cytotoxMad: null,
      cytotoxMedianLog: null,
      cytotoxLowerLog: null,
      ntested: 1,
      nhit: 1
    })
  })

  it("have no lower bound if no chemical has a MAD", () => {
    const records = [tested(1, 1, 10), tested(2, 1, 10)]
    expect(cytotoxicity.statistics(records, null)).toMatchObject({
      cytotoxMedianUm: 10,
      cytotoxLowerUm: null
    })
  })

  it("take one of several samples in an endpoint: the highest hit call, then the lowest AC50", () => {
    const records = [
      tested(1, 0.95, 1),
      tested(1, 0.99, 1000),
      tested(1, 0.99, 100),
      tested(1, null, 0.1),
      tested(2, 1, 100)
    ]
    expect(cytotoxicity.statistics(records, 0)).toMatchObject({
      cytotoxMedianRaw: 2,
      cytotoxMad: 0,
      ntested: 2,
      nhit: 2
    })
  })

  it("count an active endpoint with an unknown AC50, or one not above 0, only as a hit", () => {
    const records = [tested(1, 1, null), tested(2, 1, 0), tested(3, 1, 10)]
    expect(cytotoxicity.statistics(records, 0)).toMatchObject({ cytotoxMedianRaw: 1, nhit: 3 })
  })

  it("do not depend on the order of the records", () => {
    const record = fc.record({
      aeid: fc.integer({ min: 1, max: 5 }),
      hitc: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      ac50: fc.option(fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
      nconc: fc.constant(8)
    })
    fc.assert(
      fc.property(fc.array(record), (records) => {
        expect(cytotoxicity.statistics(records.toReversed(), 0.2)).toEqual(
          cytotoxicity.statistics(records, 0.2)
        )
      })
    )
  })
})

describe("a cytotoxicity endpoint", () => {
  it.each([
    [1, "steroid hormone", true],
    [true, undefined, true],
    [0, "cell cycle", false],
    [false, "cell cycle", false],
    [undefined, "Cell Cycle", true],
    [null, "cell cycle", true],
    [undefined, "steroid hormone", false],
    [undefined, undefined, false]
  ])("is recognized by burstAssay %s, otherwise by the family %s: %s", (burstAssay, family, expected) => {
    expect(cytotoxicity.isCytotoxicity(burstAssay, family)).toBe(expected)
  })
})

describe("a median", () => {
  it("is the middle value, the mean of the two middle values, or null without values", () => {
    expect(cytotoxicity.median([3, 1, 20])).toBe(3)
    expect(cytotoxicity.median([4, -10, 1, 2])).toBe(1.5)
    expect(cytotoxicity.median([])).toBe(null)
  })

  it("has as many values below it as above", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const middle = cytotoxicity.median(values) as number
        expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(values.length / 2)
        expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(values.length / 2)
      })
    )
  })
})
