import { AllRecord, Details, Dtxcid, Dtxsid } from "@chemstream/api"
import { Import, Service } from "@chemstream/service"
import { Effect, Redacted, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ask, fileOf, folder, key, run } from "./serving.ts"

const ndjson = (records: ReadonlyArray<object>): string =>
  records.map((record) => JSON.stringify(record)).join("\n")

const recordOf = (n: number) => ({
  dtxsid: Dtxsid.fromNumber(n),
  dtxcid: Dtxcid.fromNumber(n),
  id: String(n),
  preferredName: `Name ${n}`,
  averageMass: n + 0.5,
  ours: n
})

const records = Array.from({ length: 25 }, (_, i) => recordOf(i + 1))

const serving = (pageSize?: number, others: { readonly before?: string; readonly after?: string } = {}) =>
  Effect.gen(function* () {
    const within = yield* folder
    const database = `${within}/a.sqlite`
    const synonyms = (dtxsid: string) =>
      Import.synonyms({ database, files: [fileOf(within, "s.ndjson", ndjson([{ dtxsid, good: ["Any"] }]))] })
    if (others.before !== undefined) yield* synonyms(others.before)
    yield* Import.details({ database, files: [fileOf(within, "a.ndjson", ndjson(records))] })
    if (others.after !== undefined) yield* synonyms(others.after)
    return yield* Service.make({ database, keys: [Redacted.make(key)], pageSize })
  })

const page = (service: Service.Service["Service"], query: string) =>
  Effect.map(ask(service, `/chemical/all${query}`), ({ status, text }) =>
    status === 200 ? (JSON.parse(text) as ReadonlyArray<Record<string, unknown>>) : status
  )

describe("the list of all chemicals", () => {
  it("gives standard-2 records with exactly their fields, null where a record lacks one", () =>
    run(
      Effect.gen(function* () {
        const service = yield* serving()
        const all = yield* page(service, "")
        expect(Schema.decodeUnknownSync(Schema.Array(AllRecord.StandardRecord))(all)).toEqual(all)
        const expected = records.map((record) =>
          Object.fromEntries(
            Object.keys(AllRecord.standardFields).map((field) => [
              field,
              (record as unknown as Record<string, unknown>)[field] ?? null
            ])
          )
        )
        expect(all).toEqual(expected)
        expect(Object.keys((all as typeof expected)[0] ?? {})).toEqual(Object.keys(AllRecord.standardFields))
        expect(yield* page(service, "?next=1")).toEqual(expected)
      })
    ))

  it("gives the identifiers alone under all-ids, and refuses other projections and pages", () =>
    run(
      Effect.gen(function* () {
        const service = yield* serving()
        expect(yield* page(service, "?projection=all-ids")).toEqual(
          records.map(({ id, dtxcid, dtxsid }) => ({ id, dtxcid, dtxsid }))
        )
        for (const query of [
          "?projection=compact",
          "?next=0",
          "?next=-1",
          "?next=1.5",
          "?next=x",
          "?next=1e99"
        ]) {
          expect(yield* page(service, query)).toBe(400)
        }
      })
    ))

  it.each([
    {},
    { before: "DTXSID7020182" },
    { after: "DTXSID7020182" },
    { before: "DTXSID7020182", after: "DTXSID9020112" }
  ])(
    "gives each record once over its pages, and an empty page past the end (further synonyms: %j)",
    (others) =>
      run(
        Effect.gen(function* () {
          for (const pageSize of [1, 7, 24, 25, 26]) {
            const service = yield* serving(pageSize, others)
            const last = Math.ceil(25 / pageSize)
            const pages = yield* Effect.forEach(
              Array.from({ length: last + 2 }, (_, i) => i + 1),
              (next) => page(service, `?next=${next}&projection=all-ids`)
            )
            expect(pages.flat().map((record) => (record as Record<string, unknown>)["dtxsid"])).toEqual(
              records.map(({ dtxsid }) => dtxsid)
            )
            expect(
              pages.slice(0, last - 1).every((one) => (one as ReadonlyArray<unknown>).length === pageSize)
            ).toBe(true)
            expect(pages.slice(last)).toEqual([[], []])
          }
        })
      )
  )
})

describe("records by compound", () => {
  it("are those by substance, in every projection; an unknown compound is 404, in a batch absent", () =>
    run(
      Effect.gen(function* () {
        const service = yield* serving()
        const [first] = records as [(typeof records)[number]]
        for (const query of ["", "?projection=ccdchemicaldetails", "?projection=compact"]) {
          const bySubstance = yield* ask(service, `${Details.byDtxsidBatch.path}${first.dtxsid}${query}`)
          const byCompound = yield* ask(service, `${Details.byDtxcidBatch.path}${first.dtxcid}${query}`)
          expect(byCompound.text).toBe(bySubstance.text)
          const batch = yield* ask(service, `${Details.byDtxcidBatch.path}${query}`, {
            method: "POST",
            body: JSON.stringify([first.dtxcid, "DTXCID101", first.dtxcid]),
            headers: { "content-type": "application/json" }
          })
          expect(batch.text).toBe(`[${bySubstance.text}]`)
        }
        expect((yield* ask(service, `${Details.byDtxcidBatch.path}DTXCID30182`)).status).toBe(404)
      })
    ))

  it("are refused with 400 when a batch holds more than 1000", () =>
    run(
      Effect.gen(function* () {
        const service = yield* serving()
        const send = (count: number) =>
          ask(service, Details.byDtxcidBatch.path, {
            method: "POST",
            body: JSON.stringify(Array(count).fill("DTXCID30182")),
            headers: { "content-type": "application/json" }
          })
        expect((yield* send(1000)).text).toBe("[]")
        const refused = yield* send(1001)
        expect(refused.status).toBe(400)
        expect(JSON.parse(refused.text).detail).toContain("at most 1000")
      })
    ))
})
