/** Reads lists from tables and views of SQLite, DuckDB and Postgres, which other programs have made. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { engines, execute, make } from "./labDatabase.ts"
import { run, sharedService } from "./process.ts"
import { lines } from "./scripted.ts"

type Row = Readonly<Record<string, unknown>>

const resolve = async (at: string, input: string, ...args: ReadonlyArray<string>) => {
  const { env } = await sharedService()
  const ended = await run(["resolve", "--input", input, ...args], { env, cwd: at })
  return { ...ended, rows: (ended.stdout.startsWith("{") ? lines(ended.stdout) : []) as ReadonlyArray<Row> }
}

describe.each(engines)("a list in %s", (engine) => {
  it("keeps dates, decimals, large numbers and lists as the database writes them", async () => {
    const types = {
      sqlite: ["TEXT", "TEXT", "NUMERIC", "BLOB"],
      duckdb: ["DATE", "TIMESTAMP", "DECIMAL(10,3)", "BIGINT[]"],
      postgres: ["date", "timestamp", "numeric(10,3)", "bigint[]"]
    }[engine]
    const list = { sqlite: "x'0aff'", duckdb: "[1, 2]", postgres: "'{1,2}'" }[engine]
    const { at, nameOf } = await make(
      engine,
      `CREATE TABLE $samples ("No." integer, "CAS No." varchar(20), sampled ${types[0]}, seen ${types[1]}, amount ${types[2]}, big bigint, list ${types[3]}, dtxsid text)`,
      `INSERT INTO $samples VALUES (1, '80-05-7', '1980-05-07', '2024-05-01 12:30:00', 0.5, 9007199254740993, ${list}, NULL)`,
      "INSERT INTO $samples VALUES (2, 'NA', NULL, NULL, NULL, 7, NULL, 'x')"
    )
    const { code, rows, stderr } = await resolve(at, nameOf("samples"), "--key", "CAS No.")
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^read 2 = 1 found .* 1 invalid$/m)])
    expect(rows[0]).toMatchObject({
      ...{ "No.": 1, "CAS No.": "80-05-7", sampled: "1980-05-07", seen: "2024-05-01 12:30:00" },
      ...{ amount: engine === "sqlite" ? 0.5 : "0.500", big: "9007199254740993" },
      ...{ list: { sqlite: "0aff", duckdb: "[1,2]", postgres: [1, 2] }[engine] },
      ...{ dtxsid: null, dtxsid_found: "DTXSID7020182" }
    })
    expect(rows[1]).toMatchObject({
      "No.": 2,
      sampled: null,
      big: 7,
      list: null,
      dtxsid: "x",
      status: "invalid"
    })
  })

  it("may be a view, and names may have dots, quotes and spaces and be as long as the database allows", async () => {
    const name = `suspect.list "of" May ${"x".repeat(40)}`
    const { at, nameOf, own, place } = await make(
      engine,
      `CREATE TABLE $"a ""b""" ("CAS ""No"".1" varchar(20))`,
      `INSERT INTO $"a ""b""" VALUES ('80-05-7'), ('71-43-2')`,
      `CREATE VIEW $"${(engine === "postgres" ? name.replace(".", "_") : name).replaceAll('"', '""')}" AS SELECT * FROM $"a ""b"""`
    )
    const view =
      engine === "postgres"
        ? `${place}#${own}${encodeURIComponent(name.replace(".", "_"))}`
        : `${place}#${name}`
    for (const input of [nameOf(engine === "postgres" ? "a%20%22b%22" : 'a "b"'), view]) {
      const { code, rows } = await resolve(at, input, "--key", 'CAS "No".1', "-q")
      expect([code, rows.map(({ dtxsid }) => dtxsid)]).toEqual([0, ["DTXSID7020182", "DTXSID3039242"]])
    }
  })

  it("is read as the rows of the endpoint without --key, and may become another table of the same database", async () => {
    const { at, nameOf } = await make(
      engine,
      "CREATE TABLE $list (n integer, DTXSID varchar(20))",
      "INSERT INTO $list VALUES (1, 'DTXSID7020182')"
    )
    const { env } = await sharedService()
    const args = ["details", "--input", nameOf("list"), "--fields", "dtxsid,casrn", "-q"]
    const ended = await run([...args, "-o", nameOf("found")], { env, cwd: at })
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" })
    const back = await run(["convert", nameOf("found"), "back.ndjson"], { env, cwd: at })
    expect(back.code).toBe(0)
    expect(lines(readFileSync(join(at, "back.ndjson"), "utf8"))).toMatchObject([{ casrn: "80-05-7" }])
  })

  it("is refused, with what to do, if the table is missing, has no name, or lacks the column", async () => {
    const { at, nameOf, own, place } = await make(
      engine,
      "CREATE TABLE $list (cas varchar(20))",
      "CREATE TABLE $b (c integer)"
    )
    const missing = await resolve(at, nameOf("lists"), "--key", "cas")
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('it has no table "lists"; it has "b", "list"')
    ])
    const column = await resolve(at, nameOf("list"), "--key", "CAS No.")
    expect([column.code, column.stderr]).toEqual([
      2,
      expect.stringContaining('the table has no column "CAS No.": --key takes one of "cas"')
    ])
    if (own !== "") return
    const nameless = await resolve(at, place, "--key", "cas")
    expect([nameless.code, nameless.stderr]).toEqual([
      2,
      expect.stringContaining("name its table, as in lab.")
    ])
    const nowhere = await resolve(at, `no.${engine}#list`, "--key", "cas")
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("no such file or directory")])
  })
})

describe("a list in a file", () => {
  it.each(["sqlite", "duckdb"] as const)(
    "of %s leaves the file as it is, and can be read by two at once",
    async (engine) => {
      const { at, nameOf } = await make(
        engine,
        "CREATE TABLE $list (casrn varchar(20))",
        "INSERT INTO $list VALUES ('80-05-7')"
      )
      const file = join(at, `lab.${engine}`)
      const before = readFileSync(file)
      const both = await Promise.all(
        ["1", "2"].map(() => resolve(at, nameOf("list"), "--key", "casrn", "-q"))
      )
      expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ""],
        [0, ""]
      ])
      expect(readFileSync(file).equals(before)).toBe(true)
      expect(readdirSync(at)).toEqual([`lab.${engine}`])
    }
  )
})

describe("a list in Postgres", () => {
  it("is refused with the statements that give the right to read it", async () => {
    const { at, nameOf, own } = await make("postgres", "CREATE TABLE $list (casrn text)")
    const role = own.replace(".", "_reader")
    await execute.postgres(at, [`CREATE ROLE ${role} LOGIN PASSWORD 'read'`])
    const input = nameOf("list").replace("harvest:harvest@", `${role}:read@`)
    const schema = own.slice(0, -1)
    const rights = [`GRANT USAGE ON SCHEMA "${schema}"`, `GRANT SELECT ON "${schema}"."list"`]
    const refused = await resolve(at, input, "--key", "casrn")
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(
      `permission denied for schema ${schema} (code 42501). Its owner can let you read it: ${rights.map((right) => `${right} TO your_role;`).join(" ")}`
    )
    expect(refused.stderr).not.toContain("read@")
    await execute.postgres(
      at,
      rights.map((right) => `${right} TO ${role}`)
    )
    const read = await resolve(at, input, "--key", "casrn")
    expect(read.code).toBe(0)
    expect(read.stderr).toContain(`${role}:…@`)
    const asked = await run(["details", "--input", input], { cwd: at })
    expect(asked.stderr).toContain(" is a table: name the column of the values with --key")
    const harvest = ["harvest", "start", "list", "--fetch", "details", "--input", input, "--key", "casrn"]
    const started = await run([...harvest, "--detach", "--database", "h.sqlite", "--output", "out"], {
      cwd: at
    })
    const status = await run(["harvest", "status", "list", "--database", "h.sqlite"], { cwd: at })
    expect([started.code, status.code]).toEqual([0, 0])
    expect(status.stdout).toContain(`${role}:…@`)
    for (const { stderr, stdout } of [read, asked, started, status])
      expect(stdout + stderr).not.toContain("read@")
  })

  it("is refused with the reason if the server refuses the password, lacks the database, or is not there", async () => {
    const { at, nameOf } = await make("postgres", "CREATE TABLE $list (casrn text)")
    const name = nameOf("list")
    const refusals = [
      [name.replace("harvest:harvest@", "harvest:wrong@"), /password authentication failed/],
      [name.replace("/postgres#", "/nowhere#"), /database "nowhere" does not exist/],
      [name.replace(/:\d+\/postgres/, ":1/postgres"), /ECONNREFUSED/]
    ] as const
    for (const [input, reason] of refusals) {
      const { code, stderr } = await resolve(at, input, "--key", "casrn")
      expect([code, stderr]).toEqual([2, expect.stringMatching(reason)])
      expect(stderr).not.toContain("harvest:")
    }
  })
})
