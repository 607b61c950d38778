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
      "list json",
      "object json",
      "any json"
    ])
  })

  it("has no columns for a schema that is not of an object", () => {
    expect(Table.columnsOf(Schema.Array(Schema.String))).toEqual([])
  })
})
