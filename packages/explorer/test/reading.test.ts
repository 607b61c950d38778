import { gzipSync } from "node:zlib"
import { RawRecord } from "@chemstream/ndjson"
import { Arrow, Parquet } from "@chemstream/ndjson/node"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import writeSheets from "write-excel-file/node"
import { identifiersOf, mzColumns, read, suggestedKeys, type Table } from "../page/list/listInput.ts"
import { bestFirst, massOf } from "../page/search/findSubstances.ts"

describe("a search text", () => {
  it.each([
    ["228.115", 228.115, (228.115 * 5) / 1e6],
    ["228.115 Da", 228.115, (228.115 * 5) / 1e6],
    ["228.115 ± 10 ppm", 228.115, (228.115 * 10) / 1e6],
    ["228 Da +/- 0.5 Da", 228, 0.5]
  ])("is a mass: %s", (text, mass, tolerance) => {
    expect(massOf(text)).toMatchObject({ mass, tolerance: expect.closeTo(tolerance, 12) })
  })

  it.each(["80-05-7", "80057", "228", "C15H16O2", "2,4-D", "1.2.3", "228.115 ± ppm"])(
    "is not a mass: %s",
    (text) => {
      expect(massOf(text)).toBeUndefined()
    }
  )
})

describe("suggestions", () => {
  it("have the equal name first, then the shortest", () => {
    const values = ["Caffeine citrate", "Caffeine", "Caffeine-d9", "caffeine"]
    const suggestions = values.map((value) => ({ id: "DTXSID0020232", value, name: value }))
    expect(bestFirst(suggestions).map(({ value }) => value)).toEqual([
      "Caffeine",
      "caffeine",
      "Caffeine-d9",
      "Caffeine citrate"
    ])
  })
})

describe("an input", () => {
  const encode = (text: string) => new TextEncoder().encode(text)
  const layoutOf = (name: string, text: string) => Effect.runSync(read(name, encode(text))).tables[0]
  const tablesOf = async (name: string, bytes: Uint8Array) =>
    (await Effect.runPromise(read(name, bytes))).tables
  const refusalOf = async (name: string, bytes: Uint8Array) =>
    (await Effect.runPromise(Effect.flip(read(name, bytes)))).message
  const recordsOf = async (table: Table | undefined) =>
    (await Effect.runPromise(Stream.runCollect(table?.rows ?? Stream.empty))).map(({ line, record }) => [
      line,
      JSON.parse(RawRecord.toText(record))
    ])

  it.each([
    ["80-05-7\nBenzene\n"],
    ["2,2-dimethylpropane\n1,1,1-trichloroethane\n"],
    ["N,N-dimethylformamide\n"],
    ["DTXSID7020182\n"],
    ["80-05-7\r\rBenzene\r"]
  ])("is a list of its lines: %j", (text) => {
    expect(layoutOf("pasted list", text)).toBeUndefined()
    const rows = Effect.runSync(identifiersOf({ bytes: encode(text) }, undefined, []))
    expect(rows.map((row) => row.text)).toEqual(text.split(/[\r\n]+/).slice(0, -1))
  })

  it.each([
    ["pasted list", "sample,casrn\nS-01,80-05-7\n", ",", ["sample", "casrn"]],
    ["pasted list", "name\tDTXSID\nBenzene\t\n", "\t", ["name", "DTXSID"]],
    ["pasted list", "sample;CAS number\nS-01;80-05-7\n", ";", ["sample", "CAS number"]],
    ["one.csv", "what\nBenzene\n", ",", ["what"]]
  ])("is a table: %s %j", (name, text, separator, columns) => {
    expect(layoutOf(name, text)).toMatchObject({ separator, columns })
  })

  it("is the tables of a workbook, the sheets with identifiers first, with the types of their cells", async () => {
    const sheets = [
      { sheet: "Cover", data: [["Results of May"], ["2 samples"]] },
      { sheet: "Empty", data: [] },
      {
        sheet: "Results",
        data: [
          ["Water 2024"],
          [],
          ["sample", "CAS no.", "µg/l"],
          ["S-01", "80-05-7", 0.5],
          ["S-02", null, true]
        ]
      }
    ]
    const bytes: Uint8Array = await writeSheets(sheets as never).toBuffer()
    const [results, cover, ...others] = await tablesOf("results.xlsx", bytes)
    expect([results?.sheet, cover?.sheet, others]).toEqual(["Results", "Cover", []])
    expect(results).toMatchObject({ header: 3, columns: ["sample", "CAS no.", "µg/l"] })
    expect(await recordsOf(results)).toEqual([
      [4, { sample: "S-01", "CAS no.": "80-05-7", "µg/l": 0.5 }],
      [5, { sample: "S-02", "CAS no.": null, "µg/l": true }]
    ])
  })

  it.each([
    ["t.parquet", Parquet.encode],
    ["t.arrow", Arrow.encode]
  ])("is a table of the values that the command writes as %s", async (name, encodeTable) => {
    const records = Stream.make(
      { casrn: "80-05-7", n: 1.5, ok: true },
      { casrn: "71-43-2", n: null, ok: false }
    )
    const written = records.pipe(encodeTable(), Stream.runCollect)
    const [table] = await tablesOf(name, Buffer.concat(await Effect.runPromise(written)))
    expect(table).toMatchObject({ header: undefined, columns: ["casrn", "n", "ok"] })
    expect(await recordsOf(table)).toEqual([
      [1, { casrn: "80-05-7", n: 1.5, ok: true }],
      [2, { casrn: "71-43-2", n: null, ok: false }]
    ])
  })

  it("is a table below title rows, with any separator", async () => {
    const text = "EMPODAT download\n\nCAS no.;name;µg/l\n80-05-7;Bisphenol A;0,5\n71-43-2;Benzene;1\n"
    const table = layoutOf("pasted list", text)
    expect(table).toMatchObject({ header: 3, columns: ["CAS no.", "name", "µg/l"] })
    expect(await recordsOf(table)).toEqual([
      [4, { "CAS no.": "80-05-7", name: "Bisphenol A", "µg/l": "0,5" }],
      [5, { "CAS no.": "71-43-2", name: "Benzene", "µg/l": "1" }]
    ])
  })

  it("is a table below rows that look like a header, but not below rows of values", async () => {
    const text = "Project;Lab;Date;\nX12;North;2024;\n\ndtxsid;kind;conc;unit\nDTXSID7020182;a;1,2;g\n"
    expect(layoutOf("a.csv", text)).toMatchObject({ header: 4 })
    expect(layoutOf("b.csv", "what,n\nsubstance A,5\n")).toMatchObject({ header: 1 })
  })

  it.each([
    ["lines", '{"casrn":"80-05-7","n":1.50}\n[]\n'],
    ["an array", '[ {"casrn":"80-05-7","n":1.50}, [] ]']
  ])("is objects, in %s, and may be compressed", async (_, text) => {
    const [table] = await tablesOf("results.ndjson.gz", gzipSync(text))
    expect(table).toMatchObject({ header: undefined, columns: ["casrn", "n"] })
    expect(await recordsOf(table)).toEqual([
      [1, { casrn: "80-05-7", n: 1.5 }],
      [2, {}]
    ])
  })

  it("is refused, with what to do, if it is something else", async () => {
    expect(await refusalOf("a.csv", Buffer.from("name\nBenz\u00e8ne\n", "latin1"))).toContain("text in UTF-8")
    for (const name of ["a.bin", "a.sqlite#t", "a.csv.zst"])
      expect(await refusalOf(name, encode("a\0b"))).toContain(`chemstream convert ${name} table.csv`)
    expect(await refusalOf("a.parquet", encode("PAR1 but no more"))).toContain("a.parquet cannot be read: ")
    expect(await refusalOf("a.xlsx", encode("PK\u0003\u0004 xl/ but no more"))).toContain(
      "Save it as .xlsx again"
    )
    expect(await refusalOf("a.txt.gz", gzipSync("80-05-7").subarray(0, 12))).toContain("damaged")
  })

  it("is a feature table if a column has an m/z, below title rows too", async () => {
    const text = "Run of May\n\nrow;row m/z;RT\n1;229.1223;5,2\n"
    const tables = Effect.runSync(read("pasted list", encode(text), mzColumns)).tables
    expect(tables).toMatchObject([{ header: 3, columns: ["row", "row m/z", "RT"] }])
    expect(Effect.runSync(read("pasted list", encode("229.1223\n195.0877\n"), mzColumns)).tables).toEqual([])
  })

  it("suggests the columns named like identifiers, best first", () => {
    expect(suggestedKeys(["sample", "name", "casrn", "DTXSID"])).toEqual(["DTXSID", "casrn", "name"])
    expect(suggestedKeys(["a", "b"])).toEqual(["a"])
  })

  it("is refused if it has more rows than the page can hold", () => {
    const bytes = new TextEncoder().encode("80-05-7\n".repeat(50_001))
    const refused = Effect.runSync(Effect.flip(identifiersOf({ bytes }, undefined, [])))
    expect(refused.message).toContain("more than 50000 rows")
  })
})
