import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import readSheets from "read-excel-file/node"
import { describe, expect, it } from "vitest"
import writeSheet from "write-excel-file/node"
import { command, environment, folder, run, sharedService } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const bisphenolA = "DTXSID7020182"
const benzene = "DTXSID3039242"

describe("chemstream resolve", { concurrent: true }, () => {
  it("requests each value once in a run, and details only for fields that hits lack", async () => {
    const { env } = await sharedService()
    const at = folder()
    const names = ["Bisphenol A", "80-05-7", "benzene"]
    writeFileSync(join(at, "names"), Array.from({ length: 2500 }, (_, n) => `${names[n % 3]}\n`).join(""))
    const requestsOf = async (...fields: ReadonlyArray<string>) => {
      const args = [
        "resolve",
        "-i",
        "names",
        "-o",
        "out.csv",
        "--json-summary",
        "summary.json",
        "-q",
        "--no-resume"
      ]
      expect(await run([...args, ...fields], { env, cwd: at })).toMatchObject({ code: 0 })
      return JSON.parse(readFileSync(join(at, "summary.json"), "utf8")).requests
    }
    expect(await requestsOf()).toBe(1)
    expect(await requestsOf("--fields", "casrn,preferredName,smiles")).toBe(1)
    expect(await requestsOf("--fields", "casrn,molFormula")).toBe(2)
  })

  it("writes a line for each candidate of a value of any kind, and one for a value without candidates", async () => {
    const { env } = await sharedService()
    const values = ["000080 05 7", "Benzol", "c1ccccc1", "no such name", "5/7/1980", "[Xx]"]
    const { code, stderr, stdout } = await run(["resolve", ...values], { env })
    const rows = lines(stdout) as ReadonlyArray<Record<string, unknown>>
    expect(rows.map(({ dtxsid, kind, line, status }) => [line, kind, status, dtxsid])).toEqual([
      [1, "casrn", "found", bisphenolA],
      [2, "name", "found", benzene],
      [3, "smiles", "found", benzene],
      [4, "name", "missing", null],
      [5, "casrn", "found", bisphenolA],
      [6, "smiles", "invalid", null]
    ])
    expect(rows[0]).toMatchObject({ input: "000080 05 7", foundBy: "CASRN", preferredName: "Bisphenol A" })
    expect(rows[4]?.["note"]).toContain("a date")
    expect(stderr).toContain("read 6 = 4 found + 1 missing + 0 failed + 0 duplicates + 1 invalid")
    expect(code).toBe(0)
  })

  it.each([
    ["all", [bisphenolA, benzene], "2 candidates"],
    ["best", [bisphenolA], "1 more candidate"],
    ["unique", [null], "2 more candidates"]
  ] as const)(
    "marks a value with two substances as ambiguous under --pick %s, and counts the omitted ones",
    async (pick, ids, note) => {
      const hit = (dtxsid: string, searchName: string, rank: number) => ({
        ...{ dtxsid, dtxcid: null, casrn: null, preferredName: dtxsid, searchName, searchValue: "BIS", rank }
      })
      const hits = [hit(benzene, "Synonym", 15), hit(bisphenolA, "Expert Validated Synonym", 10)]
      const { env } = await scripted(() => ({ body: JSON.stringify(hits) }))
      const { code, stdout } = await run(["resolve", "bis", "--pick", pick, "-q"], { env })
      const rows = lines(stdout) as ReadonlyArray<Record<string, unknown>>
      expect(rows.map(({ dtxsid }) => dtxsid)).toEqual(ids)
      for (const row of rows) expect(row).toMatchObject({ status: "ambiguous", note })
      expect(code).toBe(0)
    }
  )

  it("counts ambiguous and contradictory rows in the summary, because they are among the found ones", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "samples.csv"), "casrn,name\n80-05-7,Benzene\n80-05-7,Bisphenol A\n")
    const args = ["resolve", "--input", "samples.csv", "--key", "casrn,name", "--json-summary", "counts.json"]
    const { code, stderr, stdout } = await run(args, { env, cwd: at })
    const rows = lines(stdout) as ReadonlyArray<Record<string, unknown>>
    expect(rows.map(({ status }) => status)).toEqual(["conflict", "found"])
    expect(stderr).toContain("read 2 = 2 found (of which 1 conflict) + 0 missing")
    expect(JSON.parse(readFileSync(join(at, "counts.json"), "utf8"))).toMatchObject({
      ...{ read: 2, found: 2, ambiguous: 0, conflict: 1 }
    })
    expect(code).toBe(0)
    expect(await run([...args, "--fail-on", "ambiguous"], { env, cwd: at })).toMatchObject({ code: 0 })
    const failing = await run([...args, "--fail-on", "ambiguous,conflict"], { env, cwd: at })
    expect(failing).toMatchObject({ code: 1, stdout })
  })

  it("writes contradictory rows to the errors file, by their columns and without control characters", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "samples.csv"), "casrn,name\n80-05-7,Benzene\n,no such name\n")
    const own = ["--key", "casrn,name", "-q", "--errors", "errors.ndjson"]
    await run(["resolve", "--input", "samples.csv", ...own], { env, cwd: at })
    const written = readFileSync(join(at, "errors.ndjson"), "utf8")
    expect(written).not.toContain("\\u001f")
    expect(lines(written)).toMatchObject([
      {
        ...{ id: "80-05-7 | Benzene", line: 2, carried: { casrn: "80-05-7", name: "Benzene" } },
        ...{
          outcome: "conflict",
          error: { tag: "Conflict", message: "casrn and name are different substances" }
        }
      },
      { id: "no such name", outcome: "missing", line: 3, carried: { casrn: "", name: "no such name" } }
    ])
    const again = [
      "retry",
      "errors.ndjson",
      "--also",
      "conflict",
      "--also",
      "missing",
      "--",
      "resolve",
      ...own
    ]
    const { stdout } = await run(again, { env, cwd: at })
    expect(lines(stdout)).toMatchObject([
      { casrn: "80-05-7", name: "Benzene", status: "conflict" },
      { casrn: "", name: "no such name", status: "missing" }
    ])
  })

  it("names the kind of a value of several kinds with the right article", async () => {
    const { env } = await sharedService()
    const { stdout } = await run(["resolve", "IISBACLAFKSPIT", "-q"], { env })
    expect(lines(stdout)).toMatchObject([
      { kind: "skeleton", preferredName: "Bisphenol A", note: "read as an InChIKey skeleton" }
    ])
  })

  it("says how it has read a value of several kinds", async () => {
    const { env } = await sharedService()
    const { stdout } = await run(["resolve", "CO", "-q"], { env })
    expect(lines(stdout)).toMatchObject([
      { kind: "smiles", preferredName: "Methanol", note: "read as a SMILES" }
    ])
  })

  it.each(["ndjson", "csv"])(
    "writes a field of every row once as %s, also when --fields names it",
    async (format) => {
      const { env } = await sharedService()
      const at = folder()
      writeFileSync(join(at, "samples.csv"), "sample,casrn\na,80-05-7\n")
      const fields = ["--fields", "dtxsid,casrn,molFormula", "--format", format, "-q"]
      const args = ["resolve", "--input", "samples.csv", "--key", "casrn", ...fields]
      const { code, stderr, stdout } = await run(args, { env, cwd: at })
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      for (const name of ["dtxsid", "casrn_found", "molFormula"]) {
        expect(stdout.split("\n")[0]?.match(new RegExp(`\\b${name}\\b`, "g"))).toHaveLength(1)
      }
    }
  )

  it("writes rows to a database table, each with its line and with typed columns", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "samples.csv"), "sample,casrn\na,80-05-7\nb,\nc,benzene\nd,80-05-7\n")
    const args = ["resolve", "--input", "samples.csv", "--key", "casrn", "--fields", "monoisotopicMass", "-q"]
    const { code, stderr } = await run([...args, "--output", "out.sqlite#found"], { env, cwd: at })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const database = new DatabaseSync(join(at, "out.sqlite"))
    const rows = database.prepare("SELECT * FROM found ORDER BY input_line, record_n").all()
    const outcomes = database.prepare("SELECT line, outcome, records FROM found_outcomes ORDER BY line").all()
    database.close()
    const own = rows.map(({ dtxsid, input_line, monoisotopicMass, rank, sample, status }) => [
      ...[input_line, sample, status, dtxsid, rank, monoisotopicMass]
    ])
    expect(own).toEqual([
      [2, "a", "found", bisphenolA, 5, 228.115029752],
      [3, "b", "invalid", null, null, null],
      [4, "c", "found", benzene, 9, 78.046950192],
      [5, "d", "found", bisphenolA, 5, 228.115029752]
    ])
    expect(outcomes.map(({ line, outcome, records }) => [line, outcome, records])).toEqual([
      [2, "found", 1],
      [3, "invalid", 1],
      [4, "found", 1],
      [5, "found", 1]
    ])
  })

  it("writes a table again row by row, with unchanged cells and new columns", async () => {
    const { env } = await sharedService()
    const at = folder()
    const rows = [
      ["sample", "casrn", "remark, free"],
      ["a", "80-05-7", 'says "hey", twice'],
      ["b", "", ""],
      ["c", "80-05-7", "two\nlines; here"],
      ["d", "71-43-3", " spaced "],
      ["", "#N/A", "x"],
      ["e", "Benzol", "00012"]
    ]
    const quoted = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
    writeFileSync(join(at, "samples.csv"), `\ufeff${quoted.join("\r\n")}\r\n`)
    const args = ["resolve", "--input", "samples.csv", "--key", "casrn", "--fields", "molFormula", "-q"]
    const csv = await run([...args, "--output", "found.csv"], { env, cwd: at })
    expect(csv.stderr).toBe("")
    const tsv = await run([...args, "--format", "ndjson"], { env, cwd: at })
    const written = lines(tsv.stdout) as ReadonlyArray<Record<string, unknown>>
    expect(written.map((row) => [row["sample"], row["casrn"], row["remark, free"]])).toEqual(rows.slice(1))
    expect(written.map(({ dtxsid, molFormula, status }) => [status, dtxsid, molFormula])).toEqual([
      ["found", bisphenolA, "C15H16O2"],
      ["invalid", null, null],
      ["found", bisphenolA, "C15H16O2"],
      ["missing", null, null],
      ["invalid", null, null],
      ["found", benzene, "C6H6"]
    ])
    // A new column with the name of an existing one gets another name.
    expect(Object.keys(written[0] ?? {})).toEqual([
      "sample",
      "casrn",
      "remark, free",
      "kind",
      "status",
      "foundBy",
      "rank",
      "dtxsid",
      "dtxcid",
      "casrn_found",
      "preferredName",
      "molFormula",
      "candidates",
      "note"
    ])
    expect(written.filter(({ note, status }) => status !== "found" && typeof note !== "string")).toEqual([])
    const text = readFileSync(join(at, "found.csv"), "utf8")
    expect(text).toContain('a,80-05-7,"says ""hey"", twice",casrn,found,CASRN,5,DTXSID7020182,')
    expect(text).toContain('"two\nlines; here"')
    expect(text).toContain("\r\nb,,,,invalid,")
    const tabs = await run([...args, "--format", "tsv"], { env, cwd: at })
    expect(tabs.stdout).toContain("\nb\t\t\t\tinvalid\t")
  })

  it.each([
    ["commas", "name,cas\nBenzol,\n", "Benzol,,name,found"],
    ["semicolons", "\ufeffname;cas\r\nBenzol;\r\n", "Benzol,,name,found"],
    ["tabs", "name\tcas\nBenzol\t\n", "Benzol,,name,found"],
    ["objects", '{"name":"Benzol","cas":null}\n', "Benzol,,name,found"]
  ])("reads a table with %s from standard input", async (_, input, row) => {
    const { env } = await sharedService()
    const args = ["resolve", "--key", "cas,name", "--format", "csv", "-q"]
    const ended = await run(args, { env, input })
    expect(ended.stderr).toBe("")
    const [header = "", first = ""] = ended.stdout.split("\r\n")
    expect(header.startsWith("name,cas,kind,status,")).toBe(true)
    expect(first.startsWith(row)).toBe(true)
  })

  it("renames a new column that objects already have", async () => {
    const { env } = await sharedService()
    const input = '{"casrn":"80-05-7","a":1}\n{"casrn":"71-43-2","b":2}\n'
    const { stdout } = await run(["resolve", "--key", "casrn", "-q"], { env, input })
    expect(lines(stdout)).toMatchObject([
      { casrn: "80-05-7", a: 1, casrn_found: "80-05-7" },
      { casrn: "71-43-2", b: 2, casrn_found: "71-43-2" }
    ])
  })

  it("writes a workbook to standard output on request", async () => {
    const { env } = await sharedService()
    const at = folder()
    const shell = `'${process.execPath}' '${command}' resolve 80-05-7 --format xlsx -q > out.xlsx`
    execFileSync("sh", ["-c", shell], { cwd: at, env: environment(env) })
    const [sheet] = await readSheets(readFileSync(join(at, "out.xlsx")))
    expect(sheet?.data[1]).toContain(bisphenolA)
  })

  it("reads a table with semicolons, and uses the first known identifier of a row", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "t.csv"), "name;cas\nBenzol;80-05-7\nBisphenol A;\nnothing at all;71-43-2\n;\n")
    const args = ["resolve", "-i", "t.csv", "--key", "cas,name", "-q"]
    const { stdout } = await run(args, { env, cwd: at })
    const rows = lines(stdout) as ReadonlyArray<Record<string, unknown>>
    expect(rows.map(({ candidates, dtxsid, status }) => [status, dtxsid, candidates])).toEqual([
      ["conflict", null, `${bisphenolA}; ${benzene}`],
      ["found", bisphenolA, null],
      ["found", benzene, null],
      ["invalid", null, null]
    ])
    expect(rows[0]?.["note"]).toBe("cas and name are different substances")
    const each = await run([...args, "--rows", "candidates"], { env, cwd: at })
    expect(lines(each.stdout).length).toBe(5)
  })

  it("reads and writes a workbook, also with CAS numbers that became dates", async () => {
    const { env } = await sharedService()
    const at = folder()
    const date = { value: new Date(Date.UTC(1980, 4, 7)), type: Date, format: "yyyy-mm-dd" } as const
    await writeSheet([
      { data: [["nothing"]], sheet: "Cover" },
      {
        data: [
          ["n", "CAS"],
          [1, date],
          [2, "71-43-2"],
          [3, null]
        ],
        sheet: "Data"
      }
    ]).toFile(join(at, "in.xlsx"))
    const args = ["resolve", "-i", "in.xlsx", "--sheet", "Data", "--key", "CAS", "-q", "-o", "out.xlsx"]
    const ended = await run(args, { env, cwd: at })
    expect(ended.stderr).toBe("")
    const [sheet] = await readSheets(readFileSync(join(at, "out.xlsx")))
    const [header = [], ...rows] = sheet?.data ?? []
    const column = (name: string) => rows.map((row) => row[header.indexOf(name)])
    expect(sheet?.sheet).toBe("Data")
    expect(header.slice(0, 2)).toEqual(["n", "CAS"])
    expect(column("CAS").slice(0, 2)).toEqual([date.value, "71-43-2"])
    expect(column("status")).toEqual(["found", "found", "invalid"])
    expect(column("dtxsid").slice(0, 2)).toEqual([bisphenolA, benzene])
    expect(String(column("note")[0])).toContain("a date")
    const none = await run(["resolve", "-i", "in.xlsx", "--sheet", "x", "--key", "CAS"], { env, cwd: at })
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('it has "Cover", "Data"') })
  })

  it("says what to do with a file that is no workbook despite its name", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "in.xlsx"), "n,CAS\n1,80-05-7\n")
    const ended = await run(["resolve", "-i", "in.xlsx", "--key", "CAS"], { env, cwd: at })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(
      /^chemstream: cannot read in\.xlsx: it is not a workbook \(.+\)\. Save it as \.xlsx again, or name it \.csv if it is text\n$/
    )
    const missing = await run(["resolve", "-i", "none.xlsx", "--key", "CAS"], { env, cwd: at })
    expect(missing.stderr).toBe("chemstream: cannot read none.xlsx: no such file or directory\n")
  })

  it("names the substances with the skeleton of an unknown InChIKey, and accepts them with --match skeleton", async () => {
    const { env } = await sharedService()
    const charged = "IISBACLAFKSPIT-UHFFFAOYSA-M"
    const args = ["resolve", "-q", charged, "IISBACLAFKSPIT-ABCDEFGHSA-N", "QQQQQQQQQQQQQQ-UHFFFAOYSA-N"]
    const [one, two, none] = lines((await run(args, { env })).stdout)
    expect(one).toMatchObject({ status: "missing", dtxsid: null })
    expect(one?.["note"]).toContain(`of the same skeleton: ${bisphenolA} Bisphenol A with other charge`)
    expect(two?.["note"]).toContain("Bisphenol A with other stereo or isotopes")
    expect(none?.["note"]).toBe("the service does not know QQQQQQQQQQQQQQ-UHFFFAOYSA-N")
    // A suggested name is no substance of the skeleton, nor the reverse.
    const table = `key,name\n${charged},Benzen\nQQQQQQQQQQQQQQ-UHFFFAOYSA-N,Choline\n${charged},Benzene\n`
    const rows = lines(
      (await run(["resolve", "-q", "--key", "key,name", "-f", "ndjson"], { env, input: table })).stdout
    )
    expect(rows[0]?.["note"]).toMatch(/; of the same skeleton: DTXSID7020182 [^,;]+; similar names?: Benzene/)
    expect(rows[1]?.["note"]).toMatch(/similar name: Chlorine$/)
    expect(rows[1]?.["note"]).not.toContain("skeleton")
    expect(rows[2]).toMatchObject({ status: "found", dtxsid: "DTXSID3039242" })
    expect(rows[2]?.["note"]).toContain("of the same skeleton: DTXSID7020182")
    const [accepted] = lines((await run([...args, "--match", "skeleton"], { env })).stdout)
    expect(accepted).toMatchObject({ status: "found", dtxsid: bisphenolA, foundBy: "InChIKey skeleton" })
    expect(accepted?.["note"]).toContain("matched by its skeleton")
  })

  it("names the substances with the skeleton of an unknown SMILES or InChI, but searches for none for letters", async () => {
    const { env } = await sharedService()
    const phenolate = "CC(C)(c1ccc(O)cc1)c1ccc([O-])cc1"
    const inchi = "InChI=1S/C15H16O2/c1-15(2,11-3-7-13(16)8-4-11)12-5-9-14(17)10-6-12/h3-10,16-17H,1-2H3/p-1"
    const labelled = "[13CH3]n1c(=O)c2c(ncn2C)n(C)c1=O"
    const rows = lines((await run(["resolve", "-q", phenolate, inchi, labelled, "PFOSI"], { env })).stdout)
    expect(rows.map(({ note, status }) => [status, note])).toEqual([
      [
        "missing",
        expect.stringContaining("of the same skeleton: DTXSID7020182 Bisphenol A with other charge")
      ],
      [
        "missing",
        expect.stringContaining("of the same skeleton: DTXSID7020182 Bisphenol A with other charge")
      ],
      ["missing", expect.stringContaining("DTXSID0020232 Caffeine with other stereo or isotopes")],
      ["missing", expect.not.stringContaining("skeleton")]
    ])
    const accepted = await run(["resolve", "-q", "--match", "skeleton", phenolate], { env })
    expect(lines(accepted.stdout)).toMatchObject([{ status: "found", dtxsid: bisphenolA, kind: "smiles" }])
  })

  it("reads several identifiers of a cell with --split, and names them without it", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(
      join(at, "t.csv"),
      `id,cas\n1,80-05-7; 71-43-2\n2,80-05-7;${bisphenolA}\n3,"NA; benzene"\n4,80-05-7;no such name\n`
    )
    const args = ["resolve", "-i", "t.csv", "--key", "cas", "--format", "ndjson", "-q"]
    const split = lines((await run([...args, "--split", ";"], { env, cwd: at })).stdout)
    expect(split.map(({ dtxsid, status }) => [status, dtxsid])).toEqual([
      ["ambiguous", null],
      ["found", bisphenolA],
      ["found", benzene],
      ["found", bisphenolA]
    ])
    expect(split[0]?.["candidates"]).toContain(benzene)
    expect(split[2]?.["note"]).toContain('placeholder: "NA"')
    expect(split[3]?.["note"]).toContain("no such name")
    const [whole] = lines((await run(args, { env, cwd: at })).stdout)
    expect(whole).toMatchObject({
      status: "missing",
      note: expect.stringContaining("it contains 2 identifiers: 80-05-7, 71-43-2")
    })
  })

  it("reports invalid options before any request", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "t.csv"), "name,cas\n")
    const wrong = async (...args: ReadonlyArray<string>): Promise<string> => {
      const { code, stderr } = await run(["resolve", ...args], { env, cwd: at })
      expect(code).toBe(2)
      return stderr
    }
    expect(await wrong("-i", "t.csv", "--key", "nam")).toContain('no column "nam"')
    expect(await wrong("x", "--key", "name")).toContain("arguments have none")
    expect(await wrong("x", "--rows", "input")).toContain("--rows input needs a table")
    expect(await wrong("x", "--fields", "molformula")).toContain("molFormula")
  })
})
