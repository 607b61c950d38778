/**
 * Tables as people have them: small files in the shape of the exports and lists of the field, each through the fitting command. Every row
 * is accounted for, with no option about the form of the table.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gzipSync } from "node:zlib"
import {
  Table as ArrowTable,
  DateDay,
  Field,
  Int64,
  List,
  TimestampMillisecond,
  tableToIPC,
  Utf8,
  vectorFromArray
} from "apache-arrow"
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import { parquetWriteBuffer } from "hyparquet-writer"
import readSheets from "read-excel-file/node"
import { describe, expect, it } from "vitest"
import writeSheets from "write-excel-file/node"
import { startServer } from "./postgres.ts"
import { folder, run, sharedService } from "./process.ts"
import { lines } from "./scripted.ts"

const bisphenolA = "DTXSID7020182"
const benzene = "DTXSID3039242"
const caffeine = "DTXSID0020232"

/** Runs a command over a file, and returns its rows and what it says. */
const over = async (name: string, content: string | Uint8Array, ...args: ReadonlyArray<string>) => {
  const { env } = await sharedService()
  const at = folder()
  writeFileSync(join(at, name), content)
  const ended = await run([...args, "--input", name], { env, cwd: at })
  return {
    at,
    env,
    ...ended,
    rows: (ended.stdout.startsWith("{") ? lines(ended.stdout) : []) as ReadonlyArray<Record<string, unknown>>
  }
}

type Rows = ReadonlyArray<ReadonlyArray<unknown>>

/** Makes a workbook. */
const workbook = async (sheets: Readonly<Record<string, Rows>>): Promise<Uint8Array> =>
  (await writeSheets(
    Object.entries(sheets).map(([sheet, data]) => ({ sheet, data })) as never,
    { features: [withErrors] } as never
  ).toBuffer()) as Uint8Array

/** Makes errors of formulas like `#N/A`, which the library writes without their value. */
const withErrors = {
  files: {
    transform: {
      "xl/worksheets/sheet{id}.xml": {
        transform: (content: string) =>
          content.replace(/<c ([^>]*)><f>(#[^<]*)<\/f>/g, '<c $1 t="e"><f>NA()</f><v>$2</v>')
      }
    }
  }
}

const substances = (rows: ReadonlyArray<Record<string, unknown>>) =>
  rows.map(({ dtxsid, status }) => [status, dtxsid])

const tabs = (rows: Rows): string => rows.map((row) => `${row.join("\t")}\n`).join("")

describe("a list of chemicals", { concurrent: true }, () => {
  it("from the CompTox batch search is read below its cover sheet, and its DTXSID column stays beside ours", async () => {
    const bytes = await workbook({
      "Cover Sheet": [["CompTox Chemicals Dashboard"], ["Exported", "2024-05-01"], ["Records", 3]],
      "Main Data": [
        ["INPUT", "FOUND_BY", "DTXSID", "PREFERRED_NAME", "CASRN", "MOLECULAR_FORMULA"],
        ["80-05-7", "CASRN", bisphenolA, "Bisphenol A", "80-05-7", "C15H16O2"],
        ["Benzol", "Synonym", benzene, "Benzene", "71-43-2", "C6H6"],
        ["no such name", "Found 0 results", "-", "-", "-", "-"]
      ]
    })
    const { rows, stderr } = await over("batch.xlsx", bytes, "resolve", "--key", "INPUT")
    expect(stderr).toMatch(/^batch\.xlsx: sheet "Main Data", header in row 1, columns "INPUT", /)
    expect(rows.map((row) => [row["status"], row["dtxsid_found"], row["DTXSID"]])).toEqual([
      ["found", bisphenolA, bisphenolA],
      ["found", benzene, benzene],
      ["missing", null, "-"]
    ])
  })

  it("with CAS numbers as formulas, which keep a spreadsheet from making dates, has them", async () => {
    const text = 'id,cas\n1,="80-05-7"\n2,="71-43-2"\n3,="NA"\n4,="58-08-2"x\n'
    const { rows, stderr } = await over("formulas.csv", text, "resolve", "--key", "cas")
    expect(rows.map((row) => [row["cas"], row["status"], row["dtxsid"]])).toEqual([
      ['="80-05-7"', "found", "DTXSID7020182"],
      ['="71-43-2"', "found", "DTXSID3039242"],
      ['="NA"', "invalid", null],
      [expect.any(String), "invalid", null]
    ])
    // An invalid row is not repaired.
    expect(stderr).toContain("2 repaired, the first in line 2: read as 80-05-7 (a formula of a spreadsheet)")
  })

  it("from NORMAN SusDat has two columns of names with quotation marks, of which one stray costs its row", async () => {
    const text = [
      "Norman_SusDat_ID,Name,CAS_RN,StdInChIKey,Molecular_Formula,Monoiso_Mass,[M+H]+",
      'NS00000001,"Phenol, 4,4\'-(1-methylethylidene)bis-",80-05-7,IISBACLAFKSPIT-UHFFFAOYSA-N,C15H16O2,228.1150,229.1223',
      'NS00000002,2-(4"-chloro) thing,NA,,C6H6,78.0470,79.0542',
      "NS00000003,Benzene,71-43-2,UHOVQNZJYSORNB-UHFFFAOYSA-N,C6H6,78.0470,79.0542"
    ].join("\n")
    const { rows, stderr } = await over("susdat.csv", text, "resolve", "--key", "CAS_RN")
    expect(substances(rows)).toEqual([
      ["found", bisphenolA],
      ["invalid", null],
      ["found", benzene]
    ])
    expect(rows[1]).toMatchObject({
      Name: '2-(4"-chloro) thing',
      note: expect.stringContaining("cell 2 of the row has a quote inside. Put quotes around the cell")
    })
    expect(stderr).toContain("1 invalid, the first in line 3: cell 2 of the row has a quote inside")
  })

  it("from NORMAN EMPODAT is separated by semicolons, has decimal commas, and a title above the header", async () => {
    const text =
      "EMPODAT download\n\nNorman_SusDat_ID;CAS No.;Substance_name;country;concentration_value;concentration_unit\n" +
      "NS1;80-05-7;Bisphenol A;SK;0,012;µg/l\nNS2;;Benzene;AT;1,5;µg/l\n"
    const { rows, stderr } = await over("empodat.csv", text, "resolve", "--key", "CAS No.,Substance_name")
    expect(stderr).toMatch(
      /^empodat\.csv: header in row 3 \(the rows above it are left out\), columns .*, separator ;$/m
    )
    expect(substances(rows)).toEqual([
      ["found", bisphenolA],
      ["found", benzene]
    ])
    expect(rows.map((row) => row["concentration_value"])).toEqual(["0,012", "1,5"])
  })

  it("for patRoon, as R writes it, has an empty name for the row names", async () => {
    const text =
      '"","name","rt","SMILES"\n"1","Caffeine",300,"CN1C=NC2=C1C(=O)N(C)C(=O)N2C"\n"2","Benzene",NA,"c1ccccc1"\n'
    const { rows } = await over("suspects.csv", text, "resolve", "--key", "SMILES")
    expect(rows.map((row) => [row["column_1"], row["status"], row["dtxsid"]])).toEqual([
      ["1", "found", caffeine],
      ["2", "found", benzene]
    ])
    const { rows: named } = await over("suspects.csv", text, "resolve", "--key", "column_1")
    expect(named).toHaveLength(2)
  })

  it("for MetFrag is looked up by its InChIKey column, and kept columns keep their names", async () => {
    const text =
      "Identifier,MonoisotopicMass,MolecularFormula,SMILES,InChI,InChIKey,InChIKey1\n" +
      `${bisphenolA},228.11503,C15H16O2,CC(C)(C1=CC=C(O)C=C1)C1=CC=C(O)C=C1,,IISBACLAFKSPIT-UHFFFAOYSA-N,IISBACLAFKSPIT\n`
    const { rows } = await over("local.csv", text, "resolve", "--key", "InChIKey")
    expect(substances(rows)).toEqual([["found", bisphenolA]])
    expect(rows[0]?.["InChIKey1"]).toBe("IISBACLAFKSPIT")
  })

  it("from tcpl has CAS numbers that a spreadsheet turned into dates, whose cells come back as dates", async () => {
    const date = { value: new Date(Date.UTC(1980, 4, 7)), type: Date, format: "dd.mm.yyyy" }
    const bytes = await workbook({
      chemicals: [
        ["chid", "casn", "chnm", "dsstox_substance_id"],
        [20182, date, "Bisphenol A", bisphenolA],
        [39242, "71-43-2", "Benzene", benzene]
      ]
    })
    const args = ["resolve", "--key", "casn", "-o", "out.xlsx"]
    const { at, code } = await over("chemicals.xlsx", bytes, ...args)
    expect(code).toBe(0)
    const [sheet] = await readSheets(readFileSync(join(at, "out.xlsx")))
    expect(sheet?.sheet).toBe("chemicals")
    const [header = [], ...rows] = sheet?.data ?? []
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      [20182, date.value, "Bisphenol A"],
      [39242, "71-43-2", "Benzene"]
    ])
    expect(rows.map((row) => row[header.indexOf("dtxsid")])).toEqual([bisphenolA, benzene])
  })

  it("has the days of early 1900 as Excel shows them, and writes the same cells again", async () => {
    // Excel counts a 29 February 1900: the library writes these as days 1, 59 and 61.
    const days = ["1899-12-31", "1900-02-27", "1900-03-01"].map((day) => new Date(day))
    const cells = days.map((value) => [{ value, type: Date, format: "yyyy-mm-dd" }])
    const at = folder()
    writeFileSync(join(at, "days.xlsx"), await workbook({ S: [["day"], ...cells] }))
    const { stdout } = await run(["convert", "days.xlsx", "-f", "csv"], { cwd: at })
    expect(stdout).toBe("day\r\n1900-01-01\r\n1900-02-28\r\n1900-03-01\r\n")
    expect(await run(["convert", "days.xlsx", "again.xlsx"], { cwd: at })).toMatchObject({ code: 0 })
    const [sheet] = await readSheets(readFileSync(join(at, "again.xlsx")))
    expect(sheet?.data.slice(1)).toEqual(days.map((day) => [day]))
  })

  it("of a laboratory has merged titles, equal names and empty columns, and goes into a database", async () => {
    const bytes = await workbook({
      Results: [
        ["Campaign of May", null, null, null, null],
        ["Sample", null, "Substance", null, null],
        ["No.", "Value", "CAS", "Value", null],
        [1, 0.5, "80-05-7", true, null],
        [2, null, "71-43-2", false, "checked"]
      ]
    })
    const { at, code, stderr } = await over(
      "lab.xlsx",
      bytes,
      ...["resolve", "--key", "CAS", "-o", "out.sqlite#rows"]
    )
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^lab\.xlsx: sheet "Results", header in row 3 \(the rows above it are left out\), columns "No\.", "Value", "CAS", "Value_2"/
    )
    const database = new DatabaseSync(join(at, "out.sqlite"))
    const rows = database.prepare("SELECT * FROM rows ORDER BY input_line").all()
    database.close()
    expect(
      rows.map((row) => [row["input_line"], row["No_"], row["Value_2"], row["status"], row["dtxsid"]])
    ).toEqual([
      [4, "1", "true", "found", bisphenolA],
      [5, "2", "false", "found", benzene]
    ])
  })
})

describe("a list of features", { concurrent: true }, () => {
  const counted = (stderr: string) =>
    /^read (\d+) = (\d+) found \+ (\d+) missing .* (\d+) invalid$/m.exec(stderr)?.slice(1)

  it("from MS-DIAL has four rows above its header, which start with empty cells", async () => {
    const text = tabs([
      ["", "", "", "Class", "A", "B"],
      ["", "", "", "File type", "Sample", "QC"],
      ["", "", "", "Injection order", 1, 2],
      ["", "", "", "Batch ID", 1, 1],
      ["Alignment ID", "Average Rt(min)", "Average Mz", "Adduct type", "Metabolite name", "s1", "s2"],
      [0, 5.1, 195.0877, "[M+H]+", "Unknown", 1000, 0],
      [1, 6.2, 700.1, "[M+H]+", 'w/o MS2: 4"-x', 10, 20]
    ])
    const { rows, stderr } = await over("msdial.txt", text, "suspects", "--mz", "Average Mz")
    expect(stderr).toMatch(
      /^msdial\.txt: header in row 5 \(the rows above it are left out\), columns "Alignment ID", .*, separator tab$/m
    )
    expect(stderr).toContain('the column "Adduct type" is not read; use it with --adduct "Adduct type"')
    expect(counted(stderr)).toEqual(["2", "1", "0", "1"])
    expect(rows.some((row) => row["dtxsid"] === caffeine)).toBe(true)
    const plain = await over("msdial.txt", text, "suspects", "--mz", "Average Mz", "--quotes", "none")
    expect(counted(plain.stderr)).toEqual(["2", "1", "1", "0"])
  })

  it("from MZmine ends each line with a comma, so that its last column has no name", async () => {
    const text =
      "row ID,row m/z,row retention time,a.mzML Peak area,\n1,195.0877,5.1,1000,\n2,700.1,6.2,10,\n"
    const { rows, stderr } = await over("mzmine.csv", text, "suspects", "--mz", "row m/z")
    expect(counted(stderr)).toEqual(["2", "1", "1", "0"])
    expect(rows[0]).toMatchObject({ "row ID": "1", column_5: "" })
    const asCsv = await over("mzmine.csv", text, "suspects", "--mz", "row m/z", "-q", "-f", "csv")
    expect(asCsv.stdout).toMatch(/^row ID,row m\/z,row retention time,a\.mzML Peak area,column_5,status,/)
  })

  it("from XCMS and CAMERA has row names without a name in the header", async () => {
    const text =
      "mz\tmzmin\tmzmax\trt\tnpeaks\tisotopes\tadduct\tpcgroup\n" +
      "FT1\t195.0877\t195.08\t195.09\t301\t4\t\t\t1\nFT2\t700.1\t700\t700.2\t402\t4\t\t\t2\n"
    const { rows, stderr } = await over("camera.tsv", text, "suspects", "--mz", "mz")
    expect(counted(stderr)).toEqual(["2", "1", "1", "0"])
    expect(rows.map((row) => [row["column_1"], row["mz"]])).toContainEqual(["FT1", "195.0877"])
  })

  it("from Compound Discoverer is a workbook with numbers, yes and no, errors, and headers with brackets", async () => {
    const bytes = await workbook({
      Compounds: [
        ["Checked", "Name", "Annot. Source: mzCloud Search", "Calc. MW", "m/z", "RT [min]"],
        [false, "Caffeine", "Full match", 194.0804, 195.0877, 5.101],
        [true, null, "No results", { value: "#N/A", type: "Formula" }, 700.1, 13.750000000000002]
      ]
    })
    const { at, code, stderr } = await over(
      "compounds.xlsx",
      bytes,
      "suspects",
      "--mz",
      "m/z",
      "-o",
      "out.xlsx"
    )
    expect(code).toBe(0)
    expect(counted(stderr)).toEqual(["2", "1", "1", "0"])
    const [sheet] = await readSheets(readFileSync(join(at, "out.xlsx")))
    expect(sheet?.sheet).toBe("Compounds")
    expect(sheet?.data[1]?.slice(0, 6)).toEqual([false, "Caffeine", "Full match", 194.0804, 195.0877, 5.101])
    expect(sheet?.data.at(-1)?.[0]).toBe(true)
    expect(sheet?.data.at(-1)?.[5]).toBe(13.750000000000002)
    const xml = strFromU8(
      unzipSync(readFileSync(join(at, "out.xlsx")))["xl/worksheets/sheet1.xml"] ?? new Uint8Array()
    )
    expect(xml).toMatch(/<c r="D\d+" t="e"><v>#N\/A<\/v><\/c>/)
  })
})

describe("the reader of tables", { concurrent: true }, () => {
  it("asks with the sheets it saw if two have the columns, and reads the one of --sheet", async () => {
    const rows = [["CAS"], ["80-05-7"]]
    const bytes = await workbook({ May: rows, June: rows })
    const both = await over("two.xlsx", bytes, "resolve", "--key", "CAS")
    expect(both).toMatchObject({ code: 2, stdout: "" })
    expect(both.stderr).toBe(
      'chemstream: two.xlsx has several sheets that can be read: choose one of "May", "June" with --sheet\n'
    )
    const { stderr } = await over("two.xlsx", bytes, "resolve", "--key", "CAS", "--sheet", "2")
    expect(stderr).toContain('two.xlsx: sheet "June", header in row 1, columns "CAS"\n')
  })

  it("takes the column of the endpoint from a table without --key, in any case, or asks with the columns", async () => {
    const found = await over(
      "t.csv",
      `name,DTXSID\nBisphenol A,${bisphenolA}\n`,
      "details",
      "--fields",
      "dtxsid",
      "-q"
    )
    expect(found).toMatchObject({ code: 0, rows: [{ dtxsid: bisphenolA }] })
    const bytes = await workbook({ Data: [["Title"], ["name", "casrn"], ["Bisphenol A", "80-05-7"]] })
    const asked = await over("t.xlsx", bytes, "details")
    expect(asked).toMatchObject({ code: 2, stdout: "" })
    expect(asked.stderr).toBe(
      'chemstream: t.xlsx is a table (sheet "Data", header in row 2): name the column of the values with --key, one of "name", "casrn". chemstream resolve finds the DTXSIDs of a column of names or CAS numbers\n'
    )
  })

  it("finds a header below rows that look like one: by the column of the endpoint, or by --key in another case", async () => {
    const head = "Project;Lab;Date;\nX12;North;2024;\n\n"
    const text = `${head}dtxsid;kind;conc\n${bisphenolA};dtxsid;1,2\n`
    const found = await over("t.csv", text, "details", "--fields", "dtxsid")
    expect(found).toMatchObject({ code: 0, rows: [{ dtxsid: bisphenolA }] })
    expect(found.stderr).toMatch(
      /^t\.csv: header in row 4 \(the rows above it are left out\), columns "dtxsid", "kind", "conc", separator ;$/m
    )
    const sheets = await workbook({
      Data: [["Project", "Lab", "Date"], ["X", "N", 2024], ["DTXSID"], [bisphenolA]]
    })
    expect(await over("t.xlsx", sheets, "details", "--fields", "dtxsid")).toMatchObject({ code: 0 })
    const asked = await over("t.csv", text, "resolve", "--key", "DTXSID")
    expect(asked.stderr).toMatch(/no column "DTXSID".*: --key takes one of "dtxsid", "kind", "conc"\n$/)
    // A cell of a row may have the name of a column.
    const inRow = await over("t.csv", `id;kind\n${bisphenolA};dtxsid\n`, "details")
    expect(inRow.stderr).toContain('--key, one of "id", "kind"')
  })

  it("reads a table whose header is longer than its usual sample", async () => {
    const samples = Array.from({ length: 6000 }, (_, at) => `sample_${at}`)
    const content = `${[...samples, "dtxsid"].join()}\n${[...samples.map(() => 1), benzene].join()}\n`
    const { rows } = await over("samples.csv", content, "details", "--key", "dtxsid")
    expect(rows).toMatchObject([{ dtxsid: benzene }])
  })

  it("reads the header of --header-row, and a line that names the separator", async () => {
    const text = "sep=|\nname|casrn\nname|casrn\nBenzene|71-43-2\n"
    const auto = await over("t.csv", text, "resolve", "--key", "casrn", "-q")
    expect(auto.rows).toHaveLength(2)
    const given = await over("t.csv", text, "resolve", "--key", "casrn", "--header-row", "3", "-q")
    expect(substances(given.rows)).toEqual([["found", benzene]])
    const wrong = await over("t.csv", text, "resolve", "--key", "casrn", "--header-row", "0")
    expect(wrong.code).toBe(2)
  })

  it("reads a JSON array and a workbook from standard input, as it reads files", async () => {
    const { env } = await sharedService()
    const json = JSON.stringify([{ casrn: "80-05-7" }, { casrn: "71-43-2" }], undefined, 2)
    const bytes = await workbook({ Data: [["casrn"], ["80-05-7"], ["71-43-2"]] })
    for (const input of [json, bytes]) {
      const { stdout } = await run(["resolve", "--key", "casrn", "-q"], { env, input })
      expect((lines(stdout) as ReadonlyArray<Record<string, unknown>>).map(({ dtxsid }) => dtxsid)).toEqual([
        bisphenolA,
        benzene
      ])
    }
  })

  const formats = ["csv", "tsv", "csv.gz", "ndjson", "json", "parquet", "arrow", "xlsx"]

  it.each([...formats, "sqlite#t", "duckdb#t", "postgres#t"])(
    "writes any header as %s: empty, equal, equal but for the case, with punctuation, and named as ours",
    async (format) => {
      const header = 'name,casrn,,,Name,name,"a.b [%];""c"", d",input_line,STATUS'
      const text = `${header}\nBisphenol A,80-05-7,v1,v2,v3,v4,v5,v6,v7\n`
      const out = format === "postgres#t" ? `${(await startServer()).url}#t` : `out.${format}`
      const { at, code, env } = await over("t.csv", text, "resolve", "--key", "casrn", "-q", "-o", out)
      expect(code).toBe(0)
      expect((await run(["convert", out, "back.ndjson"], { env, cwd: at })).code).toBe(0)
      const [row] = lines(readFileSync(join(at, "back.ndjson"), "utf8"))
      const isDatabase = format.includes("#")
      expect(row).toMatchObject({
        ...{ name: "Bisphenol A", column_3: "v1", column_4: "v2", Name_2: "v3", name_3: "v4" },
        ...{ STATUS: "v7", status_found: "found" },
        // A database has columns of its own, and no dots in names.
        ...(isDatabase
          ? { 'a_b [%];"c", d': "v5", input_line: 2, input_line_2: "v6" }
          : { 'a.b [%];"c", d': "v5", input_line: "v6" })
      })
    }
  )

  it("checks the column of --rt against the header, and names it as the header does", async () => {
    const text = 'm/z,Rt(min),Rt(min)\n"195,0877","5,1",6\n'
    const args = ["suspects", "--mz", "m/z", "--for", "patroon", "-f", "csv"]
    const refused = await over("f.csv", text, ...args, "--rt", "RT")
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain(
      'the table has no column "RT": --rt takes one of "m/z", "Rt(min)", "Rt(min)_2"\n'
    )
    const { stdout } = await over("f.csv", text, ...args, "--rt", "Rt(min)")
    expect(stdout.split("\n")[1]).toMatch(/^DTXSID0020232 \[M\+H\]\+,306,195\.08765\d,/)
  })

  it("takes the identifiers of a line apart with --split, from a file and a pipe, also in the first line", async () => {
    const text = "80-05-7; 71-43-2\nBenzene; 71-43-2\n"
    const args = ["resolve", "--split", ";", "-q"]
    const { env, rows } = await over("list.txt", text, ...args)
    const piped = await run(args, { env, input: text })
    for (const some of [rows, lines(piped.stdout) as typeof rows])
      expect(some.map((row) => [row["line"], row["status"], row["dtxsid"]])).toEqual([
        [1, "ambiguous", bisphenolA],
        [1, "ambiguous", benzene],
        [2, "found", benzene]
      ])
    expect((await run(["resolve", "-q"], { env, input: text })).stderr).toContain("line 1 has 2 values")
  })

  it("keeps days, times, lists, objects and large integers of Arrow and Parquet", async () => {
    const [day, time] = [new Date(Date.UTC(1980, 4, 7)), new Date(Date.UTC(2024, 4, 1, 12, 30))]
    const arrow = tableToIPC(
      new ArrowTable({
        casrn: vectorFromArray(["80-05-7", "71-43-2"], new Utf8()),
        day: vectorFromArray([day, null], new DateDay()),
        time: vectorFromArray([time, null], new TimestampMillisecond()),
        parts: vectorFromArray([[1n, 2n], null], new List(new Field("item", new Int64(), true))),
        big: vectorFromArray([9_007_199_254_740_993n, 7n], new Int64())
      }),
      "file"
    )
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: "casrn", data: ["80-05-7", "71-43-2"], type: "STRING" },
        { name: "day", data: [day, null], type: "TIMESTAMP" },
        { name: "time", data: [time, null], type: "TIMESTAMP" },
        { name: "parts", data: [[1, 2], null], type: "JSON" },
        { name: "big", data: [9_007_199_254_740_993n, 7n], type: "INT64" }
      ]
    })
    for (const [name, bytes] of [
      ["t.arrow", arrow],
      ["t.parquet", new Uint8Array(parquet)]
    ] as const) {
      const { rows } = await over(name, bytes, "resolve", "--key", "casrn", "-q")
      expect(rows).toMatchObject([
        { day: "1980-05-07", time: "2024-05-01T12:30:00.000Z", parts: [1, 2], big: "9007199254740993" },
        { day: null, time: null, parts: null, big: 7, dtxsid: benzene }
      ])
    }
  })

  it.each([
    ["details", "-q"],
    ["synonyms", "-q"],
    ["validate", "-q"],
    ["convert", "-", "-f", "ndjson"]
  ])(
    "(%s) waits for the header below the title rows of a pipe, in whatever pieces they arrive",
    async (...args) => {
      const { env } = await sharedService()
      const title = `Report, ${"with a long title ".repeat(120)}\n`
      // Decompressed, the titles arrive in more than one piece.
      const input = gzipSync(`${title.repeat(12)}name;dtxsid;n\nBenzene;${benzene};1\n`)
      const { code, stderr, stdout } = await run(args, { env, input })
      expect([code, stderr.replace(/^standard input: header in row 13 .*\n/, "")]).toEqual([0, ""])
      expect(lines(stdout)).toHaveLength(1)
      expect(stdout).toContain(benzene)
    }
  )

  it.each(["t.parquet", "t.arrow", "t.sqlite#rows", "t.duckdb#rows"])(
    "says which columns it read of %s, which has no header to find",
    async (name) => {
      const { env } = await sharedService()
      const at = folder()
      writeFileSync(join(at, "t.csv"), "name,casrn\nBenzene,71-43-2\n")
      await run(["convert", "t.csv", name], { env, cwd: at })
      const read = await run(["resolve", "--key", "casrn", "--input", name], { env, cwd: at })
      expect(read.stderr.split("\n")[0]).toMatch(/^t\.\w+(?:#rows)?: columns .*"name", "casrn"/)
      expect(lines(read.stdout)).toMatchObject([{ dtxsid: benzene }])
    }
  )

  it("suggests no other command for rows of several columns that are all invalid", async () => {
    const features = await over(
      "f.csv",
      "mz,ion\n195.0877,[M+Xx]+\n",
      "suspects",
      "--mz",
      "mz",
      "--adduct",
      "ion"
    )
    const names = await over("n.csv", "a,b\nNA,NA\n", "resolve", "--key", "a,b")
    for (const { code, stderr } of [features, names]) {
      expect(code).toBe(2)
      expect(stderr).toMatch(/\nchemstream: no value of the input is valid\n$/)
    }
  })

  it("with a comma too many in each row has bad rows, and no row names", async () => {
    const text = "casrn,name,conc\n80-05-7,Phenol, 4-x,5\n71-43-2,Benzene, pure,3\n"
    const { code, stderr, stdout } = await over("n.csv", text, "resolve", "--key", "casrn", "-f", "csv")
    expect(code).toBe(2)
    expect(stdout).toContain("\n80-05-7,Phenol,")
    expect(stderr).toContain("2 invalid, the first in line 2: the row has 4 cells where the header has 3.")
    const named = await over("r.csv", "mz,rt\nFT1,195.0877,2\nFT2,700.1,3\n", "suspects", "--mz", "mz")
    expect(named.stderr).toContain(
      "; the header has one name less than each row, so the first cells are row names"
    )
  })

  it("has each of its rows accounted for, also the blank ones", async () => {
    const text = 'casrn,name\n80-05-7,"a\n\nb"\n\n  \n,\n71-43-2,b\n\n'
    const { stderr } = await over("b.csv", text, "resolve", "--key", "casrn")
    expect(stderr).toContain("read 3 = 2 found + 0 missing + 0 failed + 0 duplicates + 1 invalid\n")
    expect(stderr).toContain("left out 3 blank lines: 6 lines in all\n")
    const sheet = await workbook({ S: [["Title"], [], ["casrn", "x"], ["80-05-7", 1], [], ["71-43-2", 2]] })
    const read = await over("b.xlsx", sheet, "resolve", "--key", "casrn")
    expect(read.stderr).toContain("left out 1 blank line: 3 lines in all\n")
  })

  it("says which of two columns with one name it reads, and names a header with a line break by a space", async () => {
    const twins = await over("t.csv", "casrn,name,casrn\n80-05-7,x,71-43-2\n", "resolve", "--key", "casrn")
    expect(twins.rows).toMatchObject([{ dtxsid: bisphenolA }])
    expect(twins.stderr).toContain('; 2 columns have this name: "casrn", "casrn_2"; --key reads "casrn"\n')
    const broken = await over("b.csv", '"CAS\nnumber"\n80-05-7\n', "resolve", "--key", "CAS number")
    expect(broken.rows).toMatchObject([{ dtxsid: bisphenolA }])
  })

  it("with spaces between its columns, or without a header, is refused with what to do", async () => {
    const spaced = "  name      casrn\n1 Benzene   71-43-2\n2 Anisole   100-66-3\n"
    const refused = await over("r.txt", spaced, "resolve", "--key", "casrn")
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain("looks like a table with spaces between its columns")
    const peaks = await over(
      "p.txt",
      "m/z int. rel.int.\n  229.1223 467.6 45\n  195.0877 1.5 9\n",
      "suspects"
    )
    expect(peaks.stderr).toContain('in R write.csv(x, "FILE.csv"), else sed -E ')
    const headless = await over("h.csv", "80-05-7,x\n71-43-2,y\n", "resolve", "--key", "casrn")
    expect(headless.stderr).toContain('h.csv has no header: row 1 has values, "80-05-7", "x". Put a row')
  })

  it("of an old Mac ends its lines with CR alone", async () => {
    const { rows } = await over("mac.txt", "80-05-7\r71-43-2\r", "resolve", "-q")
    expect(substances(rows)).toEqual([
      ["found", bisphenolA],
      ["found", benzene]
    ])
  })

  it("in a workbook whose cells have no places is read by their order, and other workbooks are named", async () => {
    const files = unzipSync(
      await workbook({
        S: [
          ["name", "casrn"],
          ["x", "80-05-7"]
        ]
      })
    )
    const sheet = "xl/worksheets/sheet1.xml"
    const xml = strFromU8(files[sheet] ?? new Uint8Array()).replace(/(<(?:row|c)\b[^>]*?) r="[^"]*"/g, "$1")
    expect(xml).toContain("<row><c ")
    const bare = zipSync({ ...files, [sheet]: strToU8(xml) })
    expect((await over("bare.xlsx", bare, "resolve", "--key", "casrn")).rows).toMatchObject([
      { dtxsid: bisphenolA }
    ])
    const binary = zipSync({ "[Content_Types].xml": strToU8("<x/>"), "xl/workbook.bin": strToU8("x") })
    const locked = Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.from("EncryptedPackage", "utf16le")
    ])
    for (const [name, bytes, what] of [
      ["t.xlsb", binary, "it is a binary workbook (.xlsb). Open it, and save it as .xlsx"],
      [
        "t.xlsx",
        locked,
        "it is a workbook with a password. Open it, remove the password, and save it as .xlsx"
      ]
    ] as const)
      expect((await over(name, bytes, "resolve", "--key", "casrn")).stderr).toBe(
        `chemstream: cannot read ${name}: ${what}\n`
      )
  })

  it("says nothing with --quiet, and reads the rows of a pipe as they arrive", async () => {
    const { env } = await sharedService()
    const input = "Title\n\nname\tcasrn\nBenzene\t71-43-2\n"
    const { stderr, stdout } = await run(["resolve", "--key", "casrn", "-q"], { env, input })
    expect(stderr).toBe("")
    expect(lines(stdout)).toMatchObject([{ dtxsid: benzene }])
  })
})
