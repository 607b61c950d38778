import { Drift, Ndjson, RawArray, RawRecord, RawShape } from "@chemstream/ndjson"
import { Schema, Stream } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { bytesOf, everyCut, outcome, sameAtEveryCut } from "./chunks.ts"

const lines = (...texts: ReadonlyArray<string>) => bytesOf(texts.map((text) => `${text}\n`).join(""))

const LINES = lines(
  '{"id":"a","mass":1.50}',
  '{"id":"b","mass":"1"}',
  '{"mass":"2","id":"c"}',
  '{"mass":true}',
  "[1]",
  '{"id":"d","mass":',
  '{"id":"e","mass":2e0}'
)

describe("Drift.watch", () => {
  const shape = RawShape.make({
    kinds: { id: "string", mass: ["number", "null"] },
    required: ["id"],
    key: "id"
  })

  it("passes every record unchanged, and counts each kind of drift once per field", () => {
    const told: Array<Drift.FieldDrift> = []
    const drift = Drift.make({ onDrift: (one) => told.push(one) })
    const stream = Stream.make(LINES).pipe(
      Ndjson.decodeRaw(),
      Drift.watch(shape, { drift }),
      Ndjson.encodeRaw()
    )
    const { items, error } = outcome(stream)
    expect(error).toBeUndefined()
    expect(items).toEqual([LINES])
    expect(drift.records).toBe(7)
    expect(drift.fields).toEqual([
      { field: "mass", expected: "number | null", seen: "string", count: 2 },
      { field: "mass", expected: "number | null", seen: "boolean", count: 1 },
      { field: "id", expected: "string", seen: "absent", count: 1 },
      { field: undefined, expected: "object", seen: "array", count: 1 },
      { field: undefined, expected: "object", seen: "malformed (truncated)", count: 1 }
    ])
    expect(told).toEqual(drift.fields.map((one) => ({ ...one, count: 1 })))
  })

  it("uses the keys and drift already read from an array, without reading it again", () => {
    const body = bytesOf('[{"id":"a","mass":""},{"id":"b","mass":1}]')
    for (const cut of everyCut(body)) {
      const drift = Drift.make()
      const other = RawShape.make({})
      const stream = Stream.fromArray(cut).pipe(RawArray.decodeWith(shape), Drift.watch(other, { drift }))
      expect(outcome(stream).items.map(({ key }) => key)).toEqual(["a", "b"])
      expect(drift.fields).toMatchObject([{ field: "mass", seen: "string", count: 1 }])
    }
  })

  it("fails at the first record that does not match when strict, with that record", () => {
    const stream = Stream.make(LINES).pipe(Ndjson.decodeRaw(), Drift.watch(shape, { validate: "strict" }))
    const { items, error } = outcome(stream)
    expect(items.map(RawRecord.toText)).toEqual(['{"id":"a","mass":1.50}'])
    if (!(error instanceof Drift.DriftError)) throw new Error("taken")
    expect([error.key, RawRecord.toText(error.record)]).toEqual(["b", '{"id":"b","mass":"1"}'])
    expect(error.message).toBe(
      'The record b does not fit its shape: "mass" is string where number | null is expected. Set validate to "warn" to pass it unchanged'
    )
  })

  it.each([
    ["[1]", "A record does not fit its shape: it is array where object is expected."],
    ['{"id":"a"', "A record does not fit its shape: it is malformed (truncated) where object is expected."],
    [
      "{}",
      'A record does not fit its shape: "id" is absent where any value is expected, "n" is absent where number is expected.'
    ],
    ['{"id":7}', 'The record 7 does not fit its shape: "n" is absent where number is expected.']
  ])("says how %s differs when strict", (text, message) => {
    const strict = RawShape.make({ kinds: { id: [], n: "number" }, required: ["id", "n"], key: "id" })
    const stream = Stream.make(RawRecord.fromText(text)).pipe(Drift.watch(strict, { validate: "strict" }))
    expect(outcome(stream).error?.message.slice(0, message.length)).toBe(message)
  })

  it("reports each new difference once, as a value of its own", () => {
    const told: Array<Drift.FieldDrift> = []
    const drift = Drift.make({ onDrift: (one) => told.push(one) })
    drift.add("a", "string", "null")
    const before = drift.fields
    for (let n = 0; n < 2; n++) drift.add("a", "string", "null")
    expect(before).toEqual(told)
    expect(told).toEqual([{ field: "a", expected: "string", seen: "null", count: 1 }])
    expect(drift.fields.map(({ count }) => count)).toEqual([3])
  })

  it("inspects no record when off", () => {
    const drift = Drift.make()
    const stream = Stream.make(LINES).pipe(Ndjson.decodeRaw(), Drift.watch(shape, { validate: "off", drift }))
    expect(outcome(stream).items.length).toBe(7)
    expect([drift.records, drift.fields]).toEqual([0, []])
  })

  it("counts no more kinds of drift than its bound", () => {
    const drift = Drift.make({ maxFields: 2 })
    for (const field of ["a", "b", "c", "a", "c"]) drift.add(field, "string", "null")
    expect(drift.fields.map(({ field, count }) => [field, count])).toEqual([
      ["a", 2],
      ["b", 1]
    ])
    expect(drift.overflow).toBe(2)
    expect(() => Drift.make({ maxFields: 0 })).toThrow(RangeError)
  })
})

describe("Ndjson.decodeSchema", () => {
  const Substance = Schema.Struct({
    id: Schema.String,
    count: Schema.FiniteFromString,
    inner: Schema.optionalKey(Schema.Struct({ list: Schema.Array(Schema.Number) }))
  })
  const GOOD = '{"id":"a","count":"3"}'

  it("decodes every value with the schema, at every chunk boundary", () => {
    const bytes = lines(...Array.from({ length: 20 }, () => GOOD))
    const { items, error } = sameAtEveryCut(bytes, Ndjson.decodeSchema(Substance), (value) => value)
    expect(error).toBeUndefined()
    expect(items).toEqual(Array.from({ length: 20 }, () => ({ id: "a", count: 3 })))
  })

  it("rejects a value that does not match with its line, after the earlier values, at every chunk boundary", () => {
    const bytes = lines(GOOD, GOOD, "", '{"id":"b","count":"x"}', GOOD)
    const { items, error } = sameAtEveryCut(bytes, Ndjson.decodeSchema(Substance), (value) => value)
    expect(items.length).toBe(2)
    expect(error).toMatchObject({
      _tag: "NdjsonError",
      reason: "schema-mismatch",
      line: 4,
      offset: 47,
      column: undefined
    })
    expect(error?.message).toContain('it does not fit the schema: Expected a finite number at ["count"]')
  })

  it("skips and counts values that do not match and lines that are not JSON", () => {
    const skip = { count: 0, first: undefined }
    const bytes = lines(GOOD, "{}", "nope", '{"id":1,"count":"1"}', GOOD)
    const { items } = outcome(Stream.make(bytes).pipe(Ndjson.decodeSchema(Substance, { skip })))
    expect(items.length).toBe(2)
    expect(skip).toMatchObject({ count: 3, first: { line: 2, reason: "schema-mismatch" } })
  })

  it("passes every value unchanged under warn, and counts the drift by field", () => {
    const drift = Drift.make()
    const texts = [
      GOOD,
      '{"id":1,"count":"3"}',
      '{"count":"x","extra":1}',
      '{"id":"a","count":"1","inner":{"list":[1,"2",null]}}',
      "7"
    ]
    const decode = Ndjson.decodeSchema(Substance, { validate: "warn", drift })
    const { items, error } = outcome(Stream.make(lines(...texts)).pipe(decode))
    expect(error).toBeUndefined()
    expect(items).toEqual(texts.map((text) => JSON.parse(text)))
    const untold = Ndjson.decodeSchema(Substance, { validate: "warn" })
    expect(outcome(Stream.make(lines(...texts)).pipe(untold))).toEqual({ items, error: undefined })
    expect(drift.records).toBe(5)
    expect(drift.fields).toEqual([
      { field: "id", expected: "string", seen: "number", count: 1 },
      { field: "id", expected: "a value", seen: "absent", count: 1 },
      { field: "count", expected: "a finite number", seen: "string", count: 1 },
      { field: "inner.list[]", expected: "number", seen: "string", count: 1 },
      { field: "inner.list[]", expected: "number", seen: "null", count: 1 },
      { field: undefined, expected: "object", seen: "number", count: 1 }
    ])
  })

  it("uses no schema when off", () => {
    const { items } = outcome(
      Stream.make(lines("{}")).pipe(Ndjson.decodeSchema(Substance, { validate: "off" }))
    )
    expect(items).toEqual([{}])
  })

  it("refuses what is no schema before it reads a line", () => {
    expect(() => Ndjson.decodeSchema({ id: "string" } as never)).toThrow(/schema must be a schema/)
  })

  it("has the type of the schema only when it decodes", () => {
    const strict = Stream.make(lines(GOOD)).pipe(Ndjson.decodeSchema(Substance))
    expectTypeOf(strict).toExtend<
      Stream.Stream<{ readonly id: string; readonly count: number }, Ndjson.NdjsonError>
    >()
    const warn = Stream.make(lines(GOOD)).pipe(Ndjson.decodeSchema(Substance, { validate: "warn" }))
    expectTypeOf(warn).toEqualTypeOf<Stream.Stream<unknown, Ndjson.NdjsonError>>()
  })
})
