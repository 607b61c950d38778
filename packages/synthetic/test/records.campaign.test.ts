import {
  AedRecord,
  BioactivityData,
  Casrn,
  DetailRecord,
  Dtxcid,
  Dtxsid,
  InchiKey,
  MolecularFormula,
  SynonymRecord
} from "@chemstream/api"
import { Synthetic } from "@chemstream/synthetic"
import initRDKitModule, { type MainModule } from "@rdkit/rdkit"
import { Result, Schema } from "effect"
import { Molecule } from "openchemlib"
import { beforeAll, describe, expect, it } from "vitest"
import { collect, type Json, type Kind, lines, records } from "./records.ts"

// OpenChemLib has older standard atomic weights (sulfur 32.065, carbon 12.0107), which differ by up to 0.006 Da per
// atom.
const averageTolerance = 0.03

/** Counts the atoms of each element. OpenChemLib names isotopes of hydrogen, and orders elements in its own way. */
const atoms = (formula: string): Json => {
  const counts: Record<string, number> = {}
  for (const [, symbol = "", count = "1"] of formula.matchAll(/([A-Z][a-z]?)(\d+)?/g)) {
    const element = symbol === "D" || symbol === "T" ? "H" : symbol
    counts[element] = (counts[element] ?? 0) + Number(count)
  }
  return counts
}

/** The number of substances as a multiple of the fast tier's. */
const scale = process.env["CHEMSTREAM_TIER"] === "thorough" ? 10 : 1

describe("identifiers and names", { timeout: 600_000 }, () => {
  let details: ReadonlyArray<Json>
  beforeAll(async () => {
    details = records(
      await collect({ count: 4000 * scale, seed: 3, tested: 0, fingerprints: false }),
      "details"
    )
  }, 600_000)

  it("have correct check digits and are in the fictitious range", () => {
    for (const { casrn, dtxcid, dtxsid, genericSubstanceId } of details) {
      expect(Number(genericSubstanceId)).toBeGreaterThanOrEqual(Synthetic.firstNumber)
      Result.getOrThrow(Dtxsid.verify(Result.getOrThrow(Dtxsid.parse(String(dtxsid)))))
      if (dtxcid !== null) Result.getOrThrow(Dtxcid.verify(Result.getOrThrow(Dtxcid.parse(String(dtxcid)))))
      expect(casrn).toBe(`NOCAS_${genericSubstanceId}`)
      Result.getOrThrow(Casrn.parse(String(casrn)))
    }
  })

  it("are unique", () => {
    for (const field of ["dtxsid", "preferredName", "smiles", "inchikey"]) {
      const values = details.map((record) => record[field]).filter((value) => value !== null)
      expect(new Set(values).size, field).toBe(values.length)
    }
  })

  it("have non-standard InChIKeys, formulas in Hill order, and a note that marks them as generated", () => {
    for (const { inchikey, molFormula, qcNotes } of details) {
      expect(qcNotes).toContain("no such substance")
      if (inchikey === null) continue
      expect(Result.getOrThrow(InchiKey.parse(String(inchikey)))[23]).toBe("N")
      expect(Result.getOrThrow(MolecularFormula.parse(String(molFormula)))).toBe(molFormula)
    }
  })

  it("have locants, primes, Greek letters and slashes in their names", () => {
    const names = details.map(({ preferredName }) => String(preferredName))
    for (const mark of [/^\d,?/, /′/, /[αβγω]/, /\//, /\[/]) {
      expect(names.filter((name) => mark.test(name)).length, String(mark)).toBeGreaterThan(10)
    }
    const mean = names.reduce((sum, name) => sum + name.length, 0) / names.length
    expect(mean).toBeGreaterThan(30)
    expect(mean).toBeLessThan(55)
  })

  it("include a few percent of salts, isotopes and substances without a structure", () => {
    const share = (of: (record: Json) => boolean) => details.filter(of).length / details.length
    for (const few of [
      share(({ multicomponent }) => multicomponent === 1),
      share(({ isotope }) => isotope === 1),
      share(({ smiles }) => smiles === null)
    ]) {
      expect(few).toBeGreaterThan(0.01)
      expect(few).toBeLessThan(0.08)
    }
    expect(details.some(({ isMarkush }) => isMarkush === true)).toBe(true)
  })

  it("of a salt have the MS-ready form of the substance before it", () => {
    const salts = details.flatMap((record, i) => (record["multicomponent"] === 1 ? [{ record, i }] : []))
    const paired = salts.filter(({ record, i }) => details[i - 1]?.["smiles"] === record["msReadySmiles"])
    expect(paired.length / salts.length).toBeGreaterThan(0.9)
  })
})

describe("structures", { timeout: 600_000 }, () => {
  let rdkit: MainModule
  let sample: ReadonlyArray<Json>
  beforeAll(async () => {
    rdkit = await initRDKitModule.default()
    const details = records(
      await collect({ count: 1500 * scale, seed: 11, tested: 0, fingerprints: false }),
      "details"
    )
    sample = details.filter(({ smiles }, i) => smiles !== null && i % 10 === 0)
  }, 600_000)

  it("are read by RDKit and by OpenChemLib, with the formula and masses of the record", () => {
    expect(sample.length).toBeGreaterThan(125 * scale)
    for (const { averageMass, molFormula, monoisotopicMass, smiles } of sample) {
      const title = String(smiles)
      const molecule = rdkit.get_mol(title)
      expect(molecule, title).not.toBeNull()
      const { exactmw } = JSON.parse(molecule?.get_descriptors() ?? "{}")
      molecule?.delete()
      expect(Math.abs(exactmw - Number(monoisotopicMass)), title).toBeLessThan(0.001)
      const formula = Molecule.fromSmiles(title, { noCoordinates: true }).getMolecularFormula()
      expect(atoms(formula.formula), title).toEqual(atoms(String(molFormula)))
      expect(Math.abs(formula.absoluteWeight - Number(monoisotopicMass)), title).toBeLessThan(0.001)
      expect(Math.abs(formula.relativeWeight - Number(averageMass)), title).toBeLessThan(averageTolerance)
    }
  })

  it("have MS-ready forms of one neutral component", () => {
    for (const { msReadySmiles, multicomponent, smiles } of sample) {
      expect(String(msReadySmiles)).not.toContain(".")
      if (multicomponent === 0) expect(msReadySmiles).toBe(smiles)
    }
  })
})

describe("records", { timeout: 600_000 }, () => {
  const substances = 800 * scale
  let batches: ReadonlyArray<Synthetic.Batch>
  beforeAll(async () => {
    batches = await collect({ count: substances, seed: 5, tested: 0.5 })
  }, 600_000)

  it("fit the schemas of the contract", () => {
    const check = (schema: Schema.Codec<unknown, unknown>, kind: Kind) => {
      const decode = Schema.decodeUnknownSync(schema)
      for (const record of records(batches, kind)) expect(decode(record)).toEqual(record)
    }
    check(DetailRecord.DetailRecord, "details")
    check(SynonymRecord.SynonymRecord, "synonyms")
    check(BioactivityData.BioactivityData, "bioactivity")
    check(AedRecord.AedRecord, "aed")
  })

  it("of a substance have the size of real ones, and most of it is the fingerprint", async () => {
    const size = (of: ReadonlyArray<string>) => of.reduce((sum, line) => sum + line.length, 0) / of.length
    const whole = size(lines(batches, "details"))
    expect(whole).toBeGreaterThan(2800)
    expect(whole).toBeLessThan(3800)
    const withoutFingerprints = lines(await collect({ count: 1000, seed: 5, fingerprints: false }), "details")
    expect(size(withoutFingerprints)).toBeLessThan(whole / 2)
    for (const { descriptorStringTsv } of records(batches, "details")) {
      if (descriptorStringTsv !== null) expect(String(descriptorStringTsv)).toMatch(/^[01](\t[01]){728}$/)
    }
  })

  it("have about three synonyms per substance, of all qualities", () => {
    const synonyms = records(batches, "synonyms")
    const count = (quality: string) =>
      synonyms.reduce(
        (sum, record) => sum + ((record[quality] as ReadonlyArray<string> | null)?.length ?? 0),
        0
      )
    for (const quality of ["valid", "good", "other"]) expect(count(quality)).toBeGreaterThan(substances / 10)
    const mean = (count("valid") + count("good") + count("other")) / substances
    expect(mean).toBeGreaterThan(2.5)
    expect(mean).toBeLessThan(3.5)
  })

  it("of bioactivity agree with the assay counts of their substance", () => {
    const data = records(batches, "bioactivity")
    const active = ({ hitc, nconc }: Json) =>
      nconc === 1 ? hitc === 1 : Number(hitc) >= BioactivityData.activeFrom
    const ofSubstance = Map.groupBy(data, ({ dtxsid }) => dtxsid)
    for (const { activeAssays, assaySelect, dtxsid, totalAssays } of records(batches, "details")) {
      const own = ofSubstance.get(dtxsid) ?? []
      expect(totalAssays ?? 0).toBe(own.length)
      expect(activeAssays ?? 0).toBe(own.filter(active).length)
      expect(assaySelect).toBe(own.length === 0 ? null : `${activeAssays}/${totalAssays}`)
    }
  })

  it("of bioactivity have hit calls from 0 to 1, and exactly 0 or 1 with a single concentration", () => {
    const data = records(batches, "bioactivity")
    const single = data.filter(({ nconc }) => nconc === 1)
    expect(single.length).toBeGreaterThan(substances / 4)
    for (const { hitc } of single) expect([0, 1]).toContain(hitc)
    const calls = data.filter(({ nconc }) => nconc !== 1).map(({ hitc }) => Number(hitc))
    for (const hitc of calls) expect(hitc >= 0 && hitc <= 1).toBe(true)
    expect(calls.filter((hitc) => hitc >= 0.9).length).toBeGreaterThan(substances / 20)
    expect(calls.filter((hitc) => hitc > 0.1 && hitc < 0.9).length).toBeGreaterThan(substances / 20)
  })

  it("of bioactivity have unique m4ids that fit 32 bits at the largest count", () => {
    const ids = batches.flatMap(({ bioactivity }) => bioactivity.map(({ m4id }) => m4id))
    expect(new Set(ids).size).toBe(ids.length)
    const slots = (Math.max(...ids) - Math.min(...ids)) / substances
    expect(Math.min(...ids) + slots * Synthetic.largestCount).toBeLessThan(2 ** 31)
  })
})
