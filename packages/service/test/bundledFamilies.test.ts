/** The bundled records of the families that the public service alone has. */
import { Dtxsid, type Row, Rows } from "@chemstream/api"
import { Bundled, Service } from "@chemstream/service"
import { Effect, Redacted, Result, Schema, SchemaAST } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { detailRecords } from "../bundled/compute.ts"
import { examples, source } from "../bundled/families/examples.ts"
import { type Family, families } from "../bundled/families.ts"
import { loadRDKit } from "../bundled/structure.ts"
import { substances } from "../bundled/substances.ts"
import { key, run, send } from "./testService.ts"

type Json = Readonly<Record<string, unknown>>

let all: ReadonlyArray<Family>

beforeAll(async () => {
  all = families(await loadRDKit(), await detailRecords())
}, 120_000)

const recordsOf = (family: Family): ReadonlyArray<Json> => family.records as ReadonlyArray<Json>

/** The values of a record and of the records in it, with the field of each. */
const valuesOf = (value: unknown, field = ""): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, one]) => valuesOf(one, Array.isArray(value) ? field : name))
    : [[field, value]]

const substancesIn = (record: Json): ReadonlyArray<string> =>
  valuesOf(record).flatMap(([, value]) => (/^DTXSID\d+$/.test(String(value)) ? [String(value)] : []))

const isExample = (dtxsid: string): boolean => examples.some((one) => one.dtxsid === dtxsid)

const saysExample = (record: Json): boolean => valuesOf(record).some(([, value]) => value === source)

/** The rows with facts about real substances. The records of every other row are made up, or not about a substance. */
const withFacts = [
  "exposure.functionalUse",
  "properties.predicted",
  "properties.experimental",
  "properties.summary",
  "lists.all",
  "links.ghs",
  "links.wikipedia",
  "extra.byDtxsid",
  "extra.bySmiles",
  "files.image",
  "files.imageByDtxcid",
  "files.imageByGsid",
  "files.mol",
  "files.molByDtxcid"
]

const fieldsOf = ({ ast }: Schema.Top): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []

const schemasOf = ({ forms = {}, record }: Row.Row): ReadonlyArray<Schema.Top> =>
  [record, ...Object.values(forms).map((form) => form.record)].map((make) => make())

/** The field of a record to import that has its key. */
const keyFieldOf = ({ key, recordKey, scalar }: Row.Row): string =>
  scalar === undefined ? (recordKey ?? key?.name ?? "") : "query"

describe("the bundled records of the families", () => {
  it("exist for every row that is imported by itself", () => {
    const names = all.map(({ row }) => row.name)
    const imported = Rows.all.filter(
      (row: Row.Row) =>
        row.dialect !== undefined &&
        row.from === undefined &&
        (row.special === undefined || row.get.body !== undefined)
    )
    expect(imported.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
    expect(all.filter(({ records }) => records.length === 0)).toEqual([])
  })

  it("fit the schemas of their rows, and have no other field than the source", () => {
    for (const family of all) {
      const { row } = family
      const known = [...schemasOf(row).flatMap(fieldsOf), keyFieldOf(row), row.scalar, "source"]
      const decode = Schema.decodeUnknownSync(row.record() as Schema.Codec<unknown>)
      for (const record of recordsOf(family)) {
        expect(
          Object.keys(record).filter((name) => !known.includes(name)),
          row.name
        ).toEqual([])
        const value = row.scalar === undefined ? record : record[row.scalar]
        expect(decode(value), row.name).toEqual(value)
      }
    }
  })

  it("are about bundled substances, and made up only for those that do not exist", () => {
    const real = new Set(substances.map(({ dtxsid }) => dtxsid))
    for (const family of all) {
      const { name, scalar } = family.row
      for (const record of recordsOf(family)) {
        const ids = substancesIn(record)
        const ofExamples = ids.filter(isExample)
        const unknown = ids.filter((id) => !isExample(id) && !real.has(id))
        expect(unknown, name).toEqual([])
        if (withFacts.includes(name)) expect([0, ids.length], name).toContain(ofExamples.length)
        else expect(ofExamples, name).toEqual(ids)
        // A scalar value is stored without any field beside it.
        if (scalar === undefined && ids.length > 0)
          expect(saysExample(record), name).toBe(ofExamples.length > 0)
      }
    }
  })

  it("have made-up assays and studies with numbers that no real one has", () => {
    const numbered = all.flatMap((family) =>
      recordsOf(family).flatMap((record) =>
        valuesOf(record).filter(([field]) => ["aeid", "toxcastAeid", "studyId"].includes(field))
      )
    )
    expect(numbered.length).toBeGreaterThan(10)
    expect(numbered.filter(([, value]) => Number(value) < 990_001)).toEqual([])
  })

  it("are about example substances with fictitious identifiers, which have detail and synonym records", () =>
    run(
      Effect.gen(function* () {
        const service = yield* Service.make({ database: Bundled.database, keys: [Redacted.make(key)] })
        for (const { dtxsid, name } of examples) {
          Result.getOrThrow(Dtxsid.verify(Result.getOrThrow(Dtxsid.parse(dtxsid))))
          const details = yield* send(service, `/chemical/detail/search/by-dtxsid/${dtxsid}`)
          expect(JSON.parse(details.text)).toMatchObject({
            dtxsid,
            preferredName: name,
            smiles: null,
            qcNotes: expect.stringMatching(/no such substance/)
          })
          expect((yield* send(service, `/chemical/synonym/search/by-dtxsid/${dtxsid}`)).status).toBe(200)
        }
      })
    ))

  it("are the responses of a service without a network", () =>
    run(
      Effect.gen(function* () {
        const service = yield* Service.make({ database: Bundled.database, keys: [Redacted.make(key)] })
        for (const family of all) {
          const { row } = family
          const value = String(recordsOf(family)[0]?.[keyFieldOf(row)] ?? "")
          const parts = Object.keys(row.key?.fields ?? {})
          const [name = ""] = parts
          const isInPath = row.get.path.includes(`{${name}}`)
          const target = isInPath
            ? row.get.path.replace(`{${name}}`, encodeURIComponent(value))
            : `${row.get.path}${name === "" ? "" : `?${name}=${encodeURIComponent(value)}`}`
          const { status, text } = yield* send(service, target)
          expect([row.name, status]).toEqual([row.name, 200])
          expect(text.length, row.name).toBeGreaterThan("[ { } ]".length)
        }
      })
    ))

  it("have lists with their members, by name, type and substance", () =>
    run(
      Effect.gen(function* () {
        const service = yield* Service.make({ database: Bundled.database, keys: [Redacted.make(key)] })
        const get = (target: string) =>
          Effect.map(send(service, target), ({ text }) => JSON.parse(text) as ReadonlyArray<never>)
        const members = yield* get("/chemical/list/chemicals/search/by-listname/40CFR1164")
        const [benzene] = yield* get("/chemical/list/chemicals/search/equal/40CFR1164/71-43-2")
        expect(members).toContain(benzene)
        const described = yield* get("/chemical/list/search/by-name/40CFR1164")
        expect(described).toMatchObject({ type: "federal", chemicalCount: members.length })
        const lists = yield* get(`/chemical/list/search/by-dtxsid/${benzene}?projection=chemicallistname`)
        expect(lists).toContainEqual({ listName: "40CFR1164" })
      })
    ))
})
