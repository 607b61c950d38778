import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
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
import { Generate, StoreWriter } from "@chemstream/service"
import { Effect, Exit, Result, Schema, Stream } from "effect"
import fc from "fast-check"
import { Molecule } from "openchemlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hill as hillOrder, loadRDKit, type RDKit } from "../bundled/structure.ts"

type Json = Readonly<Record<string, unknown>>

// OpenChemLib has older standard atomic weights (sulfur 32.065, carbon 12.0107): up to 0.006 Da an atom.
const averageTolerance = 0.03

const decoder = new TextDecoder()

const collect = (options: Generate.Options): Promise<ReadonlyArray<Generate.Batch>> =>
  Effect.runPromise(Stream.runCollect(Generate.batches(options)))

const lines = (batches: ReadonlyArray<Generate.Batch>, kind: keyof Generate.Batch): ReadonlyArray<string> =>
  batches.flatMap((batch) => batch[kind].map(({ record }) => decoder.decode(record)))

const records = (batches: ReadonlyArray<Generate.Batch>, kind: keyof Generate.Batch): ReadonlyArray<Json> =>
  lines(batches, kind).map((line) => JSON.parse(line))

const kinds = ["details", "synonyms", "bioactivity", "aed"] as const

describe("a generated data set", () => {
  it("is the same for the same count and seed", async () => {
    const options = { count: 1500, seed: 7, tested: 0.2 }
    const [once, again] = [await collect(options), await collect(options)]
    for (const kind of kinds) expect(lines(again, kind)).toEqual(lines(once, kind))
  })

  it("is another one for another seed", async () => {
    const [one, other] = [await collect({ count: 50, seed: 1 }), await collect({ count: 50, seed: 2 })]
    expect(records(one, "details").map(({ smiles }) => smiles)).not.toEqual(
      records(other, "details").map(({ smiles }) => smiles)
    )
  })

  it("begins with the smaller ones of its seed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2500 }),
        fc.integer({ min: 0, max: Generate.largestSeed }),
        async (count, seed) => {
          const small = await collect({ count, seed, tested: 0.1 })
          const large = await collect({ count: count + 700, seed, tested: 0.1 })
          for (const kind of kinds) {
            const first = lines(small, kind)
            expect(lines(large, kind).slice(0, first.length)).toEqual(first)
          }
        }
      ),
      { numRuns: 4 }
    )
  })

  it("has the bytes it had on every machine so far", async () => {
    const batches = await collect({ count: 300, seed: 42, tested: 0.5 })
    const digest = async (kind: keyof Generate.Batch) => {
      const text = new TextEncoder().encode(lines(batches, kind).join("\n"))
      return Buffer.from(await crypto.subtle.digest("SHA-256", text))
        .toString("hex")
        .slice(0, 16)
    }
    expect(await Promise.all(kinds.map(digest))).toEqual([
      "dcbea095d70eec21",
      "272a3fc708009fab",
      "fad26be6acfaf97a",
      "480f03108699e675"
    ])
  })

  it("comes in batches of a thousand substances", async () => {
    const batches = await collect({ count: 2300, seed: 1 })
    expect(batches.map(({ details }) => details.length)).toEqual([1000, 1000, 300])
  })
})

describe("identifiers and names", () => {
  let details: ReadonlyArray<Json>
  beforeAll(async () => {
    details = records(await collect({ count: 20_000, seed: 3, tested: 0, fingerprints: false }), "details")
  })

  it("have check digits that hold, from the fictitious range", () => {
    for (const { casrn, dtxcid, dtxsid, genericSubstanceId } of details) {
      expect(Number(genericSubstanceId)).toBeGreaterThanOrEqual(Generate.firstNumber)
      Result.getOrThrow(Dtxsid.verify(Result.getOrThrow(Dtxsid.parse(String(dtxsid)))))
      if (dtxcid !== null) Result.getOrThrow(Dtxcid.verify(Result.getOrThrow(Dtxcid.parse(String(dtxcid)))))
      expect(casrn).toBe(`NOCAS_${genericSubstanceId}`)
      Result.getOrThrow(Casrn.parse(String(casrn)))
    }
  })

  it("do not occur twice", () => {
    for (const field of ["dtxsid", "preferredName", "smiles", "inchikey"]) {
      const values = details.map((record) => record[field]).filter((value) => value !== null)
      expect(new Set(values).size, field).toBe(values.length)
    }
  })

  it("have non-standard InChIKeys, formulas in Hill order, and a note that says what they are", () => {
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

  it("are of salts, isotopes and substances without a structure in a few percent", () => {
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

  it("of a salt share the MS-ready form with the substance before it", () => {
    const salts = details.flatMap((record, i) => (record["multicomponent"] === 1 ? [{ record, i }] : []))
    const paired = salts.filter(({ record, i }) => details[i - 1]?.["smiles"] === record["msReadySmiles"])
    expect(paired.length / salts.length).toBeGreaterThan(0.9)
  })
})

describe("structures", () => {
  let rdkit: RDKit
  let sample: ReadonlyArray<Json>
  beforeAll(async () => {
    rdkit = await loadRDKit()
    const details = records(
      await collect({ count: 6000, seed: 11, tested: 0, fingerprints: false }),
      "details"
    )
    sample = details.filter(({ smiles }, i) => smiles !== null && i % 10 === 0)
  })

  it("are read by RDKit and by OpenChemLib, with the formula and masses of the record", () => {
    expect(sample.length).toBeGreaterThan(500)
    for (const { averageMass, molFormula, monoisotopicMass, smiles } of sample) {
      const title = String(smiles)
      const molecule = rdkit.get_mol(title)
      expect(molecule, title).not.toBeNull()
      const { exactmw } = JSON.parse(molecule?.get_descriptors() ?? "{}")
      molecule?.delete()
      expect(Math.abs(exactmw - Number(monoisotopicMass)), title).toBeLessThan(0.001)
      const formula = Molecule.fromSmiles(title, { noCoordinates: true }).getMolecularFormula()
      expect(hillOrder(formula.formula), title).toBe(molFormula)
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

describe("records", () => {
  let batches: ReadonlyArray<Generate.Batch>
  beforeAll(async () => {
    batches = await collect({ count: 2000, seed: 5, tested: 0.5 })
  })

  it("fit the schemas of the contract", () => {
    const check = (schema: Schema.Codec<unknown, unknown>, kind: keyof Generate.Batch) => {
      const decode = Schema.decodeUnknownSync(schema)
      for (const record of records(batches, kind)) expect(decode(record)).toEqual(record)
    }
    check(DetailRecord.DetailRecord, "details")
    check(SynonymRecord.SynonymRecord, "synonyms")
    check(BioactivityData.BioactivityData, "bioactivity")
    check(AedRecord.AedRecord, "aed")
  })

  it("of a substance are of the size of real ones, two thirds of it the fingerprint", async () => {
    const size = (of: ReadonlyArray<string>) => of.reduce((sum, line) => sum + line.length, 0) / of.length
    const whole = size(lines(batches, "details"))
    expect(whole).toBeGreaterThan(2800)
    expect(whole).toBeLessThan(3800)
    const bare = lines(await collect({ count: 1000, seed: 5, fingerprints: false }), "details")
    expect(size(bare)).toBeLessThan(whole / 2)
    for (const { descriptorStringTsv } of records(batches, "details")) {
      if (descriptorStringTsv !== null) expect(String(descriptorStringTsv)).toMatch(/^[01](\t[01]){728}$/)
    }
  })

  it("have about three synonyms a substance, of all qualities", () => {
    const synonyms = records(batches, "synonyms")
    const count = (quality: string) =>
      synonyms.reduce(
        (sum, record) => sum + ((record[quality] as ReadonlyArray<string> | null)?.length ?? 0),
        0
      )
    for (const quality of ["valid", "good", "other"]) expect(count(quality)).toBeGreaterThan(200)
    const mean = (count("valid") + count("good") + count("other")) / 2000
    expect(mean).toBeGreaterThan(2.5)
    expect(mean).toBeLessThan(3.5)
  })

  it("of bioactivity agree with the assay counts of their substance", () => {
    const data = records(batches, "bioactivity")
    const active = ({ hitc, nconc }: Json) =>
      nconc === 1 ? hitc === 1 : Number(hitc) >= BioactivityData.activeFrom
    for (const { activeAssays, assaySelect, dtxsid, totalAssays } of records(batches, "details")) {
      const own = data.filter((record) => record["dtxsid"] === dtxsid)
      expect(totalAssays ?? 0).toBe(own.length)
      expect(activeAssays ?? 0).toBe(own.filter(active).length)
      expect(assaySelect).toBe(own.length === 0 ? null : `${activeAssays}/${totalAssays}`)
    }
  })

  it("of bioactivity have hit calls from 0 to 1, and 0 or 1 where there is one concentration", () => {
    const data = records(batches, "bioactivity")
    const single = data.filter(({ nconc }) => nconc === 1)
    expect(single.length).toBeGreaterThan(500)
    for (const { hitc } of single) expect([0, 1]).toContain(hitc)
    const calls = data.filter(({ nconc }) => nconc !== 1).map(({ hitc }) => Number(hitc))
    for (const hitc of calls) expect(hitc >= 0 && hitc <= 1).toBe(true)
    expect(calls.filter((hitc) => hitc >= 0.9).length).toBeGreaterThan(100)
    expect(calls.filter((hitc) => hitc > 0.1 && hitc < 0.9).length).toBeGreaterThan(100)
  })

  it("of bioactivity have m4ids that do not occur twice and fit 32 bits at the largest count", () => {
    const ids = batches.flatMap(({ bioactivity }) => bioactivity.map(({ m4id }) => m4id))
    expect(new Set(ids).size).toBe(ids.length)
    const slots = (Math.max(...ids) - Math.min(...ids)) / 2000
    expect(Math.min(...ids) + slots * Generate.largestCount).toBeLessThan(2 ** 31)
  })
})

describe("what cannot be generated", () => {
  it.each([
    { count: 0, seed: 1 },
    { count: 1.5, seed: 1 },
    { count: Generate.largestCount + 1, seed: 1 },
    { count: 1, seed: -1 },
    { count: 1, seed: Generate.largestSeed + 1 },
    { count: 1, seed: 1, tested: 1.1 },
    { count: 1, seed: 1, tested: Number.NaN }
  ])("is refused with what can: %j", async (options) => {
    const exit = await Effect.runPromiseExit(Stream.runDrain(Generate.batches(options)))
    expect(Exit.isFailure(exit) && String(exit.cause)).toMatch(/must be .* from \d+ to \d+/)
  })
})

describe("a run", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "generate-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("writes the records of each kind into a file, plain and gzipped the same", async () => {
    const options = { count: 1200, seed: 9, tested: 0.05 }
    const report = await Effect.runPromise(Generate.files({ ...options, folder: join(folder, "plain") }))
    await Effect.runPromise(Generate.files({ ...options, folder: join(folder, "zipped"), gzip: true }))
    const batches = await collect(options)
    for (const kind of kinds) {
      const text = lines(batches, kind)
        .map((line) => `${line}\n`)
        .join("")
      expect(await readFile(join(folder, "plain", `${kind}.ndjson`), "utf8")).toBe(text)
      expect(gunzipSync(await readFile(join(folder, "zipped", `${kind}.ndjson.gz`))).toString()).toBe(text)
      expect(report.records[kind]).toBe(lines(batches, kind).length)
    }
  })

  it("leaves no file when it fails", async () => {
    const place = join(folder, "plain", "details.ndjson", "below")
    const exit = await Effect.runPromiseExit(Generate.files({ count: 1, seed: 1, folder: place }))
    expect(Exit.isFailure(exit) && String(exit.cause)).toContain("cannot be written")
    const refused = join(folder, "refused")
    await Effect.runPromiseExit(Generate.files({ count: 0, seed: 1, folder: refused }))
    expect(await readdir(folder)).not.toContain("refused")
  })

  it("puts every batch into a store, finishes once, and tells how far it is", async () => {
    const calls: Array<string> = []
    const put = (kind: string) => (entries: ReadonlyArray<unknown>) =>
      Effect.sync(() => void calls.push(`${kind} ${entries.length}`))
    const transaction: StoreWriter.Transaction = {
      putDetails: put("details"),
      putSynonyms: put("synonyms"),
      putBioactivity: put("bioactivity"),
      putAed: put("aed"),
      finish: Effect.sync(() => void calls.push("finish")),
      counts: Effect.die("not asked for")
    }
    const progress: Array<Generate.Progress> = []
    const report = await Effect.runPromise(
      Generate.into({ count: 1500, seed: 1, tested: 0, onProgress: (step) => progress.push(step) }).pipe(
        Effect.provideService(
          StoreWriter.StoreWriter,
          StoreWriter.StoreWriter.of({ transaction: (use) => use(transaction) })
        )
      )
    )
    expect(calls.filter((call) => call.startsWith("details"))).toEqual(["details 1000", "details 500"])
    expect(calls.filter((call) => call === "finish")).toEqual(["finish"])
    expect(calls.at(-1)).toBe("finish")
    expect(progress).toEqual([
      { phase: "generating", substances: 1000, total: 1500 },
      { phase: "generating", substances: 1500, total: 1500 },
      { phase: "finishing", substances: 1500, total: 1500 }
    ])
    expect(report.records.details).toBe(1500)
  })
})
