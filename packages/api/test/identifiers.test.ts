import { existsSync, readFileSync } from "node:fs"
import { Assay, Casrn, Dtxcid, Dtxsid, InchiKey, InvalidIdentifier, MolecularFormula } from "@chemstream/api"
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
    ["DTXSID70", "at least three digits"],
    ["DTXSID711", "second digit after DTXSID must be 0"],
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
    expect(Dtxcid.fromNumber(9_999_999_999)).toMatch(/^DTXCID\d09{10}$/)
    expect(() => Dtxcid.fromNumber(10_000_000_000)).toThrow("The argument number")
  })
})

describe("Casrn", () => {
  const neighbours = (text: string): ReadonlyArray<string> =>
    Casrn.neighbours(Result.getOrThrow(Casrn.parse(text)))

  it("has no check digit to verify, and no neighbours, as a substitute", () => {
    const substitute = Result.getOrThrow(Casrn.parse(" NOCAS_47206 "))
    expect(Casrn.verify(substitute)).toEqual(Result.succeed("NOCAS_47206"))
    expect(Casrn.neighbours(substitute)).toEqual([])
  })

  it.each(["80-05-7", "71-43-2", "137885-53-1", "7732-18-5"])(
    "has %s among the neighbours of each text with two adjacent digits in the wrong order, or one wrong digit",
    (casrn) => {
      for (let at = 0; at < casrn.length; at++) {
        const next = casrn[at + 1] === "-" ? at + 2 : at + 1
        if (casrn[at] === "-" || next >= casrn.length) continue
        const between = casrn.slice(at + 1, next)
        const swapped = `${casrn.slice(0, at)}${casrn[next]}${between}${casrn[at]}${casrn.slice(next + 1)}`
        const wrong = `${casrn.slice(0, at)}${(Number(casrn[at]) + 1) % 10}${casrn.slice(at + 1)}`
        if (swapped !== casrn)
          expect([swapped, neighbours(swapped)]).toEqual([swapped, expect.arrayContaining([casrn])])
        expect([wrong, neighbours(wrong)]).toEqual([wrong, expect.arrayContaining([casrn])])
      }
    }
  )

  it("has neighbours that differ from it, each once, with the right check digit", () => {
    const found = neighbours("80-05-8")
    expect(new Set(found).size).toBe(found.length)
    expect(neighbours("80-05-7")).not.toContain("80-05-7")
    for (const one of found)
      expect(Result.flatMap(Casrn.parse(one), Casrn.verify)).toEqual(Result.succeed(one))
  })

  it("has a schema that accepts numbers and substitutes of the right form", () => {
    const texts = ["80-05-7", "NOCAS_47206", "8-05-7", "80-5-7", "NOCAS_", "12345678-05-7"]
    expect(texts.map((text) => Schema.is(Casrn.Casrn)(text))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false
    ])
  })
})

describe("a value that is no text", () => {
  it.each([
    [null, "the value is null: a DTXSID is expected as a text"],
    [undefined, "the value is undefined: a DTXSID is expected as a text"],
    [7, "the value is of type number: a DTXSID is expected as a text"],
    [{}, "the value is of type object: a DTXSID is expected as a text"]
  ])("is refused as %s: %s", (value, message) => {
    const error = failureOf(Dtxsid.parse(value as never))
    expect(error).toMatchObject({ identifier: "DTXSID", value: String(value), reason: "malformed", message })
    const parsers = [Casrn.parse, InchiKey.parse, Dtxcid.parse, Assay.parseAeid, Assay.parseSpid]
    for (const parse of [...parsers, MolecularFormula.parse])
      expect(failureOf<unknown>(parse(value as never)).reason).toBe("malformed")
  })
})

describe("an identifier of bioactivity data", () => {
  it.each(["0", "2147483648", "1.5", "x"])("refuses the number %s, and names its kind", (text) => {
    expect(failureOf(Assay.parseAeid(text))).toMatchObject({ identifier: "aeid", value: text })
    expect(failureOf(Assay.parseM4id(text))).toMatchObject({ identifier: "m4id", value: text })
  })

  it("reads whole numbers up to 32 bits, also with a fraction of 0", () => {
    for (const [text, number] of [
      ["1", 1],
      ["704.0", 704],
      ["2147483647", 2147483647]
    ] as const)
      expect([Assay.parseAeid(text), Assay.parseM4id(text)]).toEqual([
        Result.succeed(number),
        Result.succeed(number)
      ])
    const numbers = [0, 1, 2147483647, 2147483648, 1.5]
    for (const schema of [Assay.Aeid, Assay.M4id])
      expect(numbers.map((number) => Schema.is(schema)(number))).toEqual([false, true, true, false, false])
  })
})

describe("the error of an identifier", () => {
  it("quotes the value, or says that it is empty", () => {
    const refused = (value: string) =>
      failureOf(InvalidIdentifier.malformed("CASRN", "a CAS number", value, "why"))
    expect(refused("80").message).toBe('"80" is not a CAS number: why')
    expect(refused(" \n").message).toBe("the value is empty: a CAS number is expected")
    expect(refused(" \n").value).toBe(" \n")
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
    ["C2H6C1", "C3H6"],
    ["C1H4", "CH4"],
    ["BrHC", "CHBr"],
    ["ZnCl2C0001", "CCl2Zn"],
    ["C999999", "C999999"],
    ["C".repeat(200), "C200"]
  ])("puts %j in Hill order", (text, formula) => {
    expect(MolecularFormula.parse(text)).toEqual(Result.succeed(formula))
  })

  it.each([
    ["", "the value is empty: a"],
    ["Xx1", "Xx is not an element"],
    ["C0H2", "C0 has no atoms"],
    ["C99999999999999", "C99999999999999 has more than 999999 atoms"],
    ["C1000000", "C1000000 has more than 999999 atoms"],
    ["C6H6 and more text", '" and more " is not an element symbol'],
    ["C6H6+", '"+" is not an element symbol'],
    ["C".repeat(201), "longer than 200 characters"]
  ])("refuses %j and names the fault", (text, reason) => {
    expect(failureOf(MolecularFormula.parse(text)).message).toContain(reason)
  })
})
