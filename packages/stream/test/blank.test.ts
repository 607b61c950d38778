// Tests how marks for unknown values are described and emptied.
import { Hazard, type Row, Rows } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Blank } from "@chemstream/stream"
import { describe, expect, it } from "vitest"

const row = { blank: { "*": ["-", -999], toxvalUnits: ["n/a"], year: [0, ""] } }

describe("Blank.toNull", () => {
  it.each([
    ["a mark of every field", '{"a":"-","b":-999}', '{"a":null,"b":null}'],
    ["a mark of one field, in no other", '{"toxvalUnits":"n/a","a":"n/a"}', '{"toxvalUnits":null,"a":"n/a"}'],
    ["several marks of one field", '{"year":0}', '{"year":null}'],
    ["an empty text", '{"year":""}', '{"year":null}'],
    ["a number that is equal, however it is written", '{"a":-999.0,"b":-9.99e2}', '{"a":null,"b":null}'],
    ["no text of a number", '{"a":"-999"}', '{"a":"-999"}'],
    ["no part of a text", '{"a":"- "}', '{"a":"- "}'],
    ["no value within an array or an object", '{"a":["-"],"b":{"c":"-"}}', '{"a":["-"],"b":{"c":"-"}}'],
    ["neither true, false nor null", '{"a":true,"b":false,"c":null}', '{"a":true,"b":false,"c":null}'],
    [
      "no other value, which keeps its text",
      '{"a" : 3850.0, "\\u0062":"\\u00e9"}',
      '{"a":3850.0,"b":"\\u00e9"}'
    ],
    ["nothing in a value that is no object", "[1]", "[1]"]
  ])("empties %s: %s", (_, text, emptied) => {
    expect(RawRecord.toText(Blank.toNull(row)(RawRecord.fromText(text)))).toBe(emptied)
  })

  it("returns the same record if the source has no marks", () => {
    const record = RawRecord.fromText('{"a":"-"}')
    expect(Blank.toNull({})(record)).toBe(record)
  })
})

describe("Blank.describe", () => {
  it("names each mark once, with its field unless it is for all fields", () => {
    expect(Blank.describe([row, { blank: { "*": ["-"] } }, {}])).toBe(
      "-, -999, n/a in toxvalUnits, 0 in year, an empty text in year"
    )
  })

  it("is undefined without marks", () => {
    expect(Blank.describe([{}, {}])).toBeUndefined()
    expect(Blank.describe([])).toBeUndefined()
  })

  it("describes the marks of the endpoints", () => {
    expect(Blank.describe([Hazard.toxval])).toContain("-")
    expect(Blank.describe(Rows.all as ReadonlyArray<Row.Row>)).toContain("-999")
  })
})
