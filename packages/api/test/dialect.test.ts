/**
 * Compares the facts about the public service with its recorded responses, if available.
 */
import { existsSync, readFileSync } from "node:fs"
import { Dialect } from "@chemstream/api"
import { describe, expect, it } from "vitest"

const recorded = new URL("../../../../shared/real/", import.meta.url)

const record = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(name, recorded), "utf8"))

describe("the name of a dialect", () => {
  it("is one of two", () => {
    expect(["specification", "ctx", "epa", undefined].filter(Dialect.isName)).toEqual([
      "specification",
      "ctx"
    ])
  })
})

describe.skipIf(!existsSync(recorded))(
  "the detail record of the public service (skipped without ../shared/real)",
  () => {
    it("has the fields of a recorded response", () => {
      expect(Object.keys(record("detail-DTXSID7020182-2026.json")).sort()).toEqual(
        [...Dialect.ctxDetailFields.chemicaldetailall].sort()
      )
      // This recording has another projection than its file name says.
      expect(Object.keys(record("detail-chemicalidentifier.json")).sort()).toEqual(
        [...Dialect.ctxDetailFields.ntatoolkit].sort()
      )
    })
  }
)
