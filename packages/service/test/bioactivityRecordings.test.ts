import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Import } from "@chemstream/service"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { post, serviceOfDatabase, serviceOfKinds } from "./recordKindsService.ts"
import { fileOf, folder, run, send } from "./testService.ts"

// Recorded responses of a public service with the same endpoints. They are in a folder beside the checkout, if
// present.
const recorded = join(import.meta.dirname, "../../../../shared/real")
const file = (name: string): string => join(recorded, name)

interface DataRecord {
  readonly m4id: number
  readonly aeid: number
  readonly spid: string
  readonly dtxsid: string | null
  readonly nconc: number
  readonly hitc: number
}

const byM4id = <A extends { readonly m4id: number }>(records: ReadonlyArray<A>): ReadonlyArray<A> =>
  records.toSorted((a, b) => a.m4id - b.m4id)

describe.skipIf(!existsSync(recorded))("recorded responses (skipped without ../shared/real)", () => {
  it("of bioactivity data are returned deeply equal by endpoint, substance, sample and m4id", () =>
    run(
      Effect.gen(function* () {
        const name = file("bioactivity-data-aeid-704.json")
        const records: ReadonlyArray<DataRecord> = JSON.parse(readFileSync(name, "utf8"))
        const database = join(yield* folder, "a.sqlite")
        expect(yield* Import.bioactivity({ database, files: [name] })).toMatchObject({
          records: 42,
          replaced: 0
        })
        const service = yield* serviceOfDatabase(database)
        const data = "/bioactivity/data/search"
        const get = (target: string) =>
          Effect.map(send(service, `${data}/${target}`), ({ text }) => JSON.parse(text))

        expect(yield* get("by-aeid/704")).toEqual(byM4id(records))
        for (const record of records) {
          expect(yield* get(`by-m4id/${record.m4id}`)).toEqual(record)
        }
        for (const dtxsid of new Set(records.flatMap((record) => record.dtxsid ?? []))) {
          expect(yield* get(`by-dtxsid/${dtxsid}`)).toEqual(
            byM4id(records.filter((record) => record.dtxsid === dtxsid))
          )
        }
        const spids = [...new Set(records.map((record) => record.spid))]
        const ofSamples = yield* post(service, `${data}/by-spid/`, spids)
        expect(byM4id(JSON.parse(ofSamples.text))).toEqual(byM4id(records))

        const summary = yield* send(service, "/bioactivity/data/summary/search/by-aeid/704")
        const single = records.filter((record) => record.nconc === 1)
        const multi = records.filter((record) => record.nconc !== 1)
        expect(JSON.parse(summary.text)).toEqual({
          aeid: 704,
          activeMc: multi.filter((record) => record.hitc >= 0.9).length,
          totalMc: multi.length,
          activeSc: single.filter((record) => record.hitc === 1).length,
          totalSc: single.length
        })
      })
    ))

  it("of an endpoint's summary equal the summary of records with the same counts", () =>
    run(
      Effect.gen(function* () {
        const response = JSON.parse(readFileSync(file("bioactivity-summary-aeid-700.json"), "utf8"))
        const { activeMc, totalMc, activeSc, totalSc } = response
        const lines = Array.from({ length: totalMc + totalSc }, (_, i) =>
          i < totalMc
            ? { nconc: 8, hitc: i < activeMc ? 0.9 : 0.8999999999999999 }
            : { nconc: 1, hitc: i < totalMc + activeSc ? 1 : 0 }
        ).map((fields, i) => JSON.stringify({ m4id: i + 1, aeid: 700, spid: `S${i % 50}`, ...fields }))
        const service = yield* serviceOfKinds({ bioactivity: lines })
        const { text } = yield* send(service, "/bioactivity/data/summary/search/by-aeid/700")
        expect(JSON.parse(text)).toEqual(response)
      })
    ))

  it("of synonyms are returned deeply equal, and the flat list has as many", () =>
    run(
      Effect.gen(function* () {
        const record = JSON.parse(readFileSync(file("synonyms-DTXSID7020182.json"), "utf8"))
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const lines = fileOf(directory, "synonyms.ndjson", JSON.stringify(record))
        yield* Import.synonyms({ database, files: [lines] })
        const service = yield* serviceOfDatabase(database)
        const path = "/chemical/synonym/search/by-dtxsid/DTXSID7020182"
        expect(JSON.parse((yield* send(service, path)).text)).toEqual(record)
        const flat: ReadonlyArray<{ quality: string }> = JSON.parse(
          (yield* send(service, `${path}?projection=ccd-synonyms`)).text
        )
        expect(flat.filter(({ quality }) => quality === "Good")).toHaveLength(record.good.length)
        expect(flat).toHaveLength(
          record.valid.length + record.good.length + record.other.length + record.deletedCasrn.length
        )
      })
    ))
})
