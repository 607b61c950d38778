import { existsSync, readFileSync } from "node:fs"
import { DetailProjection, DetailRecord } from "@chemstream/api"
import { Schema } from "effect"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { detailRecord, detailRecords, firstFictitiousNumber, SubstanceError } from "../bundled/compute.ts"
import { duplicateCount, identifierList, unknownCount } from "../bundled/identifiers.ts"
import { msReady } from "../bundled/msReady.ts"
import {
  fromSmiles,
  hill,
  loadRDKit,
  openMolecule,
  type RDKit,
  StructureError,
  withMolecule
} from "../bundled/structure.ts"
import { substances } from "../bundled/substances.ts"

let rdkit: RDKit
let records: ReadonlyArray<DetailRecord.DetailRecord>

beforeAll(async () => {
  rdkit = await loadRDKit()
  records = await detailRecords()
}, 120_000)

const recordOf = (name: string): DetailRecord.DetailRecord => {
  const record = records.find((one) => one.preferredName === name)
  if (record === undefined) throw new Error(`no bundled substance is called ${name}`)
  return record
}

// The rules of the identifiers, written from their descriptions and independent of the code under test.
const identifierPattern = /^DTX[SC]ID(\d)0([1-9]\d*)$/
const hasRightCheckDigit = (identifier: string): boolean => {
  // A substance number is padded to six digits. The zeros between the check digit and the number do not count.
  const [, check, rest] = /^DTX[SC]ID(\d)(\d+)$/.exec(identifier) ?? []
  const digits = [...String(Number(rest))].map(Number)
  return digits.reduce((sum, digit, i) => sum + digit * (i + 1), 0) % 10 === Number(check)
}
const hasRightChecksum = (casrn: string): boolean => {
  const [, a, b, check] = /^(\d{2,7})-(\d\d)-(\d)$/.exec(casrn) ?? []
  const digits = [...`${a}${b}`].map(Number).reverse()
  return digits.reduce((sum, digit, i) => sum + digit * (i + 1), 0) % 10 === Number(check)
}

describe("the bundled substances", () => {
  it("are at least 220, bisphenol A among them", () => {
    expect(substances.length).toBeGreaterThanOrEqual(220)
    expect(substances.find((one) => one.dtxsid === "DTXSID7020182")).toMatchObject({
      dtxcid: "DTXCID30182",
      casrn: "80-05-7",
      preferredName: "Bisphenol A"
    })
  })

  it.each(["dtxsid", "dtxcid", "casrn", "preferredName"] as const)("have each %s only once", (field) => {
    const seen = substances.map((one) => one[field])
    expect(seen.filter((value, i) => seen.indexOf(value) !== i)).toEqual([])
  })

  it("have identifiers of the right form with the right check digit", () => {
    for (const prefix of ["dtxsid", "dtxcid"] as const) {
      const identifiers = substances.map((one) => one[prefix])
      expect(identifiers.filter((id) => !id.startsWith(prefix.toUpperCase()))).toEqual([])
      expect(identifiers.filter((id) => !identifierPattern.test(id) && Number(id.slice(7)) > 99_999)).toEqual(
        []
      )
      expect(identifiers.filter((id) => !hasRightCheckDigit(id))).toEqual([])
    }
  })

  it("have CAS numbers with the right checksum", () => {
    expect(substances.map((one) => one.casrn).filter((casrn) => !hasRightChecksum(casrn))).toEqual([])
  })

  it("have two to six synonyms, trimmed and all different from each other and from the name", () => {
    for (const { preferredName, iupacName, synonyms } of substances) {
      const names = [preferredName, ...synonyms]
      expect(synonyms.length, preferredName).toBeGreaterThanOrEqual(2)
      expect(synonyms.length, preferredName).toBeLessThanOrEqual(6)
      expect([...names, iupacName ?? "-"].filter((name) => name === "" || name !== name.trim())).toEqual([])
      expect(new Set(names.map((name) => name.toLowerCase())).size, preferredName).toBe(names.length)
    }
  })

  it("have names with all characters that are difficult in a URL or an index", () => {
    const names = substances.flatMap((one) => [one.preferredName, ...one.synonyms])
    for (const hard of ["6:2/8:2 diPAP", "17β-Estradiol", "p,p'-DDT", "α/β/γ/δ-HCH", "(+)-Limonene"]) {
      expect(names).toContain(hard)
    }
  })

  it("have structures that both libraries read", () => {
    for (const { smiles, preferredName } of substances) {
      expect(
        withMolecule(rdkit, smiles, (molecule) => molecule.get_num_atoms()),
        preferredName
      ).toBeGreaterThan(0)
      expect(openMolecule(smiles).getAllAtoms(), preferredName).toBeGreaterThan(0)
    }
  })
})

describe("the detail records", () => {
  it("fit the contract and have every one of its fields", () => {
    const decode = Schema.decodeUnknownSync(DetailRecord.schemas.ccdchemicaldetails)
    const fields = Object.keys(DetailProjection.fields.ccdchemicaldetails).sort()
    expect(records.length).toBe(substances.length)
    for (const record of records) {
      expect(Object.keys(decode(record)).sort()).toEqual(fields)
    }
  })

  it("have the published InChIKeys of stereoisomers, salts and labelled substances", () => {
    const published = {
      Cholesterol: "HVYWMOMLDIMFJA-DPAQBDIFSA-N",
      Testosterone: "MUMGGOZAMZWBJJ-DYKIIFRCSA-N",
      Nicotine: "SNICXCGAKADSCV-JTQLQIEISA-N",
      Morphine: "BQJCRHHNABKAKU-KBQPJGBKSA-N",
      Theobromine: "YAPQBXQYLJRXSA-UHFFFAOYSA-N",
      "Sodium benzoate": "WXMKPNITSTVMEF-UHFFFAOYSA-M",
      "Paraquat dichloride": "FIKAKWIAUPDISJ-UHFFFAOYSA-L",
      "2,3,7,8-Tetrachlorodibenzo-p-dioxin": "HGUFODBRKLSHSI-UHFFFAOYSA-N",
      "Water-d2": "XLYOFNOQVPJJNP-ZSJDYOACSA-N"
    }
    for (const [name, inchikey] of Object.entries(published))
      expect(recordOf(name).inchikey, name).toBe(inchikey)
  })

  it("have different InChIKeys", () => {
    expect(records.filter((one) => !/^[A-Z]{14}-[A-Z]{8}SA-[A-Z]$/.test(String(one.inchikey)))).toEqual([])
    expect(new Set(records.map((one) => one.inchikey)).size).toBe(records.length)
  })

  it("say whether a structure has isotopes, several components or stereochemistry", () => {
    expect(recordOf("Chloroform-d")).toMatchObject({
      isotope: 1,
      multicomponent: 0,
      stereo: "0",
      molFormula: "CHCl3"
    })
    expect(recordOf("Monosodium glutamate")).toMatchObject({ isotope: 0, multicomponent: 1, stereo: "1" })
    expect(recordOf("Oleic acid")).toMatchObject({ isotope: 0, multicomponent: 0, stereo: "1" })
    expect(recordOf("Benzene")).toMatchObject({
      isotope: 0,
      multicomponent: 0,
      stereo: "0",
      averageMass: 78.114
    })
  })

  it("have a fingerprint of 729 tab-separated bits, some of them set", () => {
    for (const { descriptorStringTsv, preferredName } of records) {
      const bits = String(descriptorStringTsv).split("\t")
      expect(bits.length, String(preferredName)).toBe(729)
      expect(bits.every((bit) => bit === "0" || bit === "1")).toBe(true)
      expect(bits, String(preferredName)).toContain("1")
    }
  })

  it("have null in unknown fields", () => {
    const invented: ReadonlyArray<keyof (typeof records)[number]> = [
      "activeAssays",
      "totalAssays",
      "sourcesCount",
      "irisLink",
      "qcLevel",
      "density",
      "expocat"
    ]
    for (const record of records) for (const field of invented) expect(record[field]).toBeNull()
  })

  it("name the fictitious identifiers in a note, and only those", () => {
    for (const { dtxsid, dtxcid, compoundId, genericSubstanceId, qcNotes } of records) {
      expect(String(qcNotes).includes(dtxsid)).toBe(Number(genericSubstanceId) >= firstFictitiousNumber)
      expect(String(qcNotes).includes(String(dtxcid))).toBe(Number(compoundId) >= firstFictitiousNumber)
    }
    expect(recordOf("Bisphenol A").qcNotes).toBeNull()
  })

  it("take their numbers from the identifiers", () => {
    expect(recordOf("Bisphenol A")).toMatchObject({ id: "20182", genericSubstanceId: 20182, compoundId: 182 })
    expect(recordOf("Acetamide")).toMatchObject({ dtxcid: "DTXCID505", compoundId: 5 })
    expect(recordOf("Chlordane")).toMatchObject({ dtxcid: "DTXCID0028117", compoundId: 28117 })
  })
})

describe("a structure", () => {
  it("that RDKit or OpenChemLib cannot read is refused", () => {
    expect(() => fromSmiles(rdkit, "c1ccccc")).toThrow(StructureError)
    expect(() => withMolecule(rdkit, "C(C", () => 0)).toThrow("RDKit cannot read the SMILES C(C")
    expect(() => openMolecule("C1CC")).toThrow("OpenChemLib cannot read the SMILES C1CC")
  })

  it("whose mass differs between the libraries is refused, and the error names the substance", () => {
    const oneCarbonMore: RDKit = Object.assign(Object.create(rdkit), {
      get_mol: (smiles: string) => rdkit.get_mol(`${smiles}C`)
    })
    const benzene = substances.find((one) => one.preferredName === "Benzene")
    if (benzene === undefined) throw new Error("benzene is not bundled")
    expect(() => fromSmiles(oneCarbonMore, "CC")).toThrow(
      /differ on the monoisotopic mass of CC: 44\.06.* and 30\.04/
    )
    expect(() => detailRecord(oneCarbonMore, { ...benzene, smiles: "CC" })).toThrow(SubstanceError)
    expect(() => detailRecord(oneCarbonMore, { ...benzene, smiles: "CC" })).toThrow("Benzene (DTXSID3039242)")
  })

  it("has its formula in Hill order, for any order of its elements", () => {
    const element = fc.constantFrom("C", "H", "Cl", "N", "O", "Na", "S", "Br", "F", "P", "Ca")
    const counted = fc.uniqueArray(fc.tuple(element, fc.integer({ min: 1, max: 99 })), {
      minLength: 1,
      selector: ([symbol]) => symbol
    })
    const shuffled = counted.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))
    )
    const write = (list: ReadonlyArray<readonly [string, number]>): string =>
      list.map(([symbol, count]) => (count === 1 ? symbol : `${symbol}${count}`)).join("")
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(hill(write(other))).toBe(hill(write(list)))
        expect(hill(hill(write(list)))).toBe(hill(write(list)))
      })
    )
    expect(["C3H5OCl", "HF", "CN2Ca", "H4N2", "CCl3D"].map(hill)).toEqual([
      "C3H5ClO",
      "FH",
      "CCaN2",
      "H4N2",
      "CHCl3"
    ])
  })
})

describe("the MS-ready form", () => {
  const ready = (name: string): unknown => recordOf(name).msReadySmiles

  it("of a salt is that of its neutral organic component", () => {
    expect(ready("Disodium bisphenol A")).toBe(ready("Bisphenol A"))
    expect(ready("Metformin hydrochloride")).toBe(ready("Metformin"))
    expect(ready("Monosodium glutamate")).toBe(ready("L-Glutamic acid"))
    expect(ready("Calcium cyanamide")).toBe("N#CN")
    expect(msReady(rdkit, "CC[NH3+].[Cl-]")).toBe("CCN")
  })

  it("has no stereochemistry, and keeps isotope labels", () => {
    expect(records.filter((one) => /[@/\\]/.test(String(one.msReadySmiles)))).toEqual([])
    expect(ready("Chloroform-d")).toBe("[2H]C(Cl)(Cl)Cl")
  })

  it("keeps charges that no proton explains", () => {
    expect(ready("Nitrobenzene")).toBe("O=[N+]([O-])c1ccccc1")
    expect(ready("Choline chloride")).toBe("C[N+](C)(C)CCO")
  })

  it("does not exist without carbon", () => {
    for (const name of ["Sodium chloride", "Water", "Ammonium perchlorate", "Mercury"])
      expect(ready(name)).toBeNull()
  })

  it("is that of the component with the most heavy atoms, in any order of the components", () => {
    expect(msReady(rdkit, "CCO.OCC(C)C.Cl")).toBe("CC(C)CO")
    expect(msReady(rdkit, "CC.ClC(Cl)(Cl)Cl.[Pb]")).toBe("ClC(Cl)(Cl)Cl")
    expect(msReady(rdkit, "CCO.OCC(C)C.Cl")).toBe(msReady(rdkit, "Cl.CC(C)CO.OCC"))
    expect(msReady(rdkit, "CCO.CCN")).toBe(msReady(rdkit, "CCN.CCO"))
  })
})

interface Recorded {
  readonly dtxsid: string
  readonly dtxcid: string | null
  readonly casrn: string
  readonly smiles: string | null
  readonly molFormula?: string | null
  readonly monoisotopicMass?: number | null
  readonly inchikey?: string | null
  readonly msReadySmiles?: string | null
}

describe("compared with the records of a public service", () => {
  const details = new URL("../../../../shared/real/details-163.json", import.meta.url)
  const hits = new URL("../../../../shared/real/search-contain-bisphenol-a.json", import.meta.url)
  const read = (file: URL): ReadonlyArray<Recorded> => JSON.parse(readFileSync(file, "utf8"))
  const inBoth = (file: URL): ReadonlyArray<readonly [DetailRecord.DetailRecord, Recorded]> => {
    const recorded = new Map(read(file).map((one) => [one.dtxsid, one]))
    return records.flatMap((ours) => {
      const theirs = recorded.get(ours.dtxsid)
      return theirs === undefined ? [] : [[ours, theirs] as const]
    })
  }

  it.skipIf(!existsSync(details))(
    "identifiers, mass, formula, InChIKey and MS-ready form agree (skipped without ../shared/real/details-163.json)",
    () => {
      const pairs = inBoth(details)
      expect(pairs.length).toBeGreaterThanOrEqual(100)
      for (const [ours, theirs] of pairs) {
        const name = String(ours.preferredName)
        expect(ours, name).toMatchObject({
          dtxcid: theirs.dtxcid,
          casrn: theirs.casrn,
          molFormula: theirs.molFormula
        })
        expect(
          Math.abs(Number(ours.monoisotopicMass) - Number(theirs.monoisotopicMass)),
          name
        ).toBeLessThanOrEqual(0.001)
        if (theirs.inchikey !== null) expect(ours.inchikey, name).toBe(theirs.inchikey)
        const ready = theirs.msReadySmiles ?? null
        const canonical = ready && withMolecule(rdkit, ready, (molecule) => molecule.get_smiles())
        expect(ours.msReadySmiles, name).toBe(canonical)
      }
    }
  )

  it.skipIf(!existsSync(details))(
    "a CAS number found in both belongs to the same substance (skipped without ../shared/real/details-163.json)",
    () => {
      const recorded = new Map(read(details).map((one) => [one.casrn, one.dtxsid]))
      const others = substances.filter((one) => (recorded.get(one.casrn) ?? one.dtxsid) !== one.dtxsid)
      expect(others).toEqual([])
    }
  )

  it.skipIf(!existsSync(hits))(
    "identifiers and structures of search hits agree (skipped without ../shared/real/search-contain-bisphenol-a.json)",
    () => {
      const pairs = inBoth(hits)
      expect(pairs.length).toBeGreaterThanOrEqual(10)
      for (const [ours, theirs] of pairs) {
        expect(ours).toMatchObject({ dtxcid: theirs.dtxcid, casrn: theirs.casrn })
        expect(ours.inchikey, String(ours.preferredName)).toBe(
          fromSmiles(rdkit, String(theirs.smiles)).inchikey
        )
      }
    }
  )
})

describe("the identifier list", () => {
  const list = identifierList(substances)
  const known = new Set(substances.map((one) => one.dtxsid))

  it("has every substance, but not in the order of the table", () => {
    expect(substances.filter((one) => !list.includes(one.dtxsid))).toEqual([])
    const order = [...new Set(list)].filter((id) => known.has(id))
    expect(order).not.toEqual(substances.map((one) => one.dtxsid))
    const inPlace = order.filter((id, i) => substances.findIndex((one) => one.dtxsid === id) === i)
    expect(inPlace.length).toBeLessThan(substances.length / 20)
  })

  it("has five identifiers twice, and no other more than once", () => {
    const again = list.filter((id, i) => list.indexOf(id) !== i)
    expect(again.length).toBe(duplicateCount)
    expect(duplicateCount).toBe(5)
    expect(new Set(again).size).toBe(5)
    expect(again.every((id) => known.has(id))).toBe(true)
  })

  it("has four well-formed identifiers that are unknown, from the fictitious range", () => {
    const unknown = list.filter((id) => !known.has(id) && hasRightCheckDigit(id))
    expect(unknown.length).toBe(unknownCount)
    expect(unknown.map((id) => Number(identifierPattern.exec(id)?.[2]))).toEqual([
      99_900_001, 99_900_002, 99_900_003, 99_900_004
    ])
  })

  it("has exactly one identifier with a wrong check digit, otherwise that of a bundled substance", () => {
    const wrong = list.filter((id) => !hasRightCheckDigit(id))
    expect(wrong.length).toBe(1)
    const right = [...known].filter((id) => id.slice(7) === wrong[0]?.slice(7))
    expect(right.length).toBe(1)
  })

  it("has its faulty lines neither first nor last", () => {
    expect(known.has(String(list[0])) && known.has(String(list.at(-1)))).toBe(true)
    expect(list.length).toBe(substances.length + 10)
  })

  it("is always the same, and can be made from any number of substances", () => {
    expect(identifierList(substances)).toEqual(list)
    for (const length of [0, 1, 2, 5, 12, 100]) {
      const few = substances.slice(0, length)
      const list = identifierList(few)
      expect(few.every((one) => list.includes(one.dtxsid))).toBe(true)
      expect(list.length).toBe(length + Math.min(length, 5) + 4 + Math.min(length, 1))
    }
  })
})
