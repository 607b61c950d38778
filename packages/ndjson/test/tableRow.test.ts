import { RawRecord, type Table, TableRow } from "@chemstream/ndjson"
import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const columns: ReadonlyArray<Table.Column> = [
  { name: "text", type: "text" },
  { name: "integer", type: "integer" },
  { name: "number", type: "number" },
  { name: "boolean", type: "boolean" },
  { name: "json", type: "json" }
]

const rowOf = (text: string, options?: TableRow.Options) =>
  Result.getOrThrow(TableRow.make(columns, options)(RawRecord.fromText(text)))

describe("the row of a raw record", () => {
  it("has the typed values of the columns, and null for absent fields", () => {
    const text =
      '{"integer":9007199254740993,"text":"a\\u00e9","boolean":false,"json":{"a":1.50},"number":1e3}'
    expect(rowOf(text)).toEqual({ values: ["aé", 9007199254740993n, 1000, false, '{"a":1.50}'], rest: null })
    expect(rowOf('{"text":null}')).toEqual({ values: [null, null, null, null, null], rest: null })
  })

  it("keeps in rest each field without a fitting column, to the last digit", () => {
    const text = '{"integer":1.5,"number":12345678901234567890,"text":[7],"more":1.10,"__proto__":"x"}'
    expect(rowOf(text)).toEqual({
      values: [null, null, null, null, null],
      rest: '{"text":[7],"integer":1.5,"number":12345678901234567890,"more":1.10,"__proto__":"x"}'
    })
    expect(rowOf('{"text":"\\ud800"}')).toEqual({
      values: [null, null, null, null, null],
      rest: '{"text":"\\ud800"}'
    })
    expect(rowOf('{"text":"no"}', { accepts: (value) => value !== "no" }).rest).toBe('{"text":"no"}')
  })

  it.each([
    ["integer", '"9007199254740993"', 9007199254740993n],
    ["integer", '"9223372036854775807"', 9223372036854775807n],
    ["integer", '"-9223372036854775808"', -9223372036854775808n],
    ["integer", '"9007199254740991"', null],
    ["integer", '"9223372036854775808"', null],
    ["integer", '"10000000000000000000"', null],
    ["integer", '"09007199254740993"', null],
    ["integer", "1e3", 1000n],
    ["integer", "1e300", null],
    ["number", "0e5", 0],
    ["number", "0.00E-7", 0],
    ["number", "1e-400", null],
    ["number", "0.1e-400", null],
    ["number", "1e400", null],
    ["number", "1180591620717411303424", 2 ** 70],
    ["number", "1180591620717411303425", null],
    ["number", "18446744073709552000", 2 ** 64],
    ["number", "100000000000000000000000", null],
    ["number", "9007199254740993", null],
    ["number", "9".repeat(400), null],
    ["number", `-${"9".repeat(400)}`, null],
    ["integer", "9".repeat(400), null],
    ["json", "9".repeat(400), "9".repeat(400)]
  ] as const)("has in a column of type %s for %s: %s", (name, text, value) => {
    const { rest, values } = rowOf(`{"${name}":${text}}`)
    expect(values[columns.findIndex((column) => column.name === name)]).toBe(value)
    expect(rest).toBe(value === null ? `{"${name}":${text}}` : null)
  })

  it("loses no field of any record", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("text", "integer", "number", "boolean", "json", "else"),
          fc.jsonValue()
        ),
        (record) => {
          const { rest, values } = rowOf(JSON.stringify(record))
          const back = new Map<string, unknown>(Object.entries(rest === null ? {} : JSON.parse(rest)))
          for (const [at, { name, type }] of columns.entries()) {
            const value = values[at]
            if (value === null || value === undefined) continue
            expect(back.has(name)).toBe(false)
            back.set(
              name,
              type === "json" ? JSON.parse(String(value)) : typeof value === "bigint" ? Number(value) : value
            )
          }
          const known = Object.entries<unknown>(JSON.parse(JSON.stringify(record)))
            .filter(([name, value]) => value !== null || name === "else")
            // A column of text has numbers and booleans as their text.
            .map(([name, value]) =>
              name === "text" && ["number", "boolean"].includes(typeof value)
                ? [name, JSON.stringify(value)]
                : [name, value]
            )
          expect(Object.fromEntries(back)).toEqual(Object.fromEntries(known))
        }
      )
    )
  })

  it("is rejected if the record is not a JSON object", () => {
    const row = TableRow.make(columns)
    for (const [text, reason] of [
      ["[1]", "not-an-object"],
      ['{"text":tru}', "malformed"]
    ] as const)
      expect(Result.getOrThrow(Result.flip(row(RawRecord.fromText(text))))).toMatchObject({ reason })
  })
})
