/** Copies tables and mirrors of SQLite, DuckDB and Postgres into tables with the same types, again and again. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, it } from "vitest"
import { engines, execute, make } from "./labDatabase.ts"
import { startServer } from "./postgres.ts"
import { folder, run, sharedService } from "./process.ts"

const silent = { code: 0, stdout: "", stderr: "" }

const copy = (at: string, from: string, to = "out.duckdb#t", ...args: ReadonlyArray<string>) =>
  run(["convert", from, to, ...args], { cwd: at })

/** Runs a query in the DuckDB of the copies. */
const query = async (at: string, sql: string) => {
  const instance = await DuckDBInstance.create(join(at, "out.duckdb"))
  const connection = await instance.connect()
  const rows = (await connection.runAndReadAll(sql)).getRowObjects()
  connection.closeSync()
  instance.closeSync()
  return rows
}

/** The types of the columns of a copy. */
const typesOf = async (at: string): Promise<Readonly<Record<string, unknown>>> => {
  const rows = await query(at, "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 't'")
  return Object.fromEntries(rows.map((row) => [row["column_name"], row["data_type"]]))
}

const declared =
  "n integer, big bigint, mass double precision, is_new boolean, name varchar(20), amount decimal(10,3)"

const declaredTypes = { n: "BIGINT", big: "BIGINT", mass: "DOUBLE", is_new: "BOOLEAN", name: "VARCHAR" }

describe.each(engines)("a copy of a table in %s", (engine) => {
  it("has the declared types and all digits, on every night", async () => {
    const { at, nameOf } = await make(
      engine,
      `CREATE TABLE $lab (${declared})`,
      "INSERT INTO $lab VALUES (1, 9007199254740993, 2.0, true, '007', 0.5), (NULL, 2, NULL, false, NULL, NULL)"
    )
    for (const _ of [1, 2]) expect(await copy(at, nameOf("lab"))).toEqual(silent)
    expect(await typesOf(at)).toMatchObject(declaredTypes)
    expect(await query(at, "SELECT * FROM t ORDER BY input_line")).toMatchObject([
      { n: 1n, big: 9007199254740993n, mass: 2, is_new: true, name: "007", other_fields: null },
      { n: null, big: 2n, mass: null, is_new: false, name: null, other_fields: null }
    ])
  })

  it("has its columns while it has no rows, of which --fields selects some", async () => {
    const { at, nameOf } = await make(engine, `CREATE TABLE $lab (${declared})`)
    expect(await copy(at, nameOf("lab"))).toEqual(silent)
    expect(await typesOf(at)).toMatchObject(declaredTypes)
    await execute[engine](at, [`INSERT INTO ${nameOf("lab").split("#")[1]} VALUES (1, 2, 3, true, 'a', 0.5)`])
    expect(await copy(at, nameOf("lab"))).toEqual(silent)
    expect(await query(at, "SELECT n, mass, name FROM t")).toEqual([{ n: 1n, mass: 3, name: "a" }])
    const none = { ...silent, stderr: "chemstream: warning: --where: none of the 1 record read has n = 2\n" }
    expect(await copy(at, nameOf("lab"), "some.csv", "--fields", "big,n", "--where", "n = 2")).toEqual(none)
    expect((await copy(at, "some.csv", "-")).stdout).toBe("")
    expect(await copy(at, nameOf("lab"), "some.duckdb#t", "--fields", "big,n", "--where", "n = 2")).toEqual(
      none
    )
    expect(await copy(at, nameOf("lab"), "some.duckdb#t", "--fields", "big,n")).toEqual(silent)
  })
})

describe("a copy of a table in SQLite", () => {
  it("has the type of all values if they do not fit the declared one, also when they fit it later", async () => {
    const { at, nameOf } = await make(
      "sqlite",
      "CREATE TABLE lab (half integer, code integer)",
      "INSERT INTO lab VALUES (1, 1), (1.5, 'x')"
    )
    expect(await copy(at, nameOf("lab"))).toEqual(silent)
    expect(await typesOf(at)).toMatchObject({ half: "DOUBLE", code: "VARCHAR" })
    await execute.sqlite(at, ["UPDATE lab SET half = 2, code = 2"])
    expect(await copy(at, nameOf("lab"))).toEqual(silent)
    expect(await query(at, "SELECT half, code FROM t")).toEqual([
      { half: 2, code: "2" },
      { half: 2, code: "2" }
    ])
  })

  it("keeps the declared type of the first night, and a later value of another type in other_fields", async () => {
    const { at, nameOf } = await make("sqlite", "CREATE TABLE lab (n integer)", "INSERT INTO lab VALUES (1)")
    expect(await copy(at, nameOf("lab"))).toEqual(silent)
    await execute.sqlite(at, ["INSERT INTO lab VALUES ('x')"])
    expect(await copy(at, nameOf("lab"))).toEqual(silent)
    expect(await query(at, "SELECT n, other_fields FROM t ORDER BY input_line")).toEqual([
      { n: 1n, other_fields: null },
      { n: null, other_fields: '{"n":"x"}' }
    ])
  })
})

describe("a copy of NDJSON", () => {
  it("keeps a wider type of the table, and is refused if the values do not fit the type of the table", async () => {
    const at = folder()
    const night = (...values: ReadonlyArray<unknown>) => {
      writeFileSync(join(at, "in.ndjson"), values.map((ours) => `${JSON.stringify({ ours })}\n`).join(""))
      return copy(at, "in.ndjson")
    }
    expect(await night(1, "x")).toEqual(silent)
    expect(await night(1, 2)).toEqual(silent)
    expect(await night(null)).toEqual(silent)
    expect(await typesOf(at)).toMatchObject({ ours: "VARCHAR" })
    await query(at, "DROP TABLE t")
    expect(await night(1)).toEqual(silent)
    expect(await night("x")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("ours is double, and would be varchar")
    })
    expect(await query(at, "SELECT ours FROM t")).toEqual([{ ours: 1 }])
  })
})

describe.each(["sqlite", "postgres"] as const)("a copy of a mirror in %s", (engine) => {
  it("has the types of the contract every night, whatever the service sends, and the records that are gone", async () => {
    const { env } = await sharedService()
    const at = folder()
    const place = engine === "sqlite" ? "harvests.db" : (await startServer()).url
    const refresh = (name: string) =>
      run(
        [
          "harvest",
          "start",
          name,
          "DTXSID7020182",
          "DTXSID2021315",
          "--mirror",
          "ours",
          "--database",
          place
        ].concat("--fetch", "details", "-q"),
        { cwd: at, env }
      )
    /** Changes the mirror as a refresh does when the service sends other records. */
    const change = async (statement: string) => {
      if (engine === "postgres") return execute.postgres(at, [statement])
      const database = new DatabaseSync(join(at, place))
      database.exec(statement)
      database.close()
    }
    const view = `${place}#chemstream_mirror_ours`
    expect(await refresh("night-1")).toMatchObject({ code: 0 })
    await change(
      `UPDATE chemstream_mirror SET records = '[{"dtxsid":"a","monoisotopicMass":"heavy","isMarkush":true},{"totalAssays":7}]'
       WHERE id = 'DTXSID7020182'`
    )
    await change("UPDATE chemstream_mirror SET records = '[]', gone_at = 5 WHERE id = 'DTXSID2021315'")
    expect(await copy(at, view)).toEqual(silent)
    const types = await typesOf(at)
    expect(types).toMatchObject({
      ...{ input_id: "VARCHAR", record_n: "BIGINT", dtxsid: "VARCHAR", monoisotopicMass: "DOUBLE" },
      ...{
        isMarkush: "BOOLEAN",
        totalAssays: "BIGINT",
        fetched_at: "BIGINT",
        changed_at: "BIGINT",
        gone_at: "BIGINT"
      }
    })
    const rows =
      'SELECT input_id, record_n, "monoisotopicMass" AS mass, "isMarkush" AS markush, "totalAssays" AS assays, gone_at, other_fields FROM t ORDER BY ALL'
    const other_fields = null
    expect(await query(at, rows)).toEqual([
      ...[
        {
          input_id: "DTXSID2021315",
          record_n: null,
          mass: null,
          markush: null,
          assays: null,
          gone_at: 5n,
          other_fields
        }
      ],
      {
        ...{
          input_id: "DTXSID7020182",
          record_n: 1n,
          mass: null,
          markush: true,
          assays: null,
          gone_at: null
        },
        // The view of Postgres has no value of another type.
        other_fields: engine === "sqlite" ? '{"monoisotopicMass":"heavy"}' : null
      },
      ...[
        {
          input_id: "DTXSID7020182",
          record_n: 2n,
          mass: null,
          markush: null,
          assays: 7n,
          gone_at: null,
          other_fields
        }
      ]
    ])
    await change(
      `UPDATE chemstream_mirror SET records = '[{"dtxsid":"a","monoisotopicMass":228}]' WHERE id = 'DTXSID7020182'`
    )
    expect(await copy(at, view)).toEqual(silent)
    expect(await typesOf(at)).toEqual(types)
    expect(await query(at, rows)).toMatchObject([
      { input_id: "DTXSID2021315", gone_at: 5n },
      { input_id: "DTXSID7020182", record_n: 1n, mass: 228, other_fields: null }
    ])
  })
})
