import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const bisphenolA = "DTXSID7020182"

describe("the joined fields of a record", { concurrent: true }, () => {
  it("are none by default, and the line, the value or fields of the input with options", async () => {
    const { env } = await sharedService()
    const at = folder()
    const rows = [
      { row: "a", name: "BISPHENOL A", extra: { n: 1.0 } },
      { row: "b", name: "no such name" },
      { row: "c", name: "Benzene" }
    ]
    writeFileSync(join(at, "rows.ndjson"), `\n${rows.map((row) => JSON.stringify(row)).join("\n")}\n`)
    const search = ["search", "equal", "-i", "rows.ndjson", "--key", "name", "-q", "--fields", "dtxsid"]
    const plain = await run(search, { env, cwd: at })
    expect(lines(plain.stdout)).toEqual([{ dtxsid: bisphenolA }, { dtxsid: "DTXSID3039242" }])
    const args = ["--with-line", "--with-query", "--keep", "row,extra=input_extra,none"]
    const joined = await run([...search, ...args], { env, cwd: at })
    expect(joined.stderr).toBe('chemstream: warning: --keep: no value of this run has the field "none"\n')
    expect(joined.stdout.split("\n")).toEqual([
      `{"line":2,"query":"BISPHENOL A","row":"a","input_extra":{"n":1},"none":null,"dtxsid":"${bisphenolA}"}`,
      `{"line":4,"query":"Benzene","row":"c","input_extra":null,"none":null,"dtxsid":"DTXSID3039242"}`,
      ""
    ])
    const csv = await run([...search, ...args, "--format", "csv"], { env, cwd: at })
    expect(csv.stdout.split("\r\n").slice(0, 2)).toEqual([
      "line,query,row,input_extra,none,dtxsid",
      `2,BISPHENOL A,a,"{""n"":1}",,${bisphenolA}`
    ])
  })

  it("include the value as it was given, also if the record has one", async () => {
    const { env } = await sharedService()
    const input = "H16C15O2\n"
    const ended = await run(["formula", "exact", "-q", "--with-query", "--with-line"], { env, input })
    expect(lines(ended.stdout)).toEqual([{ line: 1, query: "H16C15O2", dtxsid: bisphenolA }])
    const mass = await run(["msready", "mass", "-q", "--tolerance", "0.001", "228.1150"], { env })
    expect(lines(mass.stdout)).toContainEqual({ query: "228.1150", dtxsid: bisphenolA })
  })

  it("are written for each duplicate row, unless --dedupe skips them and reports it", async () => {
    const { env } = await sharedService()
    const input = `{"f":"C15H16O2","peak":1}\n{"f":"H16C15O2","peak":2}\n`
    const formula = ["formula", "exact", "--key", "f"]
    const rows = (stdout: string) => lines(stdout).map(({ line, peak, query }) => [line ?? peak, query])
    const each = [
      [1, "C15H16O2"],
      [2, "H16C15O2"]
    ]
    const carried = await run([...formula, "--keep", "peak"], { env, input })
    expect(rows(carried.stdout)).toEqual(each)
    expect(carried.stderr).toMatch(/^read 2 = 2 found [^\n]*\n[^\n]*\n$/)
    expect(rows((await run([...formula, "--with-line", "-q"], { env, input })).stdout)).toEqual(each)
    expect(lines((await run([...formula, "--with-query", "-q"], { env, input })).stdout)).toHaveLength(2)
    expect(lines((await run([...formula, "-q"], { env, input })).stdout)).toHaveLength(1)
    const once = await run([...formula, "--keep", "peak", "--dedupe"], { env, input })
    expect(rows(once.stdout)).toEqual(each.slice(0, 1))
    expect(once.stderr).toContain("\n1 duplicate row without a record: omit --dedupe to write one for each\n")
  })

  it("keep the digits of a number", async () => {
    const { env } = await sharedService()
    const input = '{"mass":228.1150}\n{"mass":228.0e0}\n'
    const args = ["msready", "mass", "--key", "mass", "--tolerance", "0.2", "--with-query", "-q"]
    const queries = lines((await run(args, { env, input })).stdout).map(({ query }) => query)
    expect(new Set(queries)).toEqual(new Set(["228.1150", "228.0e0"]))
  })

  it("are in the errors file, so that a retry writes them as the first run does", async () => {
    let isDown = true
    const { env } = await scripted(() => (isDown ? { status: 501, body: "" } : { body: `["${bisphenolA}"]` }))
    const at = folder()
    const input = `{"mass":"1.50"}\n{"mass":"2.50","row":7}\n`
    const options = ["msready", "formula", "--key", "formula", "--keep", "row=number", "--with-line", "-q"]
    const first = await run([...options, "--errors", "errors"], {
      env,
      cwd: at,
      input: input.replace(/"mass":"(\d)\.50"/g, '"formula":"H$1C"')
    })
    expect(first).toMatchObject({ code: 1, stdout: "" })
    expect(lines(readFileSync(join(at, "errors"), "utf8"))).toMatchObject([
      { id: "CH", given: "H1C", line: 1, carried: { number: null } },
      { id: "CH2", given: "H2C", line: 2, carried: { number: 7 } }
    ])
    isDown = false
    const again = ["retry", "errors", "--", ...options.filter((one) => one !== "--key" && one !== "formula")]
    const second = await run([...again.slice(0, 4), "formula", ...again.slice(4)], { env, cwd: at })
    expect(second).toMatchObject({ code: 0, stderr: "" })
    expect(lines(second.stdout)).toEqual([
      { line: 1, number: null, query: "H1C", dtxsid: bisphenolA },
      { line: 2, number: 7, query: "H2C", dtxsid: bisphenolA }
    ])
  })

  it("accept columns whose names have commas, quotes and =, each in quotes", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "rows.csv"), `id,"Sample, lab","a=""b""",c\n${bisphenolA},s1,x,y\n`)
    const args = ["details", "-i", "rows.csv", "--key", "id", "--fields", "dtxsid", "-q", "--keep"]
    const ended = await run([...args, '"Sample, lab"=sample, "a=""b"""="p, q", c'], { env, cwd: at })
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(lines(ended.stdout)).toEqual([{ sample: "s1", "p, q": "x", c: "y", dtxsid: bisphenolA }])
    for (const wrong of ["a,,b", 'a,"b', 'a"b"', "a=", "a=b=c", "a,b=a", '""', ""]) {
      const refused = await run([...args, wrong], { env, cwd: at })
      expect(refused).toMatchObject({ code: 2, stdout: "" })
      expect(refused.stderr).toContain("use names of fields separated by commas, each once")
    }
  })

  it("are refused if a record has a field of that name, or there is nothing to keep", async () => {
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    const input = '{"dtxsid":"DTXSID7020182","casrn":"1"}\n'
    const twice = await run(["details", "--keep", "casrn"], { env, input })
    expect(twice).toMatchObject({ code: 2, stdout: "" })
    expect(twice.stderr).toContain("--keep casrn=input_casrn")
    const plain = await run(["details", "--keep", "row"], { env, input: "DTXSID7020182\n" })
    expect(plain).toMatchObject({ code: 2 })
    expect(plain.stderr).toContain("--keep needs JSON objects or a table, and line 1 is neither")
    const argument = await run(["details", "--keep", "row", bisphenolA], { env })
    expect(argument).toMatchObject({ code: 2 })
    expect(requests).toEqual([])
    const named = await run(["details", "--keep", "casrn=mine", "-q"], { env, input })
    expect(named).toMatchObject({ code: 0 })
  })

  it("are refused if a record that differs from the contract has a field of that name", async () => {
    const { env } = await scripted(() => ({ body: `[{"dtxsid":"${bisphenolA}","row":"its own"}]` }))
    const ended = await run(["details", "--keep", "row"], {
      env,
      input: `{"dtxsid":"${bisphenolA}","row":1}\n`
    })
    expect(ended).toMatchObject({ code: 1, stdout: "" })
    expect(ended.stderr).toContain('would write a second field "row"')
  })
})

describe("a line of synonyms", { concurrent: true }, () => {
  it("has its identifier, which the response lacks", async () => {
    const { env } = await sharedService()
    const ended = await run(["synonyms", bisphenolA, "DTXSID3039242", "-p", "ccd-synonyms", "-q"], { env })
    expect(new Set(lines(ended.stdout).map(({ dtxsid }) => dtxsid))).toEqual(
      new Set([bisphenolA, "DTXSID3039242"])
    )
  })
})

describe("a batch search", { concurrent: true }, () => {
  it("writes the hits of each spelling of a word once, as separate searches do", async () => {
    const { env } = await sharedService()
    const words = ["Benzene", "BENZENE", "benzene", "no such name"]
    const single = await run(["search", "equal", "-q", ...words], { env })
    const batch = await run(
      ["search", "equal", "--batch", "-q", "--fields", "dtxsid,searchValue", ...words],
      {
        env
      }
    )
    expect(lines(batch.stdout)).toEqual(
      lines(single.stdout).map(({ dtxsid, searchValue }) => ({ dtxsid, searchValue }))
    )
    expect(lines(batch.stdout)).toHaveLength(3)
  })
})

describe("a name of --fields that is not a field of the contract", { concurrent: true }, () => {
  const drifted = () => ({ body: `[{"dtxsid":"${bisphenolA}","renamedField":1}]` })

  it("is refused before any request, with a suggestion and the option to allow it", async () => {
    const { env, requests } = await scripted(drifted)
    const at = folder()
    const ended = await run(["details", bisphenolA, "--fields", "casrn,preferedName,nope", "-o", "out.csv"], {
      cwd: at,
      env
    })
    expect(ended).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'chemstream: --fields: the contract has no field "preferedName" (did you mean preferredName?), "nope" in these records; if the service has it anyway, add --any-fields\n'
    })
    expect(requests).toEqual([])
    expect(readdirSync(at)).toEqual([])
  })

  it("is refused if it is a field of another projection", async () => {
    const { env } = await sharedService()
    const fields = ["--fields", "dtxsid,qcNotes", "-q"]
    const compact = await run(["details", bisphenolA, "-p", "compact", ...fields], { env })
    expect(compact).toMatchObject({ code: 2, stdout: "" })
    expect(await run(["details", bisphenolA, ...fields], { env })).toMatchObject({ code: 0, stderr: "" })
  })

  it("is allowed if the command writes the field in front of a record", async () => {
    const { env } = await sharedService()
    const args = ["synonyms", bisphenolA, "-p", "ccd-synonyms", "--fields", "dtxsid,quality", "-q"]
    const ended = await run(args, { env })
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(lines(ended.stdout)[0]).toEqual({ dtxsid: bisphenolA, quality: expect.any(String) })
  })

  it("is allowed with --any-fields, with a warning if no record has it", async () => {
    const { env } = await scripted(drifted)
    const fields = ["--any-fields", "--fields", "dtxsid,preferedName,renamedField"]
    const ended = await run(["details", bisphenolA, ...fields, "-q"], { env })
    expect(ended).toEqual({
      code: 0,
      stdout: `{"dtxsid":"${bisphenolA}","preferedName":null,"renamedField":1}\n`,
      stderr:
        'chemstream: warning: --fields: 1 record had no field "preferedName" (did you mean preferredName?)\n'
    })
  })

  it("gets a warning with --any-fields also without any record, but not if the contract has it", async () => {
    const { env } = await scripted(() => ({ body: "[]" }))
    const fields = ["--any-fields", "--fields", "casrm,inchikey"]
    const ended = await run(["details", bisphenolA, ...fields, "-q"], { env })
    expect(ended.stderr).toBe(
      'chemstream: warning: --fields: the contract has no field "casrm" (did you mean casrn?)\n'
    )
  })

  it("is refused and allowed in a list of all chemicals, too", async () => {
    const { env } = await sharedService("--page-size", "10")
    const all = ["all", "--fields", "dtxid", "-q"]
    const ended = await run(all, { env })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain('"dtxid" (did you mean dtxsid?)')
    const taken = await run([...all, "--any-fields"], { env })
    expect(taken).toMatchObject({ code: 0 })
    expect(taken.stderr).toContain('had no field "dtxid" (did you mean dtxsid?)')
  })
})
