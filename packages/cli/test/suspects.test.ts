import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { lines } from "./scripted.ts"

const caffeine = "DTXSID0020232"
const bisphenolA = "DTXSID7020182"

const table = "id,mz,adduct,rt\n1,195.0877,[M+H]+,300\n2,227.1077,[M-H]-,\n3,700.1,,1\n4,x,,2\n"

describe("chemstream suspects", { concurrent: true }, () => {
  it("writes a row for each feature and candidate, and one for a feature without", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "f.csv"), table)
    const args = ["suspects", "-i", "f.csv", "--mz", "mz", "--adduct", "adduct", "--ppm", "5"]
    const { code, stderr, stdout } = await run(args, { env, cwd: at })
    expect(code).toBe(0)
    expect(stderr).toContain("read 4 = 2 found + 1 missing + 0 failed + 0 duplicates + 1 invalid")
    const rows = lines(stdout) as ReadonlyArray<Record<string, unknown>>
    expect([...new Set(rows.map(({ id, status }) => `${id} ${status}`))]).toEqual([
      "1 found",
      "2 found",
      "3 missing",
      "4 invalid"
    ])
    const found = rows.find(({ dtxsid }) => dtxsid === caffeine)
    expect(found).toMatchObject({
      id: "1",
      mz: "195.0877",
      adduct: "[M+H]+",
      ion: "[M+H]+",
      molFormula: "C8H10N4O2",
      matchedBy: "mass"
    })
    expect(found?.["errorPpm"]).toBeCloseTo(0.2, 1)
    // A salt is found by its MS-ready form, which the spectrometer measures.
    const salt = rows.find(({ id, matchedBy }) => id === "2" && matchedBy === "msready")
    expect(salt?.["msReadyMass"]).toBeCloseTo(228.11503, 4)
    expect(rows.at(-1)?.["note"]).toContain("is not an m/z")
  })

  it.each([
    [
      "metfrag",
      "Identifier,CompoundName,MonoisotopicMass,MolecularFormula,SMILES,InChI,InChIKey,InChIKey1,InChIKey2,InChIKey3"
    ],
    ["patroon", "name,rt,mz,SMILES,InChI,InChIKey,formula,neutralMass,adduct"],
    ["mzmine", "neutral_mass,mz,rt,formula,smiles,inchi,inchi_key,name,cas,internal_id,adduct"]
  ])("writes the list that %s reads", async (program, header) => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "f.csv"), table)
    const args = [
      "suspects",
      "-i",
      "f.csv",
      "--mz",
      "mz",
      "--adduct",
      "adduct",
      "--rt",
      "rt",
      "-q",
      "--rt-unit",
      "min"
    ]
    const ended = await run([...args, "--for", program, "-o", "list.csv"], { env, cwd: at })
    expect(ended.stderr).toMatch(/^(?:1 invalid.*\n)?$/)
    const [first, ...rows] = readFileSync(join(at, "list.csv"), "utf8").trimEnd().split("\r\n")
    expect(first).toBe(header)
    expect(rows.find((row) => row.includes("RYYVLZVUVIJVGH-UHFFFAOYSA-N"))).toContain("InChI=1S/C8H10N4O2/")
    // For a salt, this is the matched form.
    expect(rows.find((row) => row.includes("DTXSID0027480") || row.includes("Disodium"))).toContain(
      "IISBACLAFKSPIT-UHFFFAOYSA-N"
    )
    expect(rows.some((row) => row.includes("C15H14Na2O2"))).toBe(false)
    expect(rows.every((row) => row.split(",").length >= header.split(",").length)).toBe(true)
  })

  it.each([
    ["patroon", "Rt(min)", [], "rt", "412.2"],
    ["patroon", "row retention time", [], "rt", "412.2"],
    ["mzmine", "retentionTimeInSeconds", [], "rt", "0.1145"],
    ["mzmine", "rtmed", [], "rt", "0.1145"],
    ["mzmine", "rtmin", [], "rt", "6,87"],
    ["mzmine", "Rt(min)", [], "rt", "6.87"],
    ["mzmine", "time", ["--rt-unit", "s"], "rt", "0.1145"],
    ["mzmine", "time", [], "rt", "6,87"]
  ] as const)(
    "reads decimal commas, and writes for %s the times of the column %s %j in its unit",
    async (program, column, unit, field, expected) => {
      const { env } = await sharedService()
      const at = folder()
      writeFileSync(join(at, "f.tsv"), `mz\tadduct\t${column}\n229,1223\tM+H+\t6,87\n`)
      const args = ["suspects", "-i", "f.tsv", "--mz", "mz", "--adduct", "adduct", "--rt", column, ...unit]
      const { stdout } = await run([...args, "--for", program, "--format", "ndjson", "-q"], { env, cwd: at })
      const [first] = lines(stdout)
      expect(String(first?.[field])).toBe(expected)
      expect(first?.["adduct"]).toBe("[M+H]+")
      expect(Number(first?.["mz"])).toBeCloseTo(229.1223, 4)
    }
  )

  it.each([
    ["specification", 3],
    ["ctx", 12]
  ])(
    "finds the suspects of 500 features and 2 adducts in few requests (%s)",
    async (dialect, requests) => {
      const at = folder()
      const database = join(at, "db")
      await run(["generate", "--count", "2000", "--seed", "7", "--database", database, "-q"])
      const { env } = await sharedService("--database", database, "--dialect", dialect)
      const all = await run(["all", "--dialect", dialect, "-q"], { env })
      const masses = lines(all.stdout).map(
        (record) => (record as Record<string, unknown>)["monoisotopicMass"]
      )
      const mz = masses.filter((mass) => typeof mass === "number").map((mass) => (mass + 1.007276).toFixed(4))
      const distinct = [...new Set(mz)].slice(0, 500)
      writeFileSync(join(at, "f.csv"), `mz\n${distinct.join("\n")}\n`)
      const args = ["suspects", "-i", "f.csv", "--mz", "mz", "--adducts", "[M+H]+,[M+Na]+", "--ppm", "5"]
      const rest = ["--dialect", dialect, "-q", "-o", "out.csv", "--json-summary", "counts"]
      expect(await run([...args, ...rest], { env, cwd: at })).toMatchObject({ code: 0, stderr: "" })
      const counts = JSON.parse(readFileSync(join(at, "counts"), "utf8"))
      expect(counts).toMatchObject({ read: 500, failed: 0, retries: 0, requests })
      expect(counts.found).toBeGreaterThan(450)
    },
    120_000
  )

  it("screens positive and negative features in one run, by a column of the polarity", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(
      join(at, "both.csv"),
      "id,mz,mode\nF1,229.1223,ESI+\nF2,227.1077,ESI-\nF3,229.1223,\nF4,229.1223,both\nF5,229.1223,unknown\n"
    )
    const args = ["suspects", "--input", "both.csv", "--mz", "mz", "--polarity-column", "mode", "--best", "1"]
    const { code, stdout } = await run([...args, "--format", "ndjson", "-q"], { env, cwd: at })
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows).toMatchObject([
      { id: "F1", status: "found", ion: "[M+H]+", preferredName: "Bisphenol A", rank: 1 },
      { id: "F2", status: "found", ion: "[M-H]-", preferredName: "Bisphenol A", rank: 1 },
      { id: "F3", status: "invalid", note: expect.stringContaining("it is unknown, and so is the adduct") },
      { id: "F4", status: "invalid", note: expect.stringContaining("write positive or negative") },
      { id: "F5", status: "invalid", note: expect.stringContaining("it is unknown, and so is the adduct") }
    ])
    expect(code).toBe(0)
    // An option or the adduct says what such features are.
    writeFileSync(join(at, "both.csv"), "id,mz,mode,ion\nF1,229.1223,,\nF2,227.1077,unknown,[M-H]-\n")
    for (const option of [
      ["--polarity", "positive"],
      ["--adducts", "[M+H]+"]
    ]) {
      const ended = await run([...args, ...option, "--adduct", "ion", "--format", "ndjson", "-q"], {
        env,
        cwd: at
      })
      expect(lines(ended.stdout)).toMatchObject([{ ion_found: "[M+H]+" }, { ion_found: "[M-H]-" }])
    }
    expect(await run([...args, "--polarity", "neutral"], { env, cwd: at })).toMatchObject({ code: 2 })
  })

  it("warns of times without a unit, and leaves those empty that are no numbers", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "f.csv"), "mz,rt\n195.0877,5 min\n195.0877,6\n195.0877,NA\n195.0877,late\n")
    const args = ["suspects", "-i", "f.csv", "--mz", "mz", "--rt", "rt", "--for", "patroon", "-f", "ndjson"]
    const { stderr, stdout } = await run(args, { env, cwd: at })
    expect(lines(stdout).map((row) => (row as Record<string, unknown>)["rt"])).toEqual([
      "300",
      "6",
      null,
      null
    ])
    expect(stderr).toContain(
      'warning: the unit of "rt" is unknown, so its times are not converted, and patroon reads s'
    )
    expect(stderr).toContain(
      'warning: 1 retention time of "rt" left empty, because no number: the first is "late"'
    )
  })

  it.each([
    ["Reference Ion", "--adduct"],
    ["best ion", "--adduct"],
    ["Ion", "--adduct"],
    ["precursor_type", "--adduct"],
    ["Ionisation", "--polarity-column"],
    ["ionization_mode", "--polarity-column"],
    ["charge", "--polarity-column"]
  ])("warns of the column %s, which %s reads", async (column, option) => {
    const { env } = await sharedService()
    const args = ["suspects", "-i", "-", "--mz", "mz", "--dry-run"]
    const { stderr } = await run(args, { env, input: `mz,${column}\n195.0877,1\n` })
    expect(stderr).toContain(`is not read; use it with ${option} ${JSON.stringify(column)}`)
  })

  it("writes a substance once into a database for MetFrag, whatever its features are", async () => {
    const { env } = await sharedService()
    const args = ["suspects", "195.0877", "195.0878", "--for", "metfrag", "-q"]
    expect(lines((await run(args, { env })).stdout)).toHaveLength(1)
  })

  it.each([
    ["metfrag", "MonoisotopicMass"],
    ["patroon", "neutralMass"],
    ["mzmine", "neutral_mass"]
  ])("writes the computed mass of a cation for %s without the noise of a double", async (program, column) => {
    const { env } = await sharedService()
    const [choline] = lines((await run(["suspects", "104.10699", "--for", program, "-q"], { env })).stdout)
    expect(choline?.[column]).toBe(104.107539068)
  })

  it("names its own option for the column of a table", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "f.csv"), table)
    const unnamed = await run(["suspects", "-i", "f.csv"], { env, cwd: at })
    expect(unnamed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name the column of the values with --mz, one of "id", "mz"')
    })
    const objects = await run(["suspects"], { env, input: '{"id":1,"mz":195.0877}\n' })
    expect(objects.code).toBe(2)
    expect(objects.stderr).toContain("name the field to use with --mz FIELD")
    const values = await run(["suspects", "195.0877", "--mz", "mz"], { env })
    expect(values.stderr).toBe(
      "chemstream: --mz names columns of a table, and arguments have none: give --input FILE\n"
    )
  })

  it("accepts masses, other adducts and tolerances, and reports invalid ones", async () => {
    const { env } = await sharedService()
    const neutral = await run(["suspects", "228.115", "--polarity", "neutral", "--da", "0.001", "-q"], {
      env
    })
    expect(lines(neutral.stdout)).toContainEqual(expect.objectContaining({ dtxsid: bisphenolA, ion: "[M]" }))
    const sodium = await run(["suspects", "251.1042", "--adducts", "M+Na", "-q"], { env })
    expect(lines(sodium.stdout)).toContainEqual(
      expect.objectContaining({ dtxsid: bisphenolA, ion: "[M+Na]+" })
    )
    const wrong = await run(["suspects", "251.1", "--adducts", "[M+Xy]+"], { env })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("is not an adduct") })
    const both = await run(["suspects", "251.1", "--ppm", "5", "--da", "0.1"], { env })
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("not both") })
    const rank = await run(["suspects", "251.1", "--rank-by", "nosuch"], { env })
    expect(rank).toMatchObject({
      code: 2,
      stderr:
        'chemstream: detail records have no field "nosuch". To list their fields: chemstream help fields details\n'
    })
  })
})
