import { RawRecord, Workbook } from "@chemstream/ndjson"
import { Effect } from "effect"
import { strToU8, zipSync } from "fflate"
import { describe, expect, it } from "vitest"

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

/** Makes a workbook of sheets, by their names, from the XML of their rows. */
const workbook = (sheets: Readonly<Record<string, string>>): Uint8Array => {
  const names = Object.keys(sheets)
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  const relations = names.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`
  )
  relations.push(`<Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/>`)
  return zipSync({
    "[Content_Types].xml": strToU8(
      `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`
    ),
    "xl/workbook.xml": strToU8(
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list.join("")}</sheets></workbook>`
    ),
    "xl/_rels/workbook.xml.rels": strToU8(
      `${HEAD}<Relationships xmlns="${RELATIONS}">${relations.join("")}</Relationships>`
    ),
    // Style 1 is a date, style 2 a date with the time.
    "xl/styles.xml": strToU8(
      `${HEAD}<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>`
    ),
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        strToU8(`${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${sheets[name]}</sheetData></worksheet>`)
      ])
    )
  })
}

const text = (value: string, place = "") =>
  `<c${place && ` r="${place}"`} t="inlineStr"><is><t>${value}</t></is></c>`
const number = (value: number, style = 0, place = "") =>
  `<c${place && ` r="${place}"`} s="${style}"><v>${value}</v></c>`
const error = (value: string, formula = "") => `<c t="e">${formula}<v>${value}</v></c>`
const row = (...cells: ReadonlyArray<string>) => `<row>${cells.join("")}</row>`

const read = (bytes: Uint8Array) => Effect.runPromise(Workbook.read(bytes))
const only = async (...rows: ReadonlyArray<string>) => {
  const [sheet] = await read(workbook({ S: rows.join("") }))
  if (sheet === undefined) throw new Error("no sheet")
  return sheet
}
const valuesOf = (sheet: Workbook.Sheet) => sheet.rows.map(({ line, values }) => [line, ...values])
const typesOf = (sheet: Workbook.Sheet) =>
  [...sheet.typed].map(([column, types]) => [column, Object.fromEntries(types)])

describe("Workbook.read", () => {
  it("returns the sheets in their order, with the rows that are not empty", async () => {
    const empty = row(text(""), text(""))
    const sheets = await read(
      workbook({ Cover: "", Data: row(text("a"), text("")) + empty + row(text(""), text("b")) })
    )
    expect(sheets.map(({ name, rows }) => [name, rows.map(({ line }) => line)])).toEqual([
      ["Cover", []],
      ["Data", [1, 3]]
    ])
    expect(sheets[1]?.rows.map(({ cells }) => cells)).toEqual([
      ["a", ""],
      ["", "b"]
    ])
  })

  it("keeps the digits of integers that no double holds, as text", async () => {
    const cell = (value: string, attributes = "") => `<c${attributes}><v>${value}</v></c>`
    const sheet = await only(
      row(
        cell("12345678901234567"),
        cell("-9007199254740993", ' s="0" t="n"'),
        '<c t="n" s="0"><f>A1</f><v>123456789012345678901234567890</v></c>',
        cell("9007199254740992"),
        cell("12345678901234500"),
        cell("1.2345678901234567E+16"),
        cell("0.10000000000000001"),
        cell("1E400"),
        cell("12345678901234567", ' t="str"')
      )
    )
    expect(valuesOf(sheet)).toEqual([
      [
        1,
        "12345678901234567",
        "-9007199254740993",
        "123456789012345678901234567890",
        9007199254740992,
        12345678901234500,
        12345678901234568,
        0.1,
        "1E400",
        "12345678901234567"
      ]
    ])
  })

  it("keeps numbers, booleans and the white space of texts", async () => {
    const sheet = await only(
      row(text(" a "), number(1.5), number(0), '<c t="b"><v>1</v></c>', '<c t="b"><v>0</v></c>', text("1.50"))
    )
    expect(valuesOf(sheet)).toEqual([[1, " a ", 1.5, 0, true, false, "1.50"]])
    expect(sheet.rows[0]?.cells).toEqual([" a ", "1.5", "0", "true", "false", "1.50"])
    expect(typesOf(sheet)).toEqual([])
  })

  it("returns a date as its ISO date, with the time to the second if there is one", async () => {
    const sheet = await only(
      row(number(29_348, 1), number(29_348.5, 2), number(29_348 + 1 / 86_400, 2), number(29_348.99999, 2))
    )
    expect(valuesOf(sheet)).toEqual([
      [1, "1980-05-07", "1980-05-07T12:00:00", "1980-05-07T00:00:01", "1980-05-07T23:59:59"]
    ])
    expect(typesOf(sheet)).toEqual([
      [0, { "1980-05-07": "date" }],
      [1, { "1980-05-07T12:00:00": "date" }],
      [2, { "1980-05-07T00:00:01": "date" }],
      [3, { "1980-05-07T23:59:59": "date" }]
    ])
  })

  it("returns the days of 1900 as Excel shows them, which counts a 29 February", async () => {
    const sheet = await only(row(...[0.5, 1, 1.5, 59, 60, 61].map((day) => number(day, 2))))
    expect(valuesOf(sheet)[0]?.slice(1)).toEqual([
      "1899-12-30T12:00:00",
      "1900-01-01",
      "1900-01-01T12:00:00",
      "1900-02-28",
      "1900-02-28",
      "1900-03-01"
    ])
  })

  it("returns a date beyond the calendar as an error, and all other cells", async () => {
    const sheet = await only(row(number(1e10, 1), number(-1e300, 2), number(29_348, 1)))
    expect(valuesOf(sheet)).toEqual([[1, "#NUM!", "#NUM!", "1980-05-07"]])
    expect(typesOf(sheet)).toEqual([
      [0, { "#NUM!": "error" }],
      [1, { "#NUM!": "error" }],
      [2, { "1980-05-07": "date" }]
    ])
  })

  it("distinguishes a date from a text of its column with the same characters", async () => {
    const sheet = await only(
      row(number(29_348, 1), number(29_348, 1), number(29_348.5, 2)),
      row(text("1980-05-07"), text("x"), text("1980-05-07T12:00:00"))
    )
    expect(valuesOf(sheet)).toEqual([
      [1, "1980-05-07T00:00:00", "1980-05-07", "1980-05-07T12:00:00"],
      [2, "1980-05-07", "x", "1980-05-07T12:00:00"]
    ])
    expect(typesOf(sheet).slice(0, 2)).toEqual([
      [0, { "1980-05-07T00:00:00": "date" }],
      [1, { "1980-05-07": "date" }]
    ])
  })

  it("returns an error as its text, of any formula, and distinguishes it unless a text is the same", async () => {
    const sheet = await only(
      row(
        error("#N/A"),
        error("#DIV/0!", "<f>1/0</f>"),
        error("#REF!", '<f t="shared" si="0"/>'),
        error("#N/A")
      ),
      row(text("NA"), text("#N/A"), text("#VALUE!"), text("#N/A"))
    )
    expect(valuesOf(sheet)).toEqual([
      [1, "#N/A", "#DIV/0!", "#REF!", "#N/A"],
      [2, "NA", "#N/A", "#VALUE!", "#N/A"]
    ])
    expect(typesOf(sheet)).toEqual([
      [0, { "#N/A": "error" }],
      [1, { "#DIV/0!": "error" }],
      [2, { "#REF!": "error" }]
    ])
  })

  it("puts a row or cell without a place beside the one before it", async () => {
    const sheet = await only(
      row(text("A1"), text("B1")),
      `<row r="4">${text("C4", "C4")}${text("D4")}</row>`,
      row(text("A5"), text("Z5", "Z5"), text("AA5"), text("ZZ5", "ZZ5"), text("AAA5"), text("AAB5"))
    )
    const quoted = await only(
      `<row r='3'>${text("B3").replace("<c", "<c r='B3'")}${text("C3")}</row>`,
      `<row><!-- <col/> -->${text("A4")}</row>`
    )
    expect(valuesOf(quoted)).toEqual([
      [3, null, "B3", "C3"],
      [4, "A4", null, null]
    ])
    const columnOf = (cell: string): number =>
      [...cell.replace(/\d/g, "")].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1
    const found = sheet.rows.flatMap(({ line, values }) =>
      [...values.entries()].flatMap(([at, value]) => (value === null ? [] : [[line, at, value]]))
    )
    const names = ["A1", "B1", "C4", "D4", "A5", "Z5", "AA5", "ZZ5", "AAA5", "AAB5"]
    expect(found).toEqual(names.map((name) => [Number(name.replace(/\D/g, "")), columnOf(name), name]))
  })

  it.each([
    ["not a zip file", "PK\u0003\u0004 xl/ but no more"],
    ["text", "a,b\n"]
  ])("fails with the reason of the library for what is %s", async (_, content) => {
    const found = await Effect.runPromise(Effect.flip(Workbook.read(strToU8(content, true))))
    expect(found).toMatchObject({ _tag: "WorkbookError", message: expect.stringMatching(/./) })
    expect(found.cause).toBeDefined()
  })

  const encrypted = Buffer.from("EncryptedPackage", "utf16le")
  const old = Buffer.from("d0cf11e0a1b11ae1", "hex")
  it.each([
    [
      "with a password",
      Buffer.concat([old, encrypted]),
      "a workbook with a password. Open it, remove the password"
    ],
    ["of an old Excel", old, "an old Excel workbook (.xls)"],
    ["in binary", zipSync({ "xl/workbook.bin": strToU8("x") }), "a binary workbook (.xlsb)"]
  ])("says what to do with a workbook %s", async (_, bytes, message) => {
    const found = await Effect.runPromise(Effect.flip(Workbook.read(bytes)))
    expect(found.message).toContain(`it is ${message}`)
    expect(found.message).toContain("save it as .xlsx")
    expect(found.cause).toBeUndefined()
  })
})

describe("Workbook.is", () => {
  const zip = (...names: ReadonlyArray<string>) =>
    zipSync(Object.fromEntries(names.map((name) => [name, strToU8("x")])))
  it.each([
    [true, "a workbook", workbook({ S: row(text("a")) })],
    [true, "a zip file that starts with its relations", zip("_rels/.rels")],
    [true, "a zip file that starts with its properties", zip("docProps/app.xml")],
    [true, "a zip file that has such a folder near its start", zip("a".repeat(400), "xl/workbook.xml")],
    [false, "another zip file", zip("a.csv")],
    [false, "a zip file that has such a folder far from its start", zip("a".repeat(600), "xl/workbook.xml")],
    [false, "an OpenDocument sheet", zip("mimetype.opendocument", "xl/x")],
    [false, "text about a workbook", strToU8("xl/workbook.xml")],
    [false, "nothing", new Uint8Array()]
  ])("is %s for %s", (expected, _, bytes) => {
    expect(Workbook.is(bytes)).toBe(expected)
  })

  it("refuses what are no bytes", () => {
    expect(() => Workbook.is("PK" as never)).toThrow("bytes must be a Uint8Array")
  })
})

describe("Workbook.rowsBelow", () => {
  it("returns the rows below the header with their lines, and null for each cell that is not there", async () => {
    const sheet = await only(
      row(text("Title")),
      row(text("a"), text("b"), text("c")),
      row(number(1.5), text("x")),
      "<row/>",
      row(text("y"), "<c/>", number(2), text("beyond"))
    )
    const rows = Workbook.rowsBelow(sheet, 2, ["a", "b", "c"])
    expect(rows.map(({ line, record }) => [line, JSON.parse(RawRecord.toText(record))])).toEqual([
      [3, { a: 1.5, b: "x", c: null }],
      [5, { a: "y", b: null, c: 2 }]
    ])
    expect(Workbook.rowsBelow(sheet, 5, ["a"])).toEqual([])
    expect(() => Workbook.rowsBelow([] as never, 1, ["a"])).toThrow("sheet must be a sheet")
  })
})
