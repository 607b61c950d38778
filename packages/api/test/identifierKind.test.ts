import { existsSync, readFileSync } from "node:fs"
import { Casrn, IdentifierKind } from "@chemstream/api"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const recorded = new URL("../../../../shared/real/details-163.json", import.meta.url)

const read = ({ kind, value }: IdentifierKind.Reading): string => `${kind} ${value}`
const classify = (text: string): string => {
  const result = IdentifierKind.classify(text)
  if (Result.isFailure(result)) return `invalid: ${result.failure.message}`
  const { first, otherwise } = result.success
  return [first.map(read).join(" & "), ...otherwise.map(read)].join(", else ")
}
const noteOf = (text: string): string | undefined =>
  Result.getOrThrow(IdentifierKind.classify(text)).first[0].note

const casrn = fc
  .tuple(fc.integer({ min: 50, max: 9_999_999 }), fc.integer({ min: 0, max: 99 }))
  .map(([start, middle]) => {
    const digits = Array.from(
      { length: 10 },
      (_, digit) => `${start}-${String(middle).padStart(2, "0")}-${digit}`
    )
    return digits.find((text) => Result.isSuccess(Result.flatMap(Casrn.parse(text), Casrn.verify))) ?? ""
  })

describe("IdentifierKind", () => {
  it.each([
    ["DTXSID7020182", "dtxsid DTXSID7020182"],
    ["\u00a080-05-7\u00a0", "casrn 80-05-7"],
    ["Fe", "name Fe, else formula Fe"],
    [" dtxcid30182 ", "dtxcid DTXCID30182"],
    ["80-05-7", "casrn 80-05-7"],
    ["NOCAS_47206", "casrn NOCAS_47206"],
    ["InChIKey=IISBACLAFKSPIT-UHFFFAOYSA-N", "inchikey IISBACLAFKSPIT-UHFFFAOYSA-N"],
    ["iisbaclafkspit–uhfffaoysa–n", "inchikey IISBACLAFKSPIT-UHFFFAOYSA-N"],
    ["IISBACLAFKSPIT", "skeleton IISBACLAFKSPIT & name IISBACLAFKSPIT"],
    ["IISBACLAFKSPIT-UHFFFAOYSA", "skeleton IISBACLAFKSPIT-UHFFFAOYSA"],
    ["InChI=1S/CH4/h1H4\n", "inchi InChI=1S/CH4/h1H4"],
    ["1S/CH4/h1H4", "inchi InChI=1S/CH4/h1H4"],
    ["c1ccccc1", "smiles c1ccccc1"],
    ["CC(C)(c1ccc(O)cc1)c1ccc(O)cc1", "smiles CC(C)(c1ccc(O)cc1)c1ccc(O)cc1"],
    ["[Na+].[Cl-]", "smiles [Na+].[Cl-]"],
    ["H6C6", "formula C6H6, else name H6C6"],
    ["C8", "formula C8, else name C8"],
    ["C1CC1", "smiles C1CC1"],
    ["NaCl", "name NaCl, else formula ClNa"],
    ["CO", "name CO & smiles CO & formula CO"],
    ["CCO", "name CCO & smiles CCO"],
    ["PFOS", "name PFOS & smiles PFOS & formula FOPS"],
    ["Bisphenol A", "name Bisphenol A"],
    ["DICHLOROETHANE", "skeleton DICHLOROETHANE & name DICHLOROETHANE"],
    ["2,4-D", "name 2,4-D"],
    ["10:2/12:2 diPAP", "name 10:2/12:2 diPAP"],
    ["(S)-Nicotine", "name (S)-Nicotine"],
    ["Tin", "name Tin"],
    ["201-245-8", "name 201-245-8"],
    ["Iron(II)", "name Iron(II)"]
  ])("reads %j as %s", (text, kinds) => {
    expect(classify(text)).toBe(kinds)
  })

  it.each([
    "80–05–7",
    "80 - 05 - 7",
    "80 05 7",
    "0000080-05-7",
    "80057",
    "0080057",
    "8005-7",
    "80_05_7",
    "CAS 80-05-7",
    "CASRN: 80-05-7",
    "CAS-No. 80-05-7",
    "'80-05-7",
    "８０-０５-７",
    "1980-05-07",
    "1980-05-07 00:00:00",
    "1980-05-07T00:00:00.000Z",
    "5/7/1980",
    "07.05.1980",
    "7-May-80",
    "07 May 1980"
  ])("repairs the damaged CAS number %j", (text) => {
    expect(classify(text)).toBe("casrn 80-05-7")
    expect(noteOf(text)).toContain("80-05-7")
  })

  it("adds no note to a correct CAS number, warns of a wrong check digit, and repairs no number with one", () => {
    expect(noteOf("80-05-7")).toBeUndefined()
    expect(noteOf("80-05-8")).toContain("any digit may be wrong")
    expect(classify("80 05 8")).toContain("any digit may be wrong")
  })

  it.each([
    ["", "the value is empty: an identifier is expected"],
    [" ", "the value is empty: an identifier is expected"],
    ["-", "stands for no value"],
    ["#N/A", "stands for no value"],
    ["#REF!", "stands for no value"],
    ["1/2/2020", "is a date, which spreadsheets make of CAS numbers; no CAS number fits it"],
    ["DTXSID-7", "is not a DTXSID"],
    ["InChI=2/CH4", "is not an InChI"],
    ["\ud800", "half a character"]
  ])("refuses %j", (text, reason) => {
    expect(classify(text)).toContain(reason)
  })

  it("repairs a damaged CAS number to the same number", () => {
    const damages: ReadonlyArray<(id: string) => string> = [
      (id) => id.replaceAll("-", "–"),
      (id) => id.replaceAll("-", " - "),
      (id) => id.replaceAll("-", " "),
      (id) => id.replaceAll("-", ""),
      (id) => `000${id}`,
      (id) => `CAS ${id}`
    ]
    fc.assert(
      fc.property(casrn, fc.constantFrom(...damages), (id, damage) => {
        expect(classify(damage(id))).toBe(`casrn ${id}`)
      })
    )
  })

  it("reads a date as its only CAS number, or names all of them in the error", () => {
    const dated = fc
      .tuple(
        fc.oneof(fc.integer({ min: 50, max: 99 }), fc.integer({ min: 1900, max: 9999 })),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 9 })
      )
      .filter(([year, month, day]) => {
        const id = `${year}-${String(month).padStart(2, "0")}-${day}`
        return Result.isSuccess(Result.flatMap(Casrn.parse(id), Casrn.verify))
      })
    const written = fc.constantFrom(
      (y: number, m: number, d: number) => `${y}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`,
      (y: number, m: number, d: number) => `${m}/${d}/${y}`,
      (y: number, m: number, d: number) => `${d}.${m}.${y}`
    )
    fc.assert(
      fc.property(dated, written, ([year, month, day], date) => {
        const id = `${year}-${String(month).padStart(2, "0")}-${day}`
        const result = classify(date(year < 100 ? year + 1900 : year, month, day))
        // If more than one number fits, the error names all of them.
        if (result.startsWith("invalid")) expect(result).toContain(id)
        else expect(result).toBe(`casrn ${id}`)
      }),
      { numRuns: 300 }
    )
  })

  it("classifies and reads the example of each kind as that kind", () => {
    for (const kind of IdentifierKind.names) {
      const { example } = IdentifierKind.kinds[kind]
      expect(Result.getOrThrow(IdentifierKind.kinds[kind].read(example)).kind).toBe(kind)
      expect(classify(example).startsWith(kind)).toBe(true)
    }
  })

  it.skipIf(!existsSync(recorded))(
    "finds the kind of every recorded identifier (skipped without ../shared/real)",
    () => {
      const records: ReadonlyArray<Readonly<Record<string, string | null>>> = JSON.parse(
        readFileSync(recorded, "utf8")
      )
      const fields = {
        dtxsid: "dtxsid",
        dtxcid: "dtxcid",
        casrn: "casrn",
        inchikey: "inchikey",
        inchiString: "inchi"
      }
      for (const record of records) {
        for (const [field, kind] of Object.entries(fields)) {
          const text = record[field]
          if (typeof text === "string") expect(classify(text)).toMatch(new RegExp(`^${kind} `))
        }
        const smiles = record["smiles"]
        // The symbol of an element is no SMILES.
        if (typeof smiles === "string" && !smiles.includes(" ") && !/^[A-Z][a-z]?$/.test(smiles))
          expect(classify(smiles)).toContain(`smiles ${smiles}`)
        const formula = record["molFormula"]
        if (typeof formula === "string" && /^[A-Za-z0-9]+$/.test(formula))
          expect(classify(formula)).toContain("formula ")
        const name = record["preferredName"]
        if (typeof name === "string") expect(classify(name)).toContain(`name ${name}`)
      }
      expect(records.length).toBeGreaterThan(100)
    }
  )
})
