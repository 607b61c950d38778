import { Table } from "@chemstream/ndjson"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

describe("Table.columnsOf", () => {
  it("has a column for each field of a schema, in order, with the type of the encoded field", () => {
    const schema = Schema.StructWithRest(
      Schema.Struct({
        text: Schema.optionalKey(Schema.NullOr(Schema.String)),
        word: Schema.Literals(["a", "b"]),
        whole: Schema.NullOr(Schema.Int),
        long: Schema.Finite.annotate({ format: "int64" }),
        number: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
        flag: Schema.Boolean,
        parsed: Schema.FiniteFromString,
        several: Schema.Union([Schema.String, Schema.Finite]),
        mixed: Schema.Union([Schema.Int, Schema.Finite]),
        scalars: Schema.Literals(["a", 1, true]),
        nested: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
        template: Schema.TemplateLiteral(["a", Schema.String]),
        nothing: Schema.Null,
        short: Schema.Finite.annotate({ format: "int32" }),
        double: Schema.Finite.annotate({ format: "double" }),
        list: Schema.Array(Schema.String),
        object: Schema.Struct({ a: Schema.String }),
        any: Schema.Unknown
      }),
      [Schema.Record(Schema.String, Schema.Unknown)]
    )
    expect(Table.columnsOf(schema).map(({ name, type }) => `${name} ${type}`)).toEqual([
      "text text",
      "word text",
      "whole integer",
      "long integer",
      "number number",
      "flag boolean",
      "parsed text",
      "several text",
      "mixed number",
      "scalars text",
      "nested json",
      "template text",
      "nothing json",
      "short integer",
      "double number",
      "list json",
      "object json",
      "any json"
    ])
  })

  it("has no columns for a schema that is not of an object", () => {
    expect(Table.columnsOf(Schema.Array(Schema.String))).toEqual([])
  })
})

describe("Table.primaryKeyOf", () => {
  const schema = Schema.Struct({ id: Schema.String })

  it("returns the fields of the annotation, in order", () => {
    expect(Table.primaryKeyOf(schema.annotate({ "x-primary-key": ["id", "n"] }))).toEqual(["id", "n"])
  })

  it("returns undefined without one, or if it is no list", () => {
    expect(Table.primaryKeyOf(schema)).toBeUndefined()
    expect(Table.primaryKeyOf(schema.annotate({ "x-primary-key": "id" }))).toBeUndefined()
  })
})
