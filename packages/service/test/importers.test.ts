import { existsSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Dtxsid } from "@chemstream/api"
import { Import, SqliteStore, Store } from "@chemstream/service"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { fileOf, folder, run } from "./testService.ts"

const id = (number: number): string => Dtxsid.fromNumber(number)
const data = (m4id: number | string, rest = ""): string =>
  `{"m4id":${m4id},"aeid":1,"spid":"S","dtxsid":"${id(1)}"${rest}}`

const details = (number: number, rest = ""): string => `{"dtxsid":"${id(number)}","casrn":null${rest}}`
const synonyms = (number: number, rest = ""): string => `{"dtxsid":"${id(number)}","good":[]${rest}}`
const aed = (aeid: number | string, rest = ""): string =>
  `{"dtxsid":"${id(1)}","aeid":${aeid},"aedVal":1${rest}}`

const read = <A, E>(database: string, use: (store: Store.Store["Service"]) => Effect.Effect<A, E>) =>
  Store.Store.use(use).pipe(Effect.provide(SqliteStore.layer({ file: database })))

const recordsOf = (store: Store.Store["Service"], endpoint: string, keys: ReadonlyArray<string>) =>
  Effect.map(store.records(endpoint, keys, Store.start), ({ records }) => records)

const stored = (
  kind: Import.Kind,
  store: Store.Store["Service"]
): Effect.Effect<ReadonlyArray<Store.StoredRecord>, Store.StoreError> => {
  switch (kind) {
    case "details":
      return Effect.map(store.details([id(1), id(2)]), (found) => found.map(({ record }) => record))
    case "synonyms":
      return recordsOf(store, "synonyms.byDtxsid", [id(1), id(2)])
    case "bioactivity":
      return Effect.map(store.dataByAeid([1], Store.start), ({ records }) => records)
    case "aed":
      return recordsOf(store, "bioactivity.aedByDtxsid", [id(1)])
  }
}

describe("an import of synonyms, bioactivity or AED records", () => {
  const odd = ',"mass":1.10,"n":3850.0,"big":1e400,"long":12345678901234567890,"né":"\\u00e9"'
  const kinds: ReadonlyArray<readonly [Import.Kind, string, string, string]> = [
    ["details", details(1), details(1, odd), details(2)],
    ["synonyms", synonyms(1), synonyms(1, odd), synonyms(2)],
    ["bioactivity", data(3850), data("3850.0", odd), data(7)],
    ["aed", aed(3850), aed("3850.0", odd), aed(7)]
  ]
  it.each(kinds)(
    "%s replaces and counts records with the same identifier, and keeps their text",
    (kind, older, newer, other) =>
      run(
        Effect.gen(function* () {
          const directory = yield* folder
          const database = join(directory, "a.sqlite")
          const first = { database, files: [fileOf(directory, "1", older)] }
          expect(yield* Import[kind](first)).toMatchObject({ records: 1, replaced: 0 })
          const second = { database, files: [fileOf(directory, "2", gzipSync(`[${newer},\n${other}]`))] }
          expect(yield* Import[kind](second)).toMatchObject({ records: 2, replaced: 1 })
          const found = yield* read(database, (store) => stored(kind, store))
          expect(new Set(found.map((record) => new TextDecoder().decode(record)))).toEqual(
            new Set([newer, other])
          )
          expect((yield* read(database, (store) => store.counts))[kind]).toBe(2)
        })
      )
  )

  it("leaves the records of other kinds unchanged", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        for (const [kind, older] of kinds) {
          yield* Import[kind]({ database, files: [fileOf(directory, kind, older)] })
        }
        expect(yield* read(database, (store) => store.counts)).toEqual({
          details: 1,
          synonyms: 1,
          bioactivity: 1,
          aed: 1
        })
      })
    ))
})

describe("a record that cannot be imported", () => {
  const cases: ReadonlyArray<readonly [Import.Kind, string, RegExp]> = [
    ["synonyms", '{"good":["x"]}', /the record has no dtxsid, which identifies it/],
    ["bioactivity", '{"aeid":1,"spid":"S"}', /the record has no m4id/],
    ["bioactivity", '{"m4id":null,"aeid":1,"spid":"S"}', /has an m4id that is null/],
    ["bioactivity", '{"m4id":"5","aeid":1,"spid":"S"}', /has an m4id that is a string/],
    ["bioactivity", '{"m4id":1.5,"aeid":1,"spid":"S"}', /"1.5" is not an m4id: it must be a whole number/],
    ["bioactivity", '{"m4id":0,"aeid":1,"spid":"S"}', /"0" is not an m4id: it must be from 1/],
    ["bioactivity", '{"m4id":1,"spid":"S"}', /has no aeid/],
    ["bioactivity", '{"m4id":1,"aeid":3000000000,"spid":"S"}', /is not an aeid: it must be from 1/],
    ["bioactivity", '{"m4id":1,"aeid":1}', /has no spid/],
    ["bioactivity", '{"m4id":1,"aeid":1,"spid":" "}', /the value is empty: an spid is expected/],
    ["bioactivity", '{"m4id":1,"aeid":1,"spid":"S","dtxsid":"BPA"}', /"BPA" is not a DTXSID/],
    ["bioactivity", "[1]", /must be a JSON object/],
    ["aed", `{"dtxsid":"${id(1)}"}`, /has no aeid/],
    ["aed", '{"aeid":1}', /has no dtxsid/]
  ]
  it.each(cases)(
    "is refused with the line and the reason, and nothing is imported: %s %s",
    (kind, bad, message) =>
      run(
        Effect.gen(function* () {
          const directory = yield* folder
          const database = join(directory, "a.sqlite")
          const good = { details: details(1), synonyms: synonyms(1), bioactivity: data(1), aed: aed(1) }[kind]
          const error = yield* Effect.flip(
            Import[kind]({ database, files: [fileOf(directory, "bad", `${good}\n\n${bad}\n`)] })
          )
          expect(error).toMatchObject({ _tag: "ImportError", line: 3 })
          expect(error.message).toMatch(message)
          expect(error.message).toMatch(/bad, line 3: .*Nothing was imported\.$/)
          expect(existsSync(database)).toBe(false)
        })
      )
  )

  it("is not a data record without dtxsid, or with dtxsid null: both are imported", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const lines = '{"m4id":1,"aeid":1,"spid":"DMSO"}\n{"m4id":2,"aeid":1,"spid":"DMSO","dtxsid":null}'
        expect(yield* Import.bioactivity({ database, files: [fileOf(directory, "a", lines)] })).toMatchObject(
          {
            records: 2
          }
        )
      })
    ))
})

describe("the progress of an import", () => {
  it("grows to all records and bytes of all files, and ends with the phase finishing", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const lines = Array.from({ length: 3000 }, (_, i) => data(i + 1, `,"text":"${"x".repeat(300)}"`))
        const files = [
          fileOf(directory, "1", lines.slice(0, 2000).join("\n")),
          fileOf(directory, "2", gzipSync(lines.slice(2000).join("\n")))
        ]
        const seen: Array<Import.Progress> = []
        const report = yield* Import.bioactivity({
          database,
          files,
          onProgress: (progress) => {
            seen.push(progress)
          }
        })
        const last = seen.at(-1)
        expect(last).toEqual({ phase: "finishing", records: 3000, bytes: report.bytes, total: report.bytes })
        const reading = seen.slice(0, -1)
        expect(reading.length).toBeGreaterThan(2)
        for (const [i, progress] of reading.entries()) {
          expect(progress.phase).toBe("reading")
          expect(progress.records).toBeGreaterThan(seen[i - 1]?.records ?? 0)
          expect(progress.bytes).toBeGreaterThanOrEqual(seen[i - 1]?.bytes ?? 0)
          expect(progress.bytes).toBeLessThanOrEqual(report.bytes)
        }
      })
    ))
})

describe("a record that looks like another kind", () => {
  const samples: Readonly<Record<string, string>> = {
    details: `{"dtxsid":"${id(1)}","casrn":"80-05-7","preferredName":"a","smiles":"C","monoisotopicMass":16.03}`,
    synonyms: `{"dtxsid":"${id(1)}","pcCode":null,"valid":["a"],"good":["b"],"other":[]}`,
    bioactivity: data(7, ',"hitc":0.9,"nconc":8,"chidRep":1,"modl":"hill","aenm":"x"'),
    aed: `{"dtxsid":"${id(1)}","aeid":7,"preferredName":"a","aedType":"x","aedVal":1,"httkModel":"y"}`,
    hit: `{"dtxsid":"${id(1)}","casrn":"80-05-7","preferredName":"a","searchName":"x","searchValue":"y","rank":9}`
  }
  const pairs = Import.kinds.flatMap((kind) =>
    Object.keys(samples)
      .filter((other) => other !== kind)
      .map((other) => [other, kind] as const)
  )

  it.each(pairs)("%s is refused as %s on any line, and replaces nothing", (other, kind) =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const own = samples[kind] as string
        yield* Import[kind]({ database, files: [fileOf(directory, "own", own)] })
        const before = yield* read(database, (store) => stored(kind, store))
        const foreign = fileOf(directory, "foreign", `${own}\n${samples[other]}\n`)
        const error = yield* Effect.flip(Import[kind]({ database, files: [foreign] }))
        expect(error).toMatchObject({ _tag: "ImportError", line: 2 })
        if (other !== "hit" && kind !== "bioactivity" && kind !== "aed") {
          expect(error).toMatchObject({
            reason: "kind",
            message: expect.stringContaining("looks like one of")
          })
        }
        expect(yield* read(database, (store) => stored(kind, store))).toEqual(before)
      })
    )
  )

  it.each([
    ["details", `{"dtxsid":"${id(2)}"}`],
    ["details", `{"dtxsid":"${id(2)}","dtxcid":"DTXCID30182","note":"a","zipCode":1}`],
    ["synonyms", `{"dtxsid":"${id(2)}","CASRN":"80-05-7"}`],
    ["aed", `{"dtxsid":"${id(2)}","aeid":7,"unknown":1}`]
  ] as const)("is one that has no field of its kind except identifiers: %s %s", (kind, record) =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const files = [fileOf(directory, "unknown", `${samples[kind]}\n${record}\n`)]
        expect(yield* Effect.flip(Import[kind]({ database, files }))).toMatchObject({
          _tag: "ImportError",
          reason: "kind",
          line: 2,
          message: expect.stringMatching(
            /line 2: the record has no field of .* except its identifier\. Nothing was/
          )
        })
        expect(existsSync(database)).toBe(false)
        expect(yield* Import[kind]({ database, files, anyFields: true })).toMatchObject({ records: 2 })
      })
    )
  )

  it("is imported with anyFields, if it has the identifiers", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const files = [fileOf(directory, "synonyms", samples["synonyms"] as string)]
        expect(yield* Import.details({ database, files, anyFields: true })).toMatchObject({ records: 1 })
      })
    ))
})
