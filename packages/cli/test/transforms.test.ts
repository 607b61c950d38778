import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run } from "./process.ts"
import { lines } from "./scripted.ts"

const text = [
  '{"dtxsid":"A","propName":"Melting Point","propUnit":"°C","modelName":"OPERA","propValue":153.0}',
  '{"dtxsid":"A","propName":"LogKow","propUnit":null,"modelName":"OPERA","propValue":3.3}',
  '{"dtxsid":"A","propName":"LogKow","propUnit":null,"modelName":"ACD","propValue":3.50}',
  '{"dtxsid":"B","propName":"LogKow","propUnit":null,"modelName":"ACD","propValue":null}',
  '{"dtxsid":"B","propName":"LogKow","propUnit":null,"modelName":"OPERA","propValue":"2.1"}'
].join("\n")

/** Runs `chemstream convert` over these records, from a file and from standard input, which must give the same. */
const convert = async (options: ReadonlyArray<string>, input = text, files: Record<string, string> = {}) => {
  const at = folder()
  writeFileSync(join(at, "in.ndjson"), input)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(at, name), content)
  const ofFile = await run(["convert", "in.ndjson", ...options], { cwd: at })
  expect(await run(["convert", "-", ...options], { cwd: at, input })).toEqual(ofFile)
  return ofFile
}

const csv = async (options: ReadonlyArray<string>) =>
  (await convert([...options, "--format", "csv"])).stdout.trimEnd().split("\r\n")

describe("chemstream convert with options that change records", { concurrent: true }, () => {
  it("takes the same texts of cells as numbers in --where and --by", async () => {
    const input = "id,v\na, 11\nb,12\nc,+30\nd,3\ne,0x20\nf,Infinity\ng,.5e2 \n"
    const idsOf = async (...options: ReadonlyArray<string>) => {
      const { stdout } = await run(["convert", "-", ...options, "--fields", "id"], { input })
      return lines(stdout)
        .map(({ id }) => id)
        .join("")
    }
    expect(await idsOf("--where", "v >= 10")).toBe("abcg")
    expect(await idsOf("--where", "v = 30")).toBe("c")
    expect(await idsOf("--by", "v:desc", "--where", "v > 0")).toBe("gcbad")
    expect(await idsOf("--by", "v")).toMatch(/^dabcg/)
  })

  it("reads standard input and writes standard output by default", async () => {
    expect(await run(["convert"], { input: text })).toEqual({ code: 0, stdout: `${text}\n`, stderr: "" })
  })

  it("makes a column of each name, with further fields in brackets, and keeps several values", async () => {
    const { stdout } = await convert(["--wide", "propName,propUnit=propValue"])
    expect(stdout).toBe(
      '{"dtxsid":"A","Melting Point (°C)":153.0,"LogKow":[3.3,3.50]}\n{"dtxsid":"B","Melting Point (°C)":null,"LogKow":"2.1"}\n'
    )
    expect(await csv(["--wide", "propName,propUnit,modelName=propValue"])).toEqual([
      'dtxsid,"Melting Point (°C, OPERA)",LogKow (OPERA),LogKow (ACD)',
      "A,153.0,3.3,3.50",
      "B,,2.1,"
    ])
  })

  it("ranks within a group, where a number in text is a number and a missing value is last", async () => {
    expect(
      await csv(["--top", "1", "--by", "propValue", "--per", "dtxsid", "--fields", "dtxsid,propValue"])
    ).toEqual(["dtxsid,propValue", "A,3.3", "B,2.1"])
    expect(await csv(["--by", "propValue:desc", "--fields", "propValue"])).toEqual([
      "propValue",
      "153.0",
      "3.50",
      "3.3",
      "2.1",
      '""'
    ])
  })

  it("applies --top before --wide, in groups as fine as its columns", async () => {
    const options = [
      "--top",
      "1",
      "--by",
      "propValue:desc",
      "--per",
      "dtxsid,propName",
      "--wide",
      "propName=propValue"
    ]
    expect(await csv(options)).toEqual(["dtxsid,Melting Point,LogKow", "A,153.0,3.50", "B,,2.1"])
  })

  it("keeps the records that meet all conditions", async () => {
    const kept = async (...conditions: ReadonlyArray<string>) =>
      lines(
        (await convert([...conditions.flatMap((one) => ["--where", one]), "--fields", "propValue"])).stdout
      ).map(({ propValue }) => propValue)
    expect(await kept("propValue >= 3.3", "dtxsid = A")).toEqual([153, 3.3, 3.5])
    expect(await kept("propValue<3")).toEqual(["2.1"])
    expect(await kept("propValue =")).toEqual([null])
    expect(await kept('"propUnit" != "°C"', "propValue !=")).toEqual([3.3, 3.5, "2.1"])
  })

  it("makes fields of nested objects, which the other options then name", async () => {
    const input = '{"id":1,"p":{"ac50":2.50,"flag":["a"]}}\n{"id":2,"p":{"ac50":9}}'
    const { stdout } = await convert(["--flat", "--where", "p.ac50 < 5"], input)
    expect(stdout).toBe('{"id":1,"p.ac50":2.50,"p.flag":["a"]}\n')
  })

  it("adds fields of another file, whose numbers may be text, and keeps records without a match", async () => {
    const files = { "doses.csv": "id,dose\n7,1.5\n7,2.5\n", "more.ndjson": '{"key":7,"dose":3}\n' }
    const input = '{"id":7,"dose":1}\n{"id":8,"dose":2}'
    const added = await convert(["--join", "doses.csv", "--on", "id", "--add", "dose=other"], input, files)
    expect(lines(added.stdout)).toEqual([
      { id: 7, dose: 1, other: "1.5" },
      { id: 7, dose: 1, other: "2.5" },
      { id: 8, dose: 2, other: null }
    ])
    const clash = await convert(["--join", "more.ndjson", "--on", "id=key"], input, files)
    expect(clash).toMatchObject({ code: 2, stdout: "" })
    expect(clash.stderr).toContain("e.g. --add dose=other_dose")
  })

  it.each([
    [["--where", "propvalue > 1"], '--where: no record has the field "propvalue" (did you mean propValue?)'],
    [["--where", "propvalue != 1"], '--where: no record has the field "propvalue" (did you mean propValue?)'],
    [["--by", "propvalue"], '--by: no record has the field "propvalue" (did you mean propValue?)'],
    [
      ["--top", "1", "--by", "propValue", "--per", "dtxid,propname"],
      '--per: no record has the fields "dtxid" (did you mean dtxsid?), "propname" (did you mean propName?)'
    ],
    [
      ["--wide", "propName=propvalue"],
      '--wide: no record has the field "propvalue" (did you mean propValue?)'
    ],
    [
      ["--wide", "propNam=propValue"],
      '--wide: record 1 has a value, but no name for its column in "propNam" (did you mean propName?)'
    ],
    [
      ["--wide", "propName=propValue", "--per", "substance"],
      '--per: no record has the field "substance", only dtxsid, propName, propUnit, modelName, propValue'
    ],
    [
      ["--join", "in.ndjson", "--on", "casrn=dtxsid"],
      '--on: no record has the field "casrn", only dtxsid, propName, propUnit, modelName, propValue'
    ]
  ])("fails for a field that no record has, and names the nearest: %j", async (options, message) => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), text)
    for (const file of ["out.ndjson", "out.csv"]) {
      const ended = await run(["convert", "in.ndjson", file, ...options], { cwd: at })
      expect(ended).toEqual({ code: 2, stdout: "", stderr: `chemstream: ${message}\n` })
      expect(existsSync(join(at, file))).toBe(false)
    }
  })

  it("only warns about a field that is tested for no value, or is to be written", async () => {
    const { code, stderr, stdout } = await convert(["--where", "note =", "--fields", "dtxsid,remark"])
    expect({ code, first: lines(stdout)[0] }).toEqual({ code: 0, first: { dtxsid: "A", remark: null } })
    for (const [option, field] of [
      ["--where", "note"],
      ["--fields", "remark"]
    ])
      expect(stderr).toContain(
        `chemstream: warning: ${option}: no record has the field "${field}", only dtxsid`
      )
  })

  it.each(["'LogKow'", '"LogKow"', "“LogKow”", "„LogKow“", "‘LogKow’", "LogKow"])(
    "takes a value with or without quotes: %s",
    async (value) => {
      const { stdout } = await convert(["--where", `propName = ${value}`])
      expect(lines(stdout)).toHaveLength(4)
    }
  )

  it("refuses a number with a decimal comma, which never meets a condition as a number", async () => {
    const { code, stderr } = await convert(["--where", "propValue < 3,5"])
    expect(code).toBe(2)
    expect(stderr).toContain(
      '--where "propValue < 3,5" is not allowed: use a number with a point, 3.5; or put quotes around the value, if it is a text'
    )
    const input = '{"id":"a","dose":"0,5"}\n{"id":"b","dose":"12,25"}\n{"id":"c","dose":"7"}'
    expect(lines((await convert(["--where", 'dose = "0,5"'], input)).stdout)).toEqual([
      { id: "a", dose: "0,5" }
    ])
    for (const options of [
      ["--where", "dose < 10"],
      ["--top", "1", "--by", "dose"]
    ]) {
      const ended = await convert([...options, "--format", "csv"], input)
      expect(ended).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr).toContain(
        `${options.at(-2)}: 2 values of "dose" have a decimal comma, the first is 0,5, and would compare as text. Write a point instead`
      )
    }
  })

  it("names a field with a comma in quotes, in each option", async () => {
    const wide = (await convert(["--wide", "propName,modelName=propValue"])).stdout.replaceAll(
      "LogKow (OPERA)",
      "LogKow (a, b)"
    )
    const name = '"LogKow (a, b)"'
    const kept = '{"dtxsid":"A","LogKow (a, b)":3.3}\n'
    expect((await convert(["--fields", `dtxsid,${name}`, "--where", `${name} > 3`], wide)).stdout).toBe(kept)
    expect(
      (await convert(["--fields", `dtxsid,${name}`, "--top", "1", "--by", `${name}:desc`], wide)).stdout
    ).toBe(kept)
    expect((await convert(["--wide", `dtxsid=${name}`, "--per", name], wide)).code).toBe(0)
  })

  it("says that no record meets the conditions, and keeps the header", async () => {
    const none = ["--where", "propValue > 1000", "--where", "dtxsid = A", "--format", "csv"]
    const said =
      "chemstream: warning: --where: none of the 5 records read has propValue > 1000 and dtxsid = A\n"
    const all = "dtxsid,propName,propUnit,modelName,propValue\r\n"
    expect(await convert(none)).toEqual({ code: 0, stdout: all, stderr: said })
    const header = async (...options: ReadonlyArray<string>) => (await convert([...none, ...options])).stdout
    expect(await header("--fields", "propValue,dtxsid")).toBe("propValue,dtxsid\r\n")
    expect(await header("--wide", "propName=propValue", "--per", "modelName")).toBe("modelName\r\n")
  })

  it("keeps the header of a table without rows, and says that it has none", async () => {
    const { stderr, stdout } = await run(["convert", "-", "--where", "dose > 1", "--format", "csv"], {
      input: "id,dose\n"
    })
    expect(stdout).toBe("id,dose\r\n")
    expect(stderr).toContain("chemstream: warning: --where: no record was read, so none has dose > 1\n")
  })

  it("counts the records without a match, and says how a damaged identifier would be read", async () => {
    const files = { "doses.csv": "casrn,dose\n80-05-7,1.5\n71-43-2,2.5\n" }
    const input = ["80\u201305\u20137", "71-43-2", "50-00-0"]
      .map((casrn) => JSON.stringify({ casrn }))
      .join("\n")
    const { code, stderr } = await convert(["--join", "doses.csv", "--on", "casrn"], input, files)
    expect(code).toBe(0)
    expect(stderr).toContain(
      'chemstream: --join doses.csv: 2 of 3 records have no match, the first with casrn "80\u201305\u20137", which is read as 80-05-7 (dashes)\n'
    )
  })

  it.each([
    ["has no records", "empty.ndjson", "id", []],
    ["has only a header", "empty.csv", "id", []],
    ["has no record with the same key", "doses.csv", "id", []],
    ["lacks the fields to add", "doses.csv", "id", ["--add", "amount"]]
  ])("warns if the second file %s", async (_, file, on, more) => {
    const files = { "empty.ndjson": "", "empty.csv": "id,dose\n", "doses.csv": "id,dose\n9,1.5\n" }
    const { code, stderr } = await convert(["--join", file, "--on", on, ...more], '{"id":7}', files)
    expect(code).toBe(0)
    expect(stderr.split("\n")).toContain(
      file.startsWith("empty")
        ? `chemstream: warning: --join ${file} has no records, so nothing was added`
        : `chemstream: warning: --join ${file}: none of its records has the same --on as a record, so nothing was added`
    )
    if (more.length > 0)
      expect(stderr).toContain(`--add of ${file}: no record has the field "amount", only id, dose`)
  })

  it.each([
    [["--top", "1"], /--top needs an order: add --by FIELD/],
    [["--per", "dtxsid"], /--per is for --top N or --wide/],
    [["--join", "in.ndjson"], /--join needs the fields that both files have: --on FIELD/],
    [["--on", "dtxsid"], /add --join FILE/],
    [["--where", "propValue => 1"], /a field, one of = != < <= > >=, and a value/],
    [["--where", "propValue == 1"], /a field, one of = != < <= > >=, and a value/],
    [["--wide", "propName"], /propName=propValue/],
    [["--wide", "dtxsid=propValue"], /--wide needs rows/],
    [["--wide", "propName=propValue", "--per", "propValue", "--fields", "a,a"], /fields/]
  ])("refuses %j with exit code 2, and says what to do", async (options, message) => {
    const { code, stderr, stdout } = await convert(options)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(message)
  })

  it("refuses a table of too many columns", async () => {
    const input = Array.from({ length: 10_001 }, (_, n) => `{"dtxsid":"A","name":"p${n}","value":${n}}`).join(
      "\n"
    )
    const { code, stderr } = await convert(["--wide", "name=value"], input)
    expect(code).toBe(2)
    expect(stderr).toMatch(/--wide would hold more than 256 MiB, or 10,000 columns, at record 10,001/)
  })

  it("writes files and tables of changed records, and replaces nothing when it fails", async () => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), text)
    for (const file of ["out.csv", "out.xlsx", "out.sqlite#wide", "out.ndjson.gz"]) {
      const made = await run(["convert", "in.ndjson", file, "--wide", "propName=propValue"], { cwd: at })
      expect(made).toEqual({ code: 0, stdout: "", stderr: "" })
      const again = await run(["convert", file, "--fields", "dtxsid"], { cwd: at })
      expect(lines(again.stdout)).toEqual([{ dtxsid: "A" }, { dtxsid: "B" }])
    }
    const before = readFileSync(join(at, "out.csv"), "utf8")
    expect((await run(["convert", "in.ndjson", "out.csv", "--top", "1"], { cwd: at })).code).toBe(2)
    expect((await run(["convert", "in.ndjson", "in.ndjson", "--flat"], { cwd: at })).code).toBe(2)
    expect(readFileSync(join(at, "out.csv"), "utf8")).toBe(before)
  })

  it("says how many rows a join makes of several matches, and matches no empty cells", async () => {
    const at = folder()
    writeFileSync(join(at, "samples.csv"), "sample,dtxsid\nS1,A\nS2,A\nS3,B\nS4,\n")
    writeFileSync(join(at, "uses.csv"), "dtxsid,use\nA,solvent\nA,fuel\n,nothing\n")
    const joined = await run(
      ["convert", "samples.csv", "-", "--format", "csv", "--join", "uses.csv", "--on", "dtxsid"],
      {
        cwd: at
      }
    )
    expect(joined.stdout).toBe(
      "sample,dtxsid,use\r\nS1,A,solvent\r\nS1,A,fuel\r\nS2,A,solvent\r\nS2,A,fuel\r\nS3,B,\r\nS4,,\r\n"
    )
    expect(joined.stderr).toContain(
      '--join uses.csv: 2 of 4 records have no match, the first with dtxsid "B"\n'
    )
    expect(joined.stderr).toContain("--join uses.csv: 4 records became 6, because several of its records")
  })
})
