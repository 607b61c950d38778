import { Transform } from "@chemstream/ndjson"
import { Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, anyText, cuts, failure, raws, streamOf } from "./records.ts"

describe("Transform.filter", () => {
  it("keeps the same records by a field of objects and of raw records, the text as it was", () => {
    fc.assert(
      fc.property(fc.array(anyText), cuts, (texts, cut) => {
        const isScalar = (value: unknown): boolean =>
          value !== undefined && (typeof value !== "object" || value === null)
        const expected = texts.filter((text) => {
          const record = JSON.parse(text)
          return Object.hasOwn(record, "a") && isScalar(record.a)
        })
        const values = texts.map((text) => JSON.parse(text) as Record<string, unknown>)
        expect(all(streamOf(values, cut).pipe(Transform.filter("a", isScalar)))).toEqual(
          expected.map((text) => JSON.parse(text))
        )
        expect(
          all(streamOf(raws(texts), cut).pipe(Transform.filter("a", isScalar), Stream.map(String)))
        ).toEqual(expected)
      })
    )
  })

  it("does not see what an object inherits", () => {
    const records: ReadonlyArray<Record<string, unknown>> = [{}, { toString: 1 }]
    expect(all(streamOf(records).pipe(Transform.filter("toString", (value) => value !== undefined)))).toEqual(
      [{ toString: 1 }]
    )
  })

  it("looks at the structure of the other fields only", () => {
    const texts = ['{"b":tru}', '{"a":1,"b":[01]}']
    const kept = streamOf(raws(texts)).pipe(
      Transform.filter("a", (value) => value !== 2),
      Stream.map(String)
    )
    expect(all(kept)).toEqual(texts)
  })

  it.each(['{"a":', '{"a":tru}', "[]"])(
    "refuses %s instead of taking it for a record without the field",
    (text) => {
      const { items, error } = failure(streamOf(raws(["{}", text])).pipe(Transform.filter("a", () => true)))
      expect(items.map(String)).toEqual(["{}"])
      expect(error).toMatchObject({ reason: "malformed", transform: "filter", index: 1 })
    }
  )
})
