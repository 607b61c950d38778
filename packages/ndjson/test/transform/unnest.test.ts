import { Transform } from "@chemstream/ndjson"
import { Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, anyRecord, cuts, failure, raws, scalar, streamOf } from "./records.ts"

type Any = Record<string, unknown>

describe("Transform.unnest", () => {
  it("emits a record per item, with every field unchanged and in its place", () => {
    const records = fc.array(
      fc.tuple(anyRecord, fc.array(scalar)).map(([record, a]): Any => ({ ...record, a }))
    )
    fc.assert(
      fc.property(records, cuts, (records, cut) => {
        const unnested = all(streamOf(records, cut).pipe(Transform.unnest("a"))) as Array<Any>
        const expected = records.flatMap((record) =>
          (record["a"] as Array<unknown>).map((a) => ({ ...record, a }))
        )
        expect(unnested.map((one) => JSON.stringify(one))).toEqual(expected.map((one) => JSON.stringify(one)))
      })
    )
  })

  it.each([{ a: [] }, { a: null }, {}])("emits nothing for %j", (record: Any) => {
    expect(all(Stream.make(record).pipe(Transform.unnest("a")))).toEqual([])
    const raw = raws([JSON.stringify(record)])
    expect(all(streamOf(raw).pipe(Transform.unnest("a")))).toEqual([])
  })

  it("rejects a field that is not an array, after the earlier records", () => {
    const records: ReadonlyArray<Any> = [{ a: [1] }, { a: "1" }]
    const { items, error } = failure(streamOf(records).pipe(Transform.unnest("a")))
    expect(items).toEqual([{ a: 1 }])
    expect(error).toMatchObject({ reason: "not-an-array", transform: "unnest", index: 1, field: "a" })
  })

  it("unnests a field __proto__", () => {
    const record = JSON.parse('{"__proto__":[1,2]}') as Any
    const unnested = all(Stream.make(record).pipe(Transform.unnest("__proto__")))
    expect(unnested.map((one) => JSON.stringify(one))).toEqual(['{"__proto__":1}', '{"__proto__":2}'])
  })

  it("keeps the text of raw records, with the item in place of the array", () => {
    const texts = ['{"a":[1.50, {"b":[2]}], "c" : 3e0}', '{"a":null}', '{"x":1,"a":[]}']
    const unnested = all(streamOf(raws(texts)).pipe(Transform.unnest("a"), Stream.map(String)))
    expect(unnested).toEqual(['{"a":1.50, "c" : 3e0}', '{"a":{"b":[2]}, "c" : 3e0}'])
  })

  it("returns the same for raw records as for objects", () => {
    const records = fc.array(
      fc.tuple(anyRecord, fc.array(scalar)).map(([record, a]): Any => ({ ...record, a }))
    )
    fc.assert(
      fc.property(records, cuts, (records, cut) => {
        const values = all(streamOf(records, cut).pipe(Transform.unnest("a")))
        const texts = raws(records.map((record) => JSON.stringify(record)))
        const raw = all(streamOf(texts, cut).pipe(Transform.unnest("a"), Stream.map(String)))
        expect(raw).toEqual(values.map((value) => JSON.stringify(value)))
      })
    )
  })

  it.each([
    ['{"a":"1"}', "not-an-array"],
    ['{"a":[1,]}', "malformed"],
    ['{"a":[1]', "malformed"]
  ])("rejects the raw record %s as %s", (text, reason) => {
    const { items, error } = failure(streamOf(raws(['{"a":[1]}', text])).pipe(Transform.unnest("a")))
    expect(items.map(String)).toEqual(['{"a":1}'])
    expect(error).toMatchObject({ reason, transform: "unnest", index: 1 })
  })
})
