import { Transform } from "@chemstream/ndjson"
import { Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, cuts, failure, raws, streamOf } from "./records.ts"

const value = fc.constantFrom(null, "", "a", "b", "NA", "7", "10", "1e1", "007", 7, 10, 9.5, -0, true, false)
const rows = fc
  .array(fc.record({ v: value }, { requiredKeys: [] }), { maxLength: 12 })
  .map((some) => some.map((row, at) => ({ ...row, at })))
const operator = fc.constantFrom(...Transform.OPERATORS)

const kept = (records: ReadonlyArray<object>, ...conditions: ReadonlyArray<Transform.Condition<never>>) =>
  all(streamOf(records as ReadonlyArray<{ v?: unknown }>).pipe(Transform.where(...conditions)))

const only = (records: ReadonlyArray<object>, operator: string, value: Transform.Key) =>
  kept(records, { field: "v", operator, value } as never).map((one) => (one as { v?: unknown }).v)

describe("Transform.where", () => {
  it("keeps with != exactly the records that = drops, in their order", () => {
    fc.assert(
      fc.property(rows, value, (rows, value) => {
        const equal = kept(rows, { field: "v", operator: "=", value } as never)
        const unequal = kept(rows, { field: "v", operator: "!=", value } as never)
        expect(unequal).toEqual(rows.filter((row) => !equal.includes(row)))
        expect(equal).toEqual(rows.filter((row) => equal.includes(row)))
      })
    )
  })

  it("treats <= as < or =, and never holds < and > together", () => {
    fc.assert(
      fc.property(rows, value, (rows, value) => {
        const by = (operator: string) => kept(rows, { field: "v", operator, value } as never)
        expect(by("<=")).toEqual(rows.filter((row) => by("<").includes(row) || by("=").includes(row)))
        expect(by(">=")).toEqual(rows.filter((row) => by(">").includes(row) || by("=").includes(row)))
        expect(by("<").filter((row) => by(">").includes(row))).toEqual([])
      })
    )
  })

  it("treats several conditions as one after the other", () => {
    fc.assert(
      fc.property(rows, operator, value, operator, value, (rows, one, a, other, b) => {
        const first = { field: "v", operator: one, value: a } as never
        const second = { field: "v", operator: other, value: b } as never
        expect(kept(rows, first, second)).toEqual(kept(kept(rows, first), second))
      })
    )
  })

  it("compares numbers by value, also in text, and other text by code point", () => {
    const rows = [{ v: 7 }, { v: "10" }, { v: "NA" }, { v: null }, {}, { v: "" }, { v: "007" }]
    expect(only(rows, "<", 8)).toEqual([7])
    expect(only(rows, ">", "7.5")).toEqual(["10"])
    expect(only(rows, "=", 10)).toEqual(["10"])
    expect(only(rows, "=", "007")).toEqual(["007"])
    expect(only(rows, "=", "")).toEqual([null, undefined, ""])
    expect(only(rows, "!=", null)).toEqual([7, "10", "NA", "007"])
    expect(only([{ v: "b" }, { v: "\u{1f600}" }, { v: "\uff5e" }], ">", "\uff5e")).toEqual(["\u{1f600}"])
    expect(only([{ v: true }, { v: "true" }, { v: false }], "=", "true")).toEqual([true, "true"])
  })

  it("compares numbers of raw records with all digits", () => {
    const records = raws(['{"v":12345678901234567890}', '{"v":12345678901234567891}'])
    const condition = { field: "v", operator: "=", value: "12345678901234567891" } as const
    expect(all(streamOf(records).pipe(Transform.where(condition), Stream.map(String)))).toEqual([
      '{"v":12345678901234567891}'
    ])
  })

  it("takes a raw number beyond every double for one below infinity", () => {
    const large = ["-1e999", "-1e308", "1e308", "1e999"].map((text) => `{"v":${text}}`)
    const kept = (operator: "<" | "=" | ">", value: number) =>
      all(
        streamOf(raws(large)).pipe(
          Transform.where({ field: "v", operator, value } as never),
          Stream.map(String)
        )
      )
    expect(kept("<", Number.POSITIVE_INFINITY)).toEqual(large)
    expect(kept(">", Number.NEGATIVE_INFINITY)).toEqual(large)
    expect(kept("=", Number.POSITIVE_INFINITY)).toEqual([])
    expect(kept(">", 1e308)).toEqual(large.slice(3))
    expect(kept("<", -1e308)).toEqual(large.slice(0, 1))
  })

  it.each([
    ["0.0123456789012345678901e30", "12345678901234567890100000000"],
    ["0.00000000000000000012345678901234567890", "1.2345678901234567890e-19"],
    ["120000000000000000000000", "1.2e23"],
    ["-0.000000000000000000000", "0"]
  ])("takes two spellings of a number for one: %s and %s", (one, other) => {
    for (const [given, value] of [
      [one, other],
      [other, one]
    ] as const) {
      const condition = { field: "v", operator: "=", value } as const
      const found = streamOf(raws([`{"v":${given}}`])).pipe(Transform.where(condition), Stream.map(String))
      expect(all(found)).toEqual([`{"v":${given}}`])
    }
  })

  it("returns the same for raw records as for objects", () => {
    fc.assert(
      fc.property(rows, cuts, operator, value, (rows, cut, operator, value) => {
        const condition = { field: "v", operator, value } as never
        const raw = raws(rows.map((row) => JSON.stringify(row)))
        const texts = all(streamOf(raw, cut).pipe(Transform.where(condition), Stream.map(String)))
        expect(texts).toEqual(kept(rows, condition).map((row) => JSON.stringify(row)))
      })
    )
  })

  it("rejects an array, and an unknown operator", () => {
    const records: ReadonlyArray<{ v: unknown }> = [{ v: 1 }, { v: [1] }]
    const { error } = failure(
      streamOf(records).pipe(Transform.where({ field: "v", operator: "=", value: 1 }))
    )
    expect(error).toMatchObject({ reason: "not-a-key", transform: "where", index: 1, field: "v" })
    expect(() => only([], "==", 1)).toThrow(/operator must be/)
  })
})
