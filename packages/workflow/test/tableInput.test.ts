// Tests the columns and rows of tables of other programs.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { TableInput, TableTarget } from "@chemstream/workflow"
import { DuckDBInstance } from "@duckdb/node-api"
import { Effect, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "chemstream-table-input-"))

afterAll(() => rmSync(folder, { recursive: true }))

const makers = {
  sqlite: async (file: string, statements: ReadonlyArray<string>) => {
    const database = new DatabaseSync(file)
    for (const statement of statements) database.exec(statement)
    database.close()
  },
  duckdb: async (file: string, statements: ReadonlyArray<string>) => {
    const instance = await DuckDBInstance.create(file)
    const connection = await instance.connect()
    for (const statement of statements) await connection.run(statement)
    connection.closeSync()
    instance.closeSync()
  }
}

const read = (name: string, typeOf?: (column: string) => "integer" | undefined) =>
  Effect.gen(function* () {
    const target = yield* Effect.fromResult(TableTarget.parse(join(folder, name)))
    const { columns, rows } = yield* TableInput.open(target, typeOf)
    return { columns, rows: yield* Stream.runCollect(rows) }
  }).pipe(Effect.scoped, Effect.runPromise)

describe("the columns of a table", () => {
  it("have the types that SQLite derives from their declarations, which its values may contradict", async () => {
    await makers.sqlite(join(folder, "types.sqlite"), [
      `CREATE TABLE samples (n BIGINT, name VARCHAR(20), note CLOB, amount DOUBLE, share float4, ok BOOLEAN, price DECIMAL(5,2), point POINTER_TEXT)`,
      "INSERT INTO samples VALUES (9007199254740993, 'Bisphenol A', NULL, 0.5, 1, 1, 2.5, 7)"
    ])
    const { columns, rows } = await read("types.sqlite#samples")
    expect(columns).toEqual([
      { name: "n", type: "integer", isHint: true },
      { name: "name", type: "text", isHint: true },
      { name: "note", type: "text", isHint: true },
      { name: "amount", type: "number", isHint: true },
      { name: "share", type: "number", isHint: true },
      { name: "ok", type: "boolean", isHint: true },
      { name: "price", type: undefined, isHint: true },
      // The rule of SQLite: "int" anywhere in the name of the type is an integer.
      { name: "point", type: "integer", isHint: true }
    ])
    expect(rows).toMatchObject([{ n: 9_007_199_254_740_993n, name: "Bisphenol A", amount: 0.5, price: 2.5 }])
  })

  it("have the types of DuckDB", async () => {
    await makers.duckdb(join(folder, "types.duckdb"), [
      `CREATE TABLE samples (n BIGINT, small UTINYINT, name VARCHAR, amount DOUBLE, ok BOOLEAN, price DECIMAL(5,2), day DATE, parts INTEGER[], gap INTERVAL, data JSON)`,
      "INSERT INTO samples VALUES (9007199254740993, 7, 'Bisphenol A', 0.5, true, 2.5, '1980-05-07', [1, 2], INTERVAL 1 DAY, '{\"a\":1}')"
    ])
    const { columns, rows } = await read("types.duckdb#samples")
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ["n", "integer"],
      ["small", "integer"],
      ["name", "text"],
      ["amount", "number"],
      ["ok", "boolean"],
      ["price", "text"],
      ["day", "text"],
      ["parts", undefined],
      ["gap", "text"],
      ["data", undefined]
    ])
    expect(rows).toMatchObject([{ n: 9_007_199_254_740_993n, price: "2.50", day: "1980-05-07" }])
  })

  it("of a view without types have those of the caller", async () => {
    await makers.sqlite(join(folder, "view.sqlite"), [
      "CREATE TABLE samples (n INTEGER)",
      "CREATE VIEW sums AS SELECT n + 1 AS next, n || 'x' AS text FROM samples"
    ])
    const { columns } = await read("view.sqlite#sums", (name) => (name === "next" ? "integer" : undefined))
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ["next", "integer"],
      ["text", undefined]
    ])
  })
})

describe("rows", () => {
  it("of a run are in the order of its input", async () => {
    await makers.sqlite(join(folder, "run.sqlite"), [
      "CREATE TABLE details (dtxsid TEXT, input_line INTEGER, record_n INTEGER)",
      "INSERT INTO details VALUES ('c', 2, 1), ('b', 1, 2), ('a', 1, 1)"
    ])
    const { rows } = await read("run.sqlite#details")
    expect(rows.map(({ dtxsid }) => dtxsid)).toEqual(["a", "b", "c"])
  })
})

describe("a file of DuckDB", () => {
  it("can be read by another process at the same time", async () => {
    await makers.duckdb(join(folder, "both.duckdb"), ["CREATE TABLE samples AS SELECT 7 AS n"])
    const other = `
      const { DuckDBInstance } = await import(${JSON.stringify(import.meta.resolve("@duckdb/node-api"))})
      const instance = await DuckDBInstance.create(process.argv[1], { access_mode: "READ_ONLY" })
      const connection = await instance.connect()
      const reader = await connection.runAndReadAll("SELECT n FROM samples")
      console.log(JSON.stringify(reader.getRows()))`
    const seen = await Effect.gen(function* () {
      const target = yield* Effect.fromResult(TableTarget.parse(`${join(folder, "both.duckdb")}#samples`))
      const { rows } = yield* TableInput.open(target)
      const args = ["--input-type=module", "--eval", other, join(folder, "both.duckdb")]
      const theirs = execFileSync(process.execPath, args, { encoding: "utf8" })
      return [yield* Stream.runCollect(rows), JSON.parse(theirs)]
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(seen).toEqual([[{ n: 7 }], [[7]]])
  })
})

describe("a table that does not exist", () => {
  it.each(["sqlite", "duckdb"] as const)("is an error with the tables of %s", async (engine) => {
    const name = `other.${engine}`
    await makers[engine](join(folder, name), [
      "CREATE TABLE samples (n INTEGER)",
      "CREATE TABLE lots (n INTEGER)"
    ])
    await expect(read(`${name}#details`)).rejects.toMatchObject({
      _tag: "TableInputError",
      message: expect.stringMatching(
        /it has no table "details"; it has ("lots", "samples"|"samples", "lots")$/
      )
    })
  })

  it("is an error if the file does not exist, which is not made", async () => {
    await expect(read("none.duckdb#details")).rejects.toMatchObject({
      _tag: "TableInputError",
      message: `cannot read ${join(folder, "none.duckdb")}: no such file or directory`
    })
  })
})
