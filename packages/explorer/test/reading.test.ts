import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { identifiersOf, read, suggestedKeys } from "../page/list/input.ts"
import { massOf } from "../page/search/find.ts"

describe("a search text", () => {
  it.each([
    ["228.115", 228.115, (228.115 * 5) / 1e6],
    ["228.115 Da", 228.115, (228.115 * 5) / 1e6],
    ["228.115 ± 10 ppm", 228.115, (228.115 * 10) / 1e6],
    ["228 Da +/- 0.5 Da", 228, 0.5]
  ])("is a mass: %s", (text, mass, tolerance) => {
    expect(massOf(text)).toMatchObject({ mass, tolerance: expect.closeTo(tolerance, 12) })
  })

  it.each(["80-05-7", "80057", "228", "C15H16O2", "2,4-D", "1.2.3", "228.115 ± ppm"])(
    "is not a mass: %s",
    (text) => {
      expect(massOf(text)).toBeUndefined()
    }
  )
})

describe("an input", () => {
  const layoutOf = (name: string, text: string) =>
    Effect.runSync(read(name, new TextEncoder().encode(text))).table

  it.each([
    ["80-05-7\nBenzene\n"],
    ["2,2-dimethylpropane\n1,1,1-trichloroethane\n"],
    ["N,N-dimethylformamide\n"],
    ["DTXSID7020182\n"]
  ])("is a list: %j", (text) => {
    expect(layoutOf("pasted list", text)).toBeUndefined()
  })

  it.each([
    ["pasted list", "sample,casrn\nS-01,80-05-7\n", ",", ["sample", "casrn"]],
    ["pasted list", "name\tDTXSID\nBenzene\t\n", "\t", ["name", "DTXSID"]],
    ["pasted list", "sample;CAS number\nS-01;80-05-7\n", ";", ["sample", "CAS number"]],
    ["one.csv", "what\nBenzene\n", ",", ["what"]]
  ])("is a table: %s %j", (name, text, separator, columns) => {
    expect(layoutOf(name, text)).toMatchObject({ separator, columns })
  })

  it("suggests the columns named like identifiers, best first", () => {
    expect(suggestedKeys(["sample", "name", "casrn", "DTXSID"])).toEqual(["DTXSID", "casrn", "name"])
    expect(suggestedKeys(["a", "b"])).toEqual(["a"])
  })

  it("is refused if it has more rows than the page can hold", () => {
    const bytes = new TextEncoder().encode("80-05-7\n".repeat(50_001))
    const refused = Effect.runSync(Effect.flip(identifiersOf({ name: "list", bytes, table: undefined }, [])))
    expect(refused.message).toContain("more than 50000 rows")
  })
})
