import { Transform } from "@chemstream/ndjson"
import { Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, anyText, cuts, failure, raws, streamOf } from "./records.ts"

describe("Transform.filter", () => {
  it("keeps the same objects and raw records by a field, with their text", () => {
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

  it("ignores inherited fields", () => {
    const records: ReadonlyArray<Record<string, unknown>> = [{}, { toString: 1 }]
    expect(all(streamOf(records).pipe(Transform.filter("toString", (value) => value !== undefined)))).toEqual(
      [{ toString: 1 }]
    )
  })

  it("reads only the structure of other fields", () => {
    const texts = ['{"b":tru}', '{"a":1,"b":[01]}']
    const kept = streamOf(raws(texts)).pipe(
      Transform.filter("a", (value) => value !== 2),
      Stream.map(String)
    )
    expect(all(kept)).toEqual(texts)
  })

  it.each(['{"a":', '{"a":tru}', "[]"])(
    "rejects %s instead of treating it as a record without the field",
    (text) => {
      const { items, error } = failure(streamOf(raws(["{}", text])).pipe(Transform.filter("a", () => true)))
      expect(items.map(String)).toEqual(["{}"])
      expect(error).toMatchObject({ reason: "malformed", transform: "filter", index: 1 })
    }
  )
})
