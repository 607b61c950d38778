import { join } from "node:path"
import { AllRecord, Details, Dtxcid, Dtxsid } from "@chemstream/api"
import { Import, type Service, SqliteStore } from "@chemstream/service"
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { fileOf, folder, run, send, serviceOf, sharedService } from "./testService.ts"

const recordOf = (n: number) => ({
  dtxsid: Dtxsid.fromNumber(n),
  dtxcid: Dtxcid.fromNumber(n),
  id: String(n),
  preferredName: `Name ${n}`,
  averageMass: n + 0.5,
  ours: n
})

const records = Array.from({ length: 25 }, (_, i) => recordOf(i + 1))

const details = records.map((record) => JSON.stringify(record))

const shared = sharedService({ details })

/** A database of the same records, with synonyms of other substances imported before and after them. */
const databaseWith = (others: { readonly before?: string; readonly after?: string }) =>
  Effect.gen(function* () {
    const directory = yield* folder
    const database = join(directory, "a.sqlite")
    const synonyms = (dtxsid: string) => {
      const record = JSON.stringify({ dtxsid, good: ["Any"] })
      return Import.synonyms({ database, files: [fileOf(directory, "s.ndjson", record)] })
    }
    if (others.before !== undefined) yield* synonyms(others.before)
    yield* Import.details({ database, files: [fileOf(directory, "a.ndjson", details.join("\n"))] })
    if (others.after !== undefined) yield* synonyms(others.after)
    return database
  })

const page = (service: Service.Service["Service"], query: string) =>
  Effect.map(send(service, `/chemical/all${query}`), ({ status, text }) =>
    status === 200 ? (JSON.parse(text) as ReadonlyArray<Record<string, unknown>>) : status
  )

const parsed = (json: Uint8Array): ReadonlyArray<{ readonly dtxsid: string }> =>
  JSON.parse(new TextDecoder().decode(json))

/** Expects every record once, full pages except for the last one, and two empty pages past the end. */
const expectPages = (pages: ReadonlyArray<ReadonlyArray<{ readonly dtxsid: string }>>, pageSize: number) => {
  const last = Math.ceil(records.length / pageSize)
  expect(pages.flat().map(({ dtxsid }) => dtxsid)).toEqual(records.map(({ dtxsid }) => dtxsid))
  expect(pages.slice(0, last - 1).every(({ length }) => length === pageSize)).toBe(true)
  expect(pages.slice(last)).toEqual([[], []])
}

describe("the list of all chemicals", () => {
  it("has standard-2 records with exactly their fields, null if a record lacks one", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
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

  it("has only the identifiers with all-ids, and refuses other projections and pages", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
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

  it.each([7, 25])("has each record once in pages of %i, and an empty page past the end", (pageSize) =>
    run(
      Effect.gen(function* () {
        const service = yield* serviceOf(details, { pageSize })
        const pages = yield* Effect.forEach(
          Array.from({ length: Math.ceil(25 / pageSize) + 2 }, (_, i) => i + 1),
          (next) => send(service, `/chemical/all?next=${next}&projection=all-ids`)
        )
        expectPages(
          pages.map(({ text }) => JSON.parse(text)),
          pageSize
        )
      })
    )
  )

  it.each([
    {},
    { before: "DTXSID7020182" },
    { after: "DTXSID7020182" },
    { before: "DTXSID7020182", after: "DTXSID9020112" }
  ])("has each record once in pages of any size (further synonyms: %j)", (others) =>
    run(
      Effect.gen(function* () {
        const store = yield* SqliteStore.make({ file: yield* databaseWith(others) })
        for (const pageSize of [1, 7, 24, 25, 26]) {
          const pages = yield* Effect.forEach(
            Array.from({ length: Math.ceil(25 / pageSize) + 2 }, (_, i) => i + 1),
            (next) => Effect.map(store.detailPage(next, pageSize, ["dtxsid"]), parsed)
          )
          expectPages(pages, pageSize)
        }
      })
    )
  )
})

describe("records by compound", () => {
  it("equal those by substance in every projection; an unknown compound is 404, and absent in a batch", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const [first] = records as [(typeof records)[number]]
        for (const query of ["", "?projection=ccdchemicaldetails", "?projection=compact"]) {
          const bySubstance = yield* send(service, `${Details.byDtxsid.batch.path}${first.dtxsid}${query}`)
          const byCompound = yield* send(service, `${Details.byDtxcid.batch.path}${first.dtxcid}${query}`)
          expect(byCompound.text).toBe(bySubstance.text)
          const batch = yield* send(service, `${Details.byDtxcid.batch.path}${query}`, {
            method: "POST",
            body: JSON.stringify([first.dtxcid, "DTXCID101", first.dtxcid]),
            headers: { "content-type": "application/json" }
          })
          expect(batch.text).toBe(`[${bySubstance.text}]`)
        }
        expect((yield* send(service, `${Details.byDtxcid.batch.path}DTXCID30182`)).status).toBe(404)
      })
    ))

  it("are refused with 400 in a batch of more than 1000", () =>
    run(
      Effect.gen(function* () {
        const service = yield* shared
        const sendMany = (count: number) =>
          send(service, Details.byDtxcid.batch.path, {
            method: "POST",
            body: JSON.stringify(Array(count).fill("DTXCID30182")),
            headers: { "content-type": "application/json" }
          })
        expect((yield* sendMany(1000)).text).toBe("[]")
        const refused = yield* sendMany(1001)
        expect(refused.status).toBe(400)
        expect(JSON.parse(refused.text).detail).toContain("at most 1000")
      })
    ))
})
