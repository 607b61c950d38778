import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DetailProjection } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { describe, expect, it } from "vitest"
import * as FieldPaths from "../src/fields/fieldPaths.ts"
import { folder, run } from "./process.ts"
import { scripted } from "./scripted.ts"

const id = "DTXSID7020182"

describe("a path of --fields", { concurrent: true }, () => {
  it.each<[string, string, string]>([
    ["a.b", '{"a":{"b":1.50}}', '{"a.b":1.50}'],
    ["a.b.c,x", '{"x":"y","a":{"b":{"c":[1,{"d":2}]}}}', '{"a.b.c":[1,{"d":2}],"x":"y"}'],
    ["a.b,a", '{"a":{"b":null}}', '{"a.b":null,"a":{"b":null}}'],
    ["a.b,a.c", '{"a":[{"b":1}]}', '{"a.b":null,"a.c":null}'],
    ["a.b", '{"a":"text"}', '{"a.b":null}'],
    ["a.b", "{}", '{"a.b":null}'],
    ["a.b", '{"a":{"b":1},"a.b":2}', '{"a.b":2}'],
    ["a.b", '{ "a" : { "b" : { } } }', '{"a.b":{ }}'],
    ["a.b", "[1]", "[1]"]
  ])("%s of %s is %s", (fields, record, expected) => {
    const pick = FieldPaths.picker(fields.split(","))
    expect(RawRecord.toText(pick(RawRecord.fromText(record)))).toBe(expected)
  })

  it("is a column of a table, and is refused if its field is not an object", async () => {
    const { env, requests } = await scripted(() => ({
      body: JSON.stringify([{ dtxsid: id, aeid: 3, mc5Param: { ac50: 1.25, top: 2 } }])
    }))
    const args = ["bioactivity", "data", id, "-q", "--fields"]
    const csv = await run([...args, "mc5Param.ac50,aeid", "-f", "csv"], { env })
    expect(csv).toMatchObject({ code: 0, stderr: "", stdout: "mc5Param.ac50,aeid\r\n1.25,3\r\n" })
    const before = requests.length
    for (const wrong of ["mc5Parm.ac50", "aeid.x"]) {
      const refused = await run([...args, wrong], { env })
      expect(refused).toMatchObject({ code: 2, stdout: "" })
      expect(refused.stderr).toContain(`the contract has no field "${wrong}"`)
    }
    expect(requests).toHaveLength(before)
  })
})

describe("a field of another projection", { concurrent: true }, () => {
  it.each([
    [["details", id], "averageMass", "--projection ccdchemicaldetails has it"],
    [["details", id, "-p", "compact"], "iupacName,id", " has them"],
    [["all", "-p", "all-ids"], "dtxsid,casrn", "--projection standard-2 has it"],
    [["details", id], "noSuchField", "add --any-fields"]
  ])("is refused with the names of the projections that have it: %j %s", async (args, fields, says) => {
    const ended = await run([...args, "--fields", fields], { env: { CHEMSTREAM_API_KEY: "k" } })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain(says)
  })
})

describe("help fields", { concurrent: true }, () => {
  it("lists every field of every projection of a command, in 80 columns", async () => {
    const { code, stdout } = await run(["help", "fields", "details"])
    expect(code).toBe(0)
    const [, legend = ""] = stdout.split("\n\n")
    expect(legend.split("\n").map((line) => line.trim().replace(/^\d /, ""))).toEqual(DetailProjection.names)
    for (const [at, projection] of DetailProjection.names.entries()) {
      const listed = stdout.split("\n").flatMap((line) => {
        const [, name = "", marks = ""] = /^ {2}(\w+) +((?:[ 1-8] ){8})/.exec(line) ?? []
        return marks.includes(String(at + 1)) ? [name] : []
      })
      expect(listed.toSorted(), projection).toEqual(
        Object.keys(DetailProjection.fields[projection]).toSorted()
      )
    }
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80)
  })

  it("accepts only commands with records", async () => {
    expect((await run(["help", "fields", "formula", "exact"])).stdout).toContain("\n  query   text\n")
    const ended = await run(["help", "fields", "detials"])
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain('"detials" (did you mean details?)')
  })
})

describe("TSV", () => {
  it("has one record per line and one field between two tabs, for any values", async () => {
    const { env } = await scripted(() => ({
      body: JSON.stringify([{ dtxsid: id, preferredName: "a\tb\nc", descriptorStringTsv: "0\t1" }])
    }))
    const at = folder()
    writeFileSync(join(at, "ids"), `${id}\n`)
    const fields = "preferredName,descriptorStringTsv,dtxsid"
    const ended = await run(["details", "-i", "ids", "-f", "tsv", "--fields", fields, "-q"], { env, cwd: at })
    expect(ended.stdout).toBe(`${fields.replaceAll(",", "\t")}\na\\tb\\nc\t0\\t1\t${id}\n`)
  })
})
