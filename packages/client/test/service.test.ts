import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Dtxsid } from "@chemstream/api"
import type { ChemClient } from "@chemstream/client"
import { Bundled, Import, Service } from "@chemstream/service"
import { Effect, Exit, Redacted, Scope, Stream } from "effect"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bisphenolA, key, settings, withClient } from "./testClient.ts"

type Client = ChemClient.ChemClient["Service"]

/** Uses a client of a new service with this database. */
const withServiceClient = <A, E, E2>(
  database: Effect.Effect<string, E2, Scope.Scope>,
  body: (client: Client) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const service = yield* Service.make({ database: yield* database, keys: [Redacted.make(key)] })
    return yield* withClient(settings(service.url), body)
  }).pipe(Effect.scoped, Effect.runPromise)

/** Makes a database with these records. */
const databaseOf = (records: Partial<Record<Import.Kind, ReadonlyArray<object>>>) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "chemstream-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const database = join(folder, "chemicals.sqlite")
    for (const kind of Import.kinds) {
      const file = join(folder, `${kind}.ndjson`)
      writeFileSync(file, (records[kind] ?? []).map((record) => JSON.stringify(record)).join("\n"))
      yield* Import[kind]({ database, files: [file] })
    }
    return database
  })

const unknown = Dtxsid.fromNumber(999_999_999)

describe("with the service and its bundled data", () => {
  const scope = Scope.makeUnsafe()
  let url = ""

  beforeAll(async () => {
    const service = Service.make({ database: Bundled.database, keys: [Redacted.make(key)] })
    url = (await Effect.runPromise(Scope.provide(service, scope))).url
  })

  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const withBundledClient = <A, E>(body: (client: Client) => Effect.Effect<A, E>) =>
    Effect.runPromise(withClient(settings(url), body))

  it("details are found by both identifiers, alone and in batches", () =>
    withBundledClient(({ details }) =>
      Effect.gen(function* () {
        const one = yield* details.byDtxsid(bisphenolA, { projection: "ccdchemicaldetails" })
        expect(one).toMatchObject({ dtxsid: bisphenolA, preferredName: "Bisphenol A", casrn: "80-05-7" })
        const dtxcid = one.dtxcid ?? ""
        expect((yield* details.byDtxcid(dtxcid, { projection: "compact" })).dtxsid).toBe(bisphenolA)
        expect(
          yield* details.byDtxsidBatch([bisphenolA, unknown], { projection: "chemicalidentifier" })
        ).toEqual([expect.objectContaining({ dtxsid: bisphenolA, dtxcid })])
        expect(yield* details.byDtxcidBatch([dtxcid])).toEqual([expect.objectContaining({ dtxcid })])
        expect((yield* details.get(bisphenolA)).dtxcid).toBe(dtxcid)
        expect((yield* details.get(dtxcid)).dtxsid).toBe(bisphenolA)
        expect(yield* Effect.flip(details.get(unknown))).toMatchObject({ _tag: "NotFound" })
        expect(yield* Effect.flip(details.byDtxsid(unknown))).toMatchObject({ _tag: "NotFound" })
      })
    ))

  it("all chemicals are listed page by page, as records and as identifiers", () =>
    withBundledClient(({ details }) =>
      Effect.gen(function* () {
        const { records: page } = yield* details.page()
        expect(page.find(({ dtxsid }) => dtxsid === bisphenolA)).toMatchObject({ molFormula: "C15H16O2" })
        const ids = yield* details.all({ projection: "all-ids" }).pipe(Stream.runCollect)
        expect(ids.map(({ dtxsid }) => dtxsid)).toEqual(page.map(({ dtxsid }) => dtxsid))
        expect(Object.keys(ids[0] ?? {})).toEqual(["id", "dtxcid", "dtxsid"])
        expect((yield* details.page(1000)).records).toEqual([])
      })
    ))

  it("searches by name find or miss with suggestions, and batch search gives the same results", () =>
    withBundledClient(({ search }) =>
      Effect.gen(function* () {
        const exact = yield* search.equal("bisphenol a")
        expect(exact.hits[0]).toMatchObject({ dtxsid: bisphenolA, searchName: "Approved Name" })
        for (const found of [yield* search.startWith("Bisphenol"), yield* search.contain("phenol"), exact]) {
          expect(found.hits.map(({ dtxsid }) => dtxsid)).toContain(bisphenolA)
          expect(found).not.toHaveProperty("truncated")
        }
        expect(yield* Effect.flip(search.equal("Bisphenol Q"))).toMatchObject({
          _tag: "NotFound",
          suggestions: expect.arrayContaining([expect.any(String)])
        })
        const words = ["80-05-7", "Bisphenol Q", "bisphenol a", bisphenolA.toLowerCase()]
        const many = yield* search.equalMany(words)
        const batch = yield* search.equalBatch(words)
        const brief = (results: typeof many) =>
          results.map((result) =>
            result._tag === "Found"
              ? [result.word, ...result.hits.map(({ dtxsid }) => dtxsid)]
              : [result.word, result._tag]
          )
        expect(brief(many)).toEqual([
          ["80-05-7", bisphenolA],
          ["Bisphenol Q", "Missing"],
          ["bisphenol a", bisphenolA],
          [bisphenolA.toLowerCase(), bisphenolA]
        ])
        expect(brief(batch)).toEqual(brief(many))
      })
    ))

  it("formulas and masses find substances, and counts equal the lengths of lists", () =>
    withBundledClient(({ msready, search }) =>
      Effect.gen(function* () {
        const exact = yield* search.byExactFormula("C15H16O2")
        expect(exact).toContain(bisphenolA)
        expect(yield* search.countByExactFormula("C15H16O2")).toBe(exact.length)
        const ready = yield* search.byMsreadyFormula("C15H16O2")
        expect(ready).toContain(bisphenolA)
        expect(yield* search.countByMsreadyFormula("C15H16O2")).toBe(ready.length)
        expect(yield* search.countByExactFormula("C999H4")).toBe(0)
        expect(yield* msready.byFormula("C15H16O2")).toEqual(ready)
        expect(yield* msready.byDtxcid("DTXCID30182")).toContain(bisphenolA)
        expect(yield* msready.byMass(228.11, 228.12)).toContain(bisphenolA)
        const byCompound = yield* msready.byDtxcidBatch(["DTXCID30182", "DTXCID10999999"])
        expect(byCompound.get("DTXCID30182")).toContain(bisphenolA)
        expect(byCompound.get("DTXCID10999999")).toEqual([])
        const byMass = yield* msready.byMassBatch([228.115, 7, 228], { error: 0.01 })
        expect(byMass.get(228.115)).toContain(bisphenolA)
        expect([...byMass.keys()]).toEqual([228.115, 7, 228])
        expect(byMass.get(7)).toEqual([])
      })
    ))

  it("synonyms are returned by quality, as a list, and in batches", () =>
    withBundledClient(({ synonyms }) =>
      Effect.gen(function* () {
        const record = yield* synonyms.byDtxsid(bisphenolA)
        const flat = yield* synonyms.byDtxsid(bisphenolA, { projection: "ccd-synonyms" })
        const names: ReadonlyArray<string | null> = record.valid ?? []
        expect(flat.map(({ synonym }) => synonym)).toEqual(expect.arrayContaining([...names]))
        expect(yield* synonyms.byDtxsidBatch([unknown, bisphenolA])).toEqual([record])
        expect(yield* synonyms.get(bisphenolA)).toEqual(record)
        expect(yield* Effect.flip(synonyms.get(unknown))).toMatchObject({ _tag: "NotFound" })
      })
    ))
})

const other = Dtxsid.fromNumber(39_242)

const dataRecord = (m4id: number, aeid: number, more: object = {}) => ({
  m4id,
  aeid,
  spid: `S/${aeid}`,
  dtxsid: bisphenolA,
  nconc: 8,
  hitc: 0.95,
  tissue: "liver",
  mc5Param: { ac50: 2.5 },
  ...more
})

const data = [
  dataRecord(1, 704),
  dataRecord(2, 705, { hitc: 0.1 }),
  dataRecord(3, 704, { dtxsid: other, tissue: "lung" })
]
const dose = { dtxsid: bisphenolA, aeid: 704, aedVal: [1.5, null], aedValUnit: ["mg/kg/day", null] }

describe("with the service and bioactivity data", () => {
  it("records, summaries and doses are found by substance, endpoint, sample and number", () =>
    withServiceClient(databaseOf({ bioactivity: data, aed: [dose] }), ({ bioactivity }) =>
      Effect.gen(function* () {
        const [first, second, third] = data
        expect(yield* bioactivity.byDtxsid(bisphenolA)).toEqual([first, second])
        expect(yield* bioactivity.get(other)).toEqual([third])
        expect(yield* bioactivity.byDtxsidBatch([bisphenolA, unknown, other])).toEqual(data)
        expect(yield* bioactivity.byM4id(2)).toEqual(second)
        expect(yield* bioactivity.byM4idBatch([3, 9, 1])).toEqual([third, first])
        expect(yield* bioactivity.bySpid("S/704")).toEqual([first, third])
        expect(yield* bioactivity.bySpidBatch(["S/705", "S/704"])).toEqual([second, first, third])
        expect(yield* bioactivity.byAeid(705)).toEqual([second])
        expect(yield* bioactivity.byAeidBatch([705, 704])).toEqual([second, first, third])
        const plot = yield* bioactivity.byDtxsid(bisphenolA, { projection: "assay-summary-plot" })
        const doses: ReadonlyArray<number | null | undefined> = plot.map(({ ac50 }) => ac50)
        expect(doses).toEqual([2.5, 2.5])
        expect(yield* bioactivity.summaryByAeid(704)).toMatchObject({ aeid: 704, activeMc: 2, totalMc: 2 })
        expect(yield* bioactivity.summaryByDtxsid(bisphenolA)).toMatchObject({ activeMc: 1, totalMc: 2 })
        expect(yield* bioactivity.summaryByTissue(bisphenolA, "liver")).toMatchObject([
          { tissue: "liver", hitCall: "Active" }
        ])
        expect(yield* bioactivity.aedByDtxsid(bisphenolA)).toEqual([dose])
        expect(yield* bioactivity.aedByDtxsidBatch([other, bisphenolA])).toEqual([dose])
        for (const call of [
          bioactivity.summaryByDtxsid(unknown),
          bioactivity.summaryByTissue(bisphenolA, "kidney"),
          bioactivity.byM4id(9),
          bioactivity.get(unknown)
        ]) {
          expect(yield* Effect.flip<unknown, unknown, never>(call)).toMatchObject({ _tag: "NotFound" })
        }
      })
    ))
})

/** Makes a database with one substance for each name. */
const databaseWithNames = (names: ReadonlyArray<string>) =>
  databaseOf({
    details: names.map((preferredName, i) => ({ dtxsid: Dtxsid.fromNumber(i + 1), preferredName }))
  })

const piece = fc.constantFrom(
  ..."/?#%:'\"()*!&+;=@$,[]\\^`{|}<>~.-_ aZ9αβΩ′″é\u0301".split(""),
  "..",
  "%2F",
  "10:2/12:2 diPAP",
  "4,4'-"
)

const name = fc
  .array(piece, { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(""))
  .filter((text) => text.trim() !== "" && /[\p{L}\p{N}]/u.test(text))

describe("any name", () => {
  it("is found by exact search, alone and in a batch", async () => {
    const names = [
      ...[".", "..", "10:2/12:2 diPAP", "β,β′-(4/5)?#%:'\"*!"],
      ...fc.sample(name, { numRuns: 150, seed: 42 })
    ]
    await withServiceClient(databaseWithNames(names), ({ search }) =>
      Effect.gen(function* () {
        const results = yield* search.equalMany(names)
        for (const [i, result] of results.entries()) {
          const ids = result._tag === "Found" ? result.hits.map(({ dtxsid }) => dtxsid) : [result]
          expect(ids, JSON.stringify(names[i])).toContain(Dtxsid.fromNumber(i + 1))
        }
        const batch = yield* search.equalBatch(names.slice(0, 100))
        expect(batch.map(({ _tag }) => _tag)).toEqual(Array(100).fill("Found"))
      })
    )
  })
})
