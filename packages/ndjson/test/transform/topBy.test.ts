import { RawRecord, Transform } from "@chemstream/ndjson"
import { Effect, FileSystem, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, cuts, failure, raws, streamOf } from "./records.ts"

interface Row {
  readonly id?: string | null
  readonly n?: number | string | null
  readonly at: number
}

const rows: fc.Arbitrary<ReadonlyArray<Row>> = fc
  .array(
    fc.record(
      { id: fc.constantFrom("a", "b", "", null), n: fc.constantFrom(1, 2, 3, "x", null) },
      { requiredKeys: [] }
    ),
    { maxLength: 16 }
  )
  .map((some) => some.map((row, at) => ({ ...row, at })))

const keyOf = ({ at, id }: Row): string | number => id ?? at

const order = fc.constantFrom<Transform.Order<Row>>("n", { by: "n", direction: "descending" })

describe("Transform.topBy", () => {
  it("keeps the first records of the sorted records of each key, and groups them by their first record", async () => {
    await fc.assert(
      fc.asyncProperty(rows, cuts, order, fc.integer({ min: 1, max: 3 }), async (rows, cut, order, count) => {
        const sorted = await Effect.runPromise(
          streamOf(rows).pipe(
            Transform.sortBy(order),
            Stream.runCollect,
            Effect.provide(FileSystem.layerNoop({}))
          )
        )
        const expected = [...new Set(rows.map(keyOf))].flatMap((key) =>
          sorted.filter((row) => keyOf(row) === key).slice(0, count)
        )
        const top = Transform.topBy<Row>({ count, order, per: "id" })
        expect(all(streamOf(rows, cut).pipe(top))).toEqual(expected)
        const raw = raws(rows.map((row) => JSON.stringify(row)))
        const options = { count, order: order as never, per: "id" as never }
        const texts = all(streamOf(raw, cut).pipe(Transform.topBy(options), Stream.map(String)))
        expect(texts).toEqual(expected.map((row) => JSON.stringify(row)))
      })
    )
  })

  it("keeps the first records of all, without a key", () => {
    const records = [{ n: 3 }, { n: 1 }, { n: 2 }]
    expect(all(streamOf(records).pipe(Transform.topBy({ count: 2, order: "n" })))).toEqual([
      { n: 1 },
      { n: 2 }
    ])
  })

  it("keeps a record of a key whose records have no value", () => {
    const records: ReadonlyArray<Row> = [
      { id: "a", n: null, at: 0 },
      { id: "b", n: 1, at: 1 }
    ]
    expect(all(streamOf(records).pipe(Transform.topBy({ count: 1, order: "n", per: "id" })))).toEqual(records)
  })

  it("holds only the records that it may keep", () => {
    const record = (n: number) => ({ id: "a", n, text: "x".repeat(1000) })
    const falling = Array.from({ length: 1000 }, (_, at) => record(1000 - at))
    const top = Transform.topBy<ReturnType<typeof record>>({
      count: 2,
      order: "n",
      per: "id",
      maxBytes: 5000
    })
    expect(all(streamOf(falling).pipe(top)).map(({ n }) => n)).toEqual([1, 2])
  })

  it("keeps raw records without their chunks", () => {
    const big = new TextEncoder().encode(`{"n":1}${" ".repeat(4_000_000)}`)
    const [top] = all(Stream.make(RawRecord.make(big, 0, 7)).pipe(Transform.topBy({ count: 1, order: "n" })))
    expect(String(top)).toBe('{"n":1}')
    expect(top?.bytes.buffer.byteLength).toBeLessThan(1_000_000)
  })

  it("fails beyond its limit, and says what to do", () => {
    const records = Array.from({ length: 100 }, (_, id) => ({ id, n: 1 }))
    const { error } = failure(
      streamOf(records).pipe(Transform.topBy({ count: 1, order: "n", per: "id", maxBytes: 5000 }))
    )
    expect(error).toMatchObject({ reason: "too-large", transform: "topBy" })
    expect(error.message).toMatch(/pick the needed fields first/)
  })

  it("names itself when a value cannot be ordered", () => {
    const records: ReadonlyArray<{ n: unknown }> = [{ n: [] }]
    const { error } = failure(streamOf(records).pipe(Transform.topBy({ count: 1, order: "n" })))
    expect(error.message).toMatch(/^topBy: field "n" of record 0/)
  })
})
