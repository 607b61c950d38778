import { chmodSync, copyFileSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { SqliteStore, Store, StoreWriter } from "@chemstream/service"
import { Effect, Fiber, Option } from "effect"
import { describe, expect, it } from "vitest"
import { schemaVersion } from "../src/sqlite/internal/database/schema.ts"
import { databaseOf, fileOf, folder, run } from "./testService.ts"

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
  it("returns the stored bytes, each record once", () =>
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

  it("keeps nothing of a failed or interrupted transaction, and continues", () =>
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

  it("runs the transactions of one writer one after the other", () =>
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

  it("gets its tables without blocking this thread while another connection locks the file", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "a.sqlite")
        const other = new DatabaseSync(file)
        other.exec("BEGIN IMMEDIATE")
        const writer = yield* SqliteStore.makeWriter({ file })
        const writing = yield* Effect.forkChild(
          writer.transaction((transaction) => transaction.putDetails([a]))
        )
        yield* Effect.yieldNow
        other.exec("ROLLBACK")
        other.close()
        yield* Fiber.join(writing)
        expect(yield* read(file, (store) => store.counts)).toMatchObject({ details: 1 })
      })
    ))

  it("is one file without a journal after compact", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const file = join(directory, "a.sqlite")
        yield* put(file, (transaction) => transaction.putDetails([a]))
        yield* SqliteStore.compact({ file })
        // Bytes 18 and 19 of the header: 1 is a rollback journal, 2 is WAL, which needs a writable folder.
        expect([...readFileSync(file).subarray(18, 20)]).toEqual([1, 1])
        expect(yield* read(file, (store) => store.counts)).toMatchObject({ details: 1 })
        expect(readdirSync(directory)).toEqual(["a.sqlite"])
      })
    ))
})

// The state after the process of a first import was killed: the file has a part of the transaction, and a journal can
// undo it.
const killedImport = Effect.gen(function* () {
  const directory = yield* folder
  const [file, killed] = [join(directory, "a.sqlite"), join(directory, "killed.sqlite")]
  const large = (n: number) => ({
    dtxsid: `DTXSID${n}`,
    record: bytes(JSON.stringify({ dtxsid: `DTXSID${n}`, text: "x".repeat(2_000_000) }))
  })
  yield* put(file, (transaction) =>
    Effect.gen(function* () {
      for (let n = 0; n < 50; n++) yield* transaction.putDetails([large(n)])
      yield* transaction.counts
      for (const suffix of ["", "-journal"]) copyFileSync(file + suffix, killed + suffix)
    })
  )
  return killed
})

describe("a database whose first import was killed", () => {
  it("is repaired when it is opened, for reading or for writing", () =>
    run(
      Effect.gen(function* () {
        const killed = yield* killedImport
        expect(yield* read(killed, (store) => store.counts)).toMatchObject({ details: 0 })
        yield* put(killed, (transaction) => transaction.putDetails([a]))
        expect(yield* read(killed, (store) => store.details([a.dtxsid]))).toHaveLength(1)
      })
    ))

  // The superuser may write to every file.
  it.skipIf(process.getuid?.() === 0)(
    "is named in the error if it cannot be repaired because it is read-only",
    () =>
      run(
        Effect.gen(function* () {
          const killed = yield* killedImport
          chmodSync(killed, 0o444)
          const error = yield* Effect.flip(SqliteStore.make({ file: killed }))
          expect(error.reason).toBe("failed")
          expect(error.message).toContain(`An import into the database ${killed} was stopped`)
        })
      )
  )
})

describe("a database that cannot be used", () => {
  it("is refused if it is absent, with the advice to import", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "none.sqlite")
        const error = yield* Effect.flip(SqliteStore.make({ file }))
        expect(error).toMatchObject({ _tag: "StoreError", reason: "absent", database: file })
        expect(error.message).toBe(`There is no database ${file}. Import records into one first.`)
      })
    ))

  it.each([schemaVersion + 1, schemaVersion - 2])(
    "is refused if it has schema %i, for reading and for writing, and is not changed",
    (version) =>
      run(
        Effect.gen(function* () {
          const file = yield* databaseOf(['{"dtxsid":"DTXSID7020182"}'])
          yield* change(file, `PRAGMA user_version = ${version}`)
          const before = readFileSync(file)
          for (const error of yield* refused(file)) {
            expect(error.reason).toBe("other-version")
            expect(error.message).toBe(
              `The database ${file} has schema ${version}, and this version of chemstream reads schema ${schemaVersion}. Use the version that made it, or import the records into a new file.`
            )
          }
          expect(readFileSync(file).equals(before)).toBe(true)
        })
      )
  )

  it("of the first schema is read, and upgraded by the next import, also while it is open", () =>
    run(
      Effect.gen(function* () {
        const file = yield* databaseOf(['{"dtxsid":"DTXSID7020182"}'])
        const record = bytes('{"dtxsid":"DTXSID7020182","good":["BPA"]}')
        const dose = { endpoint: "bioactivity.aedByDtxsid", key: a.dtxsid, number: 7, record }
        yield* put(file, (transaction) =>
          Effect.andThen(transaction.putSynonyms([{ ...a, record }]), transaction.putRecords([dose]))
        )
        yield* change(
          file,
          `CREATE TABLE synonyms AS SELECT key AS dtxsid, record FROM records WHERE endpoint = 'synonyms.byDtxsid';
           CREATE TABLE aed AS SELECT key AS dtxsid, number AS aeid, record FROM records
             WHERE endpoint = 'bioactivity.aedByDtxsid';
           DROP TABLE records; PRAGMA user_version = 1`
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            const store = yield* SqliteStore.make({ file })
            const stored = Effect.all(
              ["synonyms.byDtxsid", "bioactivity.aedByDtxsid"].map((endpoint) =>
                Effect.map(store.records(endpoint, [a.dtxsid], Store.start), ({ records }) => records)
              )
            )
            expect(yield* stored).toEqual([[record], [record]])
            expect(yield* store.counts).toMatchObject({ synonyms: 1, aed: 1 })
            yield* put(file, (transaction) => transaction.putDetails([b]))
            expect(yield* stored).toEqual([[record], [record]])
          })
        )
        expect(yield* read(file, (store) => store.counts)).toEqual({
          details: 2,
          synonyms: 1,
          bioactivity: 0,
          aed: 1
        })
      })
    ))

  it("is refused for reading if it is empty, and filled by the next import", () =>
    run(
      Effect.gen(function* () {
        const file = fileOf(yield* folder, "empty.sqlite", "")
        const error = yield* Effect.flip(SqliteStore.make({ file }))
        expect(error).toMatchObject({
          reason: "empty",
          message: expect.stringContaining("Import records into it first.")
        })
        yield* put(file, (transaction) => transaction.putDetails([a]))
        expect(yield* read(file, (store) => store.counts)).toMatchObject({ details: 1 })
      })
    ))

  it("is refused if it is not a database, or belongs to another program", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const text = fileOf(
          directory,
          "a.txt",
          "a text that is long enough to be looked at by anybody".repeat(9)
        )
        const other = join(directory, "other.sqlite")
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

  it("is refused for writing if its folder does not exist", () =>
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
