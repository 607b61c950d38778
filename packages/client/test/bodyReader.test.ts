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

describe("the fault of BodyReader.json", () => {
  it.each<[string, string, Schema.ConstraintDecoder<unknown>, object]>([
    ["of an empty body", "", Schema.Unknown, { path: "", reason: "the body is empty" }],
    ["of white space", " \n", Schema.Unknown, { path: "", reason: "the body is empty" }],
    [
      "of a text",
      "busy",
      Schema.Unknown,
      { path: "", reason: 'the body is not JSON, but starts with "busy"' }
    ],
    ["in a list of lists", '[[1],[1,"a"]]', Schema.Array(Schema.Array(Schema.Finite)), { path: "[1][1]" }],
    [
      "in nested fields",
      '{"a":{"b":"x"}}',
      Schema.Struct({ a: Schema.Struct({ b: Schema.Finite }) }),
      { path: "a.b" }
    ],
    ["of a missing field", "[{}]", Schema.Array(Schema.Struct({ a: Schema.Finite })), { path: "[0].a" }],
    [
      "in a union",
      '{"a":"x"}',
      Schema.Union([Schema.Array(Schema.Finite), Schema.Struct({ a: Schema.Finite })]),
      { path: "a" }
    ],
    ["of a tuple", '[1,"x"]', Schema.Tuple([Schema.Finite, Schema.Finite]), { path: "[1]" }]
  ])("%s has its place and reason", (_, text, schema, expected) => {
    expect(problem(schema, text)).toMatchObject(expected)
  })
})

describe("BodyReader.textsIn", () => {
  it.each<[unknown, ReadonlyArray<string>]>([
    ["A, B,C", ["A", "B", "C"]],
    [
      ["A, B", "C"],
      ["A", "B", "C"]
    ],
    [
      [" A ", "", ",,", "B,"],
      ["A", "B"]
    ],
    [["A", 5, null, ["B"]], ["A"]],
    ["", []],
    [null, []],
    [undefined, []]
  ])("of %j is %j", (value, expected) => {
    expect(BodyReader.textsIn(value)).toEqual(expected)
  })
})

describe("BodyReader.file", () => {
  const png = "\x89PNG\r\n\x1a\n"
  const readFile = (kind: "bytes" | "text", body: string) => {
    const result = BodyReader.file(kind)(Uint8Array.from(body, (char) => char.charCodeAt(0)))
    return Result.isSuccess(result) ? result.success : result.failure
  }
  const image = (mediaType: string, body: string) => ({ mediaType, size: body.length, base64: btoa(body) })
  const fault = (reason: string) => ({ path: "", reason: expect.stringContaining(reason) })
  const xml = '<?xml version="1.0"?>'
  const svgAt = (offset: number): string => `${xml.padEnd(offset)}<svg>`

  it.each<["bytes" | "text", string, unknown]>([
    ["bytes", "", undefined],
    ["text", "", undefined],
    ["bytes", png, image("image/png", png)],
    ["bytes", ` ${png}`, fault("the body is not an image, but starts with ")],
    ["bytes", "\x89PNGx", fault("not an image")],
    ["bytes", "<svg/>x", fault("not an image")],
    ...[
      "<svg>",
      "<svg width='1'>",
      `\n${xml}<svg>`,
      `${xml}\n<!-- a -->\n<svg>`,
      "<!DOCTYPE svg>\n<svg>"
    ].map((svg): ["bytes", string, unknown] => ["bytes", svg, image("image/svg+xml", svg)]),
    ...["<html><svg>", "<svgx>", "a<svg>", '{"error":"no"}'].map((text): ["bytes", string, unknown] => [
      "bytes",
      text,
      fault("the body is not an image, but starts with ")
    ]),
    ["bytes", svgAt(1019), image("image/svg+xml", svgAt(1019))],
    ["bytes", svgAt(1020), fault("not an image")],
    ["text", "C1=CC=CC=C1\n", { mediaType: "text/plain", size: 12, text: "C1=CC=CC=C1\n" }],
    ["text", "  a {", { mediaType: "text/plain", size: 5, text: "  a {" }],
    ...["{}", "[]", "<html>", " \n{"].map((text): ["text", string, unknown] => [
      "text",
      text,
      fault("the body is not a text, but starts with ")
    ])
  ])("of %s reads %j", (kind, body, expected) => {
    expect(readFile(kind, body)).toEqual(expected)
  })

  it("refuses a kind that it does not know", () => {
    expect(() => BodyReader.file("image" as never)).toThrow("Give one of bytes, text.")
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
