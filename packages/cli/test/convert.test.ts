import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gzipSync } from "node:zlib"
import { DuckDBInstance } from "@duckdb/node-api"
import { parquetReadObjects } from "hyparquet"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

/** Reads the rows of a query. */
const query = async (
  at: string,
  output: string,
  sql: string
): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const file = join(at, output.replace("#t", ""))
  if (file.endsWith(".sqlite")) {
    const database = new DatabaseSync(file)
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    const rows = statement.all().map((row) => ({ ...row }))
    database.close()
    return rows
  }
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  const rows = (await connection.runAndReadAll(sql)).getRowObjects()
  connection.closeSync()
  instance.closeSync()
  return rows
}

const records = [
  { id: "12", dtxsid: "DTXSID7020182", monoisotopicMass: 228.1, totalAssays: null, ours: { a: [1] } },
  { id: 13, dtxsid: "DTXSID3039242", monoisotopicMass: "heavy", totalAssays: 7, preferredName: "a\nb" }
]

const text = records.map((record) => `${JSON.stringify(record)}\n`).join("")

describe("chemstream convert", { concurrent: true }, () => {
  it("writes the types of the contract, and keeps a value that does not fit in other_fields", async () => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson.gz"), gzipSync(text))
    expect(await run(["convert", "in.ndjson.gz", "out.parquet"], { cwd: at })).toEqual({
      code: 0,
      stdout: "",
      stderr: ""
    })
    const { buffer, byteLength, byteOffset } = readFileSync(join(at, "out.parquet"))
    const file = (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength)
    expect(await parquetReadObjects({ file })).toMatchObject([
      { id: "12", monoisotopicMass: 228.1, totalAssays: null, ours: '{"a":[1]}', other_fields: null },
      { id: "13", monoisotopicMass: null, totalAssays: 7n, other_fields: '{"monoisotopicMass":"heavy"}' }
    ])
  })

  it("leads through JSON and a workbook back to the same table", async () => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), text)
    for (const [from, to] of [
      ["in.ndjson", "a.json"],
      ["a.json", "b.ndjson"],
      ["b.ndjson", "c.csv"],
      ["c.csv", "d.xlsx"],
      ["d.xlsx", "e.csv"],
      ["c.csv", "f.tsv.zst"],
      ["f.tsv.zst", "g.ndjson"]
    ] as const) {
      const ended = await run(["convert", from, to], { cwd: at })
      expect(ended, `${from} ${to}`).toMatchObject({ code: 0, stdout: "" })
      expect(ended.stderr).toMatch(
        /csv|tsv|xlsx/.test(from) ? /^[^\n]*header in row 1, columns "id", [^\n]*\n$/ : /^$/
      )
    }
    expect(lines(readFileSync(join(at, "b.ndjson"), "utf8"))).toEqual(records)
    expect(readFileSync(join(at, "e.csv"), "utf8")).toBe(readFileSync(join(at, "c.csv"), "utf8"))
    expect(lines(readFileSync(join(at, "g.ndjson"), "utf8"))[0]).toMatchObject({
      id: "12",
      ours: '{"a":[1]}'
    })
  })

  it.each([
    [["missing.ndjson", "out.csv"], "cannot read missing.ndjson: no such file or directory"],
    [["in.ndjson", "./in.ndjson"], "name the same file"],
    [["in.ndjson", "out.ods"], "unknown output format .ods"],
    [["in.ndjson", "out.sqlite"], "name the table, too: out.sqlite#details"],
    [["in.ndjson", "out.sqlite#t", "--format", "csv"], "--format is for files"],
    [["in.ndjson", "out.sqlite#t", "--cut-cells"], "--cut-cells is for workbooks (.xlsx)"],
    [["in.ndjson", "out.csv", "--cut-cells"], "--cut-cells is for workbooks (.xlsx)"],
    [["in.ndjson", "out.json", "--for-spreadsheet"], "--for-spreadsheet is for CSV and TSV"]
  ])("is refused with exit code 2, and writes nothing: %j", async (args, message) => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), text)
    const ended = await run(["convert", ...args], { cwd: at })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain(message)
    expect(readdirSync(at)).toEqual(["in.ndjson"])
    expect(readFileSync(join(at, "in.ndjson"), "utf8")).toBe(text)
  })

  it.each(["out.sqlite#t", "out.duckdb#t"])(
    "writes the table %s, with an outcome for each record",
    async (output) => {
      const at = folder()
      const odd = ['{"a.b":1,"A":2,"a":3,"record_n":4,"":5}', "[6]"]
      writeFileSync(join(at, "in.ndjson"), `${text}${odd.join("\n")}\n`)
      // The second run replaces all rows.
      for (const _ of [1, 2])
        expect(await run(["convert", "in.ndjson", output], { cwd: at })).toEqual({
          code: 0,
          stdout: "",
          stderr: `chemstream: renamed columns of ${output}: "a.b" is "a_b", "a" is "a_2", "" is "column_11"\n`
        })
      const rows = await query(at, output, "SELECT * FROM t ORDER BY input_line")
      expect(rows).toMatchObject([
        {
          input_line: 1n,
          record_n: null,
          id: "12",
          monoisotopicMass: 228.1,
          totalAssays: null,
          ours: '{"a":[1]}'
        },
        { input_line: 2n, id: "13", totalAssays: 7n, other_fields: '{"monoisotopicMass":"heavy"}' },
        { input_line: 3n, record_n: 4 },
        { input_line: 4n, other_fields: "[6]" }
      ])
      expect(rows[2]).toMatchObject({ a_b: 1, A: 2, a_2: 3, column_11: 5, other_fields: null })
      expect(await query(at, output, "SELECT line, id, outcome FROM t_outcomes ORDER BY line")).toMatchObject(
        [
          { line: 1n, id: "DTXSID7020182", outcome: "found" },
          { line: 2n, id: "DTXSID3039242", outcome: "found" },
          { line: 3n, id: "record 3", outcome: "found" },
          { line: 4n, id: "record 4", outcome: "found" }
        ]
      )
      writeFileSync(
        join(at, "shorter.csv"),
        "id;dtxsid;monoisotopicMass;totalAssays;ours;preferredName;A;a\n1;2;3;4;5;6;7;8\n"
      )
      const other = await run(["convert", "shorter.csv", output], { cwd: at })
      expect(other).toMatchObject({ code: 2 })
      expect(other.stderr).toContain("has another shape")
      expect(await query(at, output, "SELECT * FROM t ORDER BY input_line")).toEqual(rows)
    }
  )

  it.each(["out.xlsx", "out.parquet", "out.arrow", "out.sqlite#t", "out.duckdb#t"])(
    "writes text as it is in a column of several scalar types, and as JSON beside arrays and objects: %s",
    async (output) => {
      const at = folder()
      writeFileSync(join(at, "in.ndjson"), '{"s":"A-1","p":"x"}\n{"s":2,"p":[1]}\n{"s":true}\n')
      expect(await run(["convert", "in.ndjson", output], { cwd: at })).toMatchObject({ code: 0 })
      const back = await run(["convert", output, "--fields", "s"], { cwd: at })
      expect(lines(back.stdout).map(({ s }) => String(s))).toEqual(["A-1", "2", "true"])
      if (output.endsWith("#t"))
        expect(await query(at, output, "SELECT s, CAST(p AS VARCHAR) p FROM t ORDER BY input_line")).toEqual([
          { s: "A-1", p: '"x"' },
          { s: "2", p: "[1]" },
          { s: "true", p: null }
        ])
    }
  )

  it.each(["out.xlsx", "out.parquet", "out.arrow", "out.sqlite#t", "out.duckdb#t"])(
    "makes numbers of a column of a CSV that has only numbers, and keeps all other texts: %s",
    async (output) => {
      const at = folder()
      const header = "mass,area,tiny,code,long,well,note,mixed,none"
      writeFileSync(
        join(at, "in.csv"),
        `${header}\n78.0470,-12,1.2E-05,007,12345678901234567,1E5,a,1,\n,3,5e-7,8,1,2E5,b,NA,\n`
      )
      expect(await run(["convert", "in.csv", output], { cwd: at })).toMatchObject({ code: 0 })
      const back = await run(["convert", output, "--fields", header], { cwd: at })
      const cells = lines(back.stdout).map((row) =>
        Object.values(row).map((value) => (value === "" ? null : value))
      )
      expect(cells).toEqual([
        [78.047, -12, 0.000012, "007", "12345678901234567", "1E5", "a", "1", null],
        [null, 3, 5e-7, "8", "1", "2E5", "b", "NA", null]
      ])
    }
  )

  it.each(["out.xlsx", "out.parquet"])(
    "makes these numbers in the table of a look-up, too: %s",
    async (output) => {
      const { env } = await sharedService()
      const at = folder()
      writeFileSync(join(at, "in.csv"), "casrn,conc,batch\n80-05-7,0.50,01\n71-43-2,12,02\n")
      const ended = await run(["resolve", "-i", "in.csv", "--key", "casrn", "-o", output], { env, cwd: at })
      expect(ended.code).toBe(0)
      const back = await run(["convert", output, "--fields", "casrn,conc,batch"], { cwd: at })
      expect(lines(back.stdout)).toEqual([
        { casrn: "80-05-7", conc: 0.5, batch: "01" },
        { casrn: "71-43-2", conc: 12, batch: "02" }
      ])
    }
  )

  it("writes text as it is in the columns of objects that a look-up writes again", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), '{"casrn":"80-05-7","n":1}\n{"casrn":"71-43-2","n":"A-1"}\n')
    const args = ["resolve", "-i", "in.ndjson", "--key", "casrn", "-o", "out.parquet"]
    expect(await run(args, { env, cwd: at })).toMatchObject({ code: 0 })
    const back = await run(["convert", "out.parquet", "--fields", "casrn,n"], { cwd: at })
    expect(lines(back.stdout)).toEqual([
      { casrn: "80-05-7", n: "1" },
      { casrn: "71-43-2", n: "A-1" }
    ])
  })

  it("keeps the numbers of a workbook, and its texts, in a table of a database", async () => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), '{"n":1.5,"text":"12"}\n{"n":2,"text":"13"}\n')
    for (const [from, to] of [
      ["in.ndjson", "t.xlsx"],
      ["t.xlsx", "t.sqlite#t"]
    ] as const)
      expect(await run(["convert", from, to], { cwd: at })).toMatchObject({ code: 0 })
    const back = await run(["convert", "t.sqlite#t", "--fields", "n,text"], { cwd: at })
    expect(lines(back.stdout)).toEqual([
      { n: 1.5, text: "12" },
      { n: 2, text: "13" }
    ])
  })

  it("keeps all digits of the decimals, instants and times of Parquet, and all bytes", async () => {
    const at = folder()
    const rows = [
      "12345678901234567.89, 123456789012345678901234567890, 0.5, '2024-01-01 12:34:56.123456', '1969-12-31 23:59:59.999999999', '01:02:03', '\\xFF\\x00', 'b', [1.5]",
      "-0.01, -1, -0.000000000000000001, '1899-12-31 00:00:00', '2024-01-01 00:00:00', '23:59:59.999999', 'b', '', NULL",
      "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
    ]
    const types =
      "DECIMAL(20,2), DECIMAL(38,0), DECIMAL(18,18), TIMESTAMP, TIMESTAMP_NS, TIME, BLOB, BLOB, DECIMAL(4,1)[]"
    const columns = types
      .split(/, (?=\w)/)
      .map((type, column) => `c${column}::${type} AS c${column}`)
      .join(", ")
    const names = types.split(/, (?=\w)/).map((_, column) => `c${column}`)
    await query(
      at,
      "scratch.duckdb",
      `COPY (SELECT ${columns} FROM (VALUES ${rows.map((row) => `(${row})`).join(", ")}) t(${names.join(", ")})) TO '${join(at, "in.parquet")}'`
    )
    const back = await run(["convert", "in.parquet", "-f", "ndjson"], { cwd: at })
    expect(lines(back.stdout).map((row) => Object.values(row))).toEqual([
      [
        "12345678901234567.89",
        "123456789012345678901234567890",
        0.5,
        "2024-01-01T12:34:56.123456Z",
        "1969-12-31T23:59:59.999999999Z",
        "01:02:03",
        "ff00",
        "b",
        [1.5]
      ],
      [-0.01, -1, -1e-18, "1899-12-31", "2024-01-01", "23:59:59.999999", "62", "", null],
      [null, null, null, null, null, null, null, null, null]
    ])
  })

  it("reads a CSV with semicolons, as a look-up does", async () => {
    const at = folder()
    writeFileSync(join(at, "in.csv"), "id;name\n12;a,b\n")
    expect(await run(["convert", "in.csv", "out.ndjson"], { cwd: at })).toMatchObject({ code: 0 })
    expect(readFileSync(join(at, "out.ndjson"), "utf8")).toBe('{"id":"12","name":"a,b"}\n')
  })

  it("does not write into the table of an unfinished run", async () => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), text)
    let count = 0
    const { env } = await scripted(({ ids }) =>
      ++count > 1 ? { status: 401, body: "{}" } : { body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))) }
    )
    const lookup = ["details", "DTXSID7020182", "DTXSID3039242", "--batch-size", "1", "--concurrency", "1"]
    expect(await run([...lookup, "-o", "out.sqlite#t"], { cwd: at, env })).toMatchObject({ code: 3 })
    const ended = await run(["convert", "in.ndjson", "out.sqlite#t"], { cwd: at })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(await query(at, "out.sqlite#t", "SELECT dtxsid FROM t")).toEqual([{ dtxsid: "DTXSID7020182" }])
  })

  it("leaves out a row that does not match the header, says so, and exits with 1, in each format", async () => {
    const at = folder()
    writeFileSync(join(at, "in.csv"), 'a,b\n1,2\n3,4,5\n5" x,1\n\n6,7\n')
    for (const out of ["out.ndjson", "out.parquet", "out.sqlite#t"]) {
      const ended = await run(["convert", "in.csv", out], { cwd: at })
      expect(ended.code).toBe(1)
      expect(ended.stderr).toContain(
        "chemstream: 2 rows of in.csv left out, the first because in line 3 the row has 3 cells where the header has 2."
      )
    }
    expect(readFileSync(join(at, "out.ndjson"), "utf8")).toBe('{"a":"1","b":"2"}\n{"a":"6","b":"7"}\n')
    expect(await query(at, "out.sqlite#t", "SELECT count(*) AS rows FROM t")).toEqual([{ rows: 2n }])
  })

  it("leaves out a line that is not valid JSON, says so, and exits with 1, in each format", async () => {
    const at = folder()
    const lines = [
      '{"a":1}',
      '{"a":2',
      '{"a":3,"b":"\t"}',
      '{"a":04}',
      '{"a":5}',
      "six",
      '{"a":"\\x"}',
      '{"b":tru'
    ]
    writeFileSync(join(at, "in.ndjson"), lines.join("\n"))
    writeFileSync(join(at, "other.ndjson"), '{"a":1,"c":2}\n{"a":5,"c":3\n')
    for (const out of ["out.ndjson", "out.json", "out.csv", "out.parquet", "out.sqlite#t"]) {
      const ended = await run(["convert", "in.ndjson", out, "--where", "a > 0"], { cwd: at })
      expect(ended.code).toBe(1)
      expect(ended.stderr).toMatch(
        /^chemstream: 6 lines of in\.ndjson left out, the first because in line 2 "\{\\"a\\":2" is not valid JSON, wrong at byte 7$/m
      )
    }
    expect(readFileSync(join(at, "out.ndjson"), "utf8")).toBe('{"a":1}\n{"a":5}\n')
    expect(JSON.parse(readFileSync(join(at, "out.json"), "utf8"))).toEqual([{ a: 1 }, { a: 5 }])
    expect(await query(at, "out.sqlite#t", "SELECT a FROM t")).toEqual([{ a: 1 }, { a: 5 }])
    const joined = await run(
      ["convert", "in.ndjson", "-", "--join", "other.ndjson", "--on", "a", "--add", "c"],
      { cwd: at }
    )
    expect(joined).toMatchObject({ code: 1, stdout: '{"a":1,"c":2}\n{"a":5,"c":null}\n' })
    expect(joined.stderr).toContain(
      "warning: --join: 1 line of other.ndjson left out, the first because in line 2 "
    )
  })

  it.each([
    [
      "in.csv",
      "a,b\n1,2,3\n",
      /^chemstream: cannot read in\.csv: in line 2 the row has 3 cells where the header has 2\. Correct the row\. A cell with a separator needs quotes\.\n$/m
    ],
    [
      "in.ndjson",
      '\n{"a":1\n',
      /^chemstream: cannot read in\.ndjson: in line 2 "\{\\"a\\":1" is not valid JSON, wrong at byte 7\n$/m
    ]
  ])("names the broken input %s, and keeps the older output", async (file, content, message) => {
    const at = folder()
    writeFileSync(join(at, file), content)
    writeFileSync(join(at, "out.ndjson"), "older\n")
    const ended = await run(["convert", file, "out.ndjson"], { cwd: at })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(message)
    expect(readFileSync(join(at, "out.ndjson"), "utf8")).toBe("older\n")
    expect(readdirSync(at).sort()).toEqual([file, "out.ndjson"].sort())
  })
})
