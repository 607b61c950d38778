import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { SqliteStore, Store, StoreWriter } from "@chemstream/service"
import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import { fields } from "../src/sqlite/internal/hits.ts"
import { migrations } from "../src/sqlite/internal/migrations.ts"
import { databaseOf, fileOf, folder, run } from "./serving.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const a = { dtxsid: "DTXSID7020182", record: bytes('{"dtxsid":"DTXSID7020182"}') }
const b = { dtxsid: "DTXSID9020112", record: bytes('{"dtxsid":"DTXSID9020112"}') }

const put = (file: string, use: (transaction: StoreWriter.Transaction) => Effect.Effect<unknown, unknown>) =>
  StoreWriter.StoreWriter.use((writer) => writer.transaction(use)).pipe(
    Effect.provide(SqliteStore.layerWriter({ file }))
  )

const read = <A, E>(file: string, use: (store: Store.Store["Service"]) => Effect.Effect<A, E>) =>
  Store.Store.use(use).pipe(Effect.provide(SqliteStore.layer({ file })))

const refused = (file: string) =>
  Effect.all([Effect.flip(SqliteStore.make({ file })), Effect.flip(SqliteStore.makeWriter({ file }))])

const change = (file: string, sql: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  })

describe("a SQLite store", () => {
  it("gives back the bytes it was given, each record once", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        const record = bytes('{"ours":"µ\\u00e9","dtxsid":"DTXSID9020112","monoisotopicMass":1.10e-400}')
        yield* put(file, (transaction) => transaction.putDetails([a, { dtxsid: b.dtxsid, record }]))
        const found = yield* read(file, (store) => store.details([b.dtxsid, a.dtxsid, b.dtxsid, "x"]))
        expect(new Set(found.map((detail) => detail.record))).toEqual(new Set([a.record, record]))
        expect(found.length).toBe(2)
        expect(yield* read(file, (store) => store.detail(a.dtxsid))).toEqual(
          Option.some({ record: a.record, others: null })
        )
        expect(yield* read(file, (store) => store.detail("x"))).toEqual(Option.none())
        expect(yield* read(file, (store) => store.counts)).toMatchObject({ details: 2 })
      })
    ))

  it("keeps nothing of a transaction that fails or is interrupted, and goes on", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        yield* put(file, (transaction) => transaction.putDetails([a]))
        yield* Effect.flip(
          put(file, (transaction) => Effect.andThen(transaction.putDetails([b]), Effect.fail("stop")))
        )
        yield* Effect.exit(
          put(file, (transaction) => Effect.andThen(transaction.putDetails([b]), Effect.interrupt))
        )
        expect(yield* read(file, (store) => store.counts)).toMatchObject({ details: 1 })
        yield* put(file, (transaction) => transaction.putDetails([b]))
        expect(yield* read(file, (store) => store.counts)).toMatchObject({ details: 2 })
      })
    ))

  it("shows a reader the state before a transaction until it has ended", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        yield* put(file, (transaction) => transaction.putDetails([a]))
        const store = yield* SqliteStore.make({ file })
        yield* put(file, (transaction) =>
          Effect.gen(function* () {
            yield* transaction.putDetails([b])
            expect(yield* transaction.counts).toMatchObject({ details: 2 })
            expect(yield* store.counts).toMatchObject({ details: 1 })
          })
        )
        expect(yield* store.counts).toMatchObject({ details: 2 })
      })
    ))

  it("lets transactions of one writer wait for each other", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        const writer = yield* SqliteStore.makeWriter({ file })
        const one = (entry: StoreWriter.SubstanceEntry) =>
          writer.transaction((transaction) =>
            Effect.andThen(Effect.yieldNow, transaction.putDetails([entry]))
          )
        yield* Effect.all([one(a), one(b), one(a)], { concurrency: "unbounded" })
        expect(yield* read(file, (store) => store.counts)).toMatchObject({ details: 2 })
      })
    ))

  it("is one file, without a journal beside it, after compact", () =>
    run(
      Effect.gen(function* () {
        const within = yield* folder
        const file = join(within, "a.sqlite")
        yield* put(file, (transaction) => transaction.putDetails([a]))
        yield* SqliteStore.compact({ file })
        // Bytes 18 and 19 of the header: 1 is a rollback journal, 2 is WAL, which needs a folder to write to.
        expect([...readFileSync(file).subarray(18, 20)]).toEqual([1, 1])
        expect(yield* read(file, (store) => store.counts)).toMatchObject({ details: 1 })
        expect(readdirSync(within)).toEqual(["a.sqlite"])
      })
    ))
})

// What hits show stood among the names in the first layout, and FTS5 had the index of trigrams.
const asInFirstLayout = `
  DROP TABLE postings;
  DROP TABLE grams;
  CREATE VIRTUAL TABLE trigrams USING fts5(
    folded, content = '', columnsize = 0, detail = none, tokenize = "trigram case_sensitive 1"
  );
  CREATE TABLE grams (gram TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  ALTER TABLE names ADD COLUMN name TEXT;
  ALTER TABLE names ADD COLUMN folded TEXT;
  INSERT INTO names
    SELECT substance * 8 + 7, ${fields}, name, ifnull(folded, substr(lower(name), 2, length(name) - 2)) FROM hits;
  DROP TABLE hits;
  PRAGMA user_version = 1`

// Sets of documents stood by stripe in the third layout: here they are all of the first one, a row each.
const asInThirdLayout = `
  CREATE TABLE by_stripe AS
    SELECT ((id >> 44) << 44) | ((id >> 16) & ${2 ** 28 - 1}) AS id, substr(documents, 5) AS documents FROM postings;
  DELETE FROM postings;
  INSERT INTO postings SELECT * FROM by_stripe;
  DROP TABLE by_stripe;
  PRAGMA user_version = 3`

describe.each([
  ["first", asInFirstLayout],
  ["third", asInThirdLayout]
])("a database of the %s layout", (_, asInLayout) => {
  const details = [
    '{"dtxsid":"DTXSID7020182","hasStructureImage":1.0,"casrn":"80-05-7","preferredName":"Bisph\\u00e9nol \\"A\\""}',
    '{"dtxsid":"DTXSID9020112","smiles":"C\\\\C=C","isMarkush":false,"preferredName":"Bisphenol B"}',
    '{"dtxsid":"DTXSID1026081","preferredName":"3′-bisphenol"}',
    '{"dtxsid":"DTXSID10873181"}'
  ]
  const searched = (file: string) =>
    read(file, (store) =>
      Effect.forEach(["bisph", "NOL", 'nol "a', "3'-bis", "80-05-7", "DTXSID10873181"], (word) =>
        Effect.map(
          Effect.all([store.searchEqual(word), store.searchStartWith(word), store.searchContain(word)]),
          (found) => found.map(({ count, json }) => [count, new TextDecoder().decode(json)])
        )
      )
    )

  it("is not read, and once it has been opened for writing answers as it did", () =>
    run(
      Effect.gen(function* () {
        const file = yield* databaseOf(details)
        const before = yield* searched(file)
        expect(before.flat().filter(([count]) => count !== 0).length).toBeGreaterThan(6)
        yield* change(file, asInLayout)
        expect((yield* Effect.flip(SqliteStore.make({ file }))).reason).toBe("older")
        yield* SqliteStore.makeWriter({ file })
        expect(yield* searched(file)).toEqual(before)
      })
    ))

  it("takes a record again without a trace of the one that it replaces", () =>
    run(
      Effect.gen(function* () {
        const renamed = '{"dtxsid":"DTXSID9020112","preferredName":"Another"}'
        const fresh = yield* databaseOf([...details.filter((line) => !line.includes("9020112")), renamed])
        const file = yield* databaseOf(details)
        yield* change(file, asInLayout)
        yield* put(file, (transaction) =>
          transaction.putDetails([{ dtxsid: "DTXSID9020112", record: bytes(renamed) }])
        )
        expect(yield* searched(file)).toEqual(yield* searched(fresh))
      })
    ))
})

describe("a database that cannot be used", () => {
  it("is refused when it is absent, with the command that makes one", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "none.sqlite")
        const error = yield* Effect.flip(SqliteStore.make({ file }))
        expect(error).toMatchObject({ _tag: "StoreError", reason: "absent", database: file })
        expect(error.message).toContain(`chemstream import FILE… --kind details --database ${file}`)
      })
    ))

  it("is refused when it was made by a newer version, for reading and for writing, and is not touched", () =>
    run(
      Effect.gen(function* () {
        const file = yield* databaseOf(['{"dtxsid":"DTXSID7020182"}'])
        yield* change(file, `PRAGMA user_version = ${migrations.length + 1}`)
        const before = readFileSync(file)
        for (const error of yield* refused(file)) {
          expect(error.reason).toBe("newer")
          expect(error.message).toContain("newer version of chemstream")
        }
        expect(readFileSync(file).equals(before)).toBe(true)
      })
    ))

  it("is refused for reading when it is empty, and filled by the next import", () =>
    run(
      Effect.gen(function* () {
        const file = fileOf(yield* folder, "empty.sqlite", "")
        expect((yield* Effect.flip(SqliteStore.make({ file }))).reason).toBe("older")
        yield* put(file, (transaction) => transaction.putDetails([a]))
        expect(yield* read(file, (store) => store.counts)).toMatchObject({ details: 1 })
      })
    ))

  it("is refused when it is not a database, or that of another program", () =>
    run(
      Effect.gen(function* () {
        const within = yield* folder
        const text = fileOf(
          within,
          "a.txt",
          "a text that is long enough to be looked at by anybody".repeat(9)
        )
        const other = join(within, "other.sqlite")
        yield* change(other, "CREATE TABLE theirs (x)")
        for (const file of [text, other]) {
          for (const error of yield* refused(file)) {
            expect(error.reason).toBe("not-a-database")
            expect(error.message).toContain("Name another file")
          }
        }
        expect(readFileSync(text, "utf8")).toContain("a text")
      })
    ))

  it("is refused for writing when its folder is not there", () =>
    run(
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          SqliteStore.makeWriter({ file: join(yield* folder, "no", "a.sqlite") })
        )
        expect(error.reason).toBe("failed")
        expect(error.message).toContain("its folder exists")
      })
    ))
})
