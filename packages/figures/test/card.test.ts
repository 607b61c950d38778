import type { DetailRecord } from "@chemstream/api"
import { Card, Chemical } from "@chemstream/figures"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { columnsOf, wrap } from "../src/internal/text/plainText.ts"
import { generated, hostile, readXml } from "./records.ts"

const run = Effect.runPromise

const bisphenolA: Chemical.Chemical = {
  id: "DTXSID7020182",
  details: {
    dtxsid: "DTXSID7020182",
    preferredName: "Bisphenol A",
    casrn: "80-05-7",
    smiles: "CC(C)(C1=CC=C(O)C=C1)C1=CC=C(O)C=C1",
    molFormula: "C15H16O2",
    monoisotopicMass: 228.115029755,
    density: 1.14
  },
  synonyms: { dtxsid: "DTXSID7020182", valid: ["BPA"], good: ["a", "b", "c"], other: null },
  summary: { dtxsid: "DTXSID7020182", activeMc: 3, totalMc: 9, cytotoxLowerUm: 11.56789 }
}

describe("toText", () => {
  it("shows name, drawing and facts", async () => {
    const text = await run(Card.toText(bisphenolA))
    const lines = text.split("\n")
    expect(lines.slice(0, 2)).toEqual(["Bisphenol A", "==========="])
    expect(text).toMatch(/[\u2800-\u28ff]/)
    for (const fact of [
      /CAS number +80-05-7/,
      /Monoisotopic mass +228\.115029755 Da/,
      /Validated +BPA/,
      /Good +a; b; c/,
      /Multi-concentration +3 of 9 records active/,
      /Cytotoxicity lower bound +11\.57 µM/,
      /Density, g\/cm³ +1\.14/
    ]) {
      expect(text).toMatch(fact)
    }
  })

  it("counts the synonyms above the limit", async () => {
    expect(await run(Card.toText(bisphenolA, { synonyms: 2 }))).toMatch(/Good +a; and 2 more/)
    expect(await run(Card.toText(bisphenolA, { synonyms: 0 }))).toMatch(/Validated +1 more/)
  })

  it("sorts synonyms and CAS numbers by their form, whichever list has them", async () => {
    const synonyms = {
      dtxsid: "x",
      valid: ["A"],
      other: ["137885-53-1"],
      beilstein: ["b", "c"],
      deleted: ["0956589"]
    }
    const text = await run(Card.toText({ id: "x", synonyms }))
    expect(text).toMatch(/Other +b; c\n/)
    expect(text).toMatch(/Former CAS numbers +137885-53-1\n/)
    expect(text).not.toContain("0956589")
  })

  it("shows the reason in place of a missing or unreadable structure", async () => {
    expect(await run(Card.toText({ id: "x" }))).toContain("(no structure is known)")
    const details = { dtxsid: "x", smiles: "nonsense" }
    expect(await run(Card.toText({ id: "x", details }))).toContain(
      '"nonsense" is neither a SMILES nor a mol block'
    )
  })

  it.each([40, 60, 80, 132])("fits %d columns", async (columns) => {
    for (const chemical of [bisphenolA, hostile, ...(await generated(10, 2))]) {
      const lines = (await run(Card.toText(chemical, { columns }))).split("\n")
      for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
    }
  })

  it("fits wide characters", async () => {
    const details = { dtxsid: "x", preferredName: "双酚".repeat(40) }
    for (const line of (await run(Card.toText({ id: "x", details }, { columns: 41 }))).split("\n")) {
      expect(columnsOf(line)).toBeLessThanOrEqual(41)
    }
  })

  it("removes control characters, and styles text only when asked to", async () => {
    const plain = await run(Card.toText(hostile))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(await run(Card.toText(hostile, { styled: true }))).toContain("\u001b[1mIdentifiers\u001b[22m")
  })
})

describe("toHtml", () => {
  it("is well-formed, with its structure and headings of the requested level", async () => {
    const { names } = readXml(await run(Card.toHtml(bisphenolA, { level: 3, anchor: "c1" })))
    expect(names.slice(0, 3)).toEqual(["article", "h3", "figure"])
    expect(names).toContain("svg")
    expect(names).toContain("h4")
  })

  it("escapes hostile names", async () => {
    const { names, text } = readXml(await run(Card.toHtml(hostile, { anchor: hostile.id })))
    expect(names).not.toContain("script")
    expect(text).toContain(`<script>alert(1)</script>" onload='x' & </svg>`)
  })

  it("is well-formed for generated records and for fields of any kind", async () => {
    for (const chemical of await generated(20, 4)) readXml(await run(Card.toHtml(chemical)))
    const fields = fc.constantFrom("preferredName", "smiles", "casrn", "averageMass", "density", "qcNotes")
    const values = fc.oneof(fc.string(), fc.double(), fc.constant(null), fc.array(fc.string()), fc.boolean())
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fields, values), fc.string(), async (drift, id) => {
        const details = { ...drift, dtxsid: id } as DetailRecord.DetailRecord
        readXml(await run(Card.toHtml({ id, details })))
        await run(Card.toText({ id, details }))
      }),
      { numRuns: 100 }
    )
  }, 60_000)
})

describe("factsOf", () => {
  it("shows every property of the largest projection under its meaning and unit", () => {
    const details = { dtxsid: "x", waterSolubilityOpera: 1e-3, operaKmDaysOperaPred: 2 }
    expect(Chemical.factsOf({ id: "x", details }).at(-1)?.facts).toEqual([
      { label: "Fish biotransformation half-life (KM), days, OPERA prediction", value: "2" },
      { label: "Water solubility, mol/L, OPERA prediction", value: "0.001" }
    ])
  })
})

describe("wrap", () => {
  it("splits a chemical name behind its parts", () => {
    expect(wrap("6-[(4-(Aminomethyl)-5-chlorofuran-2-yl)carbonyl]-2-tert-butylanthracene", 30)).toEqual([
      "6-[(4-(Aminomethyl)-5-",
      "chlorofuran-2-yl)carbonyl]-2-",
      "tert-butylanthracene"
    ])
    expect(wrap("Supercalifragilisticexpialidocious-1", 20)).toEqual([
      "Supercalifragilistic",
      "expialidocious-1"
    ])
  })

  it("splits a word into more lines than a function can take arguments", () => {
    const lines = wrap(`a ${"x".repeat(300_000)} b`, 1)
    expect(lines).toHaveLength(300_002)
    expect(lines.at(-1)).toBe("b")
  })
})
