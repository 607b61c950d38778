/** The keys of endpoints: how their values are read from text, and carried in requests. */
import { Key, MassRange, type Row, Rows } from "@chemstream/api"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const messageOf = (key: Key.Key, text: string): string =>
  Result.match(key.parse(text), { onSuccess: () => "", onFailure: ({ message }) => message })

const part = fc
  .string({ minLength: 1, unit: fc.constantFrom(..."aZ0-' (.,") })
  .filter((text) => text.trim() === text && text.replaceAll(",", "").trim() !== "")

describe("Key.propertyRange", () => {
  it("returns the fields of any property and range, and reads its own spelling", () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(part, numbers, numbers, (propertyName, one, other) => {
        const [start, end] = [Math.min(one, other) + 0, Math.max(one, other) + 0]
        const value = Result.getOrThrow(Key.propertyRange.parse(` ${propertyName} , ${start},${end} `))
        expect(Key.propertyRange.toFields(value)).toEqual({ propertyName, start, end })
        expect(Result.getOrThrow(Key.propertyRange.parse(value))).toBe(value)
      })
    )
  })

  it("of a property may be a single value", () => {
    expect(Key.propertyRange.parse("LogP,2,2")).toEqual(Result.succeed("LogP,2,2"))
  })

  it.each([
    ["", "the value is empty: a range of a property is expected"],
    ["Boiling Point", "two numbers"],
    ["Boiling Point,340", "two numbers"],
    ["Boiling Point,340,", "two numbers"],
    ["Boiling Point,low,365", "two numbers"],
    ["Boiling Point,340,1e999", "two numbers"],
    [" ,340,365", "two numbers"],
    ["\ud800,340,365", "two numbers"],
    ["Boiling Point,365,340", "its start is above its end"]
  ])("refuses %j and says what it must be", (text, reason) => {
    expect(messageOf(Key.propertyRange, text)).toContain(reason)
  })
})

describe("Key.listWord", () => {
  it("returns the fields of any list and word, and reads its own spelling", () => {
    const names = part.filter((text) => !text.includes(","))
    fc.assert(
      fc.property(names, part, (list, word) => {
        const value = Result.getOrThrow(Key.listWord.parse(` ${list} , ${word} `))
        expect(Key.listWord.toFields(value)).toEqual({ list, word })
        expect(Result.getOrThrow(Key.listWord.parse(value))).toBe(value)
      })
    )
  })

  it("refuses an empty text", () => {
    expect(messageOf(Key.listWord, " ")).toContain("the value is empty: a word in a list")
  })

  it.each(["40CFR1164", "40CFR1164,", "40CFR1164, ,", ",Benzene", "40CFR1164,\udfff"])(
    "refuses %j and says what it must be",
    (text) => {
      expect(messageOf(Key.listWord, text)).toContain("it must be the name of a list and a word")
    }
  )
})

describe("the key of a row", () => {
  const inPaths = (Rows.all as ReadonlyArray<Row.Row>).flatMap(({ get, key, name }) =>
    key !== undefined && get.path.includes("{") ? [{ key, name, path: get.path }] : []
  )

  it.each(inPaths)("of $name has the parameters of the path", ({ key, path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(key.fields)).toEqual(names)
    expect(Object.keys(key.toFields(Result.getOrThrow(key.parse(key.example))))).toEqual(names)
  })
})

describe("a key of one text or number", () => {
  const studyId = Key.integer("studyId", { one: "a study", many: "studies", example: "12" })
  const medium = Key.text("medium", { one: "a medium", many: "media", example: "surface water" })

  it.each<[string, string, string, Key.Key, Readonly<Record<string, unknown>>]>([
    ["studyId", " 12 ", "12", studyId, { studyId: 12 }],
    ["studyId", "12.0", "12", studyId, { studyId: 12 }],
    ["studyId", "1.2e1", "12", studyId, { studyId: 12 }],
    ["studyId", "1E+3", "1000", studyId, { studyId: 1000 }],
    ["studyId", "1", "1", studyId, { studyId: 1 }],
    ["studyId", "2147483647", "2147483647", studyId, { studyId: 2147483647 }],
    ["aeid", "3032.00", "3032", Key.aeid, { aeid: 3032 }],
    ["m4id", " 1 ", "1", Key.m4id, { m4id: 1 }],
    ["spid", " TP0000001A01 ", "TP0000001A01", Key.spid, { spid: "TP0000001A01" }],
    ["medium", " surface water ", "surface water", medium, { medium: "surface water" }],
    ["word", " Bisphenol A ", "Bisphenol A", Key.word, { word: "Bisphenol A" }],
    ["formula", "H6C6", "C6H6", Key.formula, { formula: "C6H6" }],
    ["formulas", "H6C6, OH2", "C6H6,H2O", Key.formulas, { formulas: ["C6H6", "H2O"] }],
    ["dtxsid", "dtxsid7020182", "DTXSID7020182", Key.dtxsid, { dtxsid: "DTXSID7020182" }],
    ["dtxcid", "dtxcid30182", "DTXCID30182", Key.dtxcid, { dtxcid: "DTXCID30182" }],
    ["mass", "2.28115e2", "228.115", Key.mass, { mass: 228.115 }],
    ["mass", "228,115", "228.115", Key.mass, { mass: 228.115 }],
    ["mass", "0", "0", Key.mass, { mass: 0 }],
    ["mass", "1000000", "1000000", Key.mass, { mass: 1_000_000 }],
    ["range", " 200.90,200.95 ", "200.9,200.95", Key.massRange, { start: 200.9, end: 200.95 }],
    ["range", "1,1", "1,1", Key.massRange, { start: 1, end: 1 }]
  ])("of the name %s reads %j as %j", (name, text, value, key, fields) => {
    expect(key.name).toBe(name)
    expect(key.parse(text)).toEqual(Result.succeed(value))
    expect(key.parse(value)).toEqual(Result.succeed(value))
    expect(key.verify(value)).toEqual(Result.succeed(value))
    expect(key.toFields(value)).toEqual(fields)
    expect(Object.keys(key.fields)).toEqual(Object.keys(fields))
    expect(Schema.is(Schema.Struct(key.fields) as unknown as Schema.Codec<unknown>)(fields)).toBe(true)
  })

  const wholeNumber = "it must be a whole number from 1 to 2147483647"

  it.each<[string, string, Key.Key]>([
    ["", "the value is empty: a study is expected", studyId],
    ["0", `"0" is not a study: ${wholeNumber}`, studyId],
    ["2147483648", wholeNumber, studyId],
    ["1.5", wholeNumber, studyId],
    ["1e-1", wholeNumber, studyId],
    ["-1", wholeNumber, studyId],
    ["x", wholeNumber, studyId],
    ["0", '"0" is not an aeid: it must be from 1 to 2147483647', Key.aeid],
    ["2147483648", "it must be from 1 to 2147483647", Key.aeid],
    ["x1", '"x1" is not an m4id: it must be a whole number', Key.m4id],
    [" ", "the value is empty: an spid is expected", Key.spid],
    [" ", "the value is empty: a medium is expected", medium],
    ["\ud800", "is not a medium: it contains half a character", medium],
    ["", "the value is empty: a search word is expected", Key.word],
    ["a\udfff", '"a\\udfff" is not a search word: it contains half a character', Key.word],
    ["C6H6,", "the value is empty: a molecular formula is expected", Key.formulas],
    ["C6H6,Xx", "Xx is not an element", Key.formulas],
    ["", "the value is empty: a mass is expected", Key.mass],
    ["-1", '"-1" is not a mass: a number of dalton from 0 to 1000000, e.g. 228.115', Key.mass],
    ["1000001", "from 0 to 1000000", Key.mass],
    ["2,281", "is not a mass", Key.mass],
    ["heavy", "is not a mass", Key.mass],
    ["", "the value is empty: a mass range is expected", Key.massRange],
    ["200", '"200" is not a mass range: two masses in dalton, e.g. 200.9,200.95', Key.massRange],
    ["1,2,3", "two masses", Key.massRange],
    ["1,", "two masses", Key.massRange],
    ["1,x", "two masses", Key.massRange],
    ["2,1", "its start is above its end", Key.massRange],
    ["0,1000001", "masses must be numbers from 0 to 1000000", Key.massRange],
    ["-1,1", "masses must be numbers from 0 to 1000000", Key.massRange]
  ])("refuses %j: %s", (text, message, key) => {
    expect(messageOf(key, text)).toContain(message)
  })

  it("that is a whole number has a schema of positive numbers of 32 bits", () => {
    for (const key of [studyId.fields.studyId, Key.aeid.fields.aeid, Key.m4id.fields.m4id]) {
      const numbers = [0, 1, 1.5, 2147483647, 2147483648]
      expect(numbers.map((number) => Schema.is(key as Schema.Codec<unknown>)(number))).toEqual([
        false,
        true,
        false,
        true,
        false
      ])
    }
  })

  it.each([
    [Key.dtxsid, "DTXSID1020182"],
    [Key.dtxcid, "DTXCID40182"]
  ] as ReadonlyArray<[Key.Key, string]>)(
    "of $name verifies the check digit apart from the form",
    (key, value) => {
      expect(key.parse(value)).toEqual(Result.succeed(value))
      expect(Result.isFailure(key.verify(value)) && key.verify(value)).toMatchObject({
        failure: { reason: "check-digit" }
      })
    }
  )
})

describe("a mass range", () => {
  it("around a mass has its tolerance to both sides, but no mass below 0", () => {
    expect(MassRange.around(100, 0.5)).toEqual(Result.succeed({ start: 99.5, end: 100.5 }))
    expect(MassRange.around(100)).toEqual(Result.succeed({ start: 99.995, end: 100.005 }))
    expect(MassRange.around(0.25, 0.5)).toEqual(Result.succeed({ start: 0, end: 0.75 }))
    expect(MassRange.around(5, 0)).toEqual(Result.succeed({ start: 5, end: 5 }))
  })

  it.each([
    [100, -1, "its tolerance -1 is negative"],
    [100, Number.NaN, "its tolerance NaN is negative"],
    [1_000_000, 1, "masses must be numbers from 0 to 1000000"]
  ])("around %d with the tolerance %d is refused", (mass, tolerance, message) => {
    const range = MassRange.around(mass, tolerance)
    expect(Result.isFailure(range) && range.failure.message).toContain(message)
  })
})
