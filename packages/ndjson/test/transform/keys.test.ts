import { RawRecord, Transform } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, cuts, failure, raws, streamOf } from "./records.ts"

interface Row {
  readonly id?: string | number | boolean | null
  readonly n?: number | null
  readonly at: number
}

// Few keys, so that duplicates occur, in forms that must stay distinct.
const id = fc.constantFrom<Array<string | number | boolean | null>>(
  "a",
  "b",
  "1",
  "true",
  "",
  1,
  0,
  true,
  null
)
const rows: fc.Arbitrary<ReadonlyArray<Row>> = fc
  .array(fc.record({ id, n: fc.constantFrom(1, 2, null) }, { requiredKeys: [] }), { maxLength: 12 })
  .map((all) => all.map((row, at) => ({ ...row, at })))

const sameKey = (a: Row, b: Row): boolean => (a.id ?? null) !== null && a.id === b.id
const asRaw = (some: ReadonlyArray<object>) => raws(some.map((one) => JSON.stringify(one)))
const parsed = <A>(record: RawRecord.RawRecord): A => JSON.parse(String(record))

describe("Transform.uniqueBy", () => {
  it("keeps the first record of each key and every record without one, for objects and raw records", () => {
    fc.assert(
      fc.property(rows, cuts, (rows, cut) => {
        const expected = rows.filter((row, i) => !rows.slice(0, i).some((other) => sameKey(other, row)))
        expect(all(streamOf(rows, cut).pipe(Transform.uniqueBy("id")))).toEqual(expected)
        const raw = streamOf(asRaw(rows), cut).pipe(Transform.uniqueBy("id"), Stream.map(parsed))
        expect(all(raw)).toEqual(expected)
      })
    )
  })

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(rows, (rows) => {
        const once = all(streamOf(rows).pipe(Transform.uniqueBy(["id", "n"])))
        expect(all(streamOf(once).pipe(Transform.uniqueBy(["id", "n"])))).toEqual(once)
      })
    )
  })

  it("compares several fields together; null and absent are equal", () => {
    const records = [{ a: "x", b: null }, { a: "x" }, { a: "x", b: "y" }, { a: "xy" }, { b: "x" }, {}, {}]
    const left = all(
      streamOf<{ a?: string; b?: string | null }>(records).pipe(Transform.uniqueBy(["a", "b"]))
    )
    expect(left).toEqual([{ a: "x", b: null }, { a: "x", b: "y" }, { a: "xy" }, { b: "x" }, {}, {}])
  })

  it.each([
    ["identifiers of many digits", ["9007199254740993", "9007199254740992", "9007199254740993.0"], [0, 1]],
    ["one number written in several ways", ["1", "1.0", "10e-1", "0.1E1", "100000000000000000000e-20"], [0]],
    ["numbers no double holds", ["1e400", "1e401", "10e399", "1e-400", "2e-400", "0"], [0, 1, 3, 4, 5]],
    [
      "fractions of many digits",
      ["0.30000000000000004", "0.3000000000000000400", "0.30000000000000001"],
      [0, 2]
    ],
    ["strings with escapes", ['"\\u0061"', '"a"', '"\\u00e9"', '"é"'], [0, 2]]
  ])("compares raw values by meaning: %s", (_, values, kept) => {
    const texts = values.map((value) => `{"id":${value}}`)
    const left = all(streamOf(raws(texts)).pipe(Transform.uniqueBy("id"), Stream.map(String)))
    expect(left).toEqual(kept.map((i) => texts[i]))
  })

  it("compares numbers of raw records by value and sign, with all digits", () => {
    const texts = [
      ...["0", "0e999", "-0.0000000000000000000000", "1e999", "-1e999", "10e998"],
      ...["12345678901234567890", "-12345678901234567890", "12345678901234567891", "1.2345678901234567890e19"]
    ].map((n) => `{"n":${n}}`)
    const unique = all(streamOf(raws(texts)).pipe(Transform.uniqueBy("n"), Stream.map(String)))
    expect(unique).toEqual([0, 3, 4, 6, 7, 8].map((at) => texts[at]))
  })

  it("compares only adjacent records on request, in constant memory", () => {
    const records = ["a", "a", "b", "b", "a"].map((id, at) => ({ id, at }))
    const left = streamOf(records).pipe(Transform.uniqueBy("id", { adjacent: true, maxBytes: 1 }))
    expect(all(left).map(({ at }) => at)).toEqual([0, 2, 4])
    const keyless = Transform.uniqueBy<{ id?: string }>("id", { adjacent: true })
    expect(all(streamOf<{ id?: string }>([{}, {}, { id: "a" }, {}]).pipe(keyless))).toHaveLength(4)
  })

  it("fails at the first key beyond maxBytes, after the earlier records", () => {
    const records = ["a", "a", "b", "c"].map((id) => ({ id }))
    // The size of a key of one character: 64 bytes, two for its type and two for the character.
    expect(all(streamOf(records.slice(0, 3)).pipe(Transform.uniqueBy("id", { maxBytes: 136 })))).toHaveLength(
      2
    )
    const { items, error } = failure(streamOf(records).pipe(Transform.uniqueBy("id", { maxBytes: 136 })))
    expect(items).toEqual([{ id: "a" }, { id: "b" }])
    expect(error).toMatchObject({ reason: "too-large", transform: "uniqueBy", index: 3 })
  })

  it.each(["[]", "{}"])("rejects %s as a key, in objects and raw records", (value) => {
    const text = `{"id":${value}}`
    const expected = { reason: "not-a-key", transform: "uniqueBy", index: 1, field: "id" }
    const values = ['{"id":1}', text].map((one) => JSON.parse(one) as Record<string, unknown>)
    expect(failure(streamOf(values).pipe(Transform.uniqueBy("id"))).error).toMatchObject(expected)
    expect(failure(streamOf(raws(['{"id":1}', text])).pipe(Transform.uniqueBy("id"))).error).toMatchObject(
      expected
    )
  })

  it.each(['{"id":1', '{"id":tru}', '{"id":1}}', "[1]"])("rejects the raw record %s", (text) => {
    const { items, error } = failure(streamOf(raws(["{}", text])).pipe(Transform.uniqueBy("id")))
    expect(items).toHaveLength(1)
    expect(error).toMatchObject({ reason: "malformed", transform: "uniqueBy", index: 1 })
  })

  it("reads a field __proto__ and ignores inherited fields", () => {
    const records = ['{"__proto__":1}', '{"__proto__":1}', "{}", "{}"].map(
      (text) => JSON.parse(text) as object
    )
    const typed = records as ReadonlyArray<Record<string, unknown>>
    expect(all(streamOf(typed).pipe(Transform.uniqueBy("__proto__")))).toHaveLength(3)
    expect(all(streamOf(typed).pipe(Transform.uniqueBy("constructor")))).toHaveLength(4)
  })
})

describe("Transform.join", () => {
  it("returns the result of two nested loops, inner and left, for objects and raw records", () => {
    fc.assert(
      fc.property(rows, rows, cuts, fc.constantFrom("inner", "left"), (left, right, cut, kind) => {
        const expected = left.flatMap((record) => {
          const matches = right.filter((row) => sameKey(record, row)).map((row) => [record.at, row.at])
          return matches.length === 0 && kind === "left" ? [[record.at, undefined]] : matches
        })
        const joined = streamOf(left, cut).pipe(
          Transform.join({
            table: streamOf(right, cut),
            on: "id",
            kind,
            combine: (record, row) => [record.at, row?.at]
          })
        )
        expect(all(joined)).toEqual(expected)
        const raw = streamOf(asRaw(left), cut).pipe(
          Transform.join({
            table: streamOf(asRaw(right), cut),
            on: "id",
            kind,
            combine: (record, row) => [
              parsed<Row>(record).at,
              row === undefined ? undefined : parsed<Row>(row).at
            ]
          })
        )
        expect(all(raw)).toEqual(expected)
      })
    )
  })

  it("matches raw records with object rows, by differently named fields and by functions", () => {
    const table = Stream.make({ key: 10, year: 1999, name: "x" })
    const joined = streamOf(raws(['{"id":1.0e1,"y":"1999"}', '{"id":"10","y":"1999"}'])).pipe(
      Transform.join({
        table,
        on: ["id", (record) => Number(RawRecord.value(record, "y"))],
        tableOn: ["key", "year"],
        kind: "left",
        combine: (record, row) => `${record} ${row?.name}`
      })
    )
    expect(all(joined)).toEqual(['{"id":1.0e1,"y":"1999"} x', '{"id":"10","y":"1999"} undefined'])
  })

  it("reads the table once before the first record, and again for each run", () => {
    const events: Array<string> = []
    const table = Stream.fromEffect(Effect.sync(() => events.push("table"))).pipe(
      Stream.map(() => ({ id: 1 }))
    )
    const records = Stream.fromEffectRepeat(Effect.sync(() => ({ id: events.push("record") > 0 ? 1 : 2 })))
    const joined = records.pipe(
      Transform.join({ table, on: "id", kind: "inner", combine: ({ id }) => id }),
      Stream.take(2)
    )
    expect(all(joined)).toEqual([1, 1])
    expect(events).toEqual(["table", "record", "record"])
    all(joined)
    expect(events.filter((event) => event === "table")).toHaveLength(2)
  })

  it("fails at the first row beyond maxBytes, and with the failure of the table", () => {
    const row = { id: "a" }
    // The size of an object with one field: 64 + 2 + 65 bytes, and two for the key.
    const join = (table: Stream.Stream<typeof row, "gone">, maxBytes: number) =>
      Stream.make(row).pipe(Transform.join({ table, on: "id", kind: "inner", combine: () => 1, maxBytes }))
    expect(all(join(Stream.make(row, row), 266))).toEqual([1, 1])
    const { error } = failure(join(Stream.make(row, row, row), 266))
    expect(error).toMatchObject({ reason: "too-large", transform: "join table", index: 2 })
    expect(failure(join(Stream.fail("gone"), 266)).error).toBe("gone")
  })

  it("says whether a record or a row is invalid", () => {
    const join = (records: ReadonlyArray<string>, table: ReadonlyArray<string>) =>
      failure(
        streamOf(raws(records)).pipe(
          Transform.join({
            table: streamOf(raws(table)),
            on: "id",
            kind: "inner",
            combine: (record) => `${record}`
          })
        )
      )
    const good = '{"id":1}'
    const left = join([good, '{"id":{}}'], [good])
    expect(left.items).toEqual([good])
    expect(left.error).toMatchObject({ reason: "not-a-key", transform: "join", index: 1, field: "id" })
    expect(join([good], [good, good, "[]"]).error).toMatchObject({
      reason: "malformed",
      transform: "join table",
      index: 2
    })
  })

  it("keeps the rows of a raw table without their chunks", () => {
    const big = new TextEncoder().encode(`{"id":1}${" ".repeat(4_000_000)}`)
    const joined = Stream.make({ id: 1 }).pipe(
      Transform.join({
        table: Stream.make(RawRecord.make(big, 0, 8), RawRecord.make(big, 0, 8)),
        on: "id",
        tableOn: "id",
        kind: "inner",
        combine: (_, row) => row
      })
    )
    const rows = all(joined)
    expect(rows.map(String)).toEqual(['{"id":1}', '{"id":1}'])
    for (const row of rows) expect(row.bytes.buffer.byteLength).toBeLessThan(1_000_000)
  })
})

it("throws without keys and for an invalid bound", () => {
  expect(() => Transform.uniqueBy([])).toThrow(RangeError)
  expect(() => Transform.uniqueBy<Row>("id", { maxBytes: 0 })).toThrow(RangeError)
})
