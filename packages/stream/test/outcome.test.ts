import { Dtxsid } from "@chemstream/api"
import { Outcome } from "@chemstream/stream"
import { Result } from "effect"
import { describe, expect, it } from "vitest"

describe("Outcome.describe", () => {
  it("counts the found records", () => {
    expect(Outcome.describe(Outcome.found("DTXSID7020182", 1, [{}, {}]))).toBe(
      "found: DTXSID7020182: 2 records"
    )
  })

  it("has the reason of other outcomes, and another message for missing identifiers if one is passed", () => {
    const invalid = Result.getOrThrow(Result.flip(Dtxsid.parse("DTXSID1")))
    expect(Outcome.describe(Outcome.invalid("DTXSID1", 4, invalid))).toBe(
      `invalid: DTXSID1: ${invalid.message}`
    )
    const missing = Outcome.missing("DTXSID7020182", 2, ["DTXSID3039242"])
    expect(Outcome.describe(missing, (id) => `no synonyms of ${id}`)).toBe(
      "missing: DTXSID7020182: no synonyms of DTXSID7020182; similar name: DTXSID3039242"
    )
  })

  it("names no identifier when there is none", () => {
    const invalid = Result.getOrThrow(Result.flip(Dtxsid.parse("")))
    expect(Outcome.describe(Outcome.invalid("", 4, invalid))).toBe(`invalid: ${invalid.message}`)
  })

  it("is one line for any identifier and error", () => {
    const line = Outcome.describe(Outcome.failed("two\r\nlines", 1, new Error("one\n  and another")))
    expect(line).toBe("failed: two lines: one and another")
  })
})
