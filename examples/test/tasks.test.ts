import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { DetailProjection } from "@chemstream/api"
import { describe, expect, it } from "vitest"
import * as ExampleFolders from "./exampleFolders.ts"
import { folder, listen } from "./running.ts"

const bisphenolA = "DTXSID7020182"
const benzene = "DTXSID3039242"
const caffeine = "DTXSID0020232"

let lastId = 0
const measurement = (dtxsid: string | null, nconc: number, hitc: number | null) => ({
  m4id: ++lastId,
  aeid: 4,
  spid: `S${lastId}`,
  dtxsid,
  chnm: dtxsid === null ? "DMSO" : `the name of ${dtxsid}`,
  nconc,
  hitc
})

/** The records of endpoint 4, with hit calls just inside and outside of each limit. */
const measurements = [
  measurement(bisphenolA, 8, 0.2),
  measurement(bisphenolA, 8, 0.9),
  measurement(bisphenolA, 8, 0.1),
  measurement(benzene, 8, 0.899999),
  measurement(benzene, 8, null),
  measurement(caffeine, 1, 1),
  measurement("DTXSID2021315", 1, 0),
  measurement(null, 8, 1)
]

const folders = ExampleFolders.start(measurements)

const rowsOf = (text: string, separator = ",", lineBreak = "\r\n"): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .split(lineBreak)
    .slice(0, -1)
    .map((line) => line.split(separator))

const names = "Bisphenol A\r\nbenzene\nBisphenol Q\n\n# a comment\n  80-05-7  \ncaffeine"

describe.concurrent("enrich-csv.ts", () => {
  it("keeps every row and column, and adds the substance of its CAS number", async () => {
    const { run } = folders.make()
    const { code, stderr, stdout } = await run("enrich-csv.ts", [join(folder, "data/samples.csv"), "casrn"])
    expect(stdout.split("\r\n")).toEqual([
      "sample,casrn,note,dtxsid,preferredName,molFormula,monoisotopicMass",
      `S-01,80-05-7,"receipt, thermal",${bisphenolA},Bisphenol A,C15H16O2,228.115029752`,
      `S-02,71-43-2,"",${benzene},Benzene,C6H6,78.046950192`,
      "S-03,80-05-8,check digit off,,,,",
      'S-04,"",no number given,,,,',
      `S-05,80-05-7,again,${bisphenolA},Bisphenol A,C15H16O2,228.115029752`,
      ""
    ])
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(
        /^row 3: missing: 80-05-8 has the check digit 8,.*the service does not know 80-05-8/
      ),
      expect.stringMatching(/^row 4: invalid: /),
      ""
    ])
    expect(code).toBe(0)
  })

  it("keeps existing columns with these names, and adds columns with other names", async () => {
    const { run, write } = folders.make()
    const file = write(
      "again.csv",
      "preferredName,cas,dtxsid,dtxsid_found\nmine,71-43-2,old,older\nonly mine,1-2,,\n"
    )
    const { code, stdout } = await run("enrich-csv.ts", [file, "cas"])
    const own = ["preferredName", "cas", "dtxsid", "dtxsid_found"]
    expect(rowsOf(stdout)).toEqual([
      [...own, "dtxsid_found_found", "preferredName_found", "molFormula", "monoisotopicMass"],
      ["mine", "71-43-2", "old", "older", benzene, "Benzene", "C6H6", "78.046950192"],
      ["only mine", "1-2", '""', '""', "", "", "", ""]
    ])
    expect(code).toBe(0)
  })

  it.each([
    ["a missing column", "a,b\n1,2\n", "wrong.csv has no column casrn; it has a, b\n"],
    ["a file with only a header", "a,casrn\n", "wrong.csv has no rows\n"],
    ["an empty file", "", "wrong.csv has no rows\n"]
  ])("refuses %s as wrong usage, and writes nothing", async (_, text, stderr) => {
    const { run, write } = folders.make()
    const ended = await run("enrich-csv.ts", [write("wrong.csv", text), "casrn"])
    expect(ended).toEqual({ code: 2, stdout: "", stderr })
  })

  it("refuses a row with too few cells, and writes nothing", async () => {
    const { run, write } = folders.make()
    const { code, stderr, stdout } = await run("enrich-csv.ts", [write("wrong.csv", "a,casrn\n1\n"), "casrn"])
    expect(stderr.toLowerCase()).toContain("line 2")
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  })
})

describe.concurrent("csv-with-promises.ts", () => {
  it("keeps every row and column, and lists the rows without a record", async () => {
    const { run } = folders.make()
    const { code, stderr, stdout } = await run("csv-with-promises.ts", [
      join(folder, "data/substances.csv"),
      "dtxsid"
    ])
    expect(stdout.split("\r\n")).toEqual([
      "sample,dtxsid,note,name,mass",
      `S-01,${bisphenolA},"receipt, thermal",Bisphenol A,228.115029752`,
      "S-02,DTXSID2099900001,unknown,,",
      `S-03,${benzene},"",Benzene,78.046950192`,
      `S-04,${bisphenolA},again,Bisphenol A,228.115029752`,
      ""
    ])
    expect(stderr).toMatch(/^missing: DTXSID2099900001: .*\n$/)
    expect(code).toBe(0)
  })

  it("has at most twenty lines of code", () => {
    const lines = readFileSync(join(folder, "csv-with-promises.ts"), "utf8").split("\n")
    expect(lines.filter((line) => /^(?! ?[/*]).*\S/.test(line)).length).toBeLessThanOrEqual(20)
  })
})

it.concurrent.each(["enrich-csv.ts", "suspects.ts"])("%s refuses a missing file", async (script) => {
  const { run } = folders.make()
  const ended = await run(script, ["no-file.csv", ...(script === "enrich-csv.ts" ? ["casrn"] : [])])
  expect(ended).toEqual({ code: 2, stdout: "", stderr: "there is no file no-file.csv\n" })
})

describe.concurrent("names-to-nta.ts", () => {
  it("writes one row for each substance, with the fields of the projection", async () => {
    const { cwd, run } = folders.make()
    const { code, stderr, stdout } = await run("names-to-nta.ts", ["suspects.tsv"], names)
    const [header = [], ...rows] = rowsOf(readFileSync(join(cwd, "suspects.tsv"), "utf8"), "\t", "\n")
    expect(header).toEqual(DetailProjection.fieldNames("ntatoolkit"))
    const cell = (name: string) => rows.map((row) => row[header.indexOf(name)])
    expect(cell("dtxsid")).toEqual([bisphenolA, benzene, caffeine])
    expect(cell("monoisotopicMass")).toEqual(["228.115029752", "78.046950192", "194.08037556"])
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^missing: Bisphenol Q: the service does not know Bisphenol Q; .*\n$/),
      stdout: ""
    })
  })

  it("writes the format of the extension of the output", async () => {
    const { cwd, run } = folders.make()
    await run("names-to-nta.ts", ["suspects.csv"], "benzene\n")
    expect(rowsOf(readFileSync(join(cwd, "suspects.csv"), "utf8"))[1]?.[0]).toBe("Benzene")
  })

  it("reports a name of several substances", async () => {
    const { cwd, run } = folders.make()
    const hits = ["DTXSID7020182", "DTXSID3039242"].map((dtxsid) => ({
      dtxsid,
      searchValue: "twin",
      rank: 9
    }))
    const twins = await listen(({ url }, response) =>
      response.end(JSON.stringify(url?.includes("equal") ? hits : hits.map(({ dtxsid }) => ({ dtxsid }))))
    )
    const { code, stderr } = await run("names-to-nta.ts", ["twins.ndjson"], "twin\n", {
      CHEMSTREAM_BASE_URL: twins.url
    })
    await twins.stop()
    expect({ code, stderr }).toEqual({ code: 0, stderr: `several: twin ${bisphenolA} ${benzene}\n` })
    expect(readFileSync(join(cwd, "twins.ndjson"), "utf8").trim().split("\n")).toHaveLength(2)
  })

  it("keeps the table of an earlier run when the key is rejected", async () => {
    const { cwd, run, write } = folders.make()
    write("kept.tsv", "of yesterday")
    const { code } = await run("names-to-nta.ts", ["kept.tsv"], names, { CHEMSTREAM_API_KEY: "wrong" })
    expect(code).toBe(3)
    expect(readFileSync(join(cwd, "kept.tsv"), "utf8")).toBe("of yesterday")
  })
})

describe.concurrent("suspects.ts", () => {
  it("finds candidates by MS-ready mass, including salts, and reports peaks without a candidate", async () => {
    const { run } = folders.make()
    const { code, stderr, stdout } = await run("suspects.ts", [join(folder, "data/peaks.csv")])
    expect(rowsOf(stdout).map((row) => row.slice(0, 5))).toEqual([
      ["mz", "adduct", "neutralMass", "dtxsid", "preferredName"],
      ["229.1223", "[M+H]+", "228.11502", bisphenolA, "Bisphenol A"],
      ["229.1223", "[M+H]+", "228.11502", "DTXSID0027480", "Disodium bisphenol A"],
      ["195.0877", "[M+H]+", "194.08042", caffeine, "Caffeine"],
      ["227.1078", "[M-H]-", "228.11508", bisphenolA, "Bisphenol A"],
      ["227.1078", "[M-H]-", "228.11508", "DTXSID0027480", "Disodium bisphenol A"]
    ])
    expect(stderr.trim().split("\n")).toEqual([
      "missing: m/z 100.5 [M+H]+: no substance has an MS-ready form of this mass",
      "missing: m/z 152.0 [M+Na]+: no substance has an MS-ready form of this mass"
    ])
    expect(code).toBe(0)
  })

  it("keeps the columns of a peak, even if a new column has the same name", async () => {
    const { run, write } = folders.make()
    const file = write(
      "features.csv",
      "feature,mz,smiles,adduct,rt\nF1,195.0877,?,[M+H]+,1.5\nF2,195.0877,,[M+H]+,9\n"
    )
    const { code, stderr, stdout } = await run("suspects.ts", [file])
    const [header, ...rows] = rowsOf(stdout)
    const own = ["neutralMass", "dtxsid", "preferredName", "molFormula", "monoisotopicMass", "smiles_found"]
    expect(header).toEqual(["feature", "mz", "smiles", "adduct", "rt", ...own])
    expect(rows.map((row) => row.slice(0, 7))).toEqual([
      ["F1", "195.0877", "?", "[M+H]+", "1.5", "194.08042", caffeine],
      ["F2", "195.0877", '""', "[M+H]+", "9", "194.08042", caffeine]
    ])
    expect(rows.map((row) => row.at(-1))).toEqual(Array(2).fill("Cn1cnc2n(C)c(=O)n(C)c(=O)c12"))
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  })

  it.each([
    [
      "a malformed m/z",
      "mz,adduct\nx,[M+H]+\n0.5,[M+H]+\n",
      0,
      /^invalid: m\/z x .*\ninvalid: m\/z 0\.5 .*\n$/
    ],
    [
      "a malformed adduct",
      "mz,adduct\n195,[M+Xy]+\n",
      0,
      /^invalid: m\/z 195 \[M\+Xy\]\+: .*Xy is neither a formula/
    ],
    ["a missing column of the adduct", "mz,ion\n1,2\n", 2, /^peaks.csv has no column adduct\n$/],
    ["a table without peaks", "mz,adduct\n", 2, /^peaks.csv has no rows\n$/]
  ])("reports %s", async (_, text, code, stderr) => {
    const { run, write } = folders.make()
    const ended = await run("suspects.ts", [write("peaks.csv", text)])
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(stderr) })
  })

  // The error of the mass, 194.080424 instead of 194.080376 for caffeine, is more than 0.2 ppm of the m/z.
  it.each([
    ["0.3", [caffeine]],
    ["0.2", []]
  ])("uses %s ppm of the m/z as the tolerance", async (ppm, found) => {
    const { run, write } = folders.make()
    const file = write("peak.csv", "mz,adduct\n195.0877,[M+H]+\n")
    const { stdout } = await run("suspects.ts", [file, ppm])
    expect(
      rowsOf(stdout)
        .slice(1)
        .map((row) => row[3])
    ).toEqual(found)
  })
})

describe.concurrent("hit-calls.ts", () => {
  it("marks a chemical active if a sample has 0.9 or more, or 1 with one concentration", async () => {
    const { run } = folders.make()
    const { code, stderr, stdout } = await run("hit-calls.ts", ["4", "999", "none"])
    expect(rowsOf(stdout)).toEqual([
      ["dtxsid", "name", "4"],
      [bisphenolA, `the name of ${bisphenolA}`, "1"],
      [benzene, `the name of ${benzene}`, "0"],
      [caffeine, `the name of ${caffeine}`, "1"],
      ["DTXSID2021315", "the name of DTXSID2021315", "0"]
    ])
    expect(stderr).toMatch(/^4: 3 of 8 samples active\nmissing: 999: .+\ninvalid: none: .+\n$/)
    expect(code).toBe(0)
  })

  it("counts like the service, and leaves the cell of an untested chemical empty", async () => {
    const { run } = folders.make()
    const { stderr, stdout } = await run("hit-calls.ts", ["4", "900001", "900002"])
    for (const aeid of [4, 900001, 900002]) {
      const path = `/bioactivity/data/summary/search/by-aeid/${aeid}`
      const counts = (await folders.get(path)) as Record<
        "activeMc" | "activeSc" | "totalMc" | "totalSc",
        number
      >
      const [active, total] = [counts.activeMc + counts.activeSc, counts.totalMc + counts.totalSc]
      expect(stderr).toContain(`${aeid}: ${active} of ${total} samples active\n`)
    }
    const rows = rowsOf(stdout).slice(1)
    expect(rows.filter(([dtxsid]) => dtxsid === bisphenolA)).toEqual([
      [bisphenolA, `the name of ${bisphenolA}`, "1", "", ""]
    ])
    expect(new Set(rows.map(([dtxsid]) => dtxsid)).size).toBe(rows.length)
  })
})

describe.concurrent("new-only.ts", () => {
  const records = [
    '{"id":1,"dtxcid":"DTXCID1","dtxsid":"A"}',
    '{"id":2,"dtxcid":null,"dtxsid":"B"}',
    '{"id":3,"dtxcid":"DTXCID3","dtxsid":"C"}',
    '{"id":4,"dtxcid":"DTXCID3","dtxsid":"C"}',
    '{"id":5,"dtxcid":"DTXCID5","dtxsid":"D"}'
  ].join("\n")

  it("passes on each unknown record with a structure once", async () => {
    const { run, write } = folders.make()
    const known = write("known.ndjson", '{"name":"…","dtxsid":"A"}\n{"dtxsid":"A"}\n{"dtxsid":"D"}\n')
    expect(await run("new-only.ts", [known], records)).toEqual({
      code: 0,
      stdout: '{"dtxsid":"C"}\n',
      stderr: ""
    })
  })

  it("passes on every record with a structure if none is known", async () => {
    const { run } = folders.make()
    const { stdout } = await run("new-only.ts", ["not-there.ndjson"], records)
    expect(stdout).toBe('{"dtxsid":"A"}\n{"dtxsid":"C"}\n{"dtxsid":"D"}\n')
  })

  it("fails on a malformed line, after it has passed on the lines before it", async () => {
    const { run } = folders.make()
    const { code, stderr, stdout } = await run("new-only.ts", ["not-there.ndjson"], `${records}\n{"id":\n`)
    expect(code).toBe(1)
    expect(stdout).toContain('{"dtxsid":"D"}\n')
    expect(stderr).toContain("record 5")
  })
})

describe.concurrent("inclusion-list.ts", () => {
  const record = (name: string, mass: number | null, inchikey: string | null): string =>
    JSON.stringify({ preferredName: name, molFormula: "C6H6", monoisotopicMass: mass, inchikey })
  const records = [
    record("one", 100, "AAAAAAAAAAAAAA-UHFFFAOYSA-N"),
    record("its isomer", 100, "AAAAAAAAAAAAAA-BBBBBBBBSA-N"),
    record("two", 99.5, "CCCCCCCCCCCCCC-UHFFFAOYSA-N"),
    record("a mixture", null, null)
  ].join("\n")

  it("writes the ions of each structure, sorted by m/z", async () => {
    const { run } = folders.make()
    const { code, stderr, stdout } = await run("inclusion-list.ts", [], records)
    expect(rowsOf(stdout)).toEqual([
      ["Compound", "Formula", "Adduct", "m/z"],
      ["two", "C6H6", "[M-H]-", "98.49272"],
      ["one", "C6H6", "[M-H]-", "98.99272"],
      ["two", "C6H6", "[M+H]+", "100.50728"],
      ["one", "C6H6", "[M+H]+", "101.00728"]
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  })

  it("accepts other adducts, and refuses malformed ones", async () => {
    const { run } = folders.make()
    const { stdout } = await run("inclusion-list.ts", ["[M+Na]+"], records)
    expect(rowsOf(stdout).map((row) => row[2])).toEqual(["Adduct", "[M+Na]+", "[M+Na]+"])
    const { code, stderr } = await run("inclusion-list.ts", ["sodium"])
    expect(stderr).toMatch(/^usage: inclusion-list.ts .*\n.*sodium/)
    expect(code).toBe(2)
  })
})

describe.concurrent("without-effect.ts", () => {
  it("writes the records of names-to-nta.ts, and similar names for missing ones", async () => {
    const { cwd, run } = folders.make()
    await run("names-to-nta.ts", ["with-effect.ndjson"], names)
    const { code, stderr, stdout } = await run("without-effect.ts", [], names)
    expect(stdout).toBe(readFileSync(join(cwd, "with-effect.ndjson"), "utf8"))
    expect(stderr).toMatch(/^missing: Bisphenol Q: .*Bisphenol A.*\n$/)
    expect(code).toBe(0)
  })
})

describe.concurrent("node-pipeline.ts", () => {
  it("compresses the records, and lists the other identifiers", async () => {
    const { cwd, run } = folders.make()
    const ids = "DTXSID7020182\nDTXSID3039242\nno identifier\n"
    const { code, stderr } = await run("node-pipeline.ts", ["details.ndjson.gz"], ids)
    const lines = gunzipSync(readFileSync(join(cwd, "details.ndjson.gz")))
      .toString()
      .trimEnd()
      .split("\n")
    expect(lines.map((line) => JSON.parse(line).preferredName)).toEqual(["Bisphenol A", "Benzene"])
    expect(stderr).toMatch(/^invalid: no identifier: .+\n$/)
    expect(code).toBe(0)
  })
})

const requesting: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["enrich-csv.ts", [join(folder, "data/samples.csv"), "casrn"]],
  ["names-to-nta.ts", ["refused.tsv"]],
  ["suspects.ts", [join(folder, "data/peaks.csv")]],
  ["hit-calls.ts", ["4"]],
  ["mirror.ts", ["refused.sqlite"]],
  ["nightly.ts", ["refused.db", "refused.ndjson"]],
  ["without-effect.ts", []]
]

describe.concurrent("an example that sends requests", () => {
  it.each(requesting)("%s exits with 3 if the key is rejected", async (script, args) => {
    const { cwd, run } = folders.make()
    const { code, stderr, stdout } = await run(script, args, names, { CHEMSTREAM_API_KEY: "wrong-key" })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^the service refused the API key \(401\).+\n$/)
    expect(stdout).toBe("")
    expect(existsSync(join(cwd, "refused.tsv"))).toBe(false)
  })

  it.each(requesting)("%s exits with 1 if the service is unavailable", async (script, args) => {
    const { run } = folders.make()
    const stopped = await listen(() => {})
    await stopped.stop()
    const unreachable = { CHEMSTREAM_BASE_URL: stopped.url, CHEMSTREAM_RETRIES: "0" }
    const { code, stderr } = await run(script, args, names, unreachable)
    expect(stderr).toContain(stopped.url.replace("http://", ""))
    expect(code).toBe(1)
  })
})

it.concurrent.each([
  "enrich-csv.ts",
  "names-to-nta.ts",
  "suspects.ts",
  "hit-calls.ts",
  "mirror.ts",
  "nightly.ts",
  "new-only.ts"
])("%s prints its usage without arguments", async (script) => {
  const { run } = folders.make()
  const { code, stderr } = await run(script)
  expect(stderr).toMatch(new RegExp(`^usage: ${script} `))
  expect(code).toBe(2)
})
