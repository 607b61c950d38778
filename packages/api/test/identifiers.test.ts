import { existsSync, readFileSync } from "node:fs"
import { Dtxcid, Dtxsid, type InvalidIdentifier, MolecularFormula } from "@chemstream/api"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const recorded = new URL("../../../../shared/real/details-163.json", import.meta.url)

const failureOf = <A>(
  result: Result.Result<A, InvalidIdentifier.InvalidIdentifier>
): InvalidIdentifier.InvalidIdentifier => {
  expect(result).toSatisfy(Result.isFailure)
  return (result as Result.Failure<A, InvalidIdentifier.InvalidIdentifier>).failure
}

describe("Dtxsid", () => {
  it("reads an identifier in lower case and with white space around it", () => {
    expect(Dtxsid.parse("\t dtxsid7020182\r")).toEqual(Result.succeed("DTXSID7020182"))
  })

  it.each([
    ["", "the value is empty: a"],
    ["50-00-0", "must start with DTXSID"],
    ["DTXCID30182", "names a compound"],
    ["DTXSID70201A2", "only digits"],
    ["DTXSID7", "at least three digits"],
    ["DTXSID7120182", "second digit after DTXSID must be 0"],
    ["DTXSID7012345678901", "too many digits"],
    ["DTXSID7020182 DTXSID3039242", "only digits"]
  ])("refuses %j and names the fault", (text, reason) => {
    const error = failureOf(Dtxsid.parse(text))
    expect(error).toMatchObject({ identifier: "DTXSID", value: text, reason: "malformed" })
    expect(error.message).toContain(reason)
  })

  it("shortens a long text in its message", () => {
    expect(failureOf(Dtxsid.parse("x".repeat(100_000))).message.length).toBeLessThan(200)
  })

  it("reports a wrong check digit without guessing which digit is wrong", () => {
    const error = failureOf(Dtxsid.verify(Result.getOrThrow(Dtxsid.parse("DTXSID1020182"))))
    expect(error).toMatchObject({ reason: "check-digit" })
    expect(error.message).toBe(
      "DTXSID1020182 has the check digit 1, but its other digits give 7; any digit may be wrong"
    )
  })

  it("finds any wrong check digit, and has the right identifier among the neighbours", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999 }),
        fc.integer({ min: 1, max: 9 }),
        (number, shift) => {
          const id = Dtxsid.fromNumber(number)
          const wrongDigit = (Number(id[6]) + shift) % 10
          const wrong = Result.getOrThrow(Dtxsid.parse(`DTXSID${wrongDigit}${id.slice(7)}`))
          expect(failureOf(Dtxsid.verify(wrong)).reason).toBe("check-digit")
          expect(Dtxsid.neighbours(wrong)).toContain(id)
        }
      )
    )
  })

  it("makes identifiers that its own checks accept", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (number) => {
        const id = Dtxsid.fromNumber(number)
        expect(Result.flatMap(Dtxsid.parse(id), Dtxsid.verify)).toEqual(Result.succeed(id))
      })
    )
  })

  it("has a schema that accepts canonical identifiers and names the kind in its error", () => {
    expect(Schema.is(Dtxsid.Dtxsid)("DTXSID7020182")).toBe(true)
    expect(() => Schema.decodeUnknownSync(Dtxsid.Dtxsid)("DTXCID30182")).toThrow("a DTXSID")
  })
})

describe("Dtxcid", () => {
  it("distinguishes a compound from a substance", () => {
    expect(Dtxcid.parse("DTXCID30182")).toEqual(Result.succeed("DTXCID30182"))
    expect(failureOf(Dtxcid.parse("DTXSID7020182")).message).toContain("names a substance")
  })

  it("makes an identifier from a compound number without padding it", () => {
    expect(Dtxcid.fromNumber(182)).toBe("DTXCID30182")
    expect(Dtxcid.fromNumber(5)).toBe("DTXCID505")
  })
})

describe("recorded identifiers", () => {
  it.skipIf(!existsSync(recorded))(
    "pass their check digits and equal the identifiers of their numbers (skipped without ../shared/real)",
    () => {
      const records: ReadonlyArray<{
        dtxsid: string
        dtxcid: string | null
        genericSubstanceId: number
        compoundId: number | null
      }> = JSON.parse(readFileSync(recorded, "utf8"))
      expect(records).toHaveLength(163)
      for (const record of records) {
        expect(Result.flatMap(Dtxsid.parse(record.dtxsid), Dtxsid.verify)).toEqual(
          Result.succeed(record.dtxsid)
        )
        expect(Dtxsid.fromNumber(record.genericSubstanceId)).toBe(record.dtxsid)
        if (record.dtxcid !== null && record.compoundId !== null) {
          expect(Result.flatMap(Dtxcid.parse(record.dtxcid), Dtxcid.verify)).toEqual(
            Result.succeed(record.dtxcid)
          )
          expect(Dtxcid.fromNumber(record.compoundId)).toBe(record.dtxcid)
        }
      }
    }
  )
})

describe("MolecularFormula", () => {
  it.each([
    ["H6C6", "C6H6"],
    [" C15H16O2 ", "C15H16O2"],
    ["OH2", "H2O"],
    ["NaCl", "ClNa"],
    ["CHCl3", "CHCl3"],
    ["C2H6C1", "C3H6"]
  ])("puts %j in Hill order", (text, formula) => {
    expect(MolecularFormula.parse(text)).toEqual(Result.succeed(formula))
  })

  it.each([
    ["", "the value is empty: a"],
    ["Xx1", "Xx is not an element"],
    ["C0H2", "C0 has no atoms"],
    ["C99999999999999", "C99999999999999 has more than 999999 atoms"],
    ["C6H6+", '"+" is not an element symbol'],
    ["C".repeat(201), "longer than 200 characters"]
  ])("refuses %j and names the fault", (text, reason) => {
    expect(failureOf(MolecularFormula.parse(text)).message).toContain(reason)
  })
})
