import { Transform } from "@chemstream/ndjson"
import { Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, anyRecord, cuts, failure, scalar, streamOf } from "./records.ts"

type Any = Record<string, unknown>

describe("Transform.explode", () => {
  it("gives a record for each item, the other fields as they were and every field in its place", () => {
    const records = fc.array(
      fc.tuple(anyRecord, fc.array(scalar)).map(([record, a]): Any => ({ ...record, a }))
    )
    fc.assert(
      fc.property(records, cuts, (records, cut) => {
        const exploded = all(streamOf(records, cut).pipe(Transform.explode("a"))) as Array<Any>
        const expected = records.flatMap((record) =>
          (record["a"] as Array<unknown>).map((a) => ({ ...record, a }))
        )
        expect(exploded.map((one) => JSON.stringify(one))).toEqual(expected.map((one) => JSON.stringify(one)))
      })
    )
  })

  it.each([{ a: [] }, { a: null }, {}])("leaves out %j, or keeps it with null when asked", (record: Any) => {
    expect(all(Stream.make(record).pipe(Transform.explode("a")))).toEqual([])
    expect(all(Stream.make(record).pipe(Transform.explode("a", { empty: "null" })))).toEqual([{ a: null }])
  })

  it("refuses a field that is no array, after the records before it", () => {
    const records: ReadonlyArray<Any> = [{ a: [1] }, { a: "1" }]
    const { items, error } = failure(streamOf(records).pipe(Transform.explode("a")))
    expect(items).toEqual([{ a: 1 }])
    expect(error).toMatchObject({ reason: "not-an-array", transform: "explode", index: 1, field: "a" })
  })

  it("explodes a field __proto__", () => {
    const record = JSON.parse('{"__proto__":[1,2]}') as Any
    const exploded = all(Stream.make(record).pipe(Transform.explode("__proto__")))
    expect(exploded.map((one) => JSON.stringify(one))).toEqual(['{"__proto__":1}', '{"__proto__":2}'])
  })
})
