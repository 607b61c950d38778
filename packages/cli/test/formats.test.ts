/**
 * The contract of the output formats: hostile records in every format. Each value is kept, or refused with a reason.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Dtxsid } from "@chemstream/api"
import { Csv } from "@chemstream/ndjson"
import { DuckDBInstance } from "@duckdb/node-api"
import * as PgClient from "@effect/sql-pg/PgClient"
import { tableFromIPC } from "apache-arrow"
import { Effect, Redacted, Result, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { parquetReadObjects } from "hyparquet"
import readWorkbook from "read-excel-file/node"
import { describe, expect, it, type TestContext } from "vitest"
import * as TestPostgres from "../../workflow/test/testPostgres.ts"
import { folder, run } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

/** Hostile values, as a field of a record and its JSON. */
const hostile: ReadonlyArray<readonly [string, string]> = [
  // Nulls come first, so that no type can be guessed from the first records.
  ["preferredName", "null"],
  ["monoisotopicMass", "null"],
  ["id", "null"],
  ["later", "null"],
  // Scalars of the union, and types that the contract does not expect.
  ["id", '"12"'],
  ["id", "12"],
  ["id", "true"],
  ["preferredName", "7"],
  ["preferredName", "false"],
  ["preferredName", '["a","b"]'],
  ["preferredName", '{"a":1}'],
  ["monoisotopicMass", '"heavy"'],
  ["monoisotopicMass", "3850.0"],
  ["activeAssays", "1.5"],
  ["activeAssays", "9223372036854775807"],
  ["activeAssays", "9223372036854775808"],
  ["isMarkush", '"yes"'],
  // Numbers that doubles or spreadsheets change.
  ["monoisotopicMass", "9007199254740993"],
  ["later", "9007199254740993"],
  ["later", "0.1234567890123456789"],
  ["later", "123456789012345678901234567890"],
  ["monoisotopicMass", "1e400"],
  ["later", "1e-400"],
  ["later", "1.0E+2"],
  ["later", "-0"],
  // Text that formats change.
  ["preferredName", '""'],
  ["preferredName", '"\\u0000\\u0001\\u001f\\u007f"'],
  ["preferredName", '"tab\\tline\\nreturn\\r\\n"'],
  ["preferredName", '"_x0041_ and _x005F_"'],
  ["preferredName", '"mark \\ufeff \\uffff"'],
  ["preferredName", '" spaces "'],
  ["preferredName", '"comma, \\"quote\\"; semicolon"'],
  ["preferredName", '"half \\ud800"'],
  ["later", '"half \\udc00"'],
  // Text that a spreadsheet would run, or read as a number or date.
  ["preferredName", '"=1+1"'],
  ["preferredName", '"@SUM(A1)"'],
  ["casrn", '"1999-02-08"'],
  ["preferredName", '"00080"'],
  // Fields outside the contract, late and odd.
  ["later", '"text"'],
  ["later", '[1,[2,{"x":null}]]'],
  ["constructor", '"own"'],
  ["later", '"__proto__"'],
  ["a.b", '{"deep":[]}'],
  ["half \\ud800 name", "1"]
]

const ids = hostile.map((_, at) => Result.getOrThrow(Dtxsid.parse(`DTXSID00${20_000 + at}`)))

const records = hostile.map(([field, json], at) => `{"dtxsid":"${ids[at]}","${field}":${json}}`)

type Row = Readonly<Record<string, unknown>>

/** The addresses of the databases in Postgres, by the folder of their test. */
const databases = new Map<string, string>()

/** The value of `--output` for a format. */
const outputOf = async (at: string, format: string, test: TestContext): Promise<string> => {
  if (format === "postgres") {
    const { url } = await TestPostgres.forTest(test)
    databases.set(at, url)
    return `${url}#t`
  }
  return ["sqlite", "duckdb"].includes(format) ? `out.${format}#t` : `out.${format}`
}

/** Reads the rows of an output. */
const readers: Readonly<Record<string, (at: string) => Promise<ReadonlyArray<Row>>>> = {
  ndjson: async (at) => lines(readFileSync(join(at, "out.ndjson"), "utf8")),
  json: async (at) => JSON.parse(readFileSync(join(at, "out.json"), "utf8")),
  csv: (at) => csvRows(join(at, "out.csv"), ","),
  tsv: (at) => csvRows(join(at, "out.tsv"), "\t"),
  parquet: async (at) => {
    const { buffer, byteLength, byteOffset } = readFileSync(join(at, "out.parquet"))
    return parquetReadObjects({ file: (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength) })
  },
  arrow: async (at) =>
    tableFromIPC(readFileSync(join(at, "out.arrow")))
      .toArray()
      .map((row) => row.toJSON()),
  xlsx: async (at) => {
    const [sheet] = await readWorkbook(readFileSync(join(at, "out.xlsx")), { trim: false })
    const [header = [], ...rows] = sheet?.data ?? []
    return rows.map((row) =>
      Object.fromEntries(header.map((name, column) => [String(name), row[column] ?? null]))
    )
  },
  sqlite: async (at) => {
    const database = new DatabaseSync(join(at, "out.sqlite"), { readBigInts: true } as never)
    const rows = database.prepare("SELECT * FROM t").all() as ReadonlyArray<Row>
    database.close()
    return rows
  },
  duckdb: async (at) => {
    const connection = await (await DuckDBInstance.create(join(at, "out.duckdb"))).connect()
    const rows = (await connection.runAndReadAll("SELECT * FROM t")).getRowObjects()
    connection.closeSync()
    return rows
  },
  postgres: async (at) => {
    const url = Redacted.make(databases.get(at) ?? "")
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = yield* sql<{ name: string; type: string }>`
        SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 't'`
      // The client would parse JSON, and round its numbers.
      const asText = columns.filter(({ type }) => type === "json").map(({ name }) => sql`${sql(name)}::text`)
      const others = columns.filter(({ type }) => type !== "json").map(({ name }) => sql`${sql(name)}`)
      return yield* sql<Row>`SELECT ${sql.csv([...others, ...asText])} FROM t`
    }).pipe(Effect.provide(PgClient.layer({ url })), Effect.scoped, Effect.runPromise)
  }
}

const csvRows = (file: string, separator: string): Promise<ReadonlyArray<Row>> =>
  Effect.runPromise(
    Stream.runCollect(Csv.decode({ separator })(Stream.make(new Uint8Array(readFileSync(file)))))
  )

const typed = new Set(["monoisotopicMass", "activeAssays", "isMarkush"])

/** Returns the ways to write a value in a cell, without loss. */
const kept = (field: string, json: string, format: string): ReadonlyArray<unknown> => {
  const value = JSON.parse(json)
  const text = typeof value === "string" ? value : json
  if (format === "csv" || format === "xlsx") return [text, value, json]
  if (format === "tsv") return [text.replace(/[\t\r\n]/g, (one) => JSON.stringify(one).slice(1, -1)), json]
  if (format === "ndjson" || format === "json") return [value]
  // A number is exact as an integer or the nearest double. Other fields are JSON text.
  if (typed.has(field) && /^-?\d+$/.test(json))
    return [value, BigInt(json)].filter((one) => BigInt(one) === BigInt(json))
  return typed.has(field) ? [value] : [text, json, value]
}

describe("every value of a hostile record is kept", { concurrent: true }, () => {
  it.for(Object.keys(readers))("%s", { timeout: 240_000 }, async (format, test) => {
    const at = folder()
    writeFileSync(join(at, "ids"), ids.map((id) => `${id}\n`).join(""))
    const { env } = await scripted(({ ids: asked }) => ({
      body: `[${records.filter((_, index) => asked.includes(String(ids[index]))).join(",")}]`
    }))
    const output = await outputOf(at, format, test)
    const args = ["details", "-i", "ids", "--projection", "chemicaldetailstandard", "--validate", "off", "-q"]
    const ended = await run([...args, "-o", output], { cwd: at, env })
    expect(ended).toMatchObject({ code: 0 })
    expect(readdirSync(at).filter((name) => name.includes("partial"))).toEqual([])
    await expectKept(at, format)
  })

  it.for(Object.keys(readers))("%s, by a conversion", { timeout: 240_000 }, async (format, test) => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), records.map((record) => `${record}\n`).join(""))
    const ended = await run(["convert", "in.ndjson", await outputOf(at, format, test)], { cwd: at })
    expect(ended).toMatchObject({ code: 0, stdout: "" })
    // Names of columns in databases have no dots.
    expect(ended.stderr).toMatch(/^(?:chemstream: renamed columns of [^\n]*: "a\.b" is "a_b"\n)?$/)
    await expectKept(at, format)
  })
})

/** Checks that each hostile value is in its row. */
const expectKept = async (at: string, format: string): Promise<void> => {
  const rows = new Map((await readers[format]?.(at))?.map((row) => [row["dtxsid"], row]))
  expect([...rows.keys()].sort()).toEqual([...ids].sort())
  for (const [index, [name, json]] of hostile.entries()) {
    const field: string = JSON.parse(`"${name}"`)
    const row = rows.get(ids[index]) ?? {}
    const own = [field, field.replace(".", "_")]
      .filter((one) => Object.hasOwn(row, one))
      .map((one) => row[one])[0]
    const rest = JSON.parse(String(row["other_fields"] || "{}"))
    const isAbsent = own === undefined || own === null || (own === "" && json !== '""')
    const what = `${format}: ${field} ${json}`
    if (isAbsent && Object.hasOwn(rest, field)) expect(rest[field], what).toEqual(JSON.parse(json))
    else if (json === "null" || json === '""') expect([null, undefined, "", "null"], what).toContain(own)
    else expect(kept(field, json, format), what).toContainEqual(own)
  }
}

describe("a workbook", { concurrent: true }, () => {
  const long = "x".repeat(40_000)
  const setUp = async () => {
    const at = folder()
    const { env, requests } = await scripted(() => ({
      body: JSON.stringify([
        { dtxsid: "DTXSID7020182", preferredName: long },
        { dtxsid: "DTXSID3039242", preferredName: "short" }
      ])
    }))
    const args = ["details", "DTXSID7020182", "DTXSID3039242", "--projection", "compact", "-o", "out.xlsx"]
    return { at, env, requests, args: [...args, "--json-summary", "summary"] }
  }

  it("is not written if text is too long for a cell: the records are kept, and the record is named once", async () => {
    const { args, at, env, requests } = await setUp()
    const refused = await run(args, { cwd: at, env })
    expect(refused).toMatchObject({ code: 1, stdout: "" })
    expect(refused.stderr.match(/DTXSID7020182/g)).toHaveLength(1)
    expect(refused.stderr).toContain(
      'cannot write out.xlsx: line 1 (DTXSID7020182): its field "preferredName" has 40,000 characters, and a cell of a workbook holds 32,767'
    )
    expect(refused.stderr).toContain("chemstream convert out.xlsx.partial.ndjson FILE.csv")
    expect(JSON.parse(readFileSync(join(at, "summary"), "utf8"))).toMatchObject({ complete: false })
    expect(existsSync(join(at, "out.xlsx"))).toBe(false)
    expect(lines(readFileSync(join(at, "out.xlsx.partial.ndjson"), "utf8"))).toMatchObject([
      { preferredName: long },
      { preferredName: "short" }
    ])
    const converted = await run(["convert", "out.xlsx.partial.ndjson", "out.csv"], { cwd: at })
    expect(converted).toMatchObject({ code: 0 })
    expect(readFileSync(join(at, "out.csv"), "utf8")).toContain(long)
    // The same command requests nothing again, and names the record in the same way.
    const before = requests.length
    const again = await run(args, { cwd: at, env })
    expect(again.stderr).toContain("cannot write out.xlsx: line 1 (DTXSID7020182): its field ")
    expect(again).toMatchObject({ code: 1 })
    const cut = await run([...args, "--cut-cells"], { cwd: at, env })
    expect(cut).toMatchObject({ code: 1 })
    expect(cut.stderr).toContain("1 cell cut at 32,767 characters")
    expect(requests).toHaveLength(before)
    const [sheet] = await readWorkbook(readFileSync(join(at, "out.xlsx")))
    expect(sheet?.data.flat()).toContain(long.slice(0, 32_767))
    expect(existsSync(join(at, "out.xlsx.partial.ndjson"))).toBe(false)
  })

  it("names the line and the identifier of a refused value that an earlier part of the run has written", async () => {
    const at = folder()
    let isRevoked = true
    const { env } = await scripted(({ ids }, number) =>
      isRevoked && number > 2
        ? { status: 401, body: "{}" }
        : { body: JSON.stringify(ids.map((dtxsid) => ({ preferredName: number === 1 ? "" : long, dtxsid }))) }
    )
    writeFileSync(join(at, "ids"), "DTXSID3039242\n\nDTXSID7020182\nDTXSID0020232\n")
    const args = ["details", "-i", "ids", "--batch-size", "1", "--concurrency", "1", "-o", "out.xlsx"]
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 3 })
    isRevoked = false
    const ended = await run(args, { cwd: at, env })
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.stderr).toContain(
      "2 values have no place in it, the first is line 3 (DTXSID7020182): its field "
    )
  })

  it("is refused before the first request if the input has more values than a sheet has rows", async () => {
    const { at, env, requests } = await setUp()
    writeFileSync(join(at, "ids"), "DTXSID7020182\n".repeat(1_048_576))
    const ended = await run(["details", "-i", "ids", "-o", "out.xlsx"], { cwd: at, env })
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain("a sheet of a workbook has 1,048,575 rows below its header")
    expect(requests).toHaveLength(0)
  })
})

describe("CSV for a spreadsheet", () => {
  it("has a byte-order mark and escaped formulas with --for-spreadsheet, and neither by default", async () => {
    const at = folder()
    const { env } = await scripted(() => ({
      body: JSON.stringify([{ dtxsid: "DTXSID7020182", preferredName: "=1+1" }])
    }))
    const args = ["details", "DTXSID7020182", "--fields", "dtxsid,preferredName", "-q", "-o", "out.csv"]
    expect(await run([...args, "--for-spreadsheet"], { cwd: at, env })).toMatchObject({ code: 0 })
    expect(readFileSync(join(at, "out.csv"), "utf8")).toBe(
      "\ufeffdtxsid,preferredName\r\nDTXSID7020182,'=1+1\r\n"
    )
    expect(await run(args, { cwd: at, env })).toMatchObject({ code: 0 })
    expect(readFileSync(join(at, "out.csv"), "utf8")).toBe("dtxsid,preferredName\r\nDTXSID7020182,=1+1\r\n")
    const wrong = await run([...args.slice(0, -1), "out.json", "--for-spreadsheet"], { cwd: at, env })
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.stderr).toContain("--for-spreadsheet is for CSV and TSV")
  })
})
