import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { render } from "../src/terminal/importProgress.ts"
import { folder, run } from "./process.ts"

const records = {
  details: '{"dtxsid":"DTXSID7020182","casrn":"80-05-7"}',
  synonyms: '{"dtxsid":"DTXSID7020182","good":["Bisphenol-A"]}',
  bioactivity: '{"m4id":1,"aeid":704,"spid":"S1","dtxsid":null}',
  aed: '{"dtxsid":"DTXSID7020182","aeid":704,"aedVal":1}'
}
const nouns = {
  details: "records",
  synonyms: "synonym records",
  bioactivity: "bioactivity records",
  aed: "AED records"
}

describe("chemstream import", { concurrent: true }, () => {
  it.each(Object.keys(records) as ReadonlyArray<keyof typeof records>)(
    "imports records of the kind %s, prints their number, and writes nothing to standard output",
    async (kind) => {
      const within = folder()
      const file = join(within, "records.ndjson")
      const database = join(within, "a.sqlite")
      writeFileSync(file, records[kind])
      const args = ["import", file, "--kind", kind, "--database", database]
      expect(await run(args)).toEqual({
        code: 0,
        stdout: "",
        stderr: `imported 1 ${nouns[kind]} into ${database} (0 replaced)\n`
      })
      expect(await run([...args, "--quiet"])).toEqual({ code: 0, stdout: "", stderr: "" })
    }
  )

  it("reports the fault of a record, and exits with 2", async () => {
    const within = folder()
    const file = join(within, "bad.ndjson")
    writeFileSync(file, records.details)
    const ended = await run(["import", file, "--kind", "bioactivity", "--database", join(within, "a.sqlite")])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(/^chemstream: .*bad\.ndjson, line 1: the record has no m4id/)
  })

  it("refuses an unknown kind, and lists the known ones", async () => {
    const ended = await run(["import", "a", "--kind", "assays", "--database", "b"])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain("details, synonyms, bioactivity, aed")
  })
})

describe("the progress of an import", { concurrent: true }, () => {
  const reading = { phase: "reading", records: 1500, bytes: 250, total: 1000 } as const

  it("is a bar with the share of the bytes read, the records and their rate", () => {
    expect(render(reading, 500, 80)).toBe("[#######-----------------------] 25 %, 1,500 records, 3,000/s")
  })

  it("has no bar if the size of a file is unknown", () => {
    expect(render({ ...reading, total: undefined }, 500, 80)).toBe("1,500 records, 3,000/s")
  })

  it("reports the last step when everything is read", () => {
    const line = render({ ...reading, phase: "finishing", bytes: 1000 }, 500, 120)
    expect(line).toMatch(/^\[#{30}\] 100 %, 1,500 records, updating indexes and summaries$/)
  })

  it("is never wider than the terminal", () => {
    for (const columns of [10, 20, 40, 80, 200]) {
      expect(render(reading, 500, columns).length).toBeLessThan(columns)
    }
  })
})
