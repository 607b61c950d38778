import { DetailRecord } from "@chemstream/api"
import { BodyReader } from "@chemstream/client"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const read = (schema: Schema.ConstraintDecoder<unknown>, text: string) =>
  BodyReader.json(schema)(new TextEncoder().encode(text))

const problem = (schema: Schema.ConstraintDecoder<unknown>, text: string) => {
  const result = read(schema, text)
  return Result.isFailure(result) ? result.failure : undefined
}

describe("BodyReader.json", () => {
  it("accepts the same values as the schema, and returns them as parsed", () => {
    const schema = Schema.Array(DetailRecord.schemas.compact)
    const fits = Schema.is(schema)
    const field = fc.constantFrom("dtxsid", "preferredName", "casrn", "ours", "__proto__")
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.integer()))
    fc.assert(
      fc.property(fc.array(fc.dictionary(field, value)), (records) => {
        const text = JSON.stringify(records)
        const result = read(schema, text)
        expect(Result.isSuccess(result)).toBe(fits(JSON.parse(text)))
        if (Result.isSuccess(result)) expect(JSON.stringify(result.success)).toBe(text)
      })
    )
  })

  it("reports the path of the first value that violates the schema", () => {
    const schema = Schema.Array(DetailRecord.schemas.compact)
    expect(problem(schema, '[{"dtxsid":"a","ours":1},{"dtxsid":5}]')?.path).toBe("[1].dtxsid")
    expect(problem(schema, '{"dtxsid":"a"}')?.path).toBe("")
  })

  it.each<[string, Schema.ConstraintDecoder<unknown>, string]>([
    [
      "an unknown field of the wrong type",
      Schema.StructWithRest(Schema.Struct({ a: Schema.Finite }), [
        Schema.Record(Schema.String, Schema.Finite)
      ]),
      '{"a":1,"b":"x"}'
    ],
    ["an empty list where the schema needs an element", Schema.NonEmptyArray(Schema.Finite), "[]"],
    ["a list that is too long", Schema.Array(Schema.Finite).check(Schema.isMaxLength(1)), "[1,2]"],
    [
      "a record that fails a check of the schema",
      Schema.StructWithRest(Schema.Struct({ a: Schema.Finite }), [
        Schema.Record(Schema.String, Schema.Unknown)
      ]).check(Schema.makeFilter((record) => Object.keys(record).length < 2)),
      '{"a":1,"b":2}'
    ]
  ])("refuses %s", (_, schema, text) => {
    expect(problem(schema, text)).toBeDefined()
  })
})

describe("BodyReader.isNothing", () => {
  it.each<[string, boolean]>([
    ["", true],
    [" ", true],
    [" \t\r\n ", true],
    ["null", true],
    [" null\n", true],
    ["null".padStart(15), true],
    ["nulls", false],
    ["0", false],
    ['""', false],
    ["[]", false],
    ["!", false]
  ])("of %j is %s: empty, white space, or null", (text, expected) => {
    expect(BodyReader.isNothing(new TextEncoder().encode(text))).toBe(expected)
  })
})
