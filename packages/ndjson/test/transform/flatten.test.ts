import { Transform } from "@chemstream/ndjson"
import { Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, anyRecord, failure } from "./records.ts"

type Any = Record<string, unknown>
const flatten = (record: Any, separator = "."): Any =>
  all(Stream.make(record).pipe(Transform.flatten({ separator })))[0] as Any
const unflatten = (record: Any, separator = "."): Any =>
  all(Stream.make(record).pipe(Transform.unflatten({ separator })))[0] as Any

const isNested = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

describe("Transform.flatten", () => {
  it("is undone by unflatten, whatever the record and the separator", () => {
    fc.assert(
      fc.property(anyRecord, fc.constantFrom(".", "/", "_", "a", "é"), (record, separator) => {
        const flat = flatten(record, separator)
        expect(Object.values(flat).some(isNested)).toBe(false)
        expect(JSON.stringify(unflatten(flat, separator))).toBe(JSON.stringify(record))
        expect(Object.getPrototypeOf(flat)).toBe(Object.prototype)
      }),
      { numRuns: 500 }
    )
  })

  it.each([
    ["nested objects", { a: { b: { c: 1 } }, d: 2 }, { "a.b.c": 1, d: 2 }],
    ["an array, with the objects in it", { a: { b: [{ c: 1 }] } }, { "a.b": [{ c: 1 }] }],
    ["an empty object", { a: {}, b: { c: {} } }, { a: {}, "b.c": {} }],
    ["a separator and a backslash in a key", { "a.b": { "c\\": 1 } }, { "a\\.b.c\\\\": 1 }],
    ["empty keys", { "": { "": 1 } }, { ".": 1 }],
    ["null", { a: { b: null } }, { "a.b": null }]
  ])("makes columns of %s", (_, record, flat) => {
    expect(flatten(record)).toEqual(flat)
  })

  it("takes a date for a value", () => {
    const at = new Date(0)
    expect(flatten({ a: { at } })).toEqual({ "a.at": at })
  })

  it("keeps an object nested more deeply than 64 as one value, and what is nested without end", () => {
    const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) })
    const path = (length: number) => Array.from({ length }, () => "a").join(".")
    expect(flatten(deep(65) as Any)).toEqual({ [path(65)]: 1 })
    expect(flatten(deep(66) as Any)).toEqual({ [path(65)]: { a: 1 } })
    expect(Transform.FLATTEN_DEPTH).toBe(64)
    const endless = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`) as Any
    expect(Object.keys(flatten(endless))).toEqual([path(65)])
  })
})

describe("Transform.unflatten", () => {
  it.each([
    ["a value and its parent", { a: 1, "a.b": 2 }, "a.b"],
    ["the parent after the value", { "a.b": 2, a: 1 }, "a"],
    ["an object that came as a value", { a: {}, "a.b": 2 }, "a.b"]
  ])("refuses %s in one place", (_, record, field) => {
    const { items, error } = failure(
      Stream.make<ReadonlyArray<Any>>({ ok: 1 }, record).pipe(Transform.unflatten())
    )
    expect(items).toEqual([{ ok: 1 }])
    expect(error).toMatchObject({ reason: "field-taken", transform: "unflatten", index: 1, field })
  })

  it("makes a field of __proto__, also in a path", () => {
    const nested = unflatten(JSON.parse('{"__proto__.polluted":1,"constructor.prototype.polluted":2}'))
    expect(JSON.stringify(nested)).toBe(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}'
    )
    expect(({} as Any)["polluted"]).toBeUndefined()
  })
})

it.each(["", "..", "\\"])("throws on the separator %j", (separator) => {
  expect(() => Transform.flatten({ separator })).toThrow(RangeError)
  expect(() => Transform.unflatten({ separator })).toThrow(RangeError)
})
