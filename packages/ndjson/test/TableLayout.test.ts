import { RawRecord, TableLayout } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const rowsOf = (text: string, options?: TableLayout.Options) => {
  const layout = TableLayout.ofText(text, true, options)
  if (layout === undefined) return undefined
  const bytes = Stream.make(text).pipe(Stream.encodeText)
  const rows = Effect.runSync(Stream.runCollect(TableLayout.decode(bytes, layout)))
  return { ...layout, rows: rows.map(({ record }) => JSON.parse(RawRecord.toText(record))) }
}

describe("TableLayout.ofText", () => {
  it.each([
    ["commas", "a,b\n1,2\n", ","],
    ["semicolons beside decimal commas", "a,c;b\n1,5;2\n12;3\n", ";"],
    ["tabs", "a\tb\n1\t2,3\n", "\t"],
    ["pipes", "a|b\n1|2\n", "|"],
    ["what a first line names", "sep=|\na;c|b\n1;2|3\n", "|"]
  ])("finds that cells are separated by %s", (_, text, separator) => {
    expect(rowsOf(text)).toMatchObject({ separator, rows: expect.any(Array) })
    expect(rowsOf(text)?.columns).toHaveLength(2)
  })

  it.each([
    ["below titles of one cell", "Results\n\nof May\nid,mz,rt\n1,2,3\n", 4],
    ["below rows that start with empty cells", ",,Class,A\n,,Type,B\nid,mz,rt,A\n1,2,3,4\n", 3],
    ["below a row of numbers", "1,2,3\nid,mz,rt\n1,2,3\n", 2],
    ["in the first row", "id,,\n1,,\n", 1]
  ])("finds the header %s", (_, text, header) => {
    expect(TableLayout.ofText(text, true)).toMatchObject({ header })
  })

  it("prefers the first row that has the keys, or the given row", () => {
    const text = "a,b,c\nx,key,z\n1,2,3\n"
    expect(rowsOf(text, { keys: ["key"] })?.columns).toEqual(["x", "key", "z"])
    expect(rowsOf(text, { header: 3 })?.columns).toEqual(["1", "2", "3"])
    expect(rowsOf("a;key\n1;2\n", { keys: ["key"] })).toMatchObject({ separator: ";" })
  })

  it("gives a first column without a name to tables that R wrote with row names", () => {
    expect(rowsOf("mz,rt\nr1,1,2\nr2,3,4\n")?.rows).toEqual([
      { column_1: "r1", mz: "1", rt: "2" },
      { column_1: "r2", mz: "3", rt: "4" }
    ])
    // Equal first cells are no row names.
    expect(rowsOf("mz,rt\nr,1,2\nr,3,4\n")?.columns).toEqual(["mz", "rt"])
  })

  it("has no layout without a row", () => {
    expect(TableLayout.ofText("", true)).toBeUndefined()
    expect(TableLayout.ofText("a,b", false)).toBeUndefined()
  })
})

describe("TableLayout.columnNames", () => {
  it("gives each column its own name, whatever the case, and keeps every name that is free", () => {
    const name = fc.constantFrom("", " ", "mz", "MZ", "mz_2", "column_1", "column_2", "a.b", "__proto__", "1")
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), (cells) => {
        const names = TableLayout.columnNames(cells)
        expect(new Set(names.map((one) => one.toLowerCase())).size).toBe(cells.length)
        for (const [at, cell] of cells.entries()) {
          const isFirst = cells.findIndex((other) => other.toLowerCase() === cell.toLowerCase()) === at
          if (cell.trim() !== "" && isFirst) expect(names[at]).toBe(cell)
          expect(TableLayout.columnOf({ columns: names, given: cells }, names[at] ?? "")).toBe(names[at])
        }
      })
    )
  })
})

describe("TableLayout.decode", () => {
  it("keeps the order of columns that are named like numbers", () => {
    const record = TableLayout.recordOf(["b", "2", "1"])(["x", "y", "z"])
    expect(RawRecord.toText(record)).toBe('{"b":"x","2":"y","1":"z"}')
  })

  it("accepts empty cells beyond the header, and separators in a table of one column", () => {
    expect(rowsOf("a,b\n1,2,,\n3,4\n")?.rows).toEqual([
      { a: "1", b: "2" },
      { a: "3", b: "4" }
    ])
    expect(rowsOf("name\n2,2-dimethylpropane\nx\n")?.rows).toEqual([
      { name: "2,2-dimethylpropane" },
      { name: "x" }
    ])
  })
})
