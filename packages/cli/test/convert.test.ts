import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { parquetReadObjects } from "hyparquet"
import { describe, expect, it } from "vitest"
import { folder, run } from "./process.ts"
import { lines } from "./scripted.ts"

const records = [
  { id: "12", dtxsid: "DTXSID7020182", monoisotopicMass: 228.1, totalAssays: null, ours: { a: [1] } },
  { id: 13, dtxsid: "DTXSID3039242", monoisotopicMass: "heavy", totalAssays: 7, preferredName: "a\nb" }
]

const text = records.map((record) => `${JSON.stringify(record)}\n`).join("")

describe("chemstream convert", { concurrent: true }, () => {
  it("writes the types of the contract, and keeps a value that does not fit in other_fields", async () => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson.gz"), gzipSync(text))
    expect(await run(["convert", "in.ndjson.gz", "out.parquet"], { cwd: at })).toEqual({
      code: 0,
      stdout: "",
      stderr: ""
    })
    const { buffer, byteLength, byteOffset } = readFileSync(join(at, "out.parquet"))
    const file = (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength)
    expect(await parquetReadObjects({ file })).toMatchObject([
      { id: "12", monoisotopicMass: 228.1, totalAssays: null, ours: '{"a":[1]}', other_fields: null },
      { id: "13", monoisotopicMass: null, totalAssays: 7n, other_fields: '{"monoisotopicMass":"heavy"}' }
    ])
  })

  it("leads through JSON and a workbook back to the same table", async () => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), text)
    for (const [from, to] of [
      ["in.ndjson", "a.json"],
      ["a.json", "b.ndjson"],
      ["b.ndjson", "c.csv"],
      ["c.csv", "d.xlsx"],
      ["d.xlsx", "e.csv"],
      ["c.csv", "f.tsv.zst"],
      ["f.tsv.zst", "g.ndjson"]
    ] as const) {
      const ended = await run(["convert", from, to], { cwd: at })
      expect(ended, `${from} ${to}`).toEqual({ code: 0, stdout: "", stderr: "" })
    }
    expect(lines(readFileSync(join(at, "b.ndjson"), "utf8"))).toEqual(records)
    expect(readFileSync(join(at, "e.csv"), "utf8")).toBe(readFileSync(join(at, "c.csv"), "utf8"))
    expect(lines(readFileSync(join(at, "g.ndjson"), "utf8"))[0]).toMatchObject({
      id: "12",
      ours: '{"a":[1]}'
    })
  })

  it.each([
    [["missing.ndjson", "out.csv"], "cannot read missing.ndjson: no such file or directory"],
    [["in.ndjson", "./in.ndjson"], "name the same file"],
    [["in.ndjson", "out.ods"], "unknown output format .ods"],
    [["in.ndjson", "out.sqlite#t"], "convert writes files"],
    [["in.parquet", "out.csv"], "cannot read in.parquet: convert reads NDJSON, JSON, CSV, TSV and .xlsx"],
    [["in.ndjson", "out.csv", "--cut-cells"], "--cut-cells is for workbooks (.xlsx)"],
    [["in.ndjson", "out.json", "--for-spreadsheet"], "--for-spreadsheet is for CSV and TSV"]
  ])("is refused with exit code 2, and writes nothing: %j", async (args, message) => {
    const at = folder()
    writeFileSync(join(at, "in.ndjson"), text)
    const ended = await run(["convert", ...args], { cwd: at })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain(message)
    expect(readdirSync(at)).toEqual(["in.ndjson"])
    expect(readFileSync(join(at, "in.ndjson"), "utf8")).toBe(text)
  })

  it("names a broken input, and keeps the older output", async () => {
    const at = folder()
    writeFileSync(join(at, "in.csv"), "a,b\n1,2,3\n")
    writeFileSync(join(at, "out.ndjson"), "older\n")
    const ended = await run(["convert", "in.csv", "out.ndjson"], { cwd: at })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(/^chemstream: cannot read in\.csv: [^\n]+\n$/)
    expect(readFileSync(join(at, "out.ndjson"), "utf8")).toBe("older\n")
    expect(readdirSync(at).sort()).toEqual(["in.csv", "out.ndjson"])
  })
})
