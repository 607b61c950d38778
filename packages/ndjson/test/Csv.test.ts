import { Csv, Ndjson, RawRecord, Table, Transform } from "@chemstream/ndjson"
import { Effect, Result, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bytesOf, outcome, sameAtEveryCut } from "./chunks.ts"

const decoded = (text: string | Uint8Array, options?: Csv.DecodeOptions) => {
  const bytes = typeof text === "string" ? bytesOf(text) : text
  const { items, error } = outcome(Stream.make(bytes).pipe(Csv.decode(options)))
  return { values: items, error }
}

const sameCsvAtEveryCut = (bytes: Uint8Array) =>
  sameAtEveryCut(
    bytes,
    (chunks) => chunks.pipe(Csv.decode()),
    (record) => record
  )

const encoded = <E>(bytes: Stream.Stream<Uint8Array, E>) => {
  const { items, error } = outcome(bytes)
  return { text: Buffer.concat(items).toString(), error }
}

const written = (records: ReadonlyArray<unknown>, options?: Csv.EncodeOptions) =>
  encoded(Stream.fromIterable(records).pipe(Csv.encode(options)))

describe("Csv.decodeRows", () => {
  it("names the list of columns as what a row differs from, if it is given and no header is skipped", () => {
    const faultOf = (options: Csv.DecodeOptions, text: string) =>
      outcome(Stream.make(bytesOf(text)).pipe(Csv.decodeRows(options))).items
    expect(faultOf({ columns: ["a", "b"] }, "1\n")).toMatchObject([
      { fault: "the row has 1 cell where the list of columns has 2" }
    ])
    expect(faultOf({ columns: ["a", "b"], afterLine: 1 }, "a,b\n1\n")).toMatchObject([
      { fault: "the row has 1 cell where the header has 2" }
    ])
    expect(faultOf({}, "a,b\n1\n")).toMatchObject([{ fault: "the row has 1 cell where the header has 2" }])
  })

  it("emits an error in place of a row with too few or too many cells and continues, at every chunk boundary", () => {
    const bytes = bytesOf('a,b\n1\n2,3\n\n4,"5\n",6\n7,8\n')
    sameAtEveryCut(
      bytes,
      (chunks) => chunks.pipe(Csv.decodeRows()),
      (row) => row
    )
    expect(outcome(Stream.make(bytes).pipe(Csv.decodeRows()))).toEqual({
      items: [
        { line: 2, cells: ["1"], reason: "cell-count", fault: "the row has 1 cell where the header has 2" },
        { line: 3, record: { a: "2", b: "3" } },
        {
          line: 5,
          cells: ["4", "5\n", "6"],
          reason: "cell-count",
          fault: "the row has 3 cells where the header has 2"
        },
        { line: 7, record: { a: "7", b: "8" } }
      ],
      error: undefined
    })
  })

  it.each([
    ["inside a cell", 'a,b\n5" x,1\n3,4\n', 2, ['5" x', "1"]],
    ["after the closing one", 'a,b\r\n"5" x,1\r\n3,4\r\n', 2, ['"5" x', "1"]],
    ["that opens and never closes", 'a,b\n1,"2\n3,4\n', 2, ["1", '"2']],
    ["that never closes above a row without a line break", 'a,b\n1,"2\n3,4', 2, ["1", '"2']],
    ["in the last row, which ends with the text", 'a,b\n3,4\n1,5" x', 3, ["1", '5" x']],
    ["beside quoted cells", 'a,b\n"x ""y""\u2028",5" z\n3,4\n', 2, ['x "y"\u2028', '5" z']],
    ["that closes in a later row", 'a,b\n"1,2\n3,4\n"5"\n6,7\n', 2, ['"1', "2"]],
    ["in the last row without a line break", 'a,b\n3,4\n1,"2', 3, ["1", '"2']]
  ])(
    "gives a row with a quote %s a fault, and reads on in the next line, at every chunk boundary",
    (_, text, line, cells) => {
      const bytes = bytesOf(text)
      sameAtEveryCut(
        bytes,
        (chunks) => chunks.pipe(Csv.decodeRows()),
        (row) => row
      )
      const { error, items } = outcome(Stream.make(bytes).pipe(Csv.decodeRows()))
      expect(error).toBeUndefined()
      expect(items.filter((row) => "fault" in row && row.reason !== "cell-count")).toMatchObject([
        { line, cells }
      ])
      expect(items.filter((row) => "record" in row)).toMatchObject([
        { record: { a: "3", b: "4" } },
        ...(text.includes("6,7") ? [{ line: 5, record: { a: "6", b: "7" } }] : [])
      ])
    }
  )

  it("fails at a header with a faulty quote", () => {
    const { error } = outcome(Stream.make(bytesOf('a"x,b\n1,2\n')).pipe(Csv.decodeRows()))
    expect(error).toMatchObject({ reason: "stray-quote", line: 1 })
  })

  const shown = (row: Csv.NumberedRow | Csv.RaggedRow) =>
    "record" in row ? [row.line, ...Object.values(row.record)] : [row.line, row.reason, row.cells, row.fault]

  it.each(["\n", "\r\n", "\r"])("returns blank rows on request, and counts lines that end with %j", (end) => {
    const lines = ["", "a,b", "", '5" x,1', "", '"6', '",7', '5" y', "8,9", "", '1,"2']
    const rows = (blank: boolean) =>
      sameAtEveryCut(bytesOf(lines.join(end)), (chunks) => chunks.pipe(Csv.decodeRows({ blank })), shown)
        .items
    const [stray, last] = ["cell 1 of the row has a quote inside", "cell 2 of the row has no closing quote"]
    const expected = [
      [3, "blank", [], "the row is blank"],
      [4, "stray-quote", ['5" x', "1"], stray],
      [5, "blank", [], "the row is blank"],
      [6, `6${end}`, "7"],
      [8, "stray-quote", ['5" y'], stray],
      [9, "8", "9"],
      [10, "blank", [], "the row is blank"],
      [11, "unterminated-quote", ["1", '"2'], last]
    ]
    expect(rows(true)).toEqual(expected)
    expect(rows(false)).toEqual(expected.filter(([, reason]) => reason !== "blank"))
  })

  it("counts lines that end in different ways, also inside quotes", () => {
    const bytes = bytesOf('a,b\r\n\n1\r"\n",2\r\n\r\r3\n')
    const rows = sameAtEveryCut(bytes, (chunks) => chunks.pipe(Csv.decodeRows({ blank: true })), shown).items
    expect(rows.map(([line, what]) => [line, what])).toEqual([
      [2, "blank"],
      [3, "cell-count"],
      [4, "\n"],
      [6, "blank"],
      [7, "blank"],
      [8, "cell-count"]
    ])
  })

  it("gives a quoted cell of many lines beyond maxRowLength a fault, and reads on in its second line", () => {
    const rows = (text: string) =>
      sameAtEveryCut(bytesOf(text), (chunks) => chunks.pipe(Csv.decodeRows({ maxRowLength: 7 })), shown)
    expect(rows('a,b\n1,"2\n3"\n4,5\n')).toEqual({
      items: [
        [2, "1", "2\n3"],
        [4, "4", "5"]
      ],
      error: undefined
    })
    for (const text of ['a,b\n1,"2\n3,4\n5,6\n7"\n', 'a,b\n1,"2\n3,4\n5,6\n7"x\n'])
      expect(rows(text).items.slice(0, 3)).toEqual([
        [2, "row-too-large", ["1", '"2'], "the row is too long"],
        [3, "3", "4"],
        [4, "5", "6"]
      ])
  })

  it.each([
    ["without quotes", "1,23456", "1,234567"],
    ["in quotes", '1,"345"', '1,"3456"'],
    ["with a faulty quote", '1,3" 67', '1,3" 678'],
    ["with a late faulty quote", '1,"456"', '1,"4567"x']
  ])("fails at a line %s that is longer than maxRowLength, after the earlier rows", (_, longest, longer) => {
    for (const end of ["", "\n", "\n7,8\n"]) {
      const rows = (line: string) =>
        sameAtEveryCut(
          bytesOf(`a,b\n3,4\n${line}${end}`),
          (chunks) => chunks.pipe(Csv.decodeRows({ maxRowLength: 7 })),
          (row) => row.line
        )
      expect(rows(longest)).toEqual({ items: end.length > 1 ? [2, 3, 4] : [2, 3], error: undefined })
      expect(rows(longer)).toMatchObject({ items: [2], error: { reason: "row-too-large", line: 3 } })
    }
  })
})

describe("Csv.decode", () => {
  it("reads quoted separators, quotes and line breaks", () => {
    const text = 'name,note\r\n"Phenol, 4","say ""hi"""\r\n"a\r\nb\nc",\r\n'
    expect(decoded(text).values).toEqual([
      { name: "Phenol, 4", note: 'say "hi"' },
      { name: "a\r\nb\nc", note: "" }
    ])
  })

  it.each([
    ["LF", "a,b\n1,2\n3,4\n"],
    ["CRLF", "a,b\r\n1,2\r\n3,4\r\n"],
    ["CR", "a,b\r1,2\r3,4\r"],
    ["no line break at the end", "a,b\n1,2\n3,4"],
    ["blank lines", "\na,b\n\n1,2\r\n\r\n3,4\n\n"],
    ["a byte-order mark", "\ufeffa,b\n1,2\n3,4\n"],
    ["a quoted header", '"a","b"\n1,2\n"3","4"']
  ])("takes %s", (_, text) => {
    expect(decoded(text)).toEqual({
      values: [
        { a: "1", b: "2" },
        { a: "3", b: "4" }
      ],
      error: undefined
    })
  })

  it("keeps every cell as text", () => {
    const { values } = decoded("casrn,mass,flag,gene\n0050-00-0,3850.0,true,MARCH1\n 1 ,,null,=1+1\n")
    expect(values).toEqual([
      { casrn: "0050-00-0", mass: "3850.0", flag: "true", gene: "MARCH1" },
      { casrn: " 1 ", mass: "", flag: "null", gene: "=1+1" }
    ])
  })

  it("uses the given column names for rows without a header", () => {
    expect(decoded("1\t2\n", { columns: ["a", "b"], separator: "\t" })).toEqual({
      values: [{ a: "1", b: "2" }],
      error: undefined
    })
  })

  it("reads a quote as a character when quoting is off", () => {
    const { values } = decoded('a\tb\n"x\t5"-y\n', { separator: "\t", quotes: false })
    expect(values).toEqual([{ a: '"x', b: '5"-y' }])
  })

  it("keeps __proto__ as data", () => {
    const { values } = decoded("__proto__,id\nx,1\n")
    expect(Object.entries(values[0] ?? {})).toEqual([
      ["__proto__", "x"],
      ["id", "1"]
    ])
    expect(Object.getPrototypeOf(values[0])).toBe(Object.prototype)
  })

  it("reads a cell with the formula of a text as it is", () => {
    const text = 'a,b\n="80-05-7",="x, y"\n="7",8\n="9"'
    expect(decoded(`${text},=\n`).values).toEqual([
      { a: '="80-05-7"', b: '="x, y"' },
      { a: '="7"', b: "8" },
      { a: '="9"', b: "=" }
    ])
    sameCsvAtEveryCut(bytesOf(`${text}x,"=1"\n`))
  })

  it("emits nothing for an empty input or a header alone", () => {
    expect(decoded("")).toEqual({ values: [], error: undefined })
    expect(decoded("\ufeff")).toEqual({ values: [], error: undefined })
    expect(decoded("a,b\n")).toEqual({ values: [], error: undefined })
  })

  it.each([
    ["a,b\n1,2\n3\n", "cell-count", 3, undefined],
    ["a,b\n1,2\n3,4,5\n", "cell-count", 3, undefined],
    ['a,b\n"1\n1",2\n\n3\n', "cell-count", 5, undefined],
    ['a,b\n"1\r1\r\n1",2\n3\n', "cell-count", 5, undefined],
    ['a,b\n1,2\n3,4"\n', "stray-quote", 3, 2],
    ['a,b\n1,2\n"3"x,4\n', "stray-quote", 3, 1],
    ['a,b\n1,2\n=3"4",4\n', "stray-quote", 3, 1],
    ['a,b\n"1\r""\n1",2\n3\n', "cell-count", 5, undefined],
    ['a,b\n1,2\n3,"4\n5,6\n', "unterminated-quote", 3, 2]
  ])("rejects %j with the line of the row, after the earlier records", (text, reason, line, cell) => {
    const { error, values } = decoded(text)
    expect([error?.reason, error?.line, error?.cell]).toEqual([reason, line, cell])
    expect(values).toHaveLength(1)
    sameCsvAtEveryCut(bytesOf(text))
  })

  it.each([
    ["a\nx", [{ a: "x" }]],
    ['a\n""', [{ a: "" }]],
    ["a\n ", [{ a: " " }]],
    ["a\n=", [{ a: "=" }]],
    ['a\n="1"', [{ a: '="1"' }]],
    ["a,b\n,", [{ a: "", b: "" }]],
    ['a,b\n,""', [{ a: "", b: "" }]],
    ["a\rx\ry", [{ a: "x" }, { a: "y" }]],
    ["a", []]
  ])("reads the last row of %j, which has no line break", (text, values) => {
    expect(decoded(text)).toEqual({ values, error: undefined })
    sameCsvAtEveryCut(bytesOf(text))
  })

  it.each([
    ["a,b\n1\n", "Line 2 is refused: the row has 1 cell where the header has 2. Correct the row."],
    ['a,b\n1,2"\n', "Line 2, cell 2, is refused: a quote is inside the cell. Quote the cell"],
    ['a,b\n1,"2\n', "Line 2, cell 2, is refused: its closing quote is missing. Add the closing quote"],
    ["a,b\n1,2345678\n", "Line 2 is refused: the row is longer than 8 characters. Check for a missing"]
  ])("says of %j where it is wrong, and what to do", (text, message) => {
    const { error } = decoded(text, { maxRowLength: 8 })
    expect(error?.message.slice(0, message.length)).toBe(message)
  })

  it("skips blank lines, also if they are wanted", () => {
    expect(decoded("\na\n\n1\n", { blank: true })).toEqual({ values: [{ a: "1" }], error: undefined })
  })

  it("rejects a header with a duplicate column", () => {
    const { error } = decoded("a,b,a\n1,2,3\n")
    expect(error?.reason).toBe("duplicate-column")
    expect(error?.message).toBe(
      'Line 1 is refused: the header names the column "a" twice. Rename one of them.'
    )
  })

  it("rejects bytes that are not UTF-8 with their line, after the earlier records", () => {
    for (const tail of [[0xff], [0xe2, 0x82], [0xe2, 0x82, 0x0a]]) {
      const bytes = Uint8Array.from([...bytesOf("a\né\nx"), ...tail])
      const { error, values } = decoded(bytes)
      expect([error?.reason, error?.line]).toEqual(["invalid-utf8", 3])
      expect(values).toEqual([{ a: "é" }])
      sameCsvAtEveryCut(bytes)
    }
  })

  it("accepts a row of exactly maxRowLength characters and rejects a longer one", () => {
    expect(decoded('a\n"12345"\n', { maxRowLength: 7 }).values).toEqual([{ a: "12345" }])
    expect(decoded("a\n1234567", { maxRowLength: 7 }).values).toEqual([{ a: "1234567" }])
    for (const text of ['a\n"123456"\n', "a\n12345678", 'a\n"123456789']) {
      const { error } = decoded(text, { maxRowLength: 7 })
      expect([error?.reason, error?.line]).toEqual(["row-too-large", 2])
    }
    for (const [text, reason] of [
      ['a\n"12345"\n', undefined],
      ['a\n"12345"x', "stray-quote"],
      ['a\n"123456"x', "row-too-large"],
      ["a\n12345678", "row-too-large"]
    ] as const) {
      const { error } = sameAtEveryCut(
        bytesOf(text),
        (chunks) => chunks.pipe(Csv.decode({ maxRowLength: 7 })),
        (record) => record
      )
      expect(error?.reason).toBe(reason)
    }
  })

  it("rejects an endless row at the bound", async () => {
    const endless = Stream.make(bytesOf('a\n"')).pipe(
      Stream.concat(Stream.forever(Stream.make(bytesOf("x".repeat(1000)))))
    )
    const error = await Effect.runPromise(
      endless.pipe(Csv.decode({ maxRowLength: 50_000 }), Stream.runDrain, Effect.flip)
    )
    expect(error.reason).toBe("row-too-large")
  })

  it("emits the same records and errors at every chunk boundary", () => {
    const text = '\ufeffné,b\r\n"é""𝄞",\r\n\r\n\n"\r\n",""\r"x\r",\n\n"",a\r\n'
    sameCsvAtEveryCut(bytesOf(text))
    expect(decoded(text).values).toEqual([
      { né: 'é"𝄞', b: "" },
      { né: "\r\n", b: "" },
      { né: "x\r", b: "" },
      { né: "", b: "a" }
    ])
  })

  it("rejects invalid options immediately", () => {
    for (const separator of ["", ",,", '"', "\n", "\ufeff"])
      expect(() => Csv.decode({ separator })).toThrow(RangeError)
    expect(() => Csv.decode({ columns: ["a", "a"] })).toThrow(RangeError)
    expect(() => Csv.decode({ maxRowLength: 0 })).toThrow(RangeError)
  })
})

describe("Csv.encode", () => {
  it("writes the records before a failure of its input, although they do not fill the sample", () => {
    const input = Stream.concat(Stream.make({ a: 1 }, { a: 2, b: 3 }), Stream.fail("gone"))
    expect(encoded(input.pipe(Csv.encode()))).toEqual({ text: "a,b\r\n1,\r\n2,3\r\n", error: "gone" })
    expect(encoded(Stream.fail("gone").pipe(Csv.encode()))).toEqual({ text: "", error: "gone" })
  })

  it("takes the columns from the first records, in order of appearance", () => {
    expect(written([{ a: 1 }, { b: true, a: null }, { c: "x" }])).toEqual({
      text: "a,b,c\r\n1,,\r\n,true,\r\n,,x\r\n",
      error: undefined
    })
  })

  it("writes the given columns in their order, also without records", () => {
    const options = { columns: ["b", "a"], lineBreak: "\n" } as const
    expect(written([{ a: 1, b: 2, c: 3 }, {}], options).text).toBe("b,a\n2,1\n,\n")
    expect(written([], options).text).toBe("b,a\n")
    expect(written([{ a: 1 }], { ...options, header: false }).text).toBe(",1\n")
  })

  it("writes nothing without records and columns", () => {
    expect(written([])).toEqual({ text: "", error: undefined })
  })

  it("writes arrays, objects and dates as JSON, and BigInts with all digits", () => {
    const record = {
      list: [1, "a,b"],
      nested: { x: null },
      date: new Date(0),
      big: 2n ** 70n,
      nan: Number.NaN
    }
    expect(written([record]).text.split("\r\n")[1]).toBe(
      '"[1,""a,b""]","{""x"":null}",1970-01-01T00:00:00.000Z,1180591620717411303424,'
    )
  })

  it("distinguishes the empty string from null and from an absent field", () => {
    expect(written([{ a: "", b: null }]).text).toBe('a,b\r\n"",\r\n')
    expect(written([{ a: null }, { a: 1 }]).text).toBe('a\r\n""\r\n1\r\n')
  })

  it.each([
    [[{ a: 1 }, { a: 2, b: 3 }], "unknown-field", 1, "b"],
    [[{ a: 1 }, [1]], "not-an-object", 1, undefined],
    [[{ a: 1 }, null], "not-an-object", 1, undefined],
    [[{ a: 1 }, { a: () => 1 }], "not-encodable", 1, "a"],
    [[{ a: 1 }, { a: [1n] }], "not-encodable", 1, "a"],
    [[{ a: 1 }, { a: "\ud800" }], "lone-surrogate", 1, "a"],
    [[{}], "no-columns", 0, undefined]
  ])("rejects %o, after the earlier records", (records, reason, index, field) => {
    const { error, text } = written(records, { sampleRecords: 1 })
    expect(error).toBeInstanceOf(Table.TableError)
    expect([error?.reason, error?.index, error?.field]).toEqual([reason, index, field])
    expect(text).toBe(index === 0 ? "" : "a\r\n1\r\n")
  })

  it.each<[string, ReadonlyArray<unknown>]>([
    ["The table cannot be written: no record has a field, so there are no columns.", [{}]],
    ["Record 1 cannot be written: it is null, but a row needs an object. Omit it.", [{ a: 1 }, null]],
    ["Record 1 cannot be written: it is an array, but a row needs an object.", [{ a: 1 }, []]],
    ["Record 0 cannot be written: it is a number, but a row needs an object.", [7]],
    ["Record 0 cannot be written: a field has a function. Omit the field", [{ a: () => 1 }]],
    ["Record 0 cannot be written: a field has bigint at $.b[1] of the field.", [{ a: { b: [1, 2n] } }]],
    ['Record 0 cannot be written: the text in "a" has half a surrogate pair', [{ a: "\ud800" }]],
    [
      "Record 1 cannot be written: it is not well-formed JSON. The record is refused at byte 6 of 6: ",
      [{ a: 1 }, RawRecord.fromText('{"a":1')]
    ],
    ['Record 0 cannot be written: the string in "a" is not valid.', [RawRecord.fromText('{"a":"\\x"}')]],
    ['Record 0 cannot be written: "a" is tru, which is not JSON.', [RawRecord.fromText('{"a":tru}')]]
  ])("says: %s", (message, records) => {
    expect(written(records).error?.message.slice(0, message.length)).toBe(message)
  })

  it("says how many first records lacked a field", () => {
    const lacked = (sampleRecords: number, ...records: ReadonlyArray<unknown>) => {
      const told: Array<string> = []
      const onRefused = (error: Table.TableError) => told.push(error.message)
      written([...records, { b: 1 }], { sampleRecords, onRefused })
      return /has a field "b" that the (.*) lacked\. Name the columns/.exec(told.at(-1) ?? "")?.[1]
    }
    expect(lacked(1, { a: 1 })).toBe("first record")
    expect(lacked(2, { a: 1 }, { a: 2 }, { a: 3 })).toBe("first 2 records")
    // A record that is refused ends the first records.
    expect(lacked(5, { a: 1 }, { a: 2 }, 7)).toBe("first 2 records")
  })

  it("omits a field whose toJSON returns undefined, and writes what it returns", () => {
    const made = (value: unknown) => ({ toJSON: () => value })
    expect(written([{ a: made(undefined), b: made("x"), c: made([1]), d: made({ e: 1 }) }]).text).toBe(
      'b,c,d\r\nx,[1],"{""e"":1}"\r\n'
    )
  })

  it("rejects an invalid record among the first records, after the earlier records", () => {
    const { error, text } = written([{ a: 1 }, 2])
    expect(error?.index).toBe(1)
    expect(text).toBe("a\r\n1\r\n")
  })

  it("writes a chunk in pieces of about 1 Mi characters, of which none is empty", () => {
    const records = Array.from({ length: 50 }, () => ({ a: "x".repeat(50_000) }))
    const { items } = outcome(Stream.fromArray(records).pipe(Csv.encode()))
    expect(items.map(({ length }) => Math.round(length / 50_000))).toEqual([21, 21, 8])
    const empty = Stream.fromArray([[{}], [{ b: 1 }]] as ReadonlyArray<[object]>).pipe(
      Stream.flatMap(Stream.fromArray)
    )
    const some = outcome(empty.pipe(Csv.encode({ columns: ["b"], header: false })))
    expect(some.items.map((bytes) => Buffer.from(bytes).toString())).toEqual(['""\r\n', "1\r\n"])
  })

  it("buffers only the records that determine the columns", async () => {
    let read = 0
    const records = Stream.fromEffectRepeat(Effect.sync(() => ({ n: read++ })))
    const first = records.pipe(Csv.encode({ sampleRecords: 7 }), Stream.take(1), Stream.runDrain)
    await Effect.runPromise(first)
    expect(read).toBe(7)
  })

  it("escapes formulas only when asked, and only in strings", () => {
    const record = { "=f": "=1+1", plus: "+1", minus: -1.5, at: "@x", tab: "\tx", cr: "\rx", name: "a-b" }
    expect(written([record]).text).toBe('=f,plus,minus,at,tab,cr,name\r\n=1+1,+1,-1.5,@x,\tx,"\rx",a-b\r\n')
    expect(written([record], { escapeFormulas: true }).text).toBe(
      "'=f,plus,minus,at,tab,cr,name\r\n'=1+1,'+1,-1.5,'@x,'\tx,\"'\rx\",a-b\r\n"
    )
  })

  const odd = { a: "x,y", b: 'say "z"', c: "1\n2\t3\r4", d: "", e: "\ufeffx", f: "a;b", g: null }
  it.each<[string, Csv.EncodeOptions, string]>([
    [
      "quotes cells with separators, quotes, line breaks or a byte-order mark, and the empty string",
      {},
      'a,b,c,d,e,f,g\r\n"x,y","say ""z""","1\n2\t3\r4","","\ufeffx",a;b,\r\n'
    ],
    [
      "quotes cells with another separator",
      { separator: ";" },
      'a;b;c;d;e;f;g\r\nx,y;"say ""z""";"1\n2\t3\r4";"";"\ufeffx";"a;b";\r\n'
    ],
    [
      "escapes tabs and line breaks",
      { escapeControls: true, columns: ["c", "d"] },
      'c,d\r\n1\\n2\\t3\\r4,""\r\n'
    ],
    ["omits the header", { header: false, columns: ["f", "g"] }, "a;b,\r\n"],
    ["uses another line break", { lineBreak: "\n", columns: ["f", "g"] }, "f,g\na;b,\n"],
    ["starts with a byte-order mark", { byteOrderMark: true, columns: ["f"] }, "\ufefff\r\na;b\r\n"],
    ["leaves empty strings empty", { unquotedEmpty: true, columns: ["d", "g"] }, "d,g\r\n,\r\n"],
    ["keeps a row of one empty cell", { unquotedEmpty: true, columns: ["d"] }, 'd\r\n""\r\n'],
    ["puts expected columns first", { expected: ["z", "f"] }, 'z,f,a,b,c,d,e,g\r\n,a;b,"x,y",']
  ])("%s", (_, options, text) => {
    expect(written([odd], options).text.slice(0, text.length)).toBe(text)
  })

  it.each(["\\", "]", "^", "-", "|", "a"])(
    "quotes cells with the separator %s, and no others",
    (separator) => {
      const { text } = written([{ m: `1${separator}2`, n: "xyz\\".replaceAll(separator, "") }], { separator })
      const [, row] = text.split("\r\n")
      expect(row).toBe(`"1${separator}2"${separator}${"xyz\\".replaceAll(separator, "")}`)
    }
  )

  it("writes columns that are named by no record, if they are expected", () => {
    expect(written([], { expected: ["a", "b"] }).text).toBe("a,b\r\n")
  })

  it("rejects invalid options immediately", () => {
    expect(() => Csv.encode({ columns: [] })).toThrow(RangeError)
    expect(() => Csv.encode({ columns: ["a", "a"] })).toThrow(RangeError)
    expect(() => Csv.encode({ sampleRecords: 0 })).toThrow(RangeError)
    expect(() => Csv.encode({ separator: "\r" })).toThrow(RangeError)
  })
})

describe("Csv.encodeRaw", () => {
  it("has the same result as encode for raw records", () => {
    const records = Stream.make(RawRecord.fromText('{"mass":3850.0,"id":"x"}'))
    const encoded = [Csv.encode(), Csv.encodeRaw()].map((encode) =>
      outcome(records.pipe(encode, Stream.decodeText)).items.join("")
    )
    expect(encoded).toEqual(["mass,id\r\n3850.0,x\r\n", "mass,id\r\n3850.0,x\r\n"])
  })

  const raw = (texts: ReadonlyArray<string>, options?: Csv.EncodeOptions) =>
    encoded(Stream.fromIterable(texts.map(RawRecord.fromText)).pipe(Csv.encodeRaw(options)))

  it("keeps the digits of numbers and the text of arrays and objects", () => {
    const text = '{"m":3850.0,"n":-1.50e+10,"o":{"x": 1.0},"s":"\\u00e9\\n","t":true,"z":null}'
    expect(raw([text]).text).toBe('m,n,o,s,t,z\r\n3850.0,-1.50e+10,"{""x"": 1.0}","é\n",true,\r\n')
  })

  it.each([
    ['{"a":1', "malformed"],
    ['{"a":01}', "malformed"],
    ['{"a":"\\x"}', "malformed"],
    ["[1]", "not-an-object"]
  ])("rejects the record %s", (text, reason) => {
    const { error, text: before } = raw(['{"a":1}', text])
    expect([error?.reason, error?.index]).toEqual([reason, 1])
    expect(before).toBe("a\r\n1\r\n")
  })
})

describe("a value without a place in the table", () => {
  const records = [{ a: 1 }, { a: 2, b: 3 }, [4], { a: "\ud800" }, { a: () => 5 }, { a: 6 }]

  it("is left out and reported, with its record, if onRefused is given", () => {
    const told: Array<readonly [string, number, string | undefined, boolean]> = []
    const onRefused = ({ field, index, reason }: Table.TableError, record: unknown) =>
      told.push([reason, index, field, records.includes(record as never)])
    const { error, text } = written(records, { sampleRecords: 1, onRefused })
    expect(error).toBeUndefined()
    expect(text).toBe('a\r\n1\r\n2\r\n""\r\n6\r\n')
    expect(told).toEqual([
      ["unknown-field", 1, "b", true],
      ["not-an-object", 2, undefined, true],
      ["lone-surrogate", 3, "a", true],
      ["not-encodable", 4, "a", true]
    ])
  })

  it("goes to the column of the rest, also a raw record that is not an object", () => {
    const raw = ['{"a":1}', '{"b":1.50,"a":2,"c":"x"}', "[1, 2]", '{"a":null,"b":null}', '{"a":'].map(
      RawRecord.fromText
    )
    const { error, text } = encoded(
      Stream.fromIterable(raw).pipe(Csv.encodeRaw({ sampleRecords: 1, rest: "others" }))
    )
    expect(error).toBeUndefined()
    expect(text.split("\r\n")).toEqual([
      "a,others",
      "1,",
      '2,"{""b"":1.50,""c"":""x""}"',
      ',"[1, 2]"',
      ',"{""b"":null}"',
      ',"{""a"":"',
      ""
    ])
  })

  it("goes to the rest if the columns are given, or if no record has any", () => {
    const given = written([{ a: 1, b: 2 }], { columns: ["b"], rest: "others" })
    expect(given.text).toBe('b,others\r\n2,"{""a"":1}"\r\n')
    const raw = Stream.make(RawRecord.fromText("1")).pipe(Csv.encodeRaw({ rest: "others" }))
    expect(encoded(raw).text).toBe("others\r\n1\r\n")
  })
})

describe("an unknown option", () => {
  const withDelimiter = { delimiter: "\t" } as Csv.EncodeOptions
  const descending = { descending: true } as Transform.SortOptions
  it.each<[string, () => unknown]>([
    ['"delimiter" is not an option of Csv.encode', () => Csv.encode(withDelimiter)],
    ['"delimiter" is not an option of Csv.decode', () => Csv.decode(withDelimiter)],
    ['"descending" is not an option of sortBy', () => Transform.sortBy("id", descending)],
    ['"desc" is not an option of sortBy', () => Transform.sortBy({ by: "id", desc: true } as never)],
    [
      'direction must be "ascending" or "descending"',
      () => Transform.sortBy({ by: "id", direction: "down" } as never)
    ],
    ['"skipped" is not an option of Ndjson', () => Ndjson.decode({ skipped: {} } as Ndjson.DecodeOptions)]
  ])("throws: %s", (message, make) => {
    expect(make).toThrow(message)
  })
})

describe("encoding and decoding CSV", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(",", '"', "\r", "\n", "\t", "\ufeff", "é", "x") })
  )

  it("returns the strings of any records, with any separator and any chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
        fc.array(fc.array(text, { minLength: 4, maxLength: 4 }), { maxLength: 5 }),
        fc.constantFrom(",", "\t", ";", "]", "^", "\\", "é"),
        fc.constantFrom("\r\n" as const, "\n" as const),
        fc.integer({ min: 1, max: 7 }),
        async (columns, rows, separator, lineBreak, size) => {
          const records = rows.map((cells) =>
            Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? ""]))
          )
          const back = Stream.fromIterable(records).pipe(
            Csv.encode({ columns, separator, lineBreak }),
            Stream.flatMap((bytes) =>
              Stream.fromIterable(
                Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
                  bytes.subarray(i * size, (i + 1) * size)
                )
              )
            ),
            Csv.decode({ separator }),
            Stream.runCollect,
            Effect.result
          )
          expect(await Effect.runPromise(back)).toEqual(Result.succeed(records))
        }
      )
    )
  })
})
