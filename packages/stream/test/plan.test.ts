// Tests the plan of a run: what it reads, what it leaves out, and the requests of its batches.
import { Adduct } from "@chemstream/api"
import {
  Bioactivity,
  Details,
  Enrich,
  ExposureRatio,
  Hazard,
  Identifiers,
  type Lookup,
  MsReady,
  Plan,
  Search,
  Suspects,
  TopActivity
} from "@chemstream/stream"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { clientOf } from "./lookupService.ts"

const idsOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => `DTXSID${10_000_000 + at}`)

const massesOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => String(300 + at / 100))

const planOf = <R, F>(
  texts: ReadonlyArray<string>,
  lookup: Lookup.Lookup<R, F>,
  options: Lookup.Options = {},
  dialect: "ctx" | "specification" = "specification"
): Promise<Plan.Plan> =>
  Effect.gen(function* () {
    const client = yield* clientOf(() => ({ status: 500, body: "a plan sends nothing" }), { dialect })
    return yield* Effect.provide(Plan.of(Identifiers.fromIterable(texts), lookup, options), client)
  }).pipe(Effect.scoped, Effect.runPromise)

describe("Plan.of", () => {
  it("counts what the input has, and the requests of full batches", async () => {
    const ids = idsOf(2500)
    expect(await planOf([...ids, "?", ...ids.slice(0, 3)], Details.byDtxsid())).toEqual({
      read: 2504,
      duplicates: 3,
      invalid: 1,
      kinds: { substances: 2500 },
      least: 3,
      most: 3
    })
  })

  it("has the requests of smaller batches, and no other with chunks above the size of a request", async () => {
    for (const [batchSize, requests] of [
      [100, 25],
      [999, 3],
      [1000, 3],
      [2000, 3]
    ] as const)
      expect(await planOf(idsOf(2500), Details.byDtxsid(), { batchSize }), `${batchSize}`).toMatchObject({
        kinds: { substances: 2500 },
        least: requests,
        most: requests
      })
  })

  it("requests repeated identifiers again without `dedupe`, and reads and writes no set of the caller", async () => {
    const texts = ["DTXSID10000000", "DTXSID10000001", "DTXSID10000000"]
    const seen = new Set(["DTXSID10000001"])
    const set = { add: (key: string) => !seen.has(key) && seen.add(key).size > 0 }
    const plans = [true, false, set].map((dedupe) =>
      planOf(texts, Details.byDtxsid(), { dedupe, batchSize: 1 })
    )
    expect((await Promise.all(plans)).map(({ duplicates, least }) => [duplicates, least])).toEqual([
      [1, 2],
      [0, 3],
      [1, 2]
    ])
    expect([...seen]).toEqual(["DTXSID10000001"])
  })

  it("has the batches of the dialect", async () => {
    const words = Array.from({ length: 450 }, (_, at) => `word ${at}`)
    const plan = { read: 450, kinds: { "names or identifiers": 450 } }
    expect(await planOf(words, Search.equalBatch())).toMatchObject({ ...plan, least: 3, most: 3 })
    expect(await planOf(words, Search.equalBatch(), {}, "ctx")).toMatchObject({ ...plan, least: 5, most: 5 })
    expect(await planOf(words, Search.equal())).toMatchObject({ ...plan, least: 450, most: 450 })
  })

  const parts = Enrich.lookup({ details: Details.byDtxsid(), hazard: Hazard.iris() })
  const features = Suspects.make({ adducts: [Adduct.usual.positive[0] as Adduct.Adduct] }).lookup
  it.each<
    readonly [string, Lookup.Lookup<unknown, unknown>, ReadonlyArray<string>, number, number | undefined]
  >([
    ["single values", Hazard.iris(), idsOf(3), 3, 3],
    ["batches of many records", Bioactivity.byDtxsid(), idsOf(1001), 2, 2],
    ["masses with a tolerance", MsReady.byMass({ tolerance: 0.01 }), ["100", "200"], 1, 1],
    ["masses in ppm, of which one is alone", MsReady.byMass({ ppm: 5 }), ["100", "200", "5000"], 2, 2],
    ["several parts", parts, idsOf(3), 4, 4],
    ["facts with the names of assay endpoints", TopActivity.lookup(), idsOf(25), 27, 28],
    ["facts with the names of one batch", TopActivity.lookup(), idsOf(20), 22, 22],
    ["facts with the names of a batch of one substance", TopActivity.lookup(), idsOf(1), 3, 3],
    ["facts with the names, whose last batch has one substance", TopActivity.lookup(), idsOf(21), 23, 24],
    ["facts of records alone", ExposureRatio.lookup(), idsOf(25), 2, 2],
    ["the most masses in ppm of a batch", MsReady.byMass({ ppm: 5 }), massesOf(500), 1, 1],
    ["more masses in ppm than a batch", MsReady.byMass({ ppm: 5 }), massesOf(501), 2, 2],
    ["features, each window once", features, ["300.1", "300.1", "400.2"], 1, undefined]
  ])("counts the requests for %s", async (_, lookup, texts, least, most) => {
    expect(await planOf(texts, lookup)).toMatchObject({ least, most })
  })

  it("of no identifiers sends nothing", async () => {
    expect(await planOf([], Details.byDtxsid())).toEqual({
      read: 0,
      duplicates: 0,
      invalid: 0,
      kinds: {},
      least: 0,
      most: 0
    })
  })
})

describe("Plan.sum", () => {
  it("adds the fewest and the most, and does not know the most if one is unknown", () => {
    expect(Plan.sum([])).toEqual({ least: 0, most: 0 })
    expect(
      Plan.sum([
        { least: 1, most: 3 },
        { least: 2, most: 5 }
      ])
    ).toEqual({ least: 3, most: 8 })
    expect(
      Plan.sum([
        { least: 1, most: undefined },
        { least: 2, most: 5 }
      ])
    ).toEqual({ least: 3, most: undefined })
    expect(
      Plan.sum([
        { least: 2, most: 5 },
        { least: 1, most: undefined }
      ])
    ).toEqual({ least: 3, most: undefined })
  })
})
