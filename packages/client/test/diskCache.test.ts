import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { ResponseCache } from "@chemstream/client"
import { DiskCache } from "@chemstream/client/node"
import { Effect, type Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, key, settings, withClient, withService } from "./testClient.ts"

let folder = ""
let file = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chemstream-cache-"))
  file = join(folder, "responses.cache")
})

afterEach(() => rmSync(folder, { recursive: true }))

const run = <A, E>(body: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(body))

const entry = (body: string | Uint8Array, storedAt = 1): ResponseCache.Entry => ({
  kind: "found",
  body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  etag: '"v1"',
  storedAt
})

describe("DiskCache", () => {
  it("has its entries after it is opened again", async () => {
    await run(Effect.flatMap(DiskCache.make({ file }), (store) => store.put("request", entry("body", 42))))
    const found = await run(Effect.flatMap(DiskCache.make({ file }), (store) => store.get("request")))
    expect(found).toMatchObject({ kind: "found", etag: '"v1"', storedAt: 42 })
    expect(new TextDecoder().decode(found?.body)).toBe("body")
  })

  it("is readable only by its owner", async () => {
    await run(
      Effect.gen(function* () {
        const store = yield* DiskCache.make({ file })
        yield* store.put("request", entry("body"))
        for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
        expect(readdirSync(folder)).toHaveLength(3)
      })
    )
  })

  it("deletes the least recently used entries above its bound, and the file stays near that size", async () => {
    await run(
      Effect.gen(function* () {
        const store = yield* DiskCache.make({ file, maxBytes: 1_000_000 })
        for (let n = 0; n < 200; n++) {
          yield* store.put(`request ${n}`, entry(new Uint8Array(50_000)))
          yield* store.get("request 0")
        }
        const stored = yield* Effect.filter(
          Array.from({ length: 200 }, (_, n) => n),
          (n) => Effect.map(store.get(`request ${n}`), (found) => found !== undefined)
        )
        expect(stored).toEqual([0, ...Array.from({ length: 18 }, (_, n) => 182 + n)])
        yield* store.put("huge", entry(new Uint8Array(1_000_001)))
        expect(yield* store.get("huge")).toBeUndefined()
      })
    )
    expect(statSync(file).size).toBeLessThan(1_300_000)
  })

  it.each<[string, ReadonlyArray<number>, ReadonlyArray<boolean>]>([
    ["an entry that fills it", [872], [true]],
    ["no entry that is larger by a byte", [873], [false]],
    ["entries that fill it together", [372, 372], [true, true]],
    ["not the first of entries that are larger by a byte together", [372, 373], [false, true]]
  ])("with a bound of 1000 bytes has %s", (_, sizes, kept) =>
    run(
      Effect.gen(function* () {
        const store = yield* DiskCache.make({ file, maxBytes: 1000 })
        for (const [at, size] of sizes.entries()) yield* store.put(`${at}`, entry(new Uint8Array(size)))
        const found = yield* Effect.forEach(sizes.keys(), (at) => store.get(`${at}`))
        expect(found.map((one) => one !== undefined)).toEqual(kept)
      })
    )
  )

  it("has one entry for a key, the last one, with all of its fields", () =>
    run(
      Effect.gen(function* () {
        const store = yield* DiskCache.make({ file })
        yield* store.put("a", entry("first"))
        expect(yield* store.get("a")).not.toHaveProperty("truncated", "capped")
        const body = new TextEncoder().encode("second")
        const last = { kind: "partial", body, etag: undefined, truncated: "capped", storedAt: 7 } as const
        yield* store.put("a", last)
        expect(yield* store.get("a")).toEqual(last)
        expect(yield* store.get("b")).toBeUndefined()
      })
    ))

  it("names its kind and the version of its tables, so that another version refuses it", async () => {
    await run(DiskCache.make({ file }))
    const database = new DatabaseSync(file)
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    expect(["application_id", "user_version", "journal_mode"].map(pragma)).toEqual([0x6368_656d, 3, "wal"])
    const columns = database.prepare("SELECT name FROM pragma_table_info('entries')").all()
    expect(columns.map(({ name }) => name).join()).toBe("key,kind,body,etag,truncated,stored_at,used,size")
    database.close()
  })

  it("contains neither the API key nor plain requests", () =>
    withService([Scripted.reply(200, `[{"dtxsid":"${bisphenolA}"}]`), Scripted.reply(404, "")], (service) =>
      Effect.gen(function* () {
        const store = yield* DiskCache.make({ file })
        yield* withClient(settings(service.url, { cache: { store } }), (client) =>
          Effect.andThen(
            client.details.byDtxsidBatch([bisphenolA]),
            Effect.flip(client.details.byDtxsid("DTXSID3039242"))
          )
        )
        const bytes = readdirSync(folder)
          .map((name) => readFileSync(join(folder, name), "latin1"))
          .join("")
        expect(bytes).toContain(bisphenolA)
        expect(bytes).not.toContain(key)
        expect(bytes).not.toContain("DTXSID3039242")
      }).pipe(Effect.scoped)
    ))

  it("loses no entry and keeps its bound when processes write at the same time", async () => {
    const writer = fileURLToPath(new URL("./diskCacheWriter.ts", import.meta.url))
    const write = (name: string) => promisify(execFile)(process.execPath, [writer, file, name, "200"])
    await Promise.all([write("one"), write("other")])
    await run(
      Effect.gen(function* () {
        const store = yield* DiskCache.make({ file })
        for (const name of ["one", "other"]) {
          for (let n = 0; n < 200; n++) {
            const found = yield* store.get(`${name} ${n}`)
            expect(new TextDecoder().decode(found?.body)).toBe(`${name} body ${n}`)
          }
        }
      })
    )
    const database = new DatabaseSync(file)
    expect(
      database.prepare("SELECT (SELECT sum(size) FROM entries) = bytes AS same FROM held").get()
    ).toEqual({ same: 1 })
    database.close()
  })

  const openError = (options: DiskCache.Settings) => run(Effect.flip(DiskCache.make(options)))

  it("refuses, and does not change, a file that is not a database, not a cache, or of another version", async () => {
    writeFileSync(
      file,
      "identifiers that somebody needs, more than a hundred bytes of them, one a line\n".repeat(10)
    )
    const before = readFileSync(file)
    expect(await openError({ file })).toMatchObject({
      _tag: "CacheFailure",
      message: expect.stringMatching(/not a cache of this client.*give another file name/)
    })
    expect(readFileSync(file)).toEqual(before)

    const foreign = join(folder, "foreign.sqlite")
    const database = new DatabaseSync(foreign)
    database.exec("CREATE TABLE theirs (a)")
    database.close()
    const empty = join(folder, "empty.sqlite")
    const named = new DatabaseSync(empty)
    named.exec("PRAGMA application_id = 5")
    named.close()
    expect((await openError({ file: empty })).message).toContain("a database, but not a cache of this client")
    expect((await openError({ file: foreign })).message).toContain("give another file name")

    const newer = join(folder, "newer.cache")
    await run(DiskCache.make({ file: newer }))
    const edited = new DatabaseSync(newer)
    edited.exec("PRAGMA user_version = 99")
    edited.close()
    expect((await openError({ file: newer })).message).toContain("another version")
  })

  it("says that a damaged file must be deleted", async () => {
    await run(
      Effect.flatMap(DiskCache.make({ file }), (store) =>
        Effect.forEach(
          Array.from({ length: 100 }, (_, n) => n),
          (n) => store.put(`request ${n}`, entry(new Uint8Array(5000)))
        )
      )
    )
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0x5a, 4096))
    const failure = await run(
      Effect.flip(Effect.flatMap(DiskCache.make({ file }), (store) => store.get("request 1")))
    )
    expect(failure).toMatchObject({ _tag: "CacheFailure", message: expect.stringContaining("delete it") })
  })

  // The primary codes of SQLite are the lowest byte of its result codes.
  it.each<[number, string]>([
    [5, "FILE was locked by another process for more than 2000 ms; try again"],
    [5 | (2 << 8), "FILE was locked by another process for more than 2000 ms; try again"],
    [8, "FILE cannot be written; check its permissions and those of its folder"],
    [11, "FILE is damaged (an error of SQLite); delete it, and its responses are requested again"],
    [13, "no space is left for FILE; free some space"],
    [10, "FILE cannot be used: an error of SQLite"],
    [
      26,
      "FILE is not a cache of this client, or is damaged; give another file name, or delete it if it was one"
    ]
  ])("says what to do about the code %i of SQLite", (errcode, message) =>
    run(
      Effect.gen(function* () {
        const store = yield* DiskCache.make({ file })
        const { exec } = DatabaseSync.prototype
        const spy = vi.spyOn(DatabaseSync.prototype, "exec")
        // SQLite itself rolls back after some errors.
        spy.mockImplementation(function (this: DatabaseSync, sql) {
          exec.call(this, sql === "COMMIT" ? "ROLLBACK" : sql)
          if (sql === "COMMIT") throw Object.assign(new Error("an error of SQLite"), { errcode })
        })
        const failure = yield* Effect.flip(store.put("request", entry("body")))
        spy.mockRestore()
        expect(failure).toMatchObject({ _tag: "CacheFailure", message: message.replace("FILE", file) })
        yield* store.put("request", entry("body"))
        expect(yield* store.get("request")).toBeDefined()
      })
    )
  )

  it("stores an entry after one that it could not store", () =>
    run(
      Effect.gen(function* () {
        const store = yield* DiskCache.make({ file })
        yield* store.put("a", entry("before"))
        const wrong = { ...entry("wrong"), kind: "other" as never }
        expect((yield* Effect.flip(store.put("a", wrong))).message).toMatch(
          /cannot be used: CHECK constraint/
        )
        expect(new TextDecoder().decode((yield* store.get("a"))?.body)).toBe("before")
        yield* store.put("a", entry("after"))
        expect(new TextDecoder().decode((yield* store.get("a"))?.body)).toBe("after")
      })
    ))

  it("names a file that cannot be opened", async () => {
    const missing = join(folder, "missing", "responses.cache")
    expect((await openError({ file: missing })).message).toContain(missing)
  })
})
