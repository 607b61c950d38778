import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { lines } from "./scripted.ts"

const substance = "DTXSID7020182"

const ajv = () => {
  const made = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { int64: true } })
  for (const keyword of ["x-unit", "x-source", "x-primary-key"]) made.addKeyword({ keyword })
  return made
}

const schemaOf = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await run(["schema", ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return JSON.parse(stdout)
}

describe("chemstream schema", { concurrent: true }, () => {
  it("describes the records of each lookup", async () => {
    const { env } = await sharedService()
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
      [["details"], ["details", substance]],
      [
        ["details", "-p", "ntatoolkit"],
        ["details", substance, "-p", "ntatoolkit"]
      ],
      [["search-equal"], ["search", "equal", "80-05-7"]],
      [["formula-exact"], ["formula", "exact", "C15H16O2"]],
      [["formula-count"], ["formula", "exact", "C15H16O2", "--count"]],
      [["msready-formula"], ["msready", "formula", "C15H16O2"]],
      [["synonyms"], ["synonyms", substance]],
      [
        ["synonyms", "-p", "ccd-synonyms"],
        ["synonyms", substance, "-p", "ccd-synonyms"]
      ],
      [["all"], ["all"]],
      [
        ["all", "-p", "all-ids"],
        ["all", "-p", "all-ids"]
      ]
    ]
    for (const [schema, command] of cases) {
      const isValid = ajv().compile(await schemaOf(...schema))
      const records = lines((await run([...command, "-q"], { env })).stdout)
      expect(records, command.join(" ")).not.toEqual([])
      for (const record of records) {
        isValid(record)
        expect(isValid.errors, command.join(" ")).toBeNull()
        expect(isValid(JSON.stringify(record)), command.join(" ")).toBe(false)
      }
    }
  })

  it("describes the lines of --errors and the counts of --json-summary", async () => {
    const at = folder()
    const { env } = await sharedService()
    const input = `${substance}\nDTXSID00000000\nno identifier\n`
    const files = ["-o", "out.ndjson", "--errors", "errors", "--json-summary", "summary"]
    await run(["details", "-q", ...files], { cwd: at, env, input })
    const isError = ajv().compile(await schemaOf("errors"))
    const errors = lines(readFileSync(join(at, "errors"), "utf8"))
    expect(errors.map(({ outcome }) => outcome)).toEqual(["missing", "invalid"])
    for (const line of errors) expect(isError(line)).toBe(true)
    expect(isError({ ...errors[0], outcome: "lost" })).toBe(false)
    const isSummary = ajv().compile(await schemaOf("summary"))
    const summary = JSON.parse(readFileSync(join(at, "summary"), "utf8"))
    expect(isSummary(summary)).toBe(true)
    expect(isSummary({ ...summary, found: -1 })).toBe(false)
  })

  it("has every record in one document when none is named", async () => {
    const document = await schemaOf()
    ajv().compile(document)
    expect(Object.keys(document.$defs)).toEqual(
      expect.arrayContaining(["details", "outcome", "bioactivity-aed"])
    )
  })

  it("refuses an unknown record or projection, and lists the known ones", async () => {
    expect(await run(["schema", "detail"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /unknown record "detail" \(did you mean details\?\); the records are details, all, synonyms/
      )
    })
    expect(await run(["schema", "all", "-p", "compact"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--projection compact: all has the projections standard-2, all-ids/)
    })
    expect((await run(["schema", "-p", "compact"])).stderr).toMatch(/--projection compact needs a RECORD/)
  })
})
