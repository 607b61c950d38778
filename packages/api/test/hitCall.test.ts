import { BioactivityData } from "@chemstream/api"
import { describe, expect, it } from "vitest"

describe("a hit call (docs/service.md, section 5.6)", () => {
  it.each([
    [1, true],
    [0.9, true],
    [0.8999999999999999, false],
    [0, false],
    [-0.95, false],
    [null, false]
  ])("in multi-concentration data of %s is active: %s", (hitc, active) => {
    expect(BioactivityData.isActive({ hitc, nconc: 8 })).toBe(active)
  })

  it.each([
    [1, true],
    [0.95, false],
    [0, false],
    [null, false]
  ])("in single-concentration data of %s is active: %s", (hitc, active) => {
    expect(BioactivityData.isActive({ hitc, nconc: 1 })).toBe(active)
  })

  it("counts as that of multi-concentration data if the number of concentrations is unknown", () => {
    expect(BioactivityData.isSingle({ nconc: null })).toBe(false)
    expect(BioactivityData.isActive({ hitc: 0.95, nconc: null })).toBe(true)
  })
})
