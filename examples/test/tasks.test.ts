import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DetailProjection } from "@chemstream/api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  apiKey,
  type Ended,
  folder,
  holdBack,
  listen,
  makeDatabase,
  type Running,
  runExample,
  serve
} from "./running.ts"

const bisphenolA = "DTXSID7020182"
const benzene = "DTXSID3039242"
const caffeine = "DTXSID0020232"

let measurements = 0
const measurement = (dtxsid: string | null, nconc: number, hitc: number | null) => ({
  m4id: ++measurements,
  aeid: 4,
  spid: `S${measurements}`,
  dtxsid,
  chnm: dtxsid === null ? "DMSO" : `the name of ${dtxsid}`,
  nconc,
  hitc
})

/** The data of endpoint 4: every rule of the hit calls, at its bound. */
const measured = [
  measurement(bisphenolA, 8, 0.2),
  measurement(bisphenolA, 8, 0.9),
  measurement(bisphenolA, 8, 0.1),
  measurement(benzene, 8, 0.899999),
  measurement(benzene, 8, null),
  measurement(caffeine, 1, 1),
  measurement("DTXSID2021315", 1, 0),
  measurement(null, 8, 1)
]

let top: string
let service: Running
let env: Record<string, string>

beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), "examples-"))
  service = await serve(await makeDatabase(top, measured))
  env = { CHEMSTREAM_BASE_URL: service.url, CHEMSTREAM_API_KEY: apiKey }
}, 60_000)

afterAll(async () => {
  await service.stop()
  rmSync(top, { recursive: true })
})

/** A folder for one test, with functions that work in it. The tests run concurrently. */
const place = () => {
  const cwd = mkdtempSync(join(top, "test-"))
  const run = (
    script: string,
    args: ReadonlyArray<string> = [],
    input = "",
    other: Readonly<Record<string, string>> = {}
  ): Promise<Ended> => runExample(script, args, { cwd, env: { ...env, ...other }, input })
  const write = (name: string, text: string): string => {
    writeFileSync(join(cwd, name), text)
    return name
  }
  return { cwd, run, write }
}

const rowsOf = (text: string, separator = ",", lineBreak = "\r\n"): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .split(lineBreak)
    .slice(0, -1)
    .map((line) => line.split(separator))

const get = async (path: string): Promise<unknown> =>
  (await fetch(`${service.url}${path}`, { headers: { "x-api-key": apiKey } })).json()

const names = "Bisphenol A\r\nbenzene\nBisphenol Q\n\n# a comment\n  80-05-7  \ncaffeine"

// The two longest tests come first.
describe.concurrent("nightly.ts", () => {
  const lines = (file: string) => readFileSync(file, "utf8").split("\n").slice(0, -1)

  it("adds everything the first night, with one worker or with four, and requests nothing twice in the same night", async () => {
    const { cwd, run } = place()
    const [first, four] = await Promise.all([
      run("nightly.ts", ["alone.db", "alone.ndjson"]),
      run("nightly.ts", ["four.db", "four.ndjson", "4"])
    ])
    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^finished: \d+ found, 0 missing, 0 failed/m)
    })
    const added = lines(join(cwd, "alone.ndjson")).map((line) => JSON.parse(line))
    expect(added.length).toBeGreaterThan(600)
    expect(new Set(added.map(({ id }) => id)).size).toBe(added.length)
    expect(new Set(added.map(({ change }) => change))).toEqual(new Set(["added"]))
    const again = await run("nightly.ts", ["alone.db", "alone.ndjson"])
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("goes on") })
    expect(four.code).toBe(0)
    expect(lines(join(cwd, "four.ndjson")).toSorted()).toEqual(lines(join(cwd, "alone.ndjson")).toSorted())
  })
})

describe.concurrent("mirror.ts", () => {
  const read = (file: string, sql: string) => {
    const database = new DatabaseSync(file)
    const rows = database.prepare(sql).all()
    database.close()
    return rows.map((row) => ({ ...row }))
  }

  it("continues after a kill with the unfinished page, and has every identifier once in the end", async () => {
    const { cwd } = place()
    const requests: Array<string> = []
    const asked = (method: string) => requests.filter((request) => request.startsWith(method)).length
    // The process is killed while the fourth page is requested and its transaction is open.
    let kill: (() => void) | undefined
    const proxy = await holdBack(service.url, (request) => {
      requests.push(request)
      if (asked("POST") === 4) kill?.()
      return kill !== undefined && asked("POST") === 4
    })
    const start = { cwd, env: { ...env, CHEMSTREAM_BASE_URL: proxy.url } }
    const killed = runExample("mirror.ts", ["mirror.sqlite"], {
      ...start,
      onStart: (end) => {
        kill = end
      }
    })
    expect((await killed).code).toBe(null)
    expect(read(join(cwd, "mirror.sqlite"), "SELECT count(*) AS n FROM chemical")).toEqual([{ n: 300 }])
    expect(read(join(cwd, "mirror.sqlite"), "SELECT page FROM checkpoint")).toEqual([{ page: 3 }])

    kill = undefined
    requests.length = 0
    const continued = await runExample("mirror.ts", ["mirror.sqlite"], start)
    await proxy.stop()
    expect(continued.stderr).toBe(
      `goes on after page 3\n${[4, 5, 6, 7].map((page) => `page ${page} is done\n`).join("")}`
    )
    expect(continued.code).toBe(0)
    expect([asked("POST"), asked("GET")]).toEqual([4, 5])

    const ids: Array<unknown> = []
    for (let page = 1; page <= 7; page++) {
      const listed = (await get(`/chemical/all?projection=all-ids&next=${page}`)) as Array<{ dtxsid: string }>
      ids.push(...listed.map(({ dtxsid }) => dtxsid))
    }
    const mirrored = read(join(cwd, "mirror.sqlite"), "SELECT dtxsid FROM chemical").map(
      ({ dtxsid }) => dtxsid
    )
    expect(mirrored.toSorted()).toEqual(ids.toSorted())
    expect(read(join(cwd, "mirror.sqlite"), "SELECT page FROM checkpoint")).toEqual([])
    const path = `/chemical/detail/search/by-dtxsid/${benzene}?projection=ccdchemicaldetails`
    const [kept] = read(join(cwd, "mirror.sqlite"), `SELECT record FROM chemical WHERE dtxsid = '${benzene}'`)
    expect(JSON.parse(String(kept?.["record"]))).toEqual(await get(path))
  })

  it("keeps nothing of a page that it could not write completely", async () => {
    const { cwd, run } = place()
    const page = (await get("/chemical/all?projection=all-ids&next=2")) as Array<{ dtxsid: string }>
    const database = new DatabaseSync(join(cwd, "full.sqlite"))
    database.exec("CREATE TABLE chemical (dtxsid TEXT PRIMARY KEY, record TEXT NOT NULL)")
    database.exec(
      `CREATE TRIGGER full BEFORE INSERT ON chemical WHEN NEW.dtxsid = '${page[50]?.dtxsid}'
       BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`
    )
    database.close()
    const { code, stderr } = await run("mirror.ts", ["full.sqlite"])
    expect({ code, stderr }).toEqual({ code: 1, stderr: "page 1 is done\nthe disk is full\n" })
    expect(read(join(cwd, "full.sqlite"), "SELECT count(*) AS n FROM chemical")).toEqual([{ n: 100 }])
    expect(read(join(cwd, "full.sqlite"), "SELECT page FROM checkpoint")).toEqual([{ page: 1 }])
  })

  it("starts over the next night, and replaces its records", async () => {
    const { cwd, run } = place()
    await run("mirror.ts", ["nights.sqlite"])
    const database = new DatabaseSync(join(cwd, "nights.sqlite"))
    database.exec(`UPDATE chemical SET record = 'of yesterday'`)
    database.close()
    const { code, stderr } = await run("mirror.ts", ["nights.sqlite"])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^page 1 is done\n/)
    const old = "SELECT count(*) AS n, sum(record = 'of yesterday') AS old FROM chemical"
    expect(read(join(cwd, "nights.sqlite"), old)).toEqual([{ n: 640, old: 0 }])
  })
})

describe.concurrent("enrich-csv.ts", () => {
  it("keeps every row and column, and adds the substance of its CAS number", async () => {
    const { run } = place()
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
        /^row 3: missing: 80-05-8 has the check digit 8 .*the service does not know 80-05-8/
      ),
      expect.stringMatching(/^row 4: invalid: /),
      ""
    ])
    expect(code).toBe(0)
  })

  it("keeps existing columns of these names, and adds its own beside them", async () => {
    const { run, write } = place()
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
    ["a column that is not there", "a,b\n1,2\n", "wrong.csv has no column casrn; it has a, b\n"],
    ["a file that has only a header", "a,casrn\n", "wrong.csv has no rows\n"],
    ["a file that is empty", "", "wrong.csv has no rows\n"]
  ])("refuses %s as wrong usage, and writes nothing", async (_, text, says) => {
    const { run, write } = place()
    const ended = await run("enrich-csv.ts", [write("wrong.csv", text), "casrn"])
    expect(ended).toEqual({ code: 2, stdout: "", stderr: says })
  })

  it("refuses a row with too few cells, and writes nothing", async () => {
    const { run, write } = place()
    const { code, stderr, stdout } = await run("enrich-csv.ts", [write("wrong.csv", "a,casrn\n1\n"), "casrn"])
    expect(stderr.toLowerCase()).toContain("line 2")
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  })
})

it.concurrent.each(["enrich-csv.ts", "suspects.ts"])("%s says that there is no such file", async (script) => {
  const { run } = place()
  const ended = await run(script, ["no-file.csv", ...(script === "enrich-csv.ts" ? ["casrn"] : [])])
  expect(ended).toEqual({ code: 2, stdout: "", stderr: "there is no file no-file.csv\n" })
})

describe.concurrent("names-to-nta.ts", () => {
  it("writes one row for each substance, with the fields of the projection", async () => {
    const { cwd, run } = place()
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

  it("writes the format of the output's extension", async () => {
    const { cwd, run } = place()
    await run("names-to-nta.ts", ["suspects.csv"], "benzene\n")
    expect(rowsOf(readFileSync(join(cwd, "suspects.csv"), "utf8"))[1]?.[0]).toBe("Benzene")
  })

  it("reports a name of several substances", async () => {
    const { cwd, run } = place()
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
    const { cwd, run, write } = place()
    write("kept.tsv", "of yesterday")
    const { code } = await run("names-to-nta.ts", ["kept.tsv"], names, { CHEMSTREAM_API_KEY: "wrong" })
    expect(code).toBe(3)
    expect(readFileSync(join(cwd, "kept.tsv"), "utf8")).toBe("of yesterday")
  })
})

describe.concurrent("suspects.ts", () => {
  it("finds candidates by MS-ready mass, including salts, and reports the peaks without any", async () => {
    const { run } = place()
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

  it("keeps the columns of a peak, also those with the name of a new column", async () => {
    const { run, write } = place()
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
    ["no m/z", "mz,adduct\nx,[M+H]+\n0.5,[M+H]+\n", 0, /^invalid: m\/z x .*\ninvalid: m\/z 0\.5 .*\n$/],
    ["no adduct", "mz,adduct\n195,[M+Xy]+\n", 0, /^invalid: m\/z 195 \[M\+Xy\]\+: .*Xy is no formula/],
    ["no column of the adduct", "mz,ion\n1,2\n", 2, /^peaks.csv has no column adduct\n$/],
    ["no peak", "mz,adduct\n", 2, /^peaks.csv has no rows\n$/]
  ])("says where there is %s", async (_, text, code, stderr) => {
    const { run, write } = place()
    const ended = await run("suspects.ts", [write("peaks.csv", text)])
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(stderr) })
  })

  // The mass of the peak is 0.20 ppm of its m/z away from that of caffeine: 194.080424 against 194.080376.
  it.each([
    ["0.3", [caffeine]],
    ["0.2", []]
  ])("takes %s ppm of the m/z for the tolerance", async (ppm, found) => {
    const { run, write } = place()
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
  it("calls a chemical active if one sample is: at 0.9 or more, or at 1 with one concentration", async () => {
    const { run } = place()
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

  it("counts as the service does, and leaves a cell empty if nothing was tested", async () => {
    const { run } = place()
    const { stderr, stdout } = await run("hit-calls.ts", ["4", "900001", "900002"])
    for (const aeid of [4, 900001, 900002]) {
      const path = `/bioactivity/data/summary/search/by-aeid/${aeid}`
      const counts = (await get(path)) as Record<"activeMc" | "activeSc" | "totalMc" | "totalSc", number>
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
    const { run, write } = place()
    const known = write("known.ndjson", '{"name":"…","dtxsid":"A"}\n{"dtxsid":"A"}\n{"dtxsid":"D"}\n')
    expect(await run("new-only.ts", [known], records)).toEqual({
      code: 0,
      stdout: '{"dtxsid":"C"}\n',
      stderr: ""
    })
  })

  it("passes on every record if none is known", async () => {
    const { run } = place()
    const { stdout } = await run("new-only.ts", ["not-there.ndjson"], records)
    expect(stdout).toBe('{"dtxsid":"A"}\n{"dtxsid":"C"}\n{"dtxsid":"D"}\n')
  })

  it("fails on a line that is not a record, after the lines before it", async () => {
    const { run } = place()
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
    const { run } = place()
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
    const { run } = place()
    const { stdout } = await run("inclusion-list.ts", ["[M+Na]+"], records)
    expect(rowsOf(stdout).map((row) => row[2])).toEqual(["Adduct", "[M+Na]+", "[M+Na]+"])
    const { code, stderr } = await run("inclusion-list.ts", ["sodium"])
    expect(stderr).toMatch(/^usage: inclusion-list.ts .*\n.*sodium/)
    expect(code).toBe(2)
  })
})

describe.concurrent("without-effect.ts", () => {
  it("writes the records of names-to-nta.ts, and the suggestions for missing names", async () => {
    const { cwd, run } = place()
    await run("names-to-nta.ts", ["with-effect.ndjson"], names)
    const { code, stderr, stdout } = await run("without-effect.ts", [], names)
    expect(stdout).toBe(readFileSync(join(cwd, "with-effect.ndjson"), "utf8"))
    expect(stderr).toMatch(/^missing: Bisphenol Q: .*Bisphenol A.*\n$/)
    expect(code).toBe(0)
  })
})

const asking: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["enrich-csv.ts", [join(folder, "data/samples.csv"), "casrn"]],
  ["names-to-nta.ts", ["refused.tsv"]],
  ["suspects.ts", [join(folder, "data/peaks.csv")]],
  ["hit-calls.ts", ["4"]],
  ["mirror.ts", ["refused.sqlite"]],
  ["nightly.ts", ["refused.db", "refused.ndjson"]],
  ["without-effect.ts", []]
]

describe.concurrent("an example that asks the service", () => {
  it.each(asking)("%s exits with 3 if the key is rejected", async (script, args) => {
    const { cwd, run } = place()
    const { code, stderr, stdout } = await run(script, args, names, { CHEMSTREAM_API_KEY: "wrong-key" })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^the service refused the API key \(401\).+\n$/)
    expect(stdout).toBe("")
    expect(existsSync(join(cwd, "refused.tsv"))).toBe(false)
  })

  it.each(asking)("%s exits with 1 if the service is unavailable", async (script, args) => {
    const { run } = place()
    const nobody = await listen(() => {})
    await nobody.stop()
    const unreachable = { CHEMSTREAM_BASE_URL: nobody.url, CHEMSTREAM_RETRIES: "0" }
    const { code, stderr } = await run(script, args, names, unreachable)
    expect(stderr).toContain(nobody.url.replace("http://", ""))
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
])("%s says how it is used when it is given nothing", async (script) => {
  const { run } = place()
  const { code, stderr } = await run(script)
  expect(stderr).toMatch(new RegExp(`^usage: ${script} `))
  expect(code).toBe(2)
})
