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

describe("TableLayout.sampleLength", () => {
  it.each([
    ["short lines", "a,b\n1,2\n", 65_536],
    ["a long header", `${"a".repeat(70_000)}\r\n1\r\n`, 70_005],
    ["a title above a long header", `t\n${"a".repeat(70_000)}\n`, 70_003],
    ["old line breaks", `${"a".repeat(70_000)}\r1\r`, 70_003],
    ["a header without its row", "a".repeat(70_000), 4_194_304],
    ["no text yet", "", 4_194_304]
  ])("has the header and the row below it: %s", (_, text, length) => {
    expect(TableLayout.sampleLength(text)).toBe(length)
  })
})

describe("TableLayout.ofText", () => {
  it.each([
    ["commas", "a,b\n1,2\n", ","],
    ["semicolons beside decimal commas", "a,c;b\n1,5;2\n12;3\n", ";"],
    ["tabs", "a\tb\n1\t2,3\n", "\t"],
    ["pipes", "a|b\n1|2\n", "|"],
    ["what a first line names", "sep=|\na;c|b\n1;2|3\n", "|"],
    [
      "what a first line names, in any case, after a byte-order mark",
      "\ufeffSEP=;\r\na,c;b\r\n1,2;3\r\n",
      ";"
    ],
    ["what makes the header earlier, if two fit as well", "a;b\nc,d\n", ";"]
  ])("finds that cells are separated by %s", (_, text, separator) => {
    expect(rowsOf(text)).toMatchObject({ separator, rows: expect.any(Array) })
    expect(rowsOf(text)?.columns).toHaveLength(2)
  })

  it.each([
    ["below titles of one cell", "Results\n\nof May\nid,mz,rt\n1,2,3\n", 4],
    ["below rows that start with empty cells", ",,Class,A\n,,Type,B\nid,mz,rt,A\n1,2,3,4\n", 3],
    ["below a row of numbers", "1,2,3\nid,mz,rt\n1,2,3\n", 2],
    ["in the first row", "id,,\n1,,\n", 1],
    ["below the line that names the separator", "sep=;\na;b\n1;2\n", 2],
    ["below that line in a table of one column", "sep=;\nname\nPhenol\n", 2],
    ["after a byte-order mark", "\ufeff1999,2000\nyes,no\n", 1],
    ["of years", "1900,2100\nyes,no\nno,yes\n", 1],
    ["below a year before 1900", "1899,2000\nyes,no\nno,yes\n", 2],
    ["below a year after 2100", "2000,2101\nyes,no\nno,yes\n", 2],
    ["below years that fall", "2020,2019\nyes,no\nno,yes\n", 2],
    ["below a repeated year", "2020,2020\nyes,no\nno,yes\n", 2],
    ["below a number between years", "2019.5,2020\nyes,no\nno,yes\n", 2],
    ["below numbers with decimal commas", "1,5;2,5\nid;mz\nx;y\n", 2],
    ["of numbers in the first row, if there is no other", "1,2\n3,4\n", 1],
    ["whose first column has no name", ",mz,rt\nx,y,z\n", 1],
    ["below a wide row that starts with two empty cells", ",,A,B,C,D\nid,mz,rt,A,B,C\n1,2,3,4,5,6\n", 2],
    ["below a narrow row of words", "Made,today\nid,mz,rt,a\n1,2,3,4\n", 2],
    ["below a first row with a word and equal numbers", "sample,2,2\nid,a,b\n1,2,3\n", 2],
    ["below two counted columns", "Results,,\n\nname,1,2\nid,a,b\n1,2,3\n", 4],
    ["of more years than words", "casrn,2019,2020,2021\n80-05-7,n.d.,yes,no\n", 1],
    ["of years below a title", "Results,,,\n\ncasrn,2019,2020,2021\n80-05-7,n.d.,yes,no\n", 3],
    ["of more numbers than words", "sample,229.1223,195.0877\na,n.d.,yes\n", 1],
    ["below numbers of which only one is a year", "Results,,,\n\n1950,88,3,4\nid,a,b,c\n1,2,3,4\n", 4],
    ["below numbers of which only some are counted", "Results,,,\n\nx,1,2,7\nid,a,b,c\n1,2,3,4\n", 4],
    ["of counted columns below a title", "Results,,,\n\nname,1,2,3\nx,n.d.,yes,no\n", 3]
  ])("finds the header %s", (_, text, header) => {
    expect(TableLayout.ofText(text, true)).toMatchObject({ header })
  })

  it.each([
    ["above columns without a name", "name,casrn,,\nBisphenol A,80-05-7,x,y\n,71-43-2,,z\n", 1],
    ["above one row, with two equal names", 'CAS,CAS,casrn,"",""\n80-05-7,71-43-2,58-08-2,a,b\n', 1],
    ["below a title, above columns without a name", "Results,,,\nname,casrn,,\nPhenol,108-95-2,x,y\n", 2],
    ["below two titles, of which one is as wide", "Made,today,,\nname,casrn,,\nPhenol,108-95-2,x,y\n", 2],
    ["above a title of one cell", "name,casrn,,\nSamples,,,\nPhenol,108-95-2,x,y\n", 1],
    ["above empty values", "name,casrn,,\nPhenol,108-95-2,x,y\nBenzene,,x,y\nToluene,,x,y\n", 1],
    ["above values with spaces", "name,casrn,,\nPhenol,108-95-2,x,y\nBenzene, 71-43-2 ,x,y\n", 1],
    ["of identifiers", "Made,today,,\nsample,80-05-7,71-43-2,58-08-2\nS1,nd,nd,nd\n", 2]
  ])("finds the header %s, where it knows the form of values", (_, text, header) => {
    const isValue = (cell: string) => /^\d+-\d\d-\d$/.test(cell)
    expect(TableLayout.ofText(text, true, { isValue })).toMatchObject({ separator: ",", header })
  })

  it("prefers the first row that has the keys, or the given row", () => {
    const text = "a,b,c\nx,key,z\n1,2,3\n"
    expect(rowsOf(text, { keys: ["key"] })?.columns).toEqual(["x", "key", "z"])
    expect(rowsOf(text, { header: 3 })?.columns).toEqual(["1", "2", "3"])
    expect(rowsOf("a;key\n1;2\n", { keys: ["key"] })).toMatchObject({ separator: ";" })
    for (const text of ["key;b,c,d\n1;2,3,4\n", "key,b;c;d\n1,2;3;4\n"])
      expect(rowsOf(text, { keys: ["key"] })).toMatchObject({ separator: text[3] })
  })

  it("gives a first column without a name to tables that R wrote with row names", () => {
    expect(rowsOf("mz,rt\nr1,1,2\nr2,3,4\n")?.rows).toEqual([
      { column_1: "r1", mz: "1", rt: "2" },
      { column_1: "r2", mz: "3", rt: "4" }
    ])
    // Equal first cells are no row names.
    expect(rowsOf("mz,rt\nr,1,2\nr,3,4\n")?.columns).toEqual(["mz", "rt"])
    // One row proves nothing, and R names every column but the first.
    expect(rowsOf("mz,rt\nr1,1,2\n")?.columns).toEqual(["mz", "rt"])
    const one = rowsOf("name\nr1,1\nr2,2\n", { keys: ["name"], separators: [","] })
    expect(one).toMatchObject({ separator: ",", columns: ["name"] })
    expect(one?.hasRowNames).toBeUndefined()
  })

  it("tries only the given separators, and splits no header off whose rows are of another width", () => {
    expect(rowsOf("a,b\n1,2\n", { separators: [";", "|"] })).toMatchObject({
      separator: ";",
      columns: ["a,b"]
    })
    expect(rowsOf("one, two\n1,2,3,4\n5,6,7,8\n", { header: 1 })?.columns).toEqual(["one, two"])
  })

  it("takes no separator inside a value for the end of a row name", () => {
    const isValue = (cell: string) => /^\d+-\d\d-\d$/.test(cell)
    const text = "casrn,name\n80-05-7,Phenol,4-x\n71-43-2,Benzene,pure\n"
    expect(rowsOf(text, { keys: ["casrn"], isValue })?.columns).toEqual(["casrn", "name"])
    expect(rowsOf(text, { keys: ["name"], isValue })).toMatchObject({
      columns: ["column_1", "casrn", "name"],
      hasRowNames: true
    })
    expect(rowsOf(text, { isWanted: (cells) => cells.includes("casrn"), isValue })?.columns).toEqual([
      "casrn",
      "name"
    ])
    for (const options of [
      { isWanted: (cells: ReadonlyArray<string>) => cells.includes("name"), isValue },
      { keys: ["casrn"] },
      { isValue }
    ])
      expect(rowsOf(text, options)).toMatchObject({ hasRowNames: true })
    for (const space of [" ", "  "])
      expect(rowsOf(`casrn,name\nx,Phenol,${space}4-x\ny,Benzene,${space}pure\n`)?.columns).toEqual([
        "casrn",
        "name"
      ])
    const wider = rowsOf("casrn,name\nx,Phenol,4-x,1\ny,Benzene,pure,2\n", { separators: [","], header: 1 })
    expect(wider?.columns).toEqual(["casrn", "name"])
    expect(rowsOf("casrn,name\nx,Phenol,4-x\ny,Benzene\n")?.columns).toEqual(["casrn", "name"])
  })

  it("finds the header by a key below a block that has the word of the key", () => {
    const text = "mz,0.005\nOperator,x\n\nname,mz,rt\na,1,2\n"
    expect(rowsOf(text, { keys: ["mz"] })).toMatchObject({ header: 4, columns: ["name", "mz", "rt"] })
    // A header with fewer names than a damaged row has cells.
    expect(rowsOf("mz,rt\n1,2,3,4,5\n", { keys: ["mz"] })).toMatchObject({ header: 1 })
  })

  it("names a column whatever the white space in its name is, and knows columns of one name", () => {
    const layout = TableLayout.ofText(
      '"CAS\nnumber",CAS number,m/z\u00a0(Da),CAS\u00a0number\n1,2,3,4\n',
      true
    )
    if (layout === undefined) throw new Error("no layout")
    expect(TableLayout.columnOf(layout, "m/z (Da)")).toBe("m/z\u00a0(Da)")
    expect(TableLayout.columnOf(layout, "CAS number")).toBe("CAS number")
    expect(TableLayout.equalNames(layout, "CAS number")).toEqual([
      "CAS\nnumber",
      "CAS number",
      "CAS\u00a0number"
    ])
    expect(TableLayout.equalNames(layout, "m/z\u00a0(Da)")).toEqual([])
    const two = TableLayout.ofText("a,b,a\n1,2,3\n", true)
    expect(two && TableLayout.equalNames(two, "a")).toEqual(two?.columns.filter((_, at) => at !== 1))
  })

  it("finds no column by a name of white space, and no equal names of columns without one", () => {
    const layout = { given: [" ", "", "a"], columns: ["column_1", "column_2", "a"] }
    for (const name of ["  ", "b"]) {
      expect(TableLayout.columnOf(layout, name)).toBeUndefined()
      expect(TableLayout.equalNames(layout, name)).toEqual([])
    }
    expect(TableLayout.columnOf(layout, "column_2")).toBe("column_2")
    expect(TableLayout.equalNames(layout, "column_1")).toEqual([])
  })

  it("has no layout without a row", () => {
    expect(TableLayout.ofText("", true)).toBeUndefined()
    expect(TableLayout.ofText("a,b", false)).toBeUndefined()
  })
})

describe("TableLayout.columnNames", () => {
  it("gives no column a reserved name, in any case", () => {
    expect(TableLayout.columnNames(["line", "a", ""], ["LINE", "Column_3"])).toEqual([
      "line_2",
      "a",
      "column_3_2"
    ])
  })

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

  it("gives a cell that is not there as empty text", () => {
    const record = TableLayout.recordOf(["a", "b", "c"])(["x", null])
    expect(RawRecord.toText(record)).toBe('{"a":"x","b":null,"c":""}')
  })

  it.each([
    [
      "too few cells",
      "1;2\n",
      ["1", "2", ""],
      "cell-count",
      "the row has 2 cells where the header has 3",
      "1;2"
    ],
    ["one cell", "1\n", ["1", "", ""], "cell-count", "the row has 1 cell where the header has 3", "1"],
    ["one quoted empty cell", '""\n', undefined, undefined, undefined, undefined],
    [
      "an empty first cell",
      ";1;2;3\n",
      ["", "1", "2;3"],
      "cell-count",
      "the row has 4 cells where the header has 3",
      ";1;2;3"
    ],
    [
      "too many cells",
      "1;2;3;4;\n",
      ["1", "2", "3;4;"],
      "cell-count",
      "the row has 5 cells where the header has 3",
      "1;2;3;4;"
    ],
    ["empty cells beyond the header", "1;2;3;;\n", ["1", "2", "3"], undefined, undefined, undefined],
    [
      "a quote in a cell",
      '1;2" x;3\n',
      ["1", '2" x', "3"],
      "stray-quote",
      "cell 2 of the row has a quote inside",
      '1;2" x;3'
    ]
  ])("reads a row with %s", (_, text, cells, reason, fault, whole) => {
    const layout = { separator: ";", quotes: true, header: 1, columns: ["a", "b", "c"] }
    const bytes = Stream.make(`a;b;c\n${text}`).pipe(Stream.encodeText)
    const [row] = Effect.runSync(Stream.runCollect(TableLayout.decode(bytes, layout)))
    expect([row?.line, row?.isBlank, row?.reason, row?.fault, row?.text]).toEqual([
      2,
      cells === undefined ? true : undefined,
      reason,
      fault,
      whole
    ])
    expect(RawRecord.toText(row?.record as RawRecord.RawRecord)).toBe(
      cells === undefined ? "{}" : RawRecord.toText(TableLayout.recordOf(layout.columns)(cells))
    )
  })

  it("passes on blank rows as such, also those of white space", () => {
    const layout = { separator: ",", quotes: true, header: 2, columns: ["a", "b"] }
    const bytes = Stream.make('\na,b\n\n"x\n\ny",2\r\n  \r\n,\n').pipe(Stream.encodeText)
    const rows = Effect.runSync(Stream.runCollect(TableLayout.decode(bytes, layout)))
    expect(rows.map(({ isBlank, line }) => [line, isBlank ?? false])).toEqual([
      [3, true],
      [4, false],
      [7, true],
      [8, false]
    ])
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
    const bytes = Stream.make("name\n2,2-dimethylpropane\n").pipe(Stream.encodeText)
    const layout = { separator: ",", quotes: true, header: 1, columns: ["name"] }
    expect(Effect.runSync(Stream.runCollect(TableLayout.decode(bytes, layout)))).toEqual([
      { line: 2, record: RawRecord.fromText('{"name":"2,2-dimethylpropane"}') }
    ])
  })
})

describe("TableLayout.headerOf", () => {
  const rows = ["Made,today", "name,casrn,note", "Benzene,71-43-2,", "name,casrn,,x", "name,cas\nrn,,"].map(
    (text, at) => ({
      line: at + 1,
      cells: text.split(",")
    })
  )

  it.each([
    ["the row of a line", { header: 3 }, 3, false],
    ["none at a line that is not there", { header: 9 }, undefined, undefined],
    ["the first of the widest rows with all keys", { keys: ["casrn", "name"] }, 2, true],
    ["the first row that has them in any case", { keys: ["CASRN", "Name"] }, 2, false],
    ["the first row that has them whatever their white space is", { keys: ["Name", "CAS  RN"] }, 5, false],
    ["the first likely row if none has all keys", { keys: ["name", "mass"] }, 1, false],
    ["the widest wanted row", { isWanted: (cells: ReadonlyArray<string>) => cells.includes("x") }, 4, true]
  ])("returns %s", (_, options, line, hasKeys) => {
    const found = TableLayout.headerOf(rows, options)
    expect([found?.line, found?.hasKeys]).toEqual([line, hasKeys])
    expect(found?.cells).toBe(rows.find((row) => row.line === line)?.cells)
  })

  it("finds the header of as many rows as a sheet can have", () => {
    const rows = Array.from({ length: 1_048_576 }, (_, at) => ({
      line: at + 1,
      cells: at === 0 ? ["casrn", "n"] : ["80-05-7", "1"]
    }))
    expect(TableLayout.headerOf(rows, { keys: ["casrn"] })).toMatchObject({ line: 1, hasKeys: true })
    expect(TableLayout.headerOf(rows, {})).toMatchObject({ line: 1 })
  })

  it("returns none without rows", () => {
    expect(TableLayout.headerOf([], {})).toBeUndefined()
  })
})

describe("TableLayout.withLineFeeds", () => {
  it.each([
    ["CR alone, of old Macs", "a\rb\r", "a\nb\n"],
    ["CRLF", "a\r\nb\r\n", "a\r\nb\r\n"],
    ["LF", "a\nb\n", "a\nb\n"],
    ["a last CR", "a\r", "a\r"],
    ["LF with a CR in a line", "a\rb\nc\n", "a\rb\nc\n"]
  ])("writes LF only for lines that end with %s", (_, text, expected) => {
    const bytes = Stream.make(text).pipe(Stream.encodeText)
    const made = TableLayout.withLineFeeds(text, bytes).pipe(Stream.decodeText, Stream.mkString)
    expect(Effect.runSync(made)).toBe(expected)
  })
})

describe("TableLayout.rowOf", () => {
  it.each(['{"a":1}', ' {"a": [1.50]} '])("is the object %j", (text) => {
    const row = TableLayout.rowOf(7, RawRecord.fromText(text))
    expect([row.line, String(row.record), row.fault]).toEqual([7, text, undefined])
  })

  it.each(["[1]", "1", '{"a":', '{"a":1}}', "a,b"])("has a fault for %j", (text) => {
    const row = TableLayout.rowOf(7, RawRecord.fromText(text))
    expect([row.line, String(row.record), row.fault]).toEqual([7, "{}", "the line is not a JSON object"])
  })
})
