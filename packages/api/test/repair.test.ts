import {
  Casrn,
  Dtxcid,
  Dtxsid,
  IdentifierKind,
  Key,
  MolecularFormula,
  Placeholder,
  Repair
} from "@chemstream/api"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const inchikey = "IISBACLAFKSPIT-UHFFFAOYSA-N"
const inchi = "InChI=1S/C6H6/c1-2-4-6-5-3-1/h1-6H"
const smiles = "CC(C)(c1ccc(O)cc1)c1ccc(O)cc1"

/** The most likely reading of a text, as kind and value. */
const reading = (text: string): string =>
  Result.match(IdentifierKind.classify(text), {
    onFailure: ({ message, reason }) => `${reason}: ${message}`,
    onSuccess: ({ first: [{ kind, value }] }) => `${kind} ${value}`
  })

const letters = (count: number) =>
  fc.string({ unit: fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"), minLength: count, maxLength: count })

/** Valid identifiers of each kind, in canonical spelling. */
const valid = fc.oneof(
  fc
    .nat(999_999_999)
    .map((number) => ({ kind: "dtxsid" as const, value: Dtxsid.fromNumber(number) as string })),
  fc
    .nat(999_999_999)
    .map((number) => ({ kind: "dtxcid" as const, value: Dtxcid.fromNumber(number) as string })),
  fc.integer({ min: 5000, max: 999_999_999 }).map((number) => {
    const digits = String(number)
    const sum = [...digits].reduceRight((total, digit, i) => total + Number(digit) * (digits.length - i), 0)
    return { kind: "casrn" as const, value: `${digits.slice(0, -2)}-${digits.slice(-2)}-${sum % 10}` }
  }),
  fc
    .tuple(letters(14), letters(8), fc.constantFrom("S", "N"), letters(1))
    .map(([one, two, flag, last]) => ({ kind: "inchikey" as const, value: `${one}-${two}${flag}A-${last}` })),
  fc
    .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 2, max: 120 }), fc.integer({ min: 2, max: 9 }))
    .map(([c, h, o]) => ({
      kind: "formula" as const,
      value: Result.getOrThrow(MolecularFormula.parse(`C${c}H${h}O${o}`)) as string
    })),
  fc.constantFrom({ kind: "inchi" as const, value: inchi }, { kind: "smiles" as const, value: smiles })
)

/** Damages that keep all characters of an identifier, or replace them by look-alikes. */
const damages: ReadonlyArray<(id: string, kind: string) => string> = [
  (id) => ` ${id}\u00a0`,
  (id) => `"${id}"`,
  (id) => `'${id}`,
  (id) => `="${id}"`,
  (id, kind) => (kind === "inchi" ? id : `${id};`),
  (id) => `\ufeff${id}`,
  (id) => [...id].join("\u200b"),
  (id) => `${id.slice(0, 4)}\u00ad${id.slice(4)}`,
  (id, kind) => (kind === "formula" ? id : id.replaceAll("-", "–")),
  (id, kind) => (kind === "smiles" || kind === "inchi" || kind === "formula" ? id : `(${id})`),
  (id, kind) =>
    kind === "smiles" || kind === "inchi" || kind === "formula" ? id : `https://example.org/x/${id}`,
  (id, kind) => (kind === "dtxsid" || kind === "dtxcid" ? `${id.slice(0, 6)} ${id.slice(6)}` : id),
  (id, kind) =>
    kind === "dtxsid" || kind === "dtxcid" ? `DTX${id[3]}ID${id.slice(6).replace(/0/g, "O")}` : id,
  (id, kind) => (kind === "casrn" || kind === "inchikey" ? id.replaceAll("-", " ") : id),
  (id, kind) => (kind === "casrn" || kind === "inchikey" ? id.replaceAll("-", ".") : id),
  (id, kind) => (kind === "casrn" ? `${id.replaceAll("-", "")}.0` : id),
  (id, kind) => (kind === "casrn" ? id.padStart(12, "0") : id),
  (id, kind) => (kind === "formula" ? id.replace(/\d+/g, (digits) => `<sub>${digits}</sub>`) : id),
  (id, kind) => (kind === "formula" ? id.replace(/(?<=\d)(?=[A-Z])/g, " ") : id)
]

/** The damage, the kind, the damaged text and the repaired one, in the order of the table. */
const examples = [
  ["invisible characters", "casrn", "80\u00ad-05\u200b-7\ufeff", "80-05-7"],
  ["markup", "formula", "C<sub>15</sub>H<sub>16</sub>O<sub>2</sub>", "C15H16O2"],
  ["special characters", "formula", "C₁₅H₁₆O₂", "C15H16O2"],
  ["dashes", "casrn", "80–05–7", "80-05-7"],
  ["a formula of a spreadsheet", "casrn", '="80-05-7"', "80-05-7"],
  [
    "a web address",
    "dtxsid",
    "https://comptox.epa.gov/dashboard/chemical/details/DTXSID7020182",
    "DTXSID7020182"
  ],
  ["quotation marks or punctuation", "casrn", "'80-05-7;", "80-05-7"],
  ["a label", "casrn", "CAS_RN: 80-05-7", "80-05-7"],
  ["separators", "dtxsid", "DTXSID 7020182", "DTXSID7020182"],
  ["letters for digits", "dtxsid", "DTXSID702O182", "DTXSID7020182"],
  ["letters for digits", "casrn", "8O-O5-7", "80-05-7"],
  ["a number", "casrn", "80057.0", "80-05-7"],
  ["a date that a spreadsheet made of it", "casrn", "5/7/1980", "80-05-7"],
  ["padding", "casrn", "0000080-05-7", "80-05-7"],
  ["separators", "casrn", "80.05.7", "80-05-7"],
  ["no hyphens", "casrn", "80057", "80-05-7"],
  ["separators", "inchikey", "IISBACLAFKSPIT.UHFFFAOYSA.N", "IISBACLAFKSPIT-UHFFFAOYSA-N"],
  [
    "line breaks or words after it",
    "inchi",
    "InChI=1S/C6H6/c1-2-4- 6-5-3-1/h1-6H",
    "InChI=1S/C6H6/c1-2-4-6-5-3-1/h1-6H"
  ],
  ["text after it", "smiles", "CC(C)(c1ccc(O)cc1)c1ccc(O)cc1 |c:0,2,4|", "CC(C)(c1ccc(O)cc1)c1ccc(O)cc1"],
  ["spaces", "formula", "C15 H16 O2", "C15H16O2"]
] as const

describe("Repair", () => {
  it("has an example of each repair of the table", () => {
    expect(examples.map(([damage]) => damage)).toEqual(Repair.table.map(({ damage }) => damage))
  })

  it.each(examples)(
    "repairs %s, and names the damage in the note: %s %j",
    (damage, kind, damaged, repaired) => {
      const found = Result.getOrThrow(Repair.read(kind, damaged))
      expect([damaged, found.value]).toEqual([damaged, repaired])
      expect(found.note).toContain(damage)
    }
  )

  it.each([
    ["DTXSID 7020182", "dtxsid DTXSID7020182"],
    ["DTXSID702O182", "dtxsid DTXSID7020182"],
    ["DTXS1D7O2Ol82", "dtxsid DTXSID7020182"],
    ["DTXSID: 7020182", "dtxsid DTXSID7020182"],
    ["comptox:DTXSID7020182", "dtxsid DTXSID7020182"],
    ["https://comptox.epa.gov/dashboard/chemical/details/DTXSID7020182?x=1", "dtxsid DTXSID7020182"],
    ['=HYPERLINK("https://comptox.epa.gov/dashboard/DTXSID7020182","Bisphenol A")', "dtxsid DTXSID7020182"],
    ["80.05.7", "casrn 80-05-7"],
    ["80-05 -7", "casrn 80-05-7"],
    ["CAS_RN: 80-05-7", "casrn 80-05-7"],
    ["CAS Registry Number 80-05-7", "casrn 80-05-7"],
    ['="80-05-7"', "casrn 80-05-7"],
    ["80057.0", "casrn 80-05-7"],
    ["8.0057E+04", "casrn 80-05-7"],
    ["8O-O5-7", "casrn 80-05-7"],
    ["5/7/1980", "casrn 80-05-7"],
    ["IISBACLAFKSPIT UHFFFAOYSA N", `inchikey ${inchikey}`],
    ["IISBACLAFKSPIT.UHFFFAOYSA.N", `inchikey ${inchikey}`],
    ["IISBACLAFKSPIT-UHFFF AOYSA-N", `inchikey ${inchikey}`],
    ["IISBACLAFKSPITUHFFFAOYSAN", `inchikey ${inchikey}`],
    ["InChI Key: IISBACLAFKSPIT-UHFFFAOYSA-N", `inchikey ${inchikey}`],
    ["C15 H16 O2", "formula C15H16O2"],
    ["C₁₅H₁₆O₂", "formula C15H16O2"],
    ["80\u00ad-05\u200b-7", "casrn 80-05-7"],
    [`${smiles} Bisphenol A`, `smiles ${smiles}`],
    [`${smiles} |c:0,2,4|`, `smiles ${smiles}`],
    ["[Na+].[Cl−]", "smiles [Na+].[Cl-]"],
    [`InChI=${inchi}`, `inchi ${inchi}`],
    [`InChI: ${inchi}`, `inchi ${inchi}`],
    [`"${inchi}"`, `inchi ${inchi}`],
    [`${inchi} benzene`, `inchi ${inchi}`],
    ["Bisphenol A (80-05-7)", "casrn 80-05-7"]
  ])("reads %j as %s, with a note", (text, expected) => {
    expect(reading(text)).toBe(expected)
    expect(Result.getOrThrow(IdentifierKind.classify(text)).first[0].note).toContain("read as")
  })

  it("tries a name without its markup and invisible characters after the name as given", () => {
    const { first, otherwise } = Result.getOrThrow(IdentifierKind.classify("<i>N</i>-Methyl\u200baniline"))
    expect([...first, ...otherwise].map(({ value }) => value)).toEqual([
      "<i>N</i>-Methyl\u200baniline",
      "N-Methylaniline"
    ])
  })

  it("tries a formula that repeats an element after the name", () => {
    const { first, otherwise } = Result.getOrThrow(IdentifierKind.classify("CH3OH"))
    expect([...first, ...otherwise]).toEqual([
      { kind: "name", value: "CH3OH" },
      { kind: "formula", value: "CH4O", note: "read as the formula CH4O" }
    ])
  })

  it.each([
    ["PCB 52", "name"],
    ["F 12", "name"],
    ["Vitamin B12", "name"],
    ["C=O stretch", "name"],
    ["N-methyl aniline", "name"],
    ["201-245-8", "name"],
    ["80058", "name"],
    ["DICHLORODIPHENYLTRICHLORO", "name"],
    ["Reaction mass of 80-05-7 and 71-43-2", "name"]
  ])("leaves %j as a name", (text, kind) => {
    expect(reading(text)).toBe(`${kind} ${text}`)
  })

  it.each([
    ["DTXSID7020182 / DTXSID3039242", "DTXSID7020182, DTXSID3039242"],
    ["DTXSID7020182; 71-43-2", "DTXSID7020182, 71-43-2"],
    ["71-43-2; DTXSID3039242", "DTXSID3039242, 71-43-2"]
  ])("names the identifiers of a text with several, for one kind and for any kind: %s", (text, named) => {
    const several = `it contains 2 identifiers: ${named}; split them, or choose one`
    const ofKey = Result.getOrThrow(Result.flip(Repair.readKey(Key.dtxsid, text))).message
    expect(ofKey).toBe(`"${text}" is not one identifier: ${several}`)
    const read = IdentifierKind.classify(text)
    expect(Result.isFailure(read) ? read.failure.message : read.success.first[0].note).toContain(several)
  })

  it("names the identifiers of a text that has several", () => {
    const [{ note }] = Result.getOrThrow(IdentifierKind.classify("80-05-7; 71-43-2")).first
    expect(note).toContain("2 identifiers: 80-05-7, 71-43-2")
  })

  it("does not repair a text to an identifier with a wrong check digit", () => {
    for (const text of ["DTXSID 1020182", "80.05.8", "0080-05-8", "80–05–8"])
      expect(reading(text)).toMatch(/^check-digit: /)
  })

  it("changes no valid identifier, with any repair", () => {
    fc.assert(
      fc.property(valid, ({ kind, value }) => {
        expect(Result.getOrThrow(Repair.read(kind, value))).toEqual({ value })
        for (const { apply, kinds } of Repair.table) {
          if (kinds.includes(kind)) expect(apply(value, kind)).toBe(value)
        }
        expect(reading(value)).toBe(`${kind} ${value}`)
      }),
      { numRuns: 500 }
    )
  })

  it("repairs each damage, alone and twice, to the same identifier", () => {
    fc.assert(
      fc.property(
        valid,
        fc.constantFrom(...damages),
        fc.constantFrom(...damages.slice(0, 8)),
        (id, one, other) => {
          const damaged = other(one(id.value, id.kind), id.kind)
          expect([damaged, reading(damaged)]).toEqual([damaged, `${id.kind} ${id.value}`])
        }
      ),
      { numRuns: 2000 }
    )
  })

  it("returns only valid identifiers with the right check digit for any text", () => {
    const unit = fc.constantFrom(..."DTXSID7020182 80-05-7–.,;:_/\"'()=OIl\u00adCHNaO₂<sub>InChI=1S/|@#[]")
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 40 }),
        fc.constantFrom("dtxsid", "dtxcid", "casrn", "inchikey"),
        (text, kind) => {
          const found = Repair.read(kind, text)
          if (Result.isFailure(found)) return
          const again = Repair.read(kind, found.success.value)
          expect(again).toEqual(Result.succeed({ value: found.success.value }))
          if (kind === "casrn")
            expect(Result.isSuccess(Casrn.verify(found.success.value as Casrn.Casrn))).toBe(true)
        }
      ),
      { numRuns: 5000 }
    )
  })

  it("reads the value of a key as it is, or repairs it, or refuses a placeholder", () => {
    expect(Repair.readKey(Key.dtxsid, "DTXSID 7020182")).toEqual(Result.succeed("DTXSID7020182"))
    expect(Repair.readKey(Key.dtxsid, "DTXSID1020182")).toEqual(Result.succeed("DTXSID1020182"))
    expect(Repair.readKey(Key.wholeWord, "80.05.7")).toEqual(Result.succeed("80-05-7"))
    expect(Repair.readKey(Key.wholeWord, "dtxsid7020182")).toEqual(Result.succeed("dtxsid7020182"))
    expect(Repair.readKey(Key.word, "80.05.7")).toEqual(Result.succeed("80.05.7"))
    for (const key of [Key.dtxsid, Key.formula, Key.wholeWord])
      expect(Result.isFailure(Repair.readKey(key, "NA")) && Repair.readKey(key, "NA")).toMatchObject({
        failure: { reason: "placeholder" }
      })
  })

  it("recalls the note of a value from the text as given", () => {
    expect(Repair.noteOf("80.05.7", "80-05-7")).toBe("read as 80-05-7 (separators)")
    expect(Repair.noteOf(" 80-05-7", "80-05-7")).toBeUndefined()
    expect(Repair.noteOf("dtxsid7020182", "DTXSID7020182")).toBe("read as DTXSID7020182 (letter case)")
    expect(Repair.noteOf("Benzol", "benzene")).toBeUndefined()
    expect(Repair.noteOf("InChIKey=IISBACLAFKSPIT-UHFFFAOYSA-N", inchikey)).toBe(
      `read as ${inchikey} (spelling)`
    )
    expect(Repair.noteOf("H6C6", "C6H6")).toBeUndefined()
    expect(Repair.noteOf("Bisphenol A (80-05-7)", "80-05-7")).toBe("read as 80-05-7, which the text contains")
    expect(Repair.noteOf("DTXSID7020182 80-05-7", "80-05-7")).toBe("read as 80-05-7, which the text contains")
  })
})

/** A repair, as kind, text and value; `undefined`: the text is refused. */
type Case = readonly [kind: Repair.Kind, text: string, value: string | undefined]

describe("a repair", () => {
  it.each<Case>([
    ["casrn", '=T("80-05-7")', "80-05-7"],
    ["casrn", '="="80-05-7""', "80-05-7"],
    ["casrn", "NOCAS 47206", "NOCAS_47206"],
    ["casrn", "nocas_47206", "NOCAS_47206"],
    ["casrn", "8,0057E+04", "80-05-7"],
    ["casrn", "8.0057E4", "80-05-7"],
    ["casrn", "80057,0", "80-05-7"],
    ["casrn", "80057.00", "80-05-7"],
    ["casrn", "80-057", "80-05-7"],
    ["casrn", "80/05/7", "80-05-7"],
    ["casrn", "O8O-O5-7", "80-05-7"],
    ["casrn", "[80-05-7]", "80-05-7"],
    ["casrn", "{80-05-7}", "80-05-7"],
    ["casrn", "<80-05-7>", "80-05-7"],
    ["casrn", "www.example.org/80-05-7", "80-05-7"],
    ["casrn", "https://example.org/80%2D05%2D7", "80-05-7"],
    ["casrn", "https://example.org/%80-05-7%", "80-05-7"],
    ["casrn", "rn 80-05-7", "80-05-7"],
    ["inchikey", "iisbaclafkspit uhfffaoysa n", inchikey],
    ["inchikey", "IISBACLAFKSPITUHF-FFAOYSAN", inchikey],
    ["inchikey", "IISBACLAFKSPIT UHFFFAOYSB N", "IISBACLAFKSPIT-UHFFFAOYSB-N"],
    ["inchikey", `Standard InChIKey: ${inchikey}`, inchikey],
    ["inchi", "1s/CH4", "InChI=1S/CH4"],
    ["inchi", "INCHI=1/CH4/h1H4", "InChI=1/CH4/h1H4"],
    ["inchi", "InChI=1S/C H4/h1H4", "InChI=1S/CH4/h1H4"],
    ["inchi", `${inchi} PCB52`, inchi],
    ["inchi", `${inchi} DTXSID7020182`, inchi],
    ["inchi", `${inchi} ${inchikey}`, inchi],
    ["smiles", "CC=O acetaldehyde", "CC=O"],
    ["smiles", "CCO |x|", "CCO"],
    ["formula", "C H 4", "CH4"],
    ["formula", "C15H16 O2", "C15H16O2"],
    ["formula", "mol formula=C6H6", "C6H6"],
    ["formula", "C15H16O2.", "C15H16O2"],
    ["dtxsid", "DTX5ID7020182", "DTXSID7020182"],
    ["dtxsid", "DTXSLD7020182", "DTXSID7020182"],
    ["dtxsid", "DTXS|D7020182", "DTXSID7020182"],
    ["dtxsid", "DTXSID702018|2", undefined],
    ["dtxsid", "comptox id: DTXSID7020182", "DTXSID7020182"]
  ])("of the kind %s reads %j as %j", (kind, text, value) => {
    const found = Repair.read(kind, text)
    expect(Result.isSuccess(found) ? found.success.value : undefined).toBe(value)
  })

  it.each<readonly [Repair.Kind, string, string]>([
    ["casrn", "8.005E+04", "digits are missing"],
    ["casrn", "8.00570E+04", "it has a fraction"],
    ["casrn", "8E4", "digits are missing"],
    ["casrn", "80057.5", "it has a fraction"],
    ["casrn", "80058", "the check digit of a number without hyphens does not fit"],
    ["casrn", "IO-OO-O", "it has no digit"],
    ["casrn", "NOCAS", "it has no number"],
    ["casrn", "((80-05-7))", "it has brackets twice"],
    ["casrn", "https://example.org/80-05-7/71-43-2", "the address has two numbers"],
    ["inchikey", "iisbaclafkspituhfffaoysan", "25 small letters may be a name"],
    ["inchikey", "IISBACLAFKSPITUHFFFAOYTAN", "its letters are not those of the standard"],
    ["inchikey", "IISBACLAFKSPIT-UHFFFAOYSA", "its last letter is missing"],
    ["inchi", "InChI=1S/", "it has no layer"],
    ["inchi", "S/C H4/h1H4", "it has no version"],
    ["inchi", `${inchi} 74-82-8`, "a CAS number looks like a line of it"],
    ["inchi", `${inchi} (74-82-8)`, "a CAS number looks like a line of it"],
    ["inchi", "InChI=1S/C6H6/c1-2-4-6- 5-3-1/h1-6H benzene", "words follow a line break"],
    ["smiles", "CCO ethanol", "letters may be a word"],
    ["smiles", "C=O ketone", "three characters may be a word"],
    ["formula", "F 12", "it has one element"],
    ["formula", "CH 4", "a part without a count has two elements"],
    ["formula", "H2 O H", "it repeats an element"],
    ["formula", "C Cl", "it has no count"],
    ["formula", "(C15H16O2)", "brackets may be a part of it"]
  ])("of the kind %s refuses %j: %s", (kind, text) => {
    expect(Repair.read(kind, text)).toSatisfy(Result.isFailure)
  })

  it.each([
    "C1CC1",
    "C%12CC%12",
    "C12CC1C2",
    "C(C)(C)C",
    "C((C))C",
    "[Na+]",
    "[13C]",
    "[2H]C",
    "*C",
    "BrC",
    "CC"
  ])("leaves %j as the SMILES that it is", (text) => {
    expect(Repair.read("smiles", text)).toEqual(Result.succeed({ value: text }))
  })

  it.each([
    "C1CC",
    "C1CC2",
    "C%12CC1",
    "CC(C",
    "CC)C",
    "C)C(C",
    "1CC",
    "=CC",
    "(C)C",
    "-C",
    "CCQ",
    "C[]",
    ""
  ])("takes %j for no SMILES: it has other characters, or open brackets or rings", (text) => {
    expect(Repair.read("smiles", text)).toSatisfy(Result.isFailure)
  })
})

describe("a date", () => {
  it.each([
    ["1980-5-7", true],
    ["1980/05/07 0:00", true],
    ["1980/05/07 1:00", false],
    ["'1980-05-07'", true],
    ["12/31/1980", true],
    ["31/12/1980", true],
    ["1/1/1980", true],
    ["13/13/1980", false],
    ["0/5/1980", false],
    ["5/0/1980", false],
    ["5/32/1980", false],
    ["1980-12-31", true],
    ["1980-13-01", false],
    ["1980-00-01", false],
    ["1980-01-00", false],
    ["1980-01-32", false],
    ["5.7-1980", false],
    ["1-Jan-80", true],
    ["31 December 1980", true],
    ["7-May-80", true],
    ["0-May-80", false],
    ["32-May-80", false],
    ["7-Xyz-80", false],
    ["80-05-7", false]
  ])("%s is one: %s", (text, isDate) => {
    expect(Repair.isDate(text)).toBe(isDate)
  })

  it.each([
    ["1950-01-01", "50-01-1"],
    ["1950-01-02", "1950-01-2"],
    ["1949-01-05", "1949-01-5"],
    ["1949-01-04", undefined],
    ["1999-01-04", "99-01-4"],
    ["1999-01-05", "1999-01-5"],
    ["2000-01-03", "2000-01-3"],
    ["2000-01-06", undefined],
    ["4-Jan-99", "99-01-4"],
    ["5/5/1950", "50-05-5"],
    ["1980-05-07", "80-05-7"]
  ])("%s may be the CAS number %s", (text, casrn) => {
    const found = Repair.read("casrn", text)
    expect(Result.isSuccess(found) ? found.success.value : undefined).toBe(casrn)
  })

  it("that stands for several numbers, or for none, is refused, and its error names the numbers", () => {
    const messageOf = (text: string) => Result.getOrThrow(Result.flip(Repair.read("casrn", text))).message
    expect(messageOf("5/5/1980")).toBe(
      '"5/5/1980" is a date, which spreadsheets make of CAS numbers; no CAS number fits it. Format the column as text ' +
        "and enter the number again"
    )
    expect(messageOf("1/6/1955")).toContain("it may have been 55-01-6 or 55-06-1.")
  })
})

describe("a whole identifier beside other digits", () => {
  const contained = (id: string): string => `read as ${id}, which the text contains`

  it.each([
    ["DTXSID7020182.0", "DTXSID7020182"],
    ["DTXSID7020182 0", "DTXSID7020182"],
    ["DTXSID3039242\t1", "DTXSID3039242"],
    ["DTXSID0020232-00", "DTXSID0020232"],
    ["0 DTXSID7020182", "DTXSID7020182"]
  ])("is what %j means: %s", (text, id) => {
    expect(Repair.readKey(Key.dtxsid, text)).toEqual(Result.succeed(id))
    expect(Result.getOrThrow(IdentifierKind.classify(text)).first).toEqual([
      { kind: "dtxsid", value: id, note: contained(id) }
    ])
  })

  it("is what a compound with a zero and each CAS number with a row number mean", () => {
    expect(Repair.readKey(Key.dtxcid, "DTXCID30182 0")).toEqual(Result.succeed("DTXCID30182"))
    const numbers = ["67-56-1", "71-43-2", "110-86-1", "79-06-1", "80-05-7", "50-00-0"]
    for (const casrn of numbers)
      for (let row = 1; row < 200; row++)
        for (const text of [`${row} ${casrn}`, `${row}\t${casrn}`, `${row}. ${casrn}`, `${casrn} ${row}`]) {
          const [reading] = Result.getOrThrow(IdentifierKind.classify(text)).first
          expect([text, reading?.kind, reading?.value]).toEqual([text, "casrn", casrn])
        }
  })

  it.each(["5", "12", "0.98", "1,5"])("is the InChI before the number %s", (number) => {
    expect(Result.getOrThrow(Repair.read("inchi", `${inchi} ${number}`)).value).toBe(inchi)
  })

  it.each([
    ["dtxsid", "DTXSID1020182 4"],
    ["dtxsid", "DTXSID1020182-9"],
    ["casrn", "11 80-05-8"],
    ["formula", "C6H6 1"],
    ["formula", "C2H6O 2"]
  ] as const)("is not joined with them, damaged or not: %s %j", (kind, text) => {
    expect(Result.isFailure(Repair.read(kind, text))).toBe(true)
  })

  it.each([
    ["dtxsid", "DTXSID70 20182", "DTXSID7020182"],
    ["dtxsid", "DTXSID7 020 182", "DTXSID7020182"],
    ["dtxsid", "DTX SID-7020182", "DTXSID7020182"],
    ["casrn", "80-05 -7", "80-05-7"],
    ["casrn", "8 0-05-7", "80-05-7"],
    ["formula", "C 15 H 16 O 2", "C15H16O2"],
    ["inchi", "InChI=1S/C6H6/c1-2-4-6-5-3- 1/h1-6H", "InChI=1S/C6H6/c1-2-4-6-5-3-1/h1-6H"],
    ["inchi", "InChI=1S/C2H6O/c1-2-3/h3H,2H2, 1H3", "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3"],
    ["inchi", "InChI=1S/CH4O/c1- 2", "InChI=1S/CH4O/c1-2"]
  ] as const)("does not stop the repair of broken ones: %s %j", (kind, text, value) => {
    expect(Result.getOrThrow(Repair.read(kind, text)).value).toBe(value)
  })
})

describe("a text with several identifiers", () => {
  it.each([
    ["80-05-7", undefined],
    ["80-05-7, 80-05-7", undefined],
    ["Bisphenol A (80-05-7)", undefined],
    ["80-05-7; 71.43.2", "it contains 2 identifiers: 80-05-7, 71-43-2; split them, or choose one"],
    ["80-05-7; 71.43.3", "it contains 2 identifiers: 80-05-7, 71.43.3 (damaged); split them, or choose one"],
    [
      `80-05-7 DTXCID30182 ${inchikey}`,
      `it contains 3 identifiers: DTXCID30182, 80-05-7, ${inchikey}; split them, or choose one`
    ]
  ])("%j has the note %j", (text, note) => {
    expect(Repair.severalNote(text)).toBe(note)
  })

  it("has each valid identifier once, with its kind", () => {
    expect(Repair.within("dtxsid7020182 (80-05-7, 80-05-8, 80-05-7)")).toEqual([
      { kind: "dtxsid", value: "DTXSID7020182", note: "read as DTXSID7020182, which the text contains" },
      { kind: "casrn", value: "80-05-7", note: "read as 80-05-7, which the text contains" }
    ])
  })

  it("is the value of a key if it has one identifier of its kind, and is refused otherwise", () => {
    expect(Repair.readKey(Key.dtxsid, "Bisphenol A DTXSID7020182")).toEqual(Result.succeed("DTXSID7020182"))
    for (const text of ["Bisphenol A (80-05-7)", "DTXSID7020182 DTXSID3039242", "Bisphenol A"])
      expect(Repair.readKey(Key.dtxsid, text)).toSatisfy(Result.isFailure)
    expect(Repair.readKey(Key.wholeWord, "Bisphenol A (80-05-7)")).toEqual(
      Result.succeed("Bisphenol A (80-05-7)")
    )
  })
})

describe("Placeholder", () => {
  it("recognises each of its texts in any case, and what people type", () => {
    const texts = [...Placeholder.texts]
    const labelled = ["CAS_RN: NA", "CAS No.: -", "CASRN:", "InChIKey=N/A", "DTXSID: NULL", '="NA"', '=""']
    const more = ["-", "--", "–", "?", ".", "...", "Err:502", " NA ", "nAn", ...labelled]
    for (const text of [...texts, ...texts.map((one) => one.toUpperCase()), ...more]) {
      expect([text, Placeholder.is(text)]).toEqual([text, true])
      expect(reading(text)).toMatch(/^placeholder: /)
    }
  })

  it.each([
    "Na",
    "CAS: Na",
    "CAS No. 80-05-7",
    "No",
    "Ne",
    "80-05-7",
    "PCB 52",
    "*",
    "N",
    "naphthalene",
    "Nickel",
    "#1 diesel"
  ])("does not take %j for one", (text) => {
    expect(Placeholder.is(text)).toBe(false)
  })

  it("is read without the label of an identifier, but not without other words", () => {
    expect(["SMILES: NA", "InChI Key: -", "DTXCID=", "inchi: NA", "label: NA"].map(Placeholder.is)).toEqual([
      true,
      true,
      true,
      false,
      false
    ])
  })

  it("is the error of a spreadsheet if it starts with a hash", () => {
    expect(["#N/A", "#REF!", "NA", "#1 diesel", ""].map(Placeholder.isSpreadsheetError)).toEqual([
      true,
      true,
      false,
      false,
      false
    ])
    for (const key of [Key.word, Key.spid]) {
      expect(Repair.readKey(key, " #N/A")).toMatchObject({
        failure: { reason: "placeholder", value: " #N/A" }
      })
      expect(Repair.readKey(key, "NA")).toEqual(Result.succeed("NA"))
    }
  })

  it("has an error that quotes it, and no other text has one", () => {
    expect(Placeholder.fault("an identifier", "NA")).toMatchObject({
      identifier: "an identifier",
      value: "NA",
      reason: "placeholder",
      message: 'placeholder: "NA" stands for no value'
    })
    expect(Placeholder.fault("an identifier", "80-05-7")).toBeUndefined()
  })

  it("is a name where a name is asked for", () => {
    expect(IdentifierKind.kinds.name.read("NA")).toEqual(Result.succeed({ kind: "name", value: "NA" }))
  })
})
