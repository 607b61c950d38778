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
