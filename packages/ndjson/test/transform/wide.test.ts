import { RawRecord, Transform } from "@chemstream/ndjson"
import { Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, cuts, failure, raws, streamOf } from "./records.ts"

type Row = {
  readonly id: string | null
  readonly name: string
  readonly unit: string | null
  readonly value: unknown
}

const rows: fc.Arbitrary<ReadonlyArray<Row>> = fc.array(
  fc.record({
    id: fc.constantFrom("a", "b", "c", null),
    name: fc.constantFrom("p", "q", "__proto__", "1"),
    unit: fc.constantFrom("°C", "", null),
    value: fc.constantFrom<unknown>(1, 2, 1.5, "x", null, true)
  }),
  { maxLength: 20 }
)

const wide = Transform.wide<Row, "id" | "name" | "unit" | "value">({
  name: ["name", "unit"],
  value: "value",
  per: "id"
})

const columnOf = ({ name, unit }: Row): string => (unit ? `${name} (${unit})` : name)

describe("Transform.wide", () => {
  it("writes a row for each key with every value once in its column, in the order of first records", () => {
    fc.assert(
      fc.property(rows, cuts, (rows, cut) => {
        const table = all(streamOf(rows, cut).pipe(wide))
        const groups = new Map<string | Row, Array<Row>>()
        for (const row of rows) {
          const key = row.id ?? row
          groups.set(key, [...(groups.get(key) ?? []), row])
        }
        const columns = [...new Set(rows.map(columnOf))]
        const expected = [...groups.values()].map((group) => [
          ["id", group[0]?.id],
          ...columns.map((column) => {
            const mine = group.filter((row) => columnOf(row) === column && row.value !== null)
            const values = [...new Set(mine.map(({ value }) => value))]
            return [column, values.length > 1 ? values : (values[0] ?? null)]
          })
        ])
        const names = ["id", ...columns]
        expect(
          table.map((row) => names.map((name) => [name, Object.getOwnPropertyDescriptor(row, name)?.value]))
        ).toEqual(expected)
        expect(table.every((row) => Object.keys(row).length === names.length)).toBe(true)
        const raw = raws(rows.map((row) => JSON.stringify(row)))
        const texts = all(
          streamOf(raw, cut).pipe(Transform.wide({ name: ["name", "unit"], value: "value", per: "id" }))
        )
        expect(texts.map((text) => JSON.parse(String(text)))).toEqual(table)
      })
    )
  })

  it("keeps the text of raw values, the order of columns, and further fields of the row", () => {
    const raw = raws([
      '{"id":"x","sample":7,"name":"b","value":3850.0}',
      '{"id":"x","sample":7,"name":"a","value":[1.50]}',
      '{"id":"y","sample":7,"name":"b","value":1}',
      '{"id":"y","sample":7,"name":"b","value":1.0}'
    ])
    const options = { name: "name", value: "value", per: ["id", "sample"] } as const
    expect(all(streamOf(raw).pipe(Transform.wide(options), Stream.map(String)))).toEqual([
      '{"id":"x","sample":7,"b":3850.0,"a":[1.50]}',
      '{"id":"y","sample":7,"b":[1,1.0],"a":null}'
    ])
  })

  it("takes the empty cells of a table for no value", () => {
    const records = [
      { id: "a", name: "x", value: "" },
      { id: "a", name: "x", value: "1" },
      { id: "a", name: "", value: "" }
    ]
    const options = { name: "name", value: "value", per: "id" } as const
    expect(all(streamOf(records).pipe(Transform.wide(options)))).toEqual([{ id: "a", x: "1" }])
    const raw = raws(records.map((record) => JSON.stringify(record)))
    expect(all(streamOf(raw).pipe(Transform.wide(options), Stream.map(String)))).toEqual([
      '{"id":"a","x":"1"}'
    ])
  })

  it("writes different values once each, in the order of their records", () => {
    const records = [1, 2, 1, 2, 3].map((value) => ({ id: "a", name: "x", value }))
    const options = { name: "name", value: "value", per: "id" } as const
    expect(all(streamOf(records).pipe(Transform.wide(options)))).toEqual([{ id: "a", x: [1, 2, 3] }])
    const raw = raws(records.map((record) => JSON.stringify(record)))
    expect(all(streamOf(raw).pipe(Transform.wide(options), Stream.map(String)))).toEqual([
      '{"id":"a","x":[1,2,3]}'
    ])
  })

  it("keeps raw values that only have null or empty text inside", () => {
    const values = ["[null]", '[""]', '"null"', '{"a":""}', "null", '""']
    const raw = raws(values.map((value, at) => `{"id":"a","name":"x${at}","value":${value}}`))
    const options = { name: "name", value: "value", per: "id" } as const
    expect(all(streamOf(raw).pipe(Transform.wide(options), Stream.map(String)))).toEqual([
      '{"id":"a","x0":[null],"x1":[""],"x2":"null","x3":{"a":""},"x4":null,"x5":null}'
    ])
  })

  it("names a column by all fields of the name, of which only the first is needed", () => {
    const options = { name: ["name", "unit", "model"], value: "value", per: "id" } as const
    const records: ReadonlyArray<Record<string, unknown>> = [
      { id: "a", name: "bp", unit: "°C", model: "OPERA", value: 1 },
      { id: "a", name: "bp", unit: "", model: "OPERA", value: 2 },
      { id: "a", name: true, unit: null, model: null, value: 3 },
      { id: "a", name: null, unit: "°C", model: "OPERA", value: null }
    ]
    expect(all(streamOf(records).pipe(Transform.wide(options)))).toEqual([
      { id: "a", "bp (°C, OPERA)": 1, "bp (OPERA)": 2, true: 3 }
    ])
    const nameless: typeof records = [{ ...records[3], value: 4 }]
    const { error } = failure(streamOf(nameless).pipe(Transform.wide(options)))
    expect(error).toMatchObject({ reason: "no-name", index: 0 })
    expect(error.message).toContain('record 0 has a value, but no name for its column in "name".')
  })

  it("makes two columns of two names that are one double", () => {
    const raw = raws(
      ["12345678901234567890", "12345678901234567891"].map((n) => `{"id":1,"name":${n},"value":${n}}`)
    )
    const [row] = all(streamOf(raw).pipe(Transform.wide({ name: "name", value: "value", per: "id" })))
    expect(String(row)).toMatch(/^\{"id":1,"[^"]+":12345678901234567890,"[^"]+":12345678901234567891\}$/)
  })

  it("keeps values that a source overwrites after it has emitted them", () => {
    const chunk = new TextEncoder().encode('{"id":"a","name":"x","value":"v"}')
    const source = Stream.fromIterable([..."abc"]).pipe(
      Stream.rechunk(1),
      Stream.map((id) => RawRecord.make(chunk.fill(id.charCodeAt(0), 7, 8), 0, chunk.length))
    )
    const rows = source.pipe(Transform.wide({ name: "name", value: "value", per: "id" }), Stream.map(String))
    expect(all(rows)).toEqual([..."abc"].map((id) => `{"id":"${id}","x":"v"}`))
  })

  it("writes the row of a record without a value", () => {
    const records = [{ id: "a", name: null, value: null }]
    expect(all(streamOf(records).pipe(Transform.wide({ name: "name", value: "value", per: "id" })))).toEqual([
      { id: "a" }
    ])
  })

  it.each([
    ["no-name", [{ id: "a", name: null, value: 1 }], {}],
    ["field-taken", [{ id: "a", name: "id", value: 1 }], {}],
    ["not-a-key", [{ id: "a", name: [], value: 1 }], {}],
    [
      "too-large",
      [
        { id: "a", name: "p", value: 1 },
        { id: "a", name: "q", value: 1 }
      ],
      { maxColumns: 1 }
    ],
    ["too-large", [{ id: "a", name: "p", value: "x".repeat(1000) }], { maxBytes: 1000 }]
  ])("fails with %s for %j", (reason, records, limits) => {
    const options = { name: "name", value: "value", per: "id", ...limits } as const
    const { error, items } = failure(streamOf<Record<string, unknown>>(records).pipe(Transform.wide(options)))
    expect(items).toEqual([])
    expect(error).toMatchObject({ reason, transform: "wide" })
  })
})
