import { type Row, Rows } from "@chemstream/api"
import { Synthetic } from "@chemstream/synthetic"
import { Schema, SchemaAST } from "effect"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { collect, type Json, lines, records } from "./records.ts"

const decoder = new TextDecoder()

const texts = (batches: ReadonlyArray<Synthetic.Batch>, row: Synthetic.RowName): ReadonlyArray<string> =>
  batches.flatMap((batch) => batch.rows[row].map(({ record }) => decoder.decode(record)))

const parsed = (batches: ReadonlyArray<Synthetic.Batch>, row: Synthetic.RowName): ReadonlyArray<Json> =>
  texts(batches, row).map((line) => JSON.parse(line))

const kinds = ["details", "synonyms", "bioactivity", "aed"] as const

/** The rows with records of single substances. */
const ofSubstances = Synthetic.rowNames.filter((name) => name !== "lists.all" && name !== "assays.all")

describe("the generated records of the families", () => {
  let batches: ReadonlyArray<Synthetic.Batch>
  let details: ReadonlyArray<Json>
  beforeAll(async () => {
    batches = await collect({ count: 1200, seed: 5, tested: 0.5, families: 0.25, fingerprints: false })
    details = records(batches, "details")
  }, 120_000)

  const bySubstance = (row: Synthetic.RowName): ReadonlyMap<unknown, ReadonlyArray<Json>> =>
    Map.groupBy(parsed(batches, row), ({ dtxsid }) => dtxsid)

  it("do not exist by default, and leave the other records as they are", async () => {
    const without = await collect({ count: 1200, seed: 5, tested: 0.5, fingerprints: false })
    for (const row of Synthetic.rowNames) expect(texts(without, row)).toEqual([])
    for (const kind of kinds) expect(lines(without, kind)).toEqual(lines(batches, kind))
  })

  it("fit the schemas of their rows, without other fields", () => {
    for (const row of Synthetic.rowNames) {
      const { forms = {}, record }: Row.Row = Rows.byName[row]
      const schemas = [record, ...Object.values(forms).map((form) => form.record)].map((make) => make())
      const known = new Set(
        schemas.flatMap(({ ast }) =>
          SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
        )
      )
      const decode = Schema.decodeUnknownSync(record() as Schema.Codec<unknown>)
      const all = parsed(batches, row)
      expect(all.length, row).toBeGreaterThan(0)
      for (const one of all) {
        expect(decode(one)).toEqual(one)
        expect(Object.keys(one).filter((name) => !known.has(name))).toEqual([])
      }
    }
  })

  it("have numbers that tell apart the records of a substance", () => {
    for (const row of ofSubstances) {
      const ids = parsed(batches, row).flatMap(({ id }) => (id === undefined ? [] : [id]))
      expect(new Set(ids).size, row).toBe(ids.length)
      for (const id of ids) expect(Number.isSafeInteger(id)).toBe(true)
    }
  })

  it("are of the share of the substances, all of them generated", () => {
    const known = new Set(details.map(({ dtxsid }) => dtxsid))
    const covered = bySubstance("properties.predicted")
    expect(covered.size / details.length).toBeGreaterThan(0.2)
    expect(covered.size / details.length).toBeLessThan(0.3)
    for (const row of ofSubstances) {
      for (const dtxsid of bySubstance(row).keys()) {
        expect(known.has(dtxsid)).toBe(true)
        expect(covered.has(dtxsid)).toBe(true)
      }
    }
  })

  it("have the numbers and sizes of real ones", () => {
    for (const list of bySubstance("properties.predicted").values()) expect(list).toHaveLength(40)
    for (const list of bySubstance("hazard.toxval").values()) {
      expect(list.length).toBeGreaterThanOrEqual(20)
      expect(list.length).toBeLessThanOrEqual(130)
    }
    for (const list of bySubstance("exposure.httk").values()) expect(list).toHaveLength(18)
    for (const list of bySubstance("exposure.seem").values()) expect(list).toHaveLength(1)
    const mean = (row: Synthetic.RowName) => {
      const own = texts(batches, row)
      return own.reduce((sum, text) => sum + text.length, 0) / own.length
    }
    expect(mean("hazard.toxval")).toBeGreaterThan(1800)
    expect(mean("hazard.toxval")).toBeLessThan(2800)
    expect(mean("properties.predicted")).toBeGreaterThan(800)
    expect(mean("properties.predicted")).toBeLessThan(1600)
  })

  it("agree with the detail records about toxicity values and exposure", () => {
    const [covered, toxvals, exposures] = (
      ["properties.predicted", "hazard.toxval", "exposure.seemDemographic"] as const
    ).map(bySubstance)
    for (const { casrn, dtxsid, expocatMedianPrediction, toxvalData } of details) {
      if (!covered?.has(dtxsid)) continue
      expect(toxvals?.has(dtxsid)).toBe(toxvalData === "Y")
      for (const record of toxvals?.get(dtxsid) ?? []) expect(record["casrn"]).toBe(casrn)
      const total = exposures?.get(dtxsid)?.find(({ predictor }) => predictor === "SEEM3 Consensus")
      expect(total?.["medianText"] ?? null).toBe(expocatMedianPrediction)
    }
  })

  it("have a value in the range of its bounds, and a reason where a model has none", () => {
    for (const { l95, median, u95 } of parsed(batches, "exposure.seemDemographic")) {
      expect(Number(l95)).toBeLessThan(Number(median))
      expect(Number(median)).toBeLessThan(Number(u95))
    }
    const withoutValue = parsed(batches, "properties.predicted").filter(({ propValue }) => propValue === null)
    expect(withoutValue.length).toBeGreaterThan(0)
    for (const { propValueError, smiles } of withoutValue) {
      expect(smiles).toBeNull()
      expect(propValueError).toMatch(/no structure/)
    }
  })

  it("have lists of the substances of a batch, each with its count", () => {
    for (const batch of batches) {
      const own = new Set(batch.details.map(({ dtxsid }) => dtxsid))
      const lists = parsed([batch], "lists.all") as ReadonlyArray<
        Json & { readonly dtxsids: ReadonlyArray<string> }
      >
      expect(lists.map(({ type }) => type)).toContain("other")
      for (const { chemicalCount, dtxsids } of lists) {
        expect(dtxsids.filter((dtxsid) => !own.has(dtxsid))).toEqual([])
        expect(chemicalCount).toBe(new Set(dtxsids).size)
      }
    }
    const names = parsed(batches, "lists.all").map(({ listName }) => listName)
    expect(new Set(names).size).toBe(names.length)
  })

  it("have the annotation of every assay with bioactivity data once", () => {
    const annotated = parsed(batches, "assays.all").map(({ aeid }) => aeid)
    expect(new Set(annotated).size).toBe(annotated.length)
    const tested = new Set(records(batches, "bioactivity").map(({ aeid }) => aeid))
    expect(tested.size).toBeGreaterThan(10)
    expect([...tested].filter((aeid) => !annotated.includes(aeid))).toEqual([])
  })

  it("begin with those of a smaller data set, and its last lists with the members of that one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1500 }),
        fc.integer({ min: 0, max: Synthetic.largestSeed }),
        async (count, seed) => {
          const options = { seed, tested: 0, families: 0.1, fingerprints: false }
          const small = await collect({ ...options, count })
          const large = await collect({ ...options, count: count + 300 })
          for (const row of ofSubstances) {
            const first = texts(small, row)
            expect(texts(large, row).slice(0, first.length)).toEqual(first)
          }
          const members = new Map(
            parsed(large, "lists.all").map(({ dtxsids, listName }) => [listName, String(dtxsids)])
          )
          for (const { dtxsids, listName } of parsed(small, "lists.all")) {
            expect(members.get(listName)?.startsWith(String(dtxsids))).toBe(true)
          }
        }
      ),
      { numRuns: 3 }
    )
  })

  it("have the same bytes on every machine", async () => {
    const own = await collect({ count: 300, seed: 42, tested: 0, families: 0.5, fingerprints: false })
    const digest = async (row: Synthetic.RowName) => {
      const bytes = new TextEncoder().encode(texts(own, row).join("\n"))
      return [
        row,
        Buffer.from(await crypto.subtle.digest("SHA-256", bytes))
          .toString("hex")
          .slice(0, 16)
      ]
    }
    expect(Object.fromEntries(await Promise.all(Synthetic.rowNames.map(digest)))).toEqual({
      "assays.all": "8a3798cb0eb519f3",
      "exposure.functionalUse": "52c398afebcfc5b1",
      "exposure.httk": "53f3bb0a826c1637",
      "exposure.seem": "d47961789d141312",
      "exposure.seemDemographic": "e3f8a18b0e638e71",
      "hazard.toxval": "7b6608af2cf155c7",
      "lists.all": "36d8e6a229f5e063",
      "properties.experimental": "980644f3093525e0",
      "properties.predicted": "880eb1d79e0afe1d"
    })
  })
})
