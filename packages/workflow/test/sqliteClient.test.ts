import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { SqliteClient } from "@chemstream/workflow"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

let folder = ""
let file = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chemstream-sqlite-"))
  file = join(folder, "test.db")
})

afterEach(() => rmSync(folder, { recursive: true }))

const using = <A, E>(
  body: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, SqlClient.SqlClient>,
  options: Partial<SqliteClient.Options> = {}
): Promise<A> =>
  Effect.runPromise(
    Effect.provide(Effect.flatMap(SqlClient.SqlClient, body), SqliteClient.layer({ file, ...options }))
  )

const table = (sql: SqlClient.SqlClient) => sql`CREATE TABLE test (id INTEGER PRIMARY KEY, name TEXT)`

const names = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ name: string }>`SELECT name FROM test ORDER BY id`, (rows) => rows.map(({ name }) => name))

describe("a statement", () => {
  it("returns rows as objects or as arrays, and none for a statement without rows", () =>
    using((sql) =>
      Effect.gen(function* () {
        expect(yield* table(sql)).toEqual([])
        expect(yield* sql`INSERT INTO test (name) VALUES ('hello')`).toEqual([])
        expect(yield* sql`SELECT * FROM test`).toEqual([{ id: 1, name: "hello" }])
        expect(yield* sql`SELECT * FROM test`.values).toEqual([[1, "hello"]])
        expect(yield* sql`SELECT * FROM test`.valuesUnprepared).toEqual([[1, "hello"]])
        expect(yield* sql`SELECT * FROM test`.unprepared).toEqual([{ id: 1, name: "hello" }])
        expect(yield* sql`SELECT * FROM test`).toEqual([{ id: 1, name: "hello" }])
      })
    ))

  it("reports changed rows for raw statements", () =>
    using((sql) =>
      Effect.gen(function* () {
        yield* table(sql)
        expect(yield* sql`INSERT INTO test (name) VALUES ('a'), ('b')`.raw).toEqual({
          changes: 2,
          lastInsertRowid: 2
        })
        expect(yield* sql`SELECT name FROM test WHERE id = ${2}`.raw).toEqual([{ name: "b" }])
      })
    ))

  it("inserts rows, and returns those of RETURNING", () =>
    using((sql) =>
      Effect.gen(function* () {
        yield* table(sql)
        const rows = sql.insert([{ name: "a" }, { name: "b" }]).returning("id")
        expect(yield* sql`INSERT INTO test ${rows}`).toEqual([{ id: 1 }, { id: 2 }])
      })
    ))

  it("updates many rows at once from values", () =>
    using((sql) =>
      Effect.gen(function* () {
        yield* table(sql)
        yield* sql`INSERT INTO test ${sql.insert([{ name: "a" }, { name: "b" }, { name: "c" }])}`
        const data = sql.updateValues(
          [
            { id: 1, name: 'first, "quoted"' },
            { id: 3, name: "third" }
          ],
          "data"
        )
        yield* sql`UPDATE test SET name = data.name FROM ${data} WHERE test.id = data.id`
        expect(yield* names(sql)).toEqual(['first, "quoted"', "b", "third"])
      })
    ))

  it("stores booleans as numbers, undefined as null, and bytes unchanged", () =>
    using((sql) =>
      Effect.gen(function* () {
        const bytes = new Uint8Array([0, 255, 10])
        expect(yield* sql`SELECT ${true} AS t, ${false} AS f, ${null} AS n, ${bytes} AS b`).toEqual([
          { t: 1, f: 0, n: null, b: bytes }
        ])
      })
    ))

  it("reads integers without loss if safe integers are requested", () =>
    using((sql) =>
      Effect.gen(function* () {
        const large = sql<{ n: bigint }>`SELECT 9007199254740993 AS n`
        expect(yield* Effect.provideService(large, SqlClient.SafeIntegers, true)).toEqual([
          { n: 9007199254740993n }
        ])
        // Without safe integers, the nearest number is returned.
        expect(yield* large).toEqual([{ n: 9007199254740992 }])
      })
    ))

  it("continues after more distinct statements than the cache holds", () =>
    using(
      (sql) =>
        Effect.gen(function* () {
          for (let round = 0; round < 3; round++) {
            for (let k = 0; k < 10; k++) {
              expect(yield* sql`SELECT ${sql.literal(String(k))} AS k`).toEqual([{ k }])
            }
          }
        }),
      { statements: 3 }
    ))

  it("classifies errors", () =>
    using((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE test (name TEXT UNIQUE, n INTEGER CHECK (n > 0))`
        yield* sql`INSERT INTO test (name) VALUES ('a')`
        const twice = yield* Effect.flip(sql`INSERT INTO test (name) VALUES ('a')`)
        expect(twice.reason).toMatchObject({ _tag: "UniqueViolation", constraint: "test.name" })
        const refused = yield* Effect.flip(sql`INSERT INTO test (n) VALUES (-1)`)
        expect(refused.reason._tag).toBe("ConstraintError")
        const nonsense = yield* Effect.flip(sql`SELEC 1`)
        expect(nonsense.message).toContain('near "SELEC": syntax error')
      })
    ))
})

describe("a stream", () => {
  it("yields all rows in order, in steps, and can be stopped early", () =>
    using((sql) =>
      Effect.gen(function* () {
        const numbers = sql<{
          n: number
        }>`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000) SELECT n FROM c`
        const rows = yield* Stream.runCollect(numbers.stream)
        expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 1000 }, (_, k) => k + 1))
        expect(yield* numbers.stream.pipe(Stream.take(3), Stream.runCollect)).toEqual([
          { n: 1 },
          { n: 2 },
          { n: 3 }
        ])
        // The connection can be used again.
        yield* sql.withTransaction(sql`CREATE TABLE after (n)`)
      })
    ))

  it("fails with an error that occurs between rows", () =>
    using((sql) =>
      Effect.gen(function* () {
        const failing = sql`SELECT json_extract(value, '$') AS v FROM (SELECT '1' AS value UNION ALL SELECT '{')`
        const error = yield* Effect.flip(Stream.runCollect(failing.stream))
        expect(error.message).toContain("malformed JSON")
        expect(yield* sql`SELECT 1 AS n`).toEqual([{ n: 1 }])
      })
    ))
})

describe("a transaction", () => {
  it("commits everything or nothing", () =>
    using((sql) =>
      Effect.gen(function* () {
        yield* table(sql)
        yield* sql.withTransaction(sql`INSERT INTO test (name) VALUES ('kept')`)
        const error = yield* sql`INSERT INTO test (name) VALUES ('lost')`.pipe(
          Effect.andThen(Effect.fail("boom")),
          sql.withTransaction,
          Effect.flip
        )
        expect(error).toBe("boom")
        expect(yield* names(sql)).toEqual(["kept"])
      })
    ))

  it("rolls back an inner transaction alone", () =>
    using((sql) =>
      Effect.gen(function* () {
        yield* table(sql)
        const insert = (name: string) => sql`INSERT INTO test (name) VALUES (${name})`
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* insert("outer")
            yield* Effect.ignore(sql.withTransaction(Effect.andThen(insert("inner"), Effect.fail("boom"))))
            yield* sql.withTransaction(insert("second"))
          })
        )
        expect(yield* names(sql)).toEqual(["outer", "second"])
      })
    ))

  it("is rolled back when it is interrupted, and the next one continues", () =>
    using((sql) =>
      Effect.gen(function* () {
        yield* table(sql)
        const begun = yield* Deferred.make<void>()
        const fiber = yield* sql`INSERT INTO test (name) VALUES ('lost')`.pipe(
          Effect.andThen(Deferred.succeed(begun, undefined)),
          Effect.andThen(Effect.never),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
        yield* sql.withTransaction(sql`INSERT INTO test (name) VALUES ('kept')`)
        expect(yield* names(sql)).toEqual(["kept"])
      })
    ))

  it("is not interleaved with other statements", () =>
    using((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE log (k INTEGER PRIMARY KEY, who TEXT)`
        const log = (who: string) =>
          Effect.andThen(sql`INSERT INTO log (who) VALUES (${who})`, Effect.yieldNow)
        const both = (who: string) => sql.withTransaction(Effect.andThen(log(who), log(who)))
        yield* Effect.all(["a", "b", "c"].map(both), { concurrency: "unbounded" })
        const rows = yield* sql<{ who: string }>`SELECT who FROM log ORDER BY k`
        for (let k = 0; k < rows.length; k += 2) expect(rows[k]?.who).toBe(rows[k + 1]?.who)
      })
    ))
})

describe("a file", () => {
  it("that is not a database is refused", async () => {
    writeFileSync(file, "no database ".repeat(100))
    const error = await Effect.runPromise(
      Effect.flip(Effect.provide(Effect.flatMap(SqlClient.SqlClient, table), SqliteClient.layer({ file })))
    )
    expect(error.message).toBe(`cannot open ${file}: file is not a database`)
  })

  it("keeps committed rows when the process is killed", async () => {
    const child = writer("until-killed", 1_000_000)
    for await (const line of child.stdout as AsyncIterable<Buffer>) {
      if (/\b20\b/.test(line.toString())) break
    }
    child.kill("SIGKILL")
    await once(child, "exit")
    await using((sql) =>
      Effect.gen(function* () {
        const rows = yield* sql<{ n: number; pairs: number }>`
          SELECT count(*) AS n, count(DISTINCT pair) AS pairs FROM written`
        expect(rows[0]?.pairs).toBeGreaterThanOrEqual(20)
        // A transaction writes two rows, never one.
        expect(rows[0]?.n).toBe(2 * (rows[0]?.pairs ?? 0))
        expect(yield* sql`PRAGMA integrity_check`).toEqual([{ integrity_check: "ok" }])
      })
    )
  })

  it("is written by several processes at once without failures or losses", async () => {
    const writers = ["a", "b", "c", "d"].map((name) => writer(name, 100))
    const codes = await Promise.all(
      writers.map(async (child) => {
        child.stdout?.resume()
        return (await once(child, "exit"))[0]
      })
    )
    expect(codes).toEqual([0, 0, 0, 0])
    await using((sql) =>
      Effect.gen(function* () {
        expect(
          yield* sql`SELECT name, count(*) AS n, max(total) AS most FROM written GROUP BY name ORDER BY name`
        ).toMatchObject([
          { name: "a", n: 200 },
          { name: "b", n: 200 },
          { name: "c", n: 200 },
          { name: "d", n: 200 }
        ])
        // Each transaction read the number of rows before it wrote, so equal numbers would show an overlap.
        expect(yield* sql`SELECT count(DISTINCT total) AS n FROM written`).toEqual([{ n: 400 }])
      })
    )
  })
})

const writer = (name: string, count: number): ChildProcess =>
  spawn(
    process.execPath,
    [fileURLToPath(new URL("./sqliteWriter.ts", import.meta.url)), file, name, String(count)],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
