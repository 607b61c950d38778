import { Format } from "@chemstream/ndjson"
import { describe, expect, it } from "vitest"

describe("Format.ofPath", () => {
  it.each([
    ["a.ndjson", "ndjson", undefined],
    ["a.jsonl", "ndjson", undefined],
    ["a.json", "json", undefined],
    ["a.csv", "csv", undefined],
    ["a.tsv", "tsv", undefined],
    ["a.tab", "tsv", undefined],
    ["a.parquet", "parquet", undefined],
    ["a.arrow", "arrow", undefined],
    ["out/2026.01/hits.csv.gz", "csv", "gzip"],
    ["C:\\data\\HITS.NDJSON.ZST", "ndjson", "zstd"],
    ["a.json.gzip", "json", "gzip"],
    ["a.tsv.zstd", "tsv", "zstd"],
    ["a.gz", undefined, "gzip"],
    ["a.txt", undefined, undefined],
    ["a.csv.bak", undefined, undefined],
    ["a.gz.csv", "csv", undefined],
    ["folder.csv/a", undefined, undefined],
    ["csv", undefined, undefined],
    [".csv", undefined, undefined],
    ["../.hidden.csv", "csv", undefined],
    ["", undefined, undefined]
  ])("detects the format of %j by its extensions", (path, kind, compression) => {
    expect(Format.ofPath(path)).toEqual({ kind, compression })
  })
})

describe("Format.unknownExtension", () => {
  it.each([
    ["out/hits.doc", ".doc"],
    ["hits.doc.gz", ".doc"],
    ["hits.XLSX", ".XLSX"],
    ["C:\\data\\hits.csv.bak", ".bak"],
    [".hidden.doc", ".doc"],
    ["hits.csv", undefined],
    ["hits.csv.gz", undefined],
    ["hits.gz", undefined],
    ["hits", undefined],
    ["folder.doc/hits", undefined],
    [".hidden", undefined],
    ["hits.", undefined]
  ])("finds in %j the extension that is neither a format nor a compression: %j", (path, extension) => {
    expect(Format.unknownExtension(path)).toBe(extension)
  })
})

describe("Format.isNdjson", () => {
  it.each(["p.ndjson", "p.jsonl.zst", "p.log", "p.txt.gz", "p", ""])("accepts %j", (path) => {
    expect(Format.isNdjson(path)).toBe(true)
  })

  it.each(["p.csv", "p.TSV.gz", "p.json", "p.parquet", "p.arrow", "p.xlsx", "p.XLSX.gz"])(
    "refuses %j, whose reader expects another format",
    (path) => {
      expect(Format.isNdjson(path)).toBe(false)
    }
  )
})
